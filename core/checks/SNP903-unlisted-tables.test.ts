import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  ITEMS,
  intent,
  LINES,
  ORDERS,
  pastTheGap,
  reading,
  saidBy,
  table,
  tables,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { unlistedTablesLoseChanges } from "./SNP903-unlisted-tables.ts";

const check = suite("SNP903 captured tables that are not named");

const all = intent({ tables: [ORDERS, LINES, ITEMS] });

check("passes where every captured table is named, and where only a signal is written", () => {
  assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({}, all), all), "none");
  assert.is(effectOf(unlistedTablesLoseChanges, reading()), "none");
});

check("refuses past the gap, names them, and can't be accepted", () => {
  for (const wanted of [intent({ accept: ["SNP903"] }), intent({ by: "admin" })]) {
    const on = pastTheGap({}, wanted);
    assert.is(effectOf(unlistedTablesLoseChanges, on, wanted), "blocks");
    assert.match(
      saidBy(unlistedTablesLoseChanges, on, wanted),
      /^1 captured table is not named .*: ORCLPDB1\.SALES\.ITEMS/,
    );
  }
});

check("offers to bring the logs back before anything else", () => {
  const [, first, second, third] = saidBy(unlistedTablesLoseChanges, pastTheGap()).split("\n");
  assert.is(first, "Bring the logs back (RMAN):  RESTORE ARCHIVELOG FROM SEQUENCE 121 UNTIL SEQUENCE 121 THREAD 1;");
  assert.match(second ?? "", "spec.tables");
  assert.match(third ?? "", "spec.skipGapForUnlistedTables: true");
});

check("names admin's options to admin", () => {
  const text = saidBy(unlistedTablesLoseChanges, pastTheGap(), intent({ by: "admin" }));
  assert.match(text, "name them in --tables");
  assert.match(text, "--skip-gap-for-unlisted-tables");
  assert.not.match(text, "spec.");
});

check("the assertion for all of them, or a list of all of them, lets it pass", () => {
  for (const skipGapForUnlistedTables of ["all", [ITEMS], ["orclpdb1.sales.items"]] as const) {
    const wanted = intent({ skipGapForUnlistedTables });
    assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({}, wanted), wanted), "none");
  }
});

check("a list that leaves one out is refused, and the one is named", () => {
  const wanted = intent({ tables: [ORDERS], skipGapForUnlistedTables: [ITEMS] });
  const text = saidBy(unlistedTablesLoseChanges, pastTheGap({}, wanted), wanted);
  assert.match(text, /^1 captured table is neither named nor asserted .*: ORCLPDB1\.SALES\.LINES\n/);
  assert.match(text, "or all of them in its list");
});

check("a list entry in two spellings counts once", () => {
  const wanted = intent({ tables: [ORDERS], skipGapForUnlistedTables: [ITEMS, 'ORCLPDB1.SALES."ITEMS"'] });
  assert.match(saidBy(unlistedTablesLoseChanges, pastTheGap({}, wanted), wanted), /^1 captured table/);
});

check("says first of which something tells that they were changed since the gap began", () => {
  const at = "2026-11-20T19:02:11Z";
  const activity = known([
    { ...table("ITEMS"), lastDdl: "2026-11-20T20:00:00Z", modifications: undefined, analyzed: undefined },
    { ...table("LINES"), lastDdl: "2026-11-01T00:00:00Z", modifications: undefined, analyzed: undefined },
  ]);
  const wanted = intent({ tables: [ORDERS] });
  const on = pastTheGap({ activity, times: known([{ scn: 2204511n, at }]) }, wanted);
  assert.match(
    saidBy(unlistedTablesLoseChanges, on, wanted),
    /; 1 was changed since it began: ORCLPDB1\.SALES\.ITEMS; of the others nothing like that is known: ORCLPDB1\.SALES\.LINES/,
  );
});

check("stays readable with 100,000 of them, for a plan file and for admin", () => {
  for (const by of ["plan file", "admin"] as const) {
    const wanted = intent({ by, tables: ["ORCLPDB1.SALES.T1"] });
    const text = saidBy(unlistedTablesLoseChanges, pastTheGap({ tables: tables(100_000) }, wanted), wanted);
    assert.match(text, /^99999 captured tables are not named/);
    assert.match(text, "and 99979 more");
    assert.ok(text.length < 2000, `${text.length}`);
  }
});

check("a list of 100,000 is held against them in good time", () => {
  const names = tables(100_000).map(({ name }) => `ORCLPDB1.SALES.${name}`);
  const wanted = intent({ tables: names.slice(0, 1), skipGapForUnlistedTables: names.slice(1) });
  const begin = performance.now();
  assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({ tables: tables(100_000) }, wanted), wanted), "none");
  assert.ok(performance.now() - begin < 20_000, `${performance.now() - begin} ms`);
});

check("leaves a captured set that is not known to SNP902", () => {
  assert.is(effectOf(unlistedTablesLoseChanges, pastTheGap({ dictionary: unseen() })), "none");
});

check.run();
