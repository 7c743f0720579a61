import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  ITEMS,
  intent,
  LINES,
  pastTheGap,
  reading,
  saidBy,
  tables,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { assertionDoesNotFit } from "./SNP911-assertion-does-not-fit.ts";

const check = suite("SNP911 an assertion about other tables than the unlisted ones");

const asserting = (names: readonly string[]) => intent({ skipGapForUnlistedTables: names });
const said = (names: readonly string[]) =>
  saidBy(assertionDoesNotFit, pastTheGap({}, asserting(names)), asserting(names));

check("passes for true, for none, and for a list of unlisted tables", () => {
  assert.is(said([ITEMS]), "");
  for (const skipGapForUnlistedTables of ["all", "none"] as const) {
    const wanted = intent({ skipGapForUnlistedTables });
    assert.is(effectOf(assertionDoesNotFit, pastTheGap({}, wanted), wanted), "none");
  }
});

check("refuses a table that is snapshotted, is not captured, or could be several", () => {
  assert.match(said([ITEMS, LINES]), /^ORCLPDB1\.SALES\.LINES is in spec\.tables\n/);
  assert.match(said(["ORCLPDB1.HR.EMPLOYEES"]), "ORCLPDB1.HR.EMPLOYEES is no captured table");
  const wanted = asserting([ITEMS, LINES]);
  assert.is(effectOf(assertionDoesNotFit, pastTheGap({}, wanted), { ...wanted, accept: ["SNP911"] }), "blocks");
});

check("does not concern a signal alone: nothing is skipped, nothing asserted", () => {
  const wanted = asserting([LINES, "X.Y"]);
  assert.is(effectOf(assertionDoesNotFit, reading({}, wanted), wanted), "none");
});

check("leaves a captured set that is not known to SNP902", () => {
  const wanted = asserting(["X.Y"]);
  assert.is(effectOf(assertionDoesNotFit, pastTheGap({ dictionary: unseen() }, wanted), wanted), "none");
});

check("of 100,000 wrong names shows ten, in good time", () => {
  const names = tables(100_000).map(({ name }) => `ORCLPDB1.SALES.X${name}`);
  const begin = performance.now();
  const text = said(names);
  assert.match(text, "; and 99990 more");
  assert.ok(performance.now() - begin < 20_000, `${performance.now() - begin} ms`);
});

check.run();
