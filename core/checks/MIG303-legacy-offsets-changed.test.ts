import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, goingBack, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { CUTOVER, LEGACY_OFFSETS, RUNNING } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { table as stored } from "../legacy/testing/build-legacy.ts";
import { legacyOffsetsChanged } from "./MIG303-legacy-offsets-changed.ts";

const check = suite("MIG303 offsets that were changed since the cutover");

const moved = [
  { ...LEGACY_OFFSETS[0], offset: { scn: "2169288" } },
  ...LEGACY_OFFSETS.slice(1),
] as typeof LEGACY_OFFSETS;

check("passes where they are those of the cutover's journal, in any order", () => {
  assert.is(effectOf(legacyOffsetsChanged, goingBack()), "none");
  assert.is(effectOf(legacyOffsetsChanged, goingBack({ legacy: { offsets: [...LEGACY_OFFSETS].reverse() } })), "none");
});

check("blocks where one was moved, removed or added, until it is accepted", () => {
  for (const offsets of [moved, LEGACY_OFFSETS.slice(1), [...LEGACY_OFFSETS, stored("NEW", 2175000n)]]) {
    const on = goingBack({ legacy: { offsets } });
    assert.is(verdictOf(legacyOffsetsChanged, on), "fail");
    assert.is(effectOf(legacyOffsetsChanged, on), "blocks");
    assert.is(effectOf(legacyOffsetsChanged, on, intent({ accept: ["MIG303"] })), "accepted");
    assert.match(saidBy(legacyOffsetsChanged, on), CUTOVER.run);
  }
});

check("warns where no journal here tells, or none can be read", () => {
  for (const cutover of [known(undefined), unseen()]) {
    assert.is(verdictOf(legacyOffsetsChanged, goingBack({ cutover })), "unknown");
    assert.is(effectOf(legacyOffsetsChanged, goingBack({ cutover })), "warns");
  }
});

check("can't tell of one that runs again: its offsets move by themselves", () => {
  const on = goingBack({ legacy: { offsets: moved, status: RUNNING } });
  assert.is(effectOf(legacyOffsetsChanged, on), "warns");
  assert.match(saidBy(legacyOffsetsChanged, on), "orders-legacy is RUNNING, and its offsets have moved");
});

check.run();
