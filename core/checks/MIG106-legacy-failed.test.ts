import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { RUNNING, STOPPED } from "../kinds/migration/testing/story.ts";
import { legacyFailed } from "./MIG106-legacy-failed.ts";

const check = suite("MIG106 a legacy connector that has failed");

check("passes for one that runs, is paused or stopped", () => {
  for (const status of [RUNNING, STOPPED, { ...STOPPED, state: "PAUSED" }])
    assert.is(effectOf(legacyFailed, cutover({ legacy: { status } })), "none");
});

check("warns, with the first line of the trace and no more", () => {
  const tasks = [{ id: 0n, state: "FAILED", worker: "w:8083", trace: "ORA-01291: missing log\n\tat Task.poll" }];
  const on = cutover({ legacy: { status: { ...RUNNING, tasks } } });
  assert.is(effectOf(legacyFailed, on), "warns");
  assert.match(saidBy(legacyFailed, on), /^task 0 of orders-legacy has FAILED: ORA-01291: missing log\n/);
  assert.match(
    saidBy(legacyFailed, cutover({ legacy: { status: { ...STOPPED, state: "FAILED" } } })),
    /^orders-legacy has FAILED\n/,
  );
});

check.run();
