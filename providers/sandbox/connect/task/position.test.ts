import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../../../core/values/json.ts";
import { healthyWorld } from "../../oracle/world.ts";
import { readPosition } from "./position.ts";
import { begun, printProgress } from "./snapshot-progress.ts";
import { ORDERS, offsetOf, withTask } from "./task-harness.ts";

const position = suite("the stored offset of the sandbox's connector");

const CODE =
  /^org\.apache\.kafka\.connect\.errors\.ConnectException: \[(CDC-\d{4})\] .+ Operator action: .+ Runbook: http/;
const NO_CODE = /^org\.apache\.kafka\.connect\.errors\.ConnectException: Starting the capture task failed: /;

function without(name: string): JsonObject {
  const { [name]: _gone, ...rest } = offsetOf(healthyWorld());
  return rest;
}
const changed = (changes: JsonObject): JsonObject => offsetOf(healthyWorld(), changes);

/** @returns the code with which the task stops at its start, `none` for an exception without one */
async function stopOf(offset: JsonObject): Promise<string | undefined> {
  let stop: string | undefined;
  await withTask({ offset }, (task) => {
    try {
      task.start();
    } catch (error) {
      const trace = error instanceof Error ? error.message : "";
      stop = NO_CODE.test(trace) ? "none" : CODE.exec(trace)?.[1];
      assert.ok(stop, trace);
      assert.equal(task.stored(), offset, "the offset stays");
    }
  });
  return stop;
}

function stops(title: string, expected: string, ...offsets: readonly JsonObject[]): void {
  position(title, async () => {
    for (const offset of offsets)
      assert.is(await stopOf(offset), expected, JSON.stringify(Object.entries(offset).map(String)));
  });
}

position("starts the task as it was stored, and as older writers stored it", async () => {
  for (const offset of [
    changed({}),
    changed({ resume_scn: "2044511", released_xids: ["4.9.771"], last_commit_xid: "7.22.1180" }),
    changed({ released_xids: null, snapshot: null, resume_rs_id: null, resume_ssn: null, last_commit_xid: null }),
    without("last_commit_thread"),
  ])
    assert.is(await stopOf(offset), undefined);
});

stops(
  "with v missing, null or another version stops the task with CDC-3002",
  "CDC-3002",
  without("v"),
  changed({ v: null }),
  changed({ v: 0n }),
  changed({ v: 2n }),
);

stops(
  "of another database, or without dbid or resetlogs_scn, stops the task with CDC-5001",
  "CDC-5001",
  without("dbid"),
  without("resetlogs_scn"),
  changed({ dbid: null }),
  changed({ resetlogs_scn: null }),
  changed({ dbid: 1n }),
);

stops(
  "with a snapshot that is not JSON, or not of version 1, stops the task with CDC-3002",
  "CDC-3002",
  changed({ snapshot: "begun" }),
  changed({ snapshot: "" }),
  changed({ snapshot: "[]" }),
  changed({ snapshot: '{"complete":true}' }),
  changed({ snapshot: '{"v":2,"complete":true}' }),
);

stops(
  "with a null inside its snapshot stops the task without a code",
  "none",
  changed({ snapshot: '{"v":1,"complete":true,"tables":null}' }),
  changed({ snapshot: `{"v":1,"complete":false,"tables":{"${ORDERS}":null}}` }),
);

stops(
  "with an unknown field that is null stops the task without a code",
  "none",
  changed({ snapshot_pending: null }),
  changed({ signal_offset: null }),
  changed({ start_floor_scn: null }),
  changed({ note: null }),
);

stops(
  "with a blank last_commit_xid, a negative event_index or text in schema_epoch stops the task without a code",
  "none",
  changed({ last_commit_xid: "" }),
  changed({ last_commit_xid: "  " }),
  changed({ event_index: -1n }),
  changed({ schema_epoch: "first" }),
  changed({ resume_scn: -1n }),
);

stops("with threads that can't be read stops the task with CDC-3002", "CDC-3002", changed({ threads: "1:2" }));

position("keeps its unknown fields and its snapshot", () => {
  const snapshot = printProgress({ ...begun([ORDERS]), complete: true });
  return withTask({ offset: changed({ note: "kept", snapshot }) }, (task) => {
    task.start();
    task.tick();
    assert.is(task.stored()?.["note"], "kept");
    assert.is(task.stored()?.["snapshot"], snapshot);
  });
});

position("trusts its threads only while they agree with resume SCN and last commit", () => {
  const mark = (scn: bigint, commit: bigint, xid: string) =>
    `{"resume_scn":${scn},"commit_scn":${commit},"commit_xid":"${xid}"}`;
  const block = (one: string, two: string) => `{"1":${one},"2":${two}}`;
  const read = (threads: string) => readPosition(changed({ threads })).threads.size;
  const other = mark(2_044_600n, 2_044_590n, "3:1.1.1");
  assert.is(read(block(mark(2_044_511n, 2_044_498n, "3:7.22.1180"), other)), 2);
  assert.is(read(block(mark(2_044_400n, 2_044_498n, "3:7.22.1180"), other)), 0, "another resume SCN");
  assert.is(read(block(mark(2_044_511n, 2_044_497n, "3:7.22.1180"), other)), 0, "another commit SCN");
  assert.is(read(block(mark(2_044_511n, 2_044_498n, "3:7.22.1181"), other)), 0, "another transaction");
});

position("is stored at once by the first heartbeat, with the generation raised, whatever the interval", () =>
  withTask({ config: { "cdc.heartbeat.interval.ms": "0" } }, (task) => {
    task.start();
    assert.equal(task.stored(), changed({ journal_generation: 8n }));
    task.start();
    assert.is(task.stored()?.["journal_generation"], 9n);
  }),
);

position("raises the generation of a first start to 1", () =>
  withTask({ offset: null }, (task) => {
    task.start();
    assert.is(task.stored()?.["journal_generation"], 1n);
  }),
);

position.run();
