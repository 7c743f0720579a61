import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  cutover,
  effectOf,
  goingBack,
  intent,
  resultOf,
  retirement,
  verification,
} from "../kinds/migration/testing/build-readings.ts";
import { created } from "../kinds/migration/testing/story.ts";
import * as offset from "../kinds/offset-change/testing/build-facts.ts";
import { RUNNING, STOPPED } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import {
  connectorNotHealthy,
  legacyFailed,
  legacyNotStopped,
  legacyStillWorks,
  newConnectorNotDelivering,
  newConnectorNotRunning,
} from "./connector-status.ts";
import { worded } from "./testing/wording.ts";

const CON303 = suite("CON303 a connector that is not healthy");

for (const state of ["RUNNING", "PAUSED", "STOPPED"])
  CON303(`passes for a connector that is ${state}`, () => {
    const status = { state, worker: "w:8083", tasks: [] };
    assert.is(offset.effectOf(connectorNotHealthy, offset.reading({ connector: { status } })), "none");
  });

CON303("warns of a failed task with the first line of its trace only", () => {
  const tasks = [
    { id: 0n, state: "FAILED", worker: "w:8083", trace: `CDC-2002 log purged\n\tat Task.poll${"x".repeat(5000)}` },
  ];
  const verdict = worded(connectorNotHealthy).run(
    offset.intent(),
    offset.reading({ connector: { status: { state: "RUNNING", worker: "w:8083", tasks } } }),
  );
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "task 0 is FAILED: CDC-2002 log purged");
  assert.equal(verdict.remedies, [{ text: "What the error means", command: "cdcctl explain CDC-2002" }]);
});

CON303("shows what happened, not the connector's own tools, and counts only the code that stopped it", () => {
  const trace =
    "org.apache.kafka.connect.errors.ConnectException: [CDC-4004] Transaction 3:5.21.4410 is 9 h old. " +
    "Operator action: End it; CDC-2002 may follow. Runbook: https://kafkacdcconnector.com/runbooks/transaction-too-old";
  const tasks = [{ id: 0n, state: "FAILED", worker: "w:8083", trace }];
  const status = { state: "RUNNING", worker: "w:8083", tasks };
  const verdict = worded(connectorNotHealthy).run(offset.intent(), offset.reading({ connector: { status } }));
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "task 0 is FAILED: CDC-4004 Transaction 3:5.21.4410 is 9 h old.");
  assert.equal(verdict.remedies, [{ text: "What the error means", command: "cdcctl explain CDC-4004" }]);
});

CON303("is a reason to move an offset, not an obstacle", () => {
  for (const state of ["FAILED", "UNASSIGNED", "RESTARTING", "something of a later Connect"]) {
    const status = { state, worker: "w:8083", trace: "", tasks: [] };
    assert.is(offset.effectOf(connectorNotHealthy, offset.reading({ connector: { status } })), "warns");
  }
});

CON303("says for a resnapshot whose redo is all available again that starting the connector is enough", () => {
  const parts = { connector: { status: resnapshot.FAILED } };
  const result = resnapshot.resultOf(connectorNotHealthy, resnapshot.reading(parts));
  assert.match(
    result,
    /^task 0 is FAILED: CDC-2002 log purged\nAll redo is available again, so it can simply be restarted/,
  );
  assert.match(result, "cdcctl connectors restart orders-cdc");
});

CON303("says no more for one before a gap, which is what the plan is about", () => {
  const parts = { connector: { status: resnapshot.FAILED } };
  assert.is(
    resnapshot.resultOf(connectorNotHealthy, resnapshot.pastTheGap(parts)).trim(),
    "task 0 is FAILED: CDC-2002 log purged",
  );
});

CON303("says to read the trace for one that failed for another reason", () => {
  const task = { id: 0n, state: "FAILED", worker: "w:8083", trace: "java.lang.OutOfMemoryError: heap" };
  const other = { connector: { status: { ...resnapshot.FAILED, tasks: [task] } } };
  assert.match(resnapshot.resultOf(connectorNotHealthy, resnapshot.reading(other)), "Read the trace");
});

CON303("leads to the explanation for one that failed with a code of the connector", () => {
  const task = { id: 0n, state: "FAILED", worker: "w:8083", trace: "CDC-4002 chunk 2 is missing\n at CDC-3001" };
  const other = { connector: { status: { ...resnapshot.FAILED, tasks: [task] } } };
  assert.match(resnapshot.resultOf(connectorNotHealthy, resnapshot.reading(other)), "cdcctl explain CDC-4002");
});

const MIG106 = suite("MIG106 a legacy connector that has failed");

MIG106("passes for one that is running, paused or stopped", () => {
  for (const status of [RUNNING, STOPPED, { ...STOPPED, state: "PAUSED" }])
    assert.is(effectOf(legacyFailed, cutover({ legacy: { status } })), "none");
});

MIG106("warns, with the first line of the trace only", () => {
  const tasks = [{ id: 0n, state: "FAILED", worker: "w:8083", trace: "ORA-01291: missing log\n\tat Task.poll" }];
  const on = cutover({ legacy: { status: { ...RUNNING, tasks } } });
  assert.is(effectOf(legacyFailed, on), "warns");
  assert.match(resultOf(legacyFailed, on), /^task 0 of orders-legacy has FAILED: ORA-01291: missing log\n/);
  assert.match(
    resultOf(legacyFailed, cutover({ legacy: { status: { ...STOPPED, state: "FAILED" } } })),
    /^orders-legacy has FAILED\n/,
  );
  const healthy = { id: 1n, state: "RUNNING", worker: "w:8083" };
  const both = { ...STOPPED, state: "FAILED", tasks: [...tasks, healthy] };
  assert.match(
    resultOf(legacyFailed, cutover({ legacy: { status: both } })),
    /^orders-legacy has FAILED; task 0 of orders-legacy has FAILED: ORA-01291: missing log\n/,
  );
});

const MIG208 = suite("MIG208 a new connector that does not run");

MIG208("passes for a running one, and leaves a missing one to MIG202", () => {
  assert.is(effectOf(newConnectorNotRunning, verification()), "none");
  assert.is(effectOf(newConnectorNotRunning, verification({ next: null })), "none");
});

MIG208("warns of any other state, also of its task", () => {
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
    resultOf(newConnectorNotRunning, verification({ next: created({ status: { ...RUNNING, tasks } }) })),
    /^orders-cdc is RUNNING; its task 0 is FAILED: CDC-2002 log purged\n/,
  );
});

const MIG305 = suite("MIG305 a legacy connector that is not STOPPED");

MIG305("passes for one in the state that the cutover left", () => {
  assert.is(effectOf(legacyNotStopped, goingBack()), "none");
});

MIG305("warns of any other state, and of a remaining task", () => {
  for (const status of [RUNNING, { ...STOPPED, state: "PAUSED" }, { ...RUNNING, state: "STOPPED" }])
    assert.is(effectOf(legacyNotStopped, goingBack({ legacy: { status } })), "warns");
  assert.match(resultOf(legacyNotStopped, goingBack({ legacy: { status: RUNNING } })), /^orders-legacy is RUNNING\n/);
});

const MIG406 = suite("MIG406 a new connector that does not deliver");

MIG406("passes for one that runs with its task", () => {
  assert.is(effectOf(newConnectorNotDelivering, retirement()), "none");
});

MIG406("refuses one that is missing, or in any other state", () => {
  for (const next of [
    null,
    created({ status: STOPPED }),
    created({ status: { ...RUNNING, state: "PAUSED" } }),
    created({ status: { ...RUNNING, tasks: [] } }),
    created({ status: { ...RUNNING, tasks: [{ id: 0n, state: "FAILED", worker: "w" }] } }),
  ])
    assert.is(effectOf(newConnectorNotDelivering, retirement({ next }), intent({ accept: ["MIG406"] })), "blocks");
  assert.match(
    resultOf(newConnectorNotDelivering, retirement({ next: created({ status: { ...RUNNING, tasks: [] } }) })),
    /^orders-cdc is RUNNING; it has no tasks/,
  );
});

const MIG407 = suite("MIG407 a legacy connector that is not STOPPED");

MIG407("passes for one that is STOPPED, or gone", () => {
  assert.is(effectOf(legacyStillWorks, retirement()), "none");
  assert.is(effectOf(legacyStillWorks, retirement({ legacy: null })), "none");
});

MIG407("refuses any other state, and a remaining task", () => {
  for (const status of [
    RUNNING,
    { ...STOPPED, state: "PAUSED" },
    { ...STOPPED, state: "FAILED" },
    { ...RUNNING, state: "STOPPED" },
  ])
    assert.is(effectOf(legacyStillWorks, retirement({ legacy: { status } }), intent({ accept: ["MIG407"] })), "blocks");
  assert.match(resultOf(legacyStillWorks, retirement({ legacy: { status: RUNNING } })), /^orders-legacy is RUNNING\n/);
});

CON303.run();
MIG106.run();
MIG208.run();
MIG305.run();
MIG406.run();
MIG407.run();
