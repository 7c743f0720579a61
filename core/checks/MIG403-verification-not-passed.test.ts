import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { EVIDENCE, LINES, ORDERS, VERIFIED } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { verificationNotPassed } from "./MIG403-verification-not-passed.ts";

const check = suite("MIG403 a verification that did not pass");

const later = (passed: boolean) => ({
  ...VERIFIED,
  run: "later",
  at: "2026-11-21T09:00:00Z",
  digest: "sha256:def",
  passed,
});

check("passes where every table passed", () => {
  assert.is(effectOf(verificationNotPassed, retirement()), "none");
});

check("refuses a table that failed, and one that is inconclusive", () => {
  const evidence = known({
    ...EVIDENCE,
    tables: [
      { table: ORDERS, outcome: "fail" as const, legacyTopic: undefined, byLegacy: 0n, leftOut: [] },
      { table: LINES, outcome: "inconclusive" as const, legacyTopic: undefined, byLegacy: 0n, leftOut: [] },
    ],
  });
  assert.is(effectOf(verificationNotPassed, retirement({ evidence }), intent({ accept: ["MIG403"] })), "blocks");
  assert.match(saidBy(verificationNotPassed, retirement({ evidence })), `${ORDERS} failed; ${LINES} is inconclusive`);
});

check("refuses what the journal knows as not passed, whatever the file says", () => {
  const verifications = known([{ ...VERIFIED, passed: false }]);
  assert.is(effectOf(verificationNotPassed, retirement({ verifications })), "blocks");
});

check("refuses where a later verification did not pass; one before, or one that passed, says nothing", () => {
  const failed = retirement({ verifications: known([VERIFIED, later(false)]) });
  assert.is(effectOf(verificationNotPassed, failed), "blocks");
  assert.match(saidBy(verificationNotPassed, failed), /^run later .* after orders-to-cdc\.evidence\.json was written/);
  for (const verifications of [known([VERIFIED, later(true)]), known([later(false), VERIFIED])])
    assert.is(effectOf(verificationNotPassed, retirement({ verifications })), "none");
});

check("never passes while the journals can't be read; leaves missing evidence to MIG401", () => {
  assert.is(effectOf(verificationNotPassed, retirement({ verifications: unseen() })), "blocks");
  assert.is(effectOf(verificationNotPassed, retirement({ evidence: unseen() })), "none");
});

check.run();
