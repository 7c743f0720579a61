import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { connectorNotHealthy } from "./CON303-connector-not-healthy.ts";

const check = suite("CON303 a connector that is not healthy");

for (const state of ["RUNNING", "PAUSED", "STOPPED"])
  check(`passes for a connector that is ${state}`, () => {
    const status = { state, worker: "w:8083", tasks: [] };
    assert.is(effectOf(connectorNotHealthy, reading({ connector: { status } })), "none");
  });

check("warns of a failed task with the first line of its trace, and no more of it", () => {
  const tasks = [
    { id: 0n, state: "FAILED", worker: "w:8083", trace: `CDC-2002 log purged\n\tat Task.poll${"x".repeat(5000)}` },
  ];
  const verdict = connectorNotHealthy.run(
    intent(),
    reading({ connector: { status: { state: "RUNNING", worker: "w:8083", tasks } } }),
  );
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "task 0 is FAILED: CDC-2002 log purged");
});

check("names under admin what admin has", () => {
  const on = reading({ connector: { status: { state: "FAILED", worker: "w:8083", trace: "", tasks: [] } } });
  const remedies = (by: "admin" | "plan file") => {
    const verdict = connectorNotHealthy.run(intent({ by }), on);
    assert.ok(verdict.verdict === "fail");
    return (verdict.remedies ?? [connectorNotHealthy.remedy]).join();
  };
  assert.match(remedies("admin"), "--forget-released");
  assert.not.match(remedies("admin"), "spec.");
  assert.match(remedies("plan file"), "spec.forgetReleased");
});

check("is a reason to move an offset, not an obstacle", () => {
  for (const state of ["FAILED", "UNASSIGNED", "RESTARTING", "something of a later Connect"]) {
    const status = { state, worker: "w:8083", trace: "", tasks: [] };
    assert.is(effectOf(connectorNotHealthy, reading({ connector: { status } })), "warns");
  }
});

check("of a resnapshot whose redo is all there again says that starting it again is enough", () => {
  const parts = { connector: { status: resnapshot.FAILED } };
  const said = resnapshot.saidBy(connectorNotHealthy, resnapshot.reading(parts));
  assert.match(
    said,
    /^task 0 is FAILED: CDC-2002 log purged\nAll redo is there by now, so it can simply be started again/,
  );
  assert.match(said, "/connectors/orders-cdc/restart?includeTasks=true");
});

check("of one before a gap says no more: the plan is about just that", () => {
  const parts = { connector: { status: resnapshot.FAILED } };
  assert.is(
    resnapshot.saidBy(connectorNotHealthy, resnapshot.pastTheGap(parts)).trim(),
    "task 0 is FAILED: CDC-2002 log purged",
  );
});

check("of one that failed for another reason says to read the trace", () => {
  const task = { id: 0n, state: "FAILED", worker: "w:8083", trace: "CDC-3001 decode" };
  const other = { connector: { status: { ...resnapshot.FAILED, tasks: [task] } } };
  assert.match(resnapshot.saidBy(connectorNotHealthy, resnapshot.reading(other)), "Read the trace");
});

check.run();
