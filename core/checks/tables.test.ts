import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TableSelection } from "../../schemas/generated/facts.ts";
import {
  known,
  LINES,
  ORDERS,
  preflightReading,
  resultOf,
  tableIn,
  unseen,
} from "../doctor/testing/build-preflight.ts";
import { lineOf } from "../values/remedy.ts";
import { addedTables, lobsUndecided, namesTooLong, noCapturedTables, unsupportedColumns } from "./tables.ts";

const TAB101 = suite("TAB101 captured tables");

const ALL_TABLES: TableSelection = { pdbs: ["ORCLPDB1"], include: ".*", exclude: undefined, caseSensitive: false };

const selecting = (include: string) => ({ settings: { tables: { ...ALL_TABLES, include } } });

TAB101("passes with the number of tables", () => {
  assert.match(resultOf(noCapturedTables), "pass: 2 captured tables");
});

TAB101("fails for patterns that match nothing", () => {
  assert.match(resultOf(noCapturedTables, selecting("ORCLPDB1[.]SALE[.].*")), /^fail: none .*ORCLPDB1\[\.\]SALE/);
});

TAB101("is unknown for unreadable patterns, and for an unreadable dictionary", () => {
  assert.match(resultOf(noCapturedTables, selecting("(")), /^unknown: Java does not accept/);
  assert.match(resultOf(noCapturedTables, { dictionary: unseen("no grant") }), "unknown: no grant");
});

const TAB104 = suite("TAB104 unsupported columns");

const column = (dataType: string, identity = false) => ({ ...ORDERS, column: "BODY", dataType, identity });

TAB104("passes without any, whatever columns were requested by name", () => {
  assert.match(resultOf(unsupportedColumns), /^pass/);
  assert.match(resultOf(unsupportedColumns, { columns: known([column("VARCHAR2")]) }), /^pass/);
});

TAB104("fails for each kind", () => {
  for (const type of ["BFILE", "BOOLEAN", "JSON", "VECTOR"])
    assert.match(
      resultOf(unsupportedColumns, { columns: known([column(type)]) }),
      `ORCLPDB1.SALES.ORDERS | BODY ${type}`,
    );
  assert.match(resultOf(unsupportedColumns, { columns: known([column("NUMBER", true)]) }), "BODY identity");
  assert.match(
    resultOf(unsupportedColumns, { nestedTables: known([{ ...ORDERS, column: "ITEMS" }]) }),
    "ITEMS nested table",
  );
});

TAB104("lists every such column of a table", () => {
  const columns = known([column("JSON"), { ...column("VECTOR"), column: "EMBEDDED" }]);
  assert.match(resultOf(unsupportedColumns, { columns }), "ORCLPDB1.SALES.ORDERS | BODY JSON, EMBEDDED VECTOR");
});

TAB104("says of how many tables it passes", () => {
  assert.match(resultOf(unsupportedColumns), "pass: all 2 captured tables: every column");
  assert.match(resultOf(unsupportedColumns, { tables: [ORDERS] }), "pass: the captured table: every column");
  assert.is(resultOf(unsupportedColumns, { tables: [] }), "pass: no table is captured");
});

TAB104("applies to captured tables only", () => {
  const columns = known([{ ...column("JSON"), ...tableIn("OTHER") }]);
  assert.match(resultOf(unsupportedColumns, { columns }), /^pass/);
});

TAB104("is unknown where columns or nested tables cannot be read", () => {
  for (const fact of ["columns", "nestedTables", "dictionary"])
    assert.match(resultOf(unsupportedColumns, { [fact]: unseen() }), /^unknown/, fact);
});

const TAB105 = suite("TAB105 names over 30 characters");

TAB105("passes up to 30 characters, of which each may be several bytes", () => {
  assert.match(resultOf(namesTooLong, { tables: [tableIn("T".repeat(30)), tableIn("Ü".repeat(30))] }), /^pass/);
});

TAB105("fails for a longer table, owner or column, and counts", () => {
  const long = "X".repeat(31);
  assert.match(resultOf(namesTooLong, { tables: [tableIn(long)] }), "its name, 31 characters");
  assert.match(resultOf(namesTooLong, { tables: [tableIn("T", long)] }), "its owner, 31 characters");
  const columns = known([{ ...ORDERS, column: long, dataType: "NUMBER", identity: false }]);
  assert.match(resultOf(namesTooLong, { columns }), `column ${long}, 31 characters`);
  const both = {
    tables: [tableIn(long)],
    columns: known([{ ...tableIn(long), column: long, dataType: "NUMBER", identity: false }]),
  };
  assert.match(resultOf(namesTooLong, both), `its name, 31; column ${long}, 31 characters`);
  const short = known([{ ...ORDERS, column: "X".repeat(30), dataType: "NUMBER", identity: false }]);
  assert.match(resultOf(namesTooLong, { columns: short }), /^pass/);
});

TAB105("is unknown where the columns cannot be read", () => {
  assert.match(resultOf(namesTooLong, { columns: unseen() }), /^unknown/);
});

TAB101.run();
TAB104.run();
TAB105.run();

const TAB114 = suite("TAB114 tables that are added");

const LATER = { tables: [ORDERS, LINES] };

/** What is deployed captures the orders only, unless changed. */
const deployed = (changes: Partial<TableSelection> = {}) =>
  known({ ...ALL_TABLES, include: "ORCLPDB1[.]SALES[.]ORDERS", ...changes });

TAB114("warns of tables that what is deployed does not capture, with the Resnapshot to write", () => {
  assert.is(
    resultOf(addedTables, { ...LATER, deployed: deployed() }),
    "fail: 1 of 2 captured tables: not captured by the deployed configuration; they will be streamed from the " +
      "connector's position on, and not snapshotted\nORCLPDB1.SALES.LINES",
  );
  assert.match(
    resultOf(addedTables, { ...LATER, deployed: deployed({ include: ".*", exclude: ".*[.]LINES" }) }),
    /^fail: 1 of 2 .*\nORCLPDB1\.SALES\.LINES$/,
  );
  const verdict = addedTables.run(undefined, preflightReading({ ...LATER, deployed: deployed() }));
  assert.equal("remedies" in verdict && verdict.remedies?.map(lineOf), [
    "Deploy the configuration, then apply a Resnapshot of them:  " +
      'kind: Resnapshot, spec.tables: ["ORCLPDB1.SALES.LINES"]',
  ]);
});

TAB114("names ten tables to copy, and lists all of them", () => {
  const tables = Array.from({ length: 12 }, (_, at) => tableIn(`T${at + 10}`));
  const verdict = addedTables.run(undefined, preflightReading({ tables, deployed: deployed() }));
  assert.is(verdict.verdict, "fail");
  if (verdict.verdict === "pass") return;
  assert.match((verdict.remedies ?? []).map(lineOf).join("\n"), /"ORCLPDB1\.SALES\.T19", …\]$/);
  assert.is(verdict.items?.length, 12);
});

TAB114("passes where what is deployed captures them all, or more, and before anything was captured", () => {
  assert.is(resultOf(addedTables), "pass: all 2 captured tables: captured by the deployed configuration too");
  assert.match(resultOf(addedTables, { deployed: deployed(), tables: [ORDERS] }), /^pass: the captured table/);
  assert.match(resultOf(addedTables, { deployed: known("no offset" as const) }), "pass: no offset is stored");
});

TAB114("compares the tables of the PDBs that are checked: of others the dictionary was not read", () => {
  const on = (pdbs: readonly string[]) =>
    resultOf(addedTables, { ...LATER, deployed: deployed({ pdbs, include: ".*" }) });
  assert.match(on(["orclpdb1", "DROPPED"]), /^pass: all 2/);
  assert.match(on(["DROPPED"]), /^fail: 2 of 2/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in the notation of Connect
  assert.match(on(["${env:PDBS}"]), /^unknown: .*cdc\.database\.pdbs holds a reference/);
});

TAB114("is unknown where the worker does not tell, a pattern is unreadable, or the dictionary", () => {
  assert.is(resultOf(addedTables, { deployed: unseen("no worker answers") }), "unknown: no worker answers");
  assert.match(
    resultOf(addedTables, { deployed: deployed({ include: "(" }) }),
    /^unknown: what the deployed configuration captures: Java does not accept/,
  );
  assert.match(resultOf(addedTables, { deployed: deployed({ include: undefined }) }), /^unknown: .* is not set/);
  assert.is(resultOf(addedTables, { dictionary: unseen("no grant") }), "unknown: no grant");
});

TAB114.run();

const TAB108 = suite("TAB108 LOB and XMLTYPE columns");

const lobMode = (mode?: "skip" | "inline" | "reselect") => ({ settings: { lobMode: mode } });

TAB108("warns of what the default leaves out, until the setting is given", () => {
  for (const type of ["BLOB", "CLOB", "NCLOB", "XMLTYPE"]) {
    const columns = known([column(type)]);
    const result = resultOf(lobsUndecided, { ...lobMode(), columns });
    assert.match(result, "fail: 1 of 2 captured tables: records omit these columns, because cdc.lob.mode is not set");
    assert.match(result, `ORCLPDB1.SALES.ORDERS | BODY ${type}`);
    assert.match(
      resultOf(lobsUndecided, { ...lobMode("skip"), columns }),
      "pass: tables with LOB or XMLTYPE columns: 1 (cdc.lob.mode skip)",
    );
  }
});

TAB108("lists every such column of a table", () => {
  const columns = known([column("CLOB"), { ...column("BLOB"), column: "PHOTO" }]);
  assert.match(resultOf(lobsUndecided, { ...lobMode(), columns }), "ORCLPDB1.SALES.ORDERS | BODY CLOB, PHOTO BLOB");
});

TAB108("warns only of XMLTYPE under the other modes", () => {
  for (const mode of ["inline", "reselect"] as const) {
    assert.match(resultOf(lobsUndecided, { ...lobMode(mode), columns: known([column("XMLTYPE")]) }), "the placeholder");
    assert.match(resultOf(lobsUndecided, { ...lobMode(mode), columns: known([column("CLOB")]) }), /^pass/);
  }
});

TAB108("gives the number of LONG columns, which are delivered", () => {
  for (const type of ["LONG", "LONG RAW"])
    assert.match(
      resultOf(lobsUndecided, { columns: known([column(type)]) }),
      "with LONG columns, which are delivered: 1",
    );
  assert.is(resultOf(lobsUndecided, { columns: unseen("no grant") }), "unknown: no grant");
});

TAB108.run();
