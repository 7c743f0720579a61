import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { RUNNING, STOPPED } from "../kinds/migration/testing/story.ts";
import { legacyStillWorks } from "./MIG407-legacy-still-works.ts";

const check = suite("MIG407 a legacy connector that is not STOPPED");

check("passes for one that is STOPPED, or gone", () => {
  assert.is(effectOf(legacyStillWorks, retirement()), "none");
  assert.is(effectOf(legacyStillWorks, retirement({ legacy: null })), "none");
});

check("refuses any other state, and a task that is left", () => {
  for (const status of [
    RUNNING,
    { ...STOPPED, state: "PAUSED" },
    { ...STOPPED, state: "FAILED" },
    { ...RUNNING, state: "STOPPED" },
  ])
    assert.is(effectOf(legacyStillWorks, retirement({ legacy: { status } }), intent({ accept: ["MIG407"] })), "blocks");
  assert.match(saidBy(legacyStillWorks, retirement({ legacy: { status: RUNNING } })), /^orders-legacy is RUNNING\n/);
});

check.run();
