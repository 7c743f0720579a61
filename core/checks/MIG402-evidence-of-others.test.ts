import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { CUTOVER, EVIDENCE, VERIFIED } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { evidenceOfOthers } from "./MIG402-evidence-of-others.ts";

const check = suite("MIG402 evidence of no verification that is known");

check("passes where a verification of the two connectors after their cutover wrote it", () => {
  assert.is(effectOf(evidenceOfOthers, retirement()), "none");
  assert.is(effectOf(evidenceOfOthers, retirement({ cutover: known(undefined) })), "none", "carried out elsewhere");
});

check("refuses what no journal here knows, or is of another connector", () => {
  for (const parts of [
    { verifications: known([]) },
    { verifications: known([{ ...VERIFIED, digest: "sha256:def" }]) },
    { evidence: known({ ...EVIDENCE, connector: "billing-cdc" }) },
  ]) {
    assert.is(verdictOf(evidenceOfOthers, retirement(parts)), "fail");
    assert.is(effectOf(evidenceOfOthers, retirement(parts), intent({ accept: ["MIG402"] })), "blocks");
  }
});

check("refuses what was verified before the latest cutover", () => {
  for (const at of ["2026-11-21T08:00:00.001Z", VERIFIED.at, "2026-11-21T09:00:00Z"]) {
    const on = retirement({ cutover: known({ ...CUTOVER, at }) });
    assert.is(verdictOf(evidenceOfOthers, on), "fail", at);
    assert.match(saidBy(evidenceOfOthers, on), "before the cutover of run");
  }
});

check("refuses what is as of an SCN before the last commit that the legacy connector delivered", () => {
  const asOf = (checkScn: bigint, parts: Parameters<typeof retirement>[0] = {}) =>
    retirement({ evidence: known({ ...EVIDENCE, checkScn }), ...parts });
  assert.is(effectOf(evidenceOfOthers, asOf(2_180_000n)), "none", "the last commit itself is in it");
  const early = asOf(2_179_999n);
  assert.is(verdictOf(evidenceOfOthers, early), "fail");
  assert.match(
    saidBy(evidenceOfOthers, early),
    "is as of SCN 2179999, and orders-legacy delivered commits up to 2180000",
  );
  assert.is(verdictOf(evidenceOfOthers, asOf(2_179_999n, { cutover: known(undefined) })), "fail", "by its own offsets");
  assert.is(
    effectOf(evidenceOfOthers, asOf(1n, { cutover: known(undefined), legacy: null })),
    "none",
    "deleted already",
  );
  const [database, orders] = CUTOVER.offsets;
  assert.ok(database !== undefined && orders !== undefined);
  const strange = { ...CUTOVER, offsets: [database, { ...orders, offset: { scn: 1n, cscn: "later" } }] };
  assert.is(effectOf(evidenceOfOthers, asOf(2_190_000n, { cutover: known(strange) })), "blocks");
});

check("never passes while the journals can't be read; leaves missing evidence to MIG401", () => {
  for (const parts of [{ verifications: unseen() }, { cutover: unseen() }]) {
    assert.is(verdictOf(evidenceOfOthers, retirement(parts)), "unknown");
    assert.is(effectOf(evidenceOfOthers, retirement(parts)), "blocks");
  }
  assert.is(effectOf(evidenceOfOthers, retirement({ evidence: unseen() })), "none");
});

check.run();
