import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, goingBack, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { RUNNING, STOPPED } from "../kinds/migration/testing/story.ts";
import { legacyNotStopped } from "./MIG305-legacy-not-stopped.ts";

const check = suite("MIG305 a legacy connector that is not STOPPED");

check("passes for one that stands as the cutover left it", () => {
  assert.is(effectOf(legacyNotStopped, goingBack()), "none");
});

check("warns of any other state, and of a task that is left", () => {
  for (const status of [RUNNING, { ...STOPPED, state: "PAUSED" }, { ...RUNNING, state: "STOPPED" }])
    assert.is(effectOf(legacyNotStopped, goingBack({ legacy: { status } })), "warns");
  assert.match(saidBy(legacyNotStopped, goingBack({ legacy: { status: RUNNING } })), /^orders-legacy is RUNNING\n/);
});

check.run();
