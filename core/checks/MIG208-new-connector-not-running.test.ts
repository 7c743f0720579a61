import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, saidBy, verification } from "../kinds/migration/testing/build-readings.ts";
import { created, RUNNING, STOPPED } from "../kinds/migration/testing/story.ts";
import { newConnectorNotRunning } from "./MIG208-new-connector-not-running.ts";

const check = suite("MIG208 a new connector that stands still");

check("passes for one that runs, and leaves one that is missing to MIG202", () => {
  assert.is(effectOf(newConnectorNotRunning, verification()), "none");
  assert.is(effectOf(newConnectorNotRunning, verification({ next: null })), "none");
});

check("warns of any other state, of its task as well", () => {
  for (const status of [
    STOPPED,
    { ...RUNNING, state: "PAUSED" },
    { ...RUNNING, tasks: [] },
    { ...RUNNING, tasks: [{ id: 0n, state: "FAILED", worker: "w", trace: "CDC-2002 log purged\n\tat x" }] },
  ]) {
    const on = verification({ next: created({ status }) });
    assert.is(effectOf(newConnectorNotRunning, on), "warns");
  }
  const tasks = [{ id: 0n, state: "FAILED", worker: "w", trace: "CDC-2002 log purged\n\tat x" }];
  assert.match(
    saidBy(newConnectorNotRunning, verification({ next: created({ status: { ...RUNNING, tasks } }) })),
    /^orders-cdc is RUNNING; its task 0 is FAILED: CDC-2002 log purged\n/,
  );
});

check.run();
