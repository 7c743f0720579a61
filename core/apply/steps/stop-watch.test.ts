import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { isPassing } from "./at-rest.ts";
import { isSlow } from "./stop-connector.ts";
import { endedCleanly, type StopWatch, stillSince, stopWatch, watched } from "./stop-watch.ts";

const watch = suite("what a stop shows");

/** `STOPPED [UNASSIGNED]`: the connector's state, and its tasks'. */
function status(text: string): ConnectorStatus {
  const [, state = "", tasks = ""] = /^(\w+) \[(.*)\]$/.exec(text) ?? [];
  return {
    state,
    worker: "w1:8083",
    tasks: tasks === "" ? [] : tasks.split(" ").map((task, id) => ({ id: BigInt(id), state: task, worker: "w2:8083" })),
  };
}

const offset = (scn: bigint): readonly OffsetEntry[] => [
  { partition: { server: "orders" }, offset: { resume_scn: scn } },
];

/** Looks one after the other: when, what, and the stored SCN where it is another one. */
function seen(...samples: readonly (readonly [at: number, shown: string, scn?: bigint])[]): StopWatch {
  let scn = 1n;
  return samples.reduce(
    (before, [at, shown, stored]) => {
      scn = stored ?? scn;
      return watched(before, { status: status(shown), offsets: offset(scn), at });
    },
    stopWatch(0, status("RUNNING [RUNNING]")),
  );
}

/** Sequences as they were polled on workers of 3.9.2 and 4.3.1, by where connector and task ran. */
const CASES = [
  {
    name: "one worker",
    looks: [
      [50, "RUNNING [RUNNING]"],
      [120, "STOPPED []"],
      [1700, "STOPPED []"],
    ],
    still: 120,
    clean: false,
  },
  {
    name: "connector on the leader, task on a follower",
    looks: [
      [20, "STOPPED []"],
      [110, "STOPPED [UNASSIGNED]"],
      [3000, "STOPPED [UNASSIGNED]"],
      [3100, "STOPPED []"],
    ],
    still: 3100,
    clean: true,
  },
  {
    name: "both on a follower",
    looks: [
      [75, "RUNNING []"],
      [130, "RUNNING [UNASSIGNED]"],
      [3100, "STOPPED [UNASSIGNED]"],
      [3200, "STOPPED []"],
    ],
    still: 3200,
    clean: true,
  },
  {
    name: "connector on a follower, task on the leader",
    looks: [
      [50, "RUNNING [RUNNING]"],
      [200, "RUNNING []"],
      [3000, "STOPPED []"],
    ],
    still: 3000,
    clean: false,
  },
  {
    name: "a task on a follower that hangs",
    looks: [
      [100, "STOPPED []"],
      [4200, "STOPPED []"],
    ],
    still: 100,
    clean: false,
  },
  {
    name: "a task that commits once more after the stop",
    looks: [
      [100, "STOPPED []"],
      [900, "STOPPED []", 2n],
      [1000, "STOPPED []"],
    ],
    still: 900,
    clean: false,
  },
  {
    name: "one of two tasks ends, the other was not observed to end",
    looks: [
      [100, "STOPPED [UNASSIGNED RUNNING]"],
      [200, "STOPPED []"],
    ],
    still: 200,
    clean: false,
  },
  {
    name: "a rebalance that continues",
    looks: [
      [100, "STOPPED []"],
      [200, "STOPPED [UNASSIGNED]"],
    ],
    still: undefined,
    clean: true,
  },
] as const;

for (const { name, looks: samples, still, clean } of CASES)
  watch(`${name}: nothing counts as stopped before it is, and a task as ended only when observed`, () => {
    const after = seen(...samples);
    assert.equal([stillSince(after), endedCleanly(after)], [still, clean]);
    assert.is(after.startedSince !== undefined, false, "nobody started it");
  });

watch("another worker's state of a task belongs to an earlier life of the task", () => {
  const elsewhere = { ...status("STOPPED [UNASSIGNED]"), tasks: [{ id: 0n, state: "UNASSIGNED", worker: "w3:8083" }] };
  assert.not.ok(
    endedCleanly(watched(stopWatch(0, status("RUNNING [RUNNING]")), { status: elsewhere, offsets: [], at: 50 })),
  );
  const unassigned = stopWatch(0, status("RUNNING [UNASSIGNED]"));
  assert.not.ok(endedCleanly(watched(unassigned, { status: status("STOPPED [UNASSIGNED]"), offsets: [], at: 50 })));
});

watch("a task that had failed before does nothing more", () => {
  const failed = watched(stopWatch(0, status("RUNNING [FAILED]")), {
    status: status("STOPPED []"),
    offsets: [],
    at: 50,
  });
  assert.ok(endedCleanly(failed));
});

watch(
  "a connector started again is detected from the first running task on, and not after it has stopped again",
  () => {
    const again = seen(
      [100, "STOPPED []"],
      [300, "RUNNING []"],
      [400, "RUNNING [RUNNING]"],
      [900, "RUNNING [RUNNING]"],
    );
    assert.equal([again.startedSince, again.wasStopped, stillSince(again)], [400, true, undefined]);
    assert.is(watched(again, { status: status("STOPPED []"), offsets: offset(1n), at: 1000 }).startedSince, undefined);
  },
);

watch("what a rebalance shows passes; a start by another user does not", () => {
  for (const shown of [
    "STOPPED [UNASSIGNED]",
    "UNASSIGNED [RUNNING]",
    "RESTARTING []",
    "RUNNING []",
    "RUNNING [RESTARTING]",
  ])
    assert.ok(isPassing(status(shown)), shown);
  for (const shown of ["RUNNING [RUNNING]", "RUNNING [FAILED]", "FAILED []", "PAUSED [PAUSED]"])
    assert.not.ok(isPassing(status(shown)), shown);
});

watch("a stop counts as long only where a worker can have given up its task, 5 s after it learned of it", () => {
  assert.equal(
    [4600, 4900, 4990, 5000, 60_000].map((millis) => isSlow(millis)),
    [false, false, true, true, true],
  );
});

watch.run();
