import { suite } from "uvu";
import * as assert from "uvu/assert";
import { NOT_INSPECTED } from "../facts/tables/evidence.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  ITEMS,
  intent,
  LINES,
  ORDERS,
  PURGED,
  pastTheGap,
  reading,
  resultOf,
  table,
  tables,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { processorMillis } from "../values/testing/processor-time.ts";
import {
  assertionDoesNotFit,
  capturedSetUnknown,
  evidenceUnseen,
  tableNotCaptured,
  unlistedTablesLoseChanges,
} from "./snapshot-tables.ts";
import { worded } from "./testing/wording.ts";

const SNP901 = suite("SNP901 a table that is not captured");

const resultForNamed = (names: readonly string[], parts: Parameters<typeof reading>[0] = {}) => {
  const wanted = intent({ tables: names });
  return resultOf(tableNotCaptured, reading(parts, wanted), wanted);
};

SNP901("passes where every name is a captured table's, in any spelling", () => {
  for (const names of [[ORDERS], ["orclpdb1.sales.lines"], ['"ORCLPDB1"."SALES"."ORDERS"', LINES]])
    assert.is(resultForNamed(names), "");
});

SNP901("refuses one that is not, accepted or not, signal only or past a gap", () => {
  const wanted = intent({ tables: [ORDERS, "ORCLPDB1.HR.EMPLOYEES"], accept: ["SNP901"] });
  for (const on of [reading({}, wanted), pastTheGap({}, wanted)]) {
    assert.is(effectOf(tableNotCaptured, on, wanted), "blocks");
    assert.is(effectOf(tableNotCaptured, on, { ...wanted, origin: { ...wanted.origin, by: "admin" } }), "blocks");
  }
  assert.match(
    resultOf(tableNotCaptured, reading({}, wanted), wanted),
    "ORCLPDB1.HR.EMPLOYEES is not a captured table",
  );
});

SNP901("says in which form this connector names its tables", () => {
  assert.match(resultForNamed(["X"]), "names its tables PDB.OWNER.TABLE");
  const plain = { pdbs: [], include: "SALES[.].*", exclude: undefined, caseSensitive: false };
  assert.match(resultForNamed(["X"], { connector: { tables: plain } }), "names its tables OWNER.TABLE");
});

SNP901("suggests the table whose container was left out", () => {
  assert.match(resultForNamed(["SALES.ORDERS"]), `did you mean ${ORDERS}?`);
});

SNP901("suggests the table of another owner or container, and the one nearest in its letters", () => {
  assert.match(resultForNamed(["ORCLPDB1.SALE.ORDERS"]), `did you mean ${ORDERS}?`);
  assert.match(resultForNamed(["ORCLPDB2.SALES.ORDERS"]), `did you mean ${ORDERS}?`);
  assert.match(resultForNamed(["ORCLPDB1.SALES.ORDRES"]), `did you mean ${ORDERS}?`);
});

SNP901("suggests nothing where no name is near", () => {
  assert.not.match(resultForNamed(["X.Y"]), "did you mean");
});

SNP901("takes a quoted name literally", () => {
  assert.match(resultForNamed(['ORCLPDB1.SALES."orders"']), "is not a captured table; did you mean");
});

SNP901("requires quotes for a name that matches two tables", () => {
  const result = resultForNamed(["ORCLPDB1.SALES.Orders"], { tables: [table("ORDERS"), table("Orders")] });
  assert.match(result, "ORCLPDB1.SALES.Orders is the name of several captured tables");
  assert.match(result, "double quotes");
});

SNP901("requires quotes also where another name is wrong in another way", () => {
  const text = resultForNamed(["ORCLPDB1.SALES.Orders", "X.Y"], { tables: [table("ORDERS"), table("Orders")] });
  assert.match(text, "is the name of several captured tables; X.Y is not a captured table");
  assert.match(text, "double quotes");
});

SNP901("says that nothing is captured", () => {
  assert.match(resultForNamed(["X.Y"], { tables: [] }), "and captures none.");
});

SNP901("shows exactly ten wrong names without a rest", () => {
  const text = resultForNamed(Array.from({ length: 10 }, (_, i) => `X.Y${i}`));
  assert.match(text, "X.Y9");
  assert.not.match(text, "more");
});

SNP901("says how this connector names its tables, and which option of admin takes them", () => {
  assert.match(resultForNamed(["X.Y"]), "spec.tables: this connector names its tables PDB.OWNER.TABLE, and captures 3");
  const wanted = intent({ tables: ["X.Y"], by: "admin" });
  assert.match(resultOf(tableNotCaptured, reading({}, wanted), wanted), "Correct --tables");
});

SNP901("shows ten of very many wrong names, quickly, among 100,000 captured ones", () => {
  const names = Array.from({ length: 5000 }, (_, i) => `ORCLPDB1.SALES.TT${i}X`);
  const wanted = intent({ tables: names });
  const on = reading({ tables: tables(100_000) }, wanted);
  const begin = processorMillis();
  const text = resultOf(tableNotCaptured, on, wanted);
  assert.match(text, "; and 4,990 more");
  assert.ok(text.length < 3000);
  assert.ok(processorMillis() - begin < 15_000, `${processorMillis() - begin} ms`);
});

SNP901("leaves it to SNP902 while the captured tables are unknown", () => {
  assert.is(effectOf(tableNotCaptured, reading({ dictionary: unseen() })), "none");
});

const SNP902 = suite("SNP902 captured tables that are unknown");

SNP902("passes where they are known, even if there are none", () => {
  assert.is(effectOf(capturedSetUnknown, reading()), "none");
  assert.is(effectOf(capturedSetUnknown, reading({ tables: [] })), "none");
});

SNP902("refuses, for a signal too, whatever is accepted: lost data is never guessed", () => {
  const parts = { dictionary: unseen("ORA-00942 on CDB_TABLES", "GRANT SELECT ANY DICTIONARY TO C##CDC") };
  const wanted = intent({ accept: ["SNP902"], skipGapForUnlistedTables: "all" });
  for (const on of [reading(parts, wanted), pastTheGap(parts, wanted)]) {
    assert.is(effectOf(capturedSetUnknown, on, wanted), "blocks");
    assert.is(effectOf(capturedSetUnknown, on, intent({ by: "admin" })), "blocks");
    assert.match(resultOf(capturedSetUnknown, on), "is unknown: ORA-00942 on CDB_TABLES");
    assert.match(resultOf(capturedSetUnknown, on), "GRANT SELECT ANY DICTIONARY TO C##CDC");
  }
});

SNP902("has a separate remedy where the case has none", () => {
  assert.match(resultOf(capturedSetUnknown, reading({ dictionary: unseen() })), capturedSetUnknown.remedy);
});

SNP902("refuses a configuration without cdc.tables.include", () => {
  const connector = { tables: { pdbs: ["ORCLPDB1"], include: undefined, exclude: undefined, caseSensitive: false } };
  assert.match(resultOf(capturedSetUnknown, reading({ connector })), "cdc.tables.include");
});

const SNP903 = suite("SNP903 captured tables that are not listed");

const all = intent({ tables: [ORDERS, LINES, ITEMS] });

SNP903("passes where every captured table is listed, and where only a signal is written", () => {
  assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({}, all), all), "none");
  assert.is(effectOf(unlistedTablesLoseChanges, reading()), "none");
});

SNP903("refuses past the gap, names them, and cannot be accepted", () => {
  for (const wanted of [intent({ accept: ["SNP903"] }), intent({ by: "admin" })]) {
    const on = pastTheGap({}, wanted);
    assert.is(effectOf(unlistedTablesLoseChanges, on, wanted), "blocks");
    assert.match(
      resultOf(unlistedTablesLoseChanges, on, wanted),
      /^1 captured table is not named .*: ORCLPDB1\.SALES\.ITEMS/,
    );
  }
});

SNP903("suggests restoring the logs before anything else", () => {
  const [, first, second, third] = resultOf(unlistedTablesLoseChanges, pastTheGap()).split("\n");
  assert.is(first, "Restore the logs (RMAN):  RESTORE ARCHIVELOG FROM SEQUENCE 121 UNTIL SEQUENCE 121 THREAD 1;");
  assert.match(second ?? "", "spec.tables");
  assert.match(third ?? "", "spec.skipGapForUnlistedTables: true");
});

SNP903("names admin's options under admin", () => {
  const text = resultOf(unlistedTablesLoseChanges, pastTheGap(), intent({ by: "admin" }));
  assert.match(text, "name them in --tables");
  assert.match(text, "--skip-gap-for-unlisted-tables");
  assert.not.match(text, "spec.");
});

SNP903("passes with the assertion for all of them, or a list of all of them", () => {
  for (const skipGapForUnlistedTables of ["all", [ITEMS], ["orclpdb1.sales.items"]] as const) {
    const wanted = intent({ skipGapForUnlistedTables });
    assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({}, wanted), wanted), "none");
  }
});

SNP903("refuses a list that leaves one out, and names that one", () => {
  const wanted = intent({ tables: [ORDERS], skipGapForUnlistedTables: [ITEMS] });
  const text = resultOf(unlistedTablesLoseChanges, pastTheGap({}, wanted), wanted);
  assert.match(text, /^1 captured table is neither named nor asserted .*: ORCLPDB1\.SALES\.LINES\n/);
  assert.match(text, "or all of them in its list");
});

SNP903("counts a list entry in two spellings once", () => {
  const wanted = intent({ tables: [ORDERS], skipGapForUnlistedTables: [ITEMS, 'ORCLPDB1.SALES."ITEMS"'] });
  assert.match(resultOf(unlistedTablesLoseChanges, pastTheGap({}, wanted), wanted), /^1 captured table/);
});

SNP903("lists first those with evidence of changes since the gap began", () => {
  const at = "2026-11-20T19:02:11Z";
  const activity = known([
    { ...table("ITEMS"), lastDdl: "2026-11-20T20:00:00Z", modifications: undefined, analyzed: undefined },
    { ...table("LINES"), lastDdl: "2026-11-01T00:00:00Z", modifications: undefined, analyzed: undefined },
  ]);
  const wanted = intent({ tables: [ORDERS] });
  const on = pastTheGap({ activity, times: known([{ scn: 2204511n, at }]) }, wanted);
  assert.match(
    resultOf(unlistedTablesLoseChanges, on, wanted),
    "; 1 was changed since it began: ORCLPDB1.SALES.ITEMS; " +
      "no changes are known for the others: ORCLPDB1.SALES.LINES",
  );
});

SNP903("speaks of no others where all were changed", () => {
  const activity = known([
    { ...table("ITEMS"), lastDdl: "2026-11-20T20:00:00Z", modifications: undefined, analyzed: undefined },
  ]);
  const on = pastTheGap({ activity, times: known([{ scn: 2204511n, at: "2026-11-20T19:02:11Z" }]) });
  assert.match(resultOf(unlistedTablesLoseChanges, on), /; 1 was changed since it began: ORCLPDB1\.SALES\.ITEMS\n/);
});

SNP903("lists exactly twenty without a rest", () => {
  const wanted = intent({ tables: ["ORCLPDB1.SALES.T1"] });
  const text = resultOf(unlistedTablesLoseChanges, pastTheGap({ tables: tables(21) }, wanted), wanted);
  assert.match(text, /^20 captured tables .*ORCLPDB1\.SALES\.T9\n/);
});

SNP903("only counts the others where very many were changed", () => {
  const seen = tables(30);
  const activity = known(
    seen
      .slice(1, 26)
      .map((one) => ({ ...one, lastDdl: "2026-11-20T20:00:00Z", modifications: undefined, analyzed: undefined })),
  );
  const times = known([{ scn: 2204511n, at: "2026-11-20T19:02:11Z" }]);
  const wanted = intent({ tables: ["ORCLPDB1.SALES.T1"] });
  assert.match(
    resultOf(unlistedTablesLoseChanges, pastTheGap({ tables: seen, activity, times }, wanted), wanted),
    /; 25 were changed since it began: .*, and 5 more; no changes are known for the others: 4 in all/,
  );
});

SNP903("stays readable with 100,000 of them, for a plan file and for admin", () => {
  for (const by of ["plan file", "admin"] as const) {
    const wanted = intent({ by, tables: ["ORCLPDB1.SALES.T1"] });
    const text = resultOf(unlistedTablesLoseChanges, pastTheGap({ tables: tables(100_000) }, wanted), wanted);
    assert.match(text, /^99,999 captured tables are not named/);
    assert.match(text, "and 99,979 more");
    assert.ok(text.length < 2000, `${text.length}`);
  }
});

SNP903("compares a list of 100,000 with them in reasonable time", () => {
  const names = tables(100_000).map(({ name }) => `ORCLPDB1.SALES.${name}`);
  const wanted = intent({ tables: names.slice(0, 1), skipGapForUnlistedTables: names.slice(1) });
  const begin = processorMillis();
  assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({ tables: tables(100_000) }, wanted), wanted), "none");
  assert.ok(processorMillis() - begin < 20_000, `${processorMillis() - begin} ms`);
});

SNP903("leaves unknown captured tables to SNP902", () => {
  assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({ dictionary: unseen() })), "none");
});

const SNP911 = suite("SNP911 an assertion about other tables than the unlisted ones");

const asserting = (names: readonly string[]) => intent({ skipGapForUnlistedTables: names });
const resultForAsserted = (names: readonly string[]) =>
  resultOf(assertionDoesNotFit, pastTheGap({}, asserting(names)), asserting(names));

SNP911("passes for true, for none, and for a list of unlisted tables", () => {
  assert.is(resultForAsserted([ITEMS]), "");
  for (const skipGapForUnlistedTables of ["all", "none"] as const) {
    const wanted = intent({ skipGapForUnlistedTables });
    assert.is(effectOf(assertionDoesNotFit, pastTheGap({}, wanted), wanted), "none");
  }
});

SNP911("refuses a table that is snapshotted, is not captured, or is ambiguous", () => {
  assert.match(resultForAsserted([ITEMS, LINES]), /^ORCLPDB1\.SALES\.LINES is in spec\.tables\n/);
  assert.match(resultForAsserted(["ORCLPDB1.HR.EMPLOYEES"]), "ORCLPDB1.HR.EMPLOYEES is not a captured table");
  const wanted = asserting([ITEMS, LINES]);
  assert.is(effectOf(assertionDoesNotFit, pastTheGap({}, wanted), { ...wanted, accept: ["SNP911"] }), "blocks");
});

SNP911("says what is wrong with a name: ambiguous, or not a name", () => {
  const of = (name: string) => {
    const wanted = asserting([name]);
    return resultOf(assertionDoesNotFit, pastTheGap({ tables: [table("ITEMS"), table("Items")] }, wanted), wanted);
  };
  assert.match(of("ORCLPDB1.SALES.Items"), "ORCLPDB1.SALES.Items is the name of several captured tables");
  assert.match(of('ORCLPDB1.SALES."ITEMS'), "is not a valid table name");
});

SNP911("shows exactly ten wrong names without a rest", () => {
  const text = resultForAsserted(Array.from({ length: 10 }, (_, i) => `X.Y${i}`));
  assert.match(text, "X.Y9");
  assert.not.match(text, "more");
});

SNP911("does not apply to a signal alone: nothing is skipped, nothing asserted", () => {
  const wanted = asserting([LINES, "X.Y"]);
  assert.is(effectOf(assertionDoesNotFit, reading({}, wanted), wanted), "none");
});

SNP911("leaves unknown captured tables to SNP902", () => {
  const wanted = asserting(["X.Y"]);
  assert.is(effectOf(assertionDoesNotFit, pastTheGap({ dictionary: unseen() }, wanted), wanted), "none");
});

SNP911("shows ten of 100,000 wrong names, in reasonable time", () => {
  const names = tables(100_000).map(({ name }) => `ORCLPDB1.SALES.X${name}`);
  const begin = processorMillis();
  const result = resultForAsserted(names);
  assert.match(result, "; and 99,990 more");
  assert.ok(processorMillis() - begin < 20_000, `${processorMillis() - begin} ms`);
});

const SNP915 = suite("SNP915 evidence that cannot be read");

const some = intent({ tables: [ORDERS] });
const forbidden = unseen("may not read CDB_TAB_MODIFICATIONS", "GRANT SELECT ANY DICTIONARY TO C##CDC;");

SNP915("warns where unlisted tables would lose changes, with the grant", () => {
  const verdict = worded(evidenceUnseen).run(some, reading({ catalogue: PURGED, activity: forbidden }, some));
  assert.ok(verdict.verdict === "unknown");
  assert.match(verdict.seen, "CDB_TAB_MODIFICATIONS");
  assert.equal(verdict.remedies, ["GRANT SELECT ANY DICTIONARY TO C##CDC;"]);
  assert.is(effectOf(evidenceUnseen, reading({ catalogue: PURGED, activity: forbidden }, some), some), "warns");
});

SNP915("passes where it was read, and where it was not needed", () => {
  for (const parts of [
    { catalogue: PURGED },
    { catalogue: PURGED, activity: unseen(NOT_INSPECTED) },
    { activity: forbidden },
  ])
    assert.is(effectOf(evidenceUnseen, reading(parts, some), some), "none");
  assert.is(effectOf(evidenceUnseen, reading({ catalogue: PURGED, activity: forbidden }, all), all), "none");
});

SNP901.run();
SNP902.run();
SNP903.run();
SNP911.run();
SNP915.run();
