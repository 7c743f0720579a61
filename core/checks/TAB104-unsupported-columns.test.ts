import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, ORDERS, saidBy, tableIn, unseen } from "../doctor/testing/build-preflight.ts";
import { unsupportedColumns } from "./TAB104-unsupported-columns.ts";

const check = suite("TAB104 columns that the miner does not support");

const column = (dataType: string, identity = false) => ({ ...ORDERS, column: "BODY", dataType, identity });

check("passes without any, whatever columns were asked for by name", () => {
  assert.match(saidBy(unsupportedColumns), /^pass/);
  assert.match(saidBy(unsupportedColumns, { columns: known([column("VARCHAR2")]) }), /^pass/);
});

check("fails for each kind", () => {
  for (const type of ["BFILE", "BOOLEAN", "JSON", "VECTOR"])
    assert.match(
      saidBy(unsupportedColumns, { columns: known([column(type)]) }),
      `ORCLPDB1.SALES.ORDERS | BODY ${type}`,
    );
  assert.match(saidBy(unsupportedColumns, { columns: known([column("NUMBER", true)]) }), "BODY identity");
  assert.match(
    saidBy(unsupportedColumns, { nestedTables: known([{ ...ORDERS, column: "ITEMS" }]) }),
    "ITEMS nested table",
  );
});

check("concerns captured tables alone", () => {
  const columns = known([{ ...column("JSON"), ...tableIn("OTHER") }]);
  assert.match(saidBy(unsupportedColumns, { columns }), /^pass/);
});

check("is unknown where columns or nested tables can't be seen", () => {
  for (const fact of ["columns", "nestedTables", "dictionary"])
    assert.match(saidBy(unsupportedColumns, { [fact]: unseen() }), /^unknown/, fact);
});

check.run();
