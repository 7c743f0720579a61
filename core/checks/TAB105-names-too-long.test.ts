import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, ORDERS, saidBy, tableIn, unseen } from "../doctor/testing/build-preflight.ts";
import { namesTooLong } from "./TAB105-names-too-long.ts";

const check = suite("TAB105 names over 30 characters");

check("passes up to 30 characters, of which one may be several bytes", () => {
  assert.match(saidBy(namesTooLong, { tables: [tableIn("T".repeat(30)), tableIn("Ü".repeat(30))] }), /^pass/);
});

check("fails for a longer table, owner or column, and counts", () => {
  const long = "X".repeat(31);
  assert.match(saidBy(namesTooLong, { tables: [tableIn(long)] }), "its name, 31 characters");
  assert.match(saidBy(namesTooLong, { tables: [tableIn("T", long)] }), "its owner, 31 characters");
  const columns = known([{ ...ORDERS, column: long, dataType: "NUMBER", identity: false }]);
  assert.match(saidBy(namesTooLong, { columns }), `column ${long}, 31 characters`);
});

check("is unknown where the columns can't be seen", () => {
  assert.match(saidBy(namesTooLong, { columns: unseen() }), /^unknown/);
});

check.run();
