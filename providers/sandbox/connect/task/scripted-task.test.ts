import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RedoPlace } from "../../../../core/journal/chunk-record.ts";
import type { JsonObject } from "../../../../core/values/json.ts";
import { openTransaction, purge } from "../../faults.ts";
import { healthyWorld } from "../../oracle/world.ts";
import type { Delivery, RedoScript, ScriptedDdl, ScriptedTransaction } from "./redo-script.ts";
import { scriptedTask } from "./scripted-task.ts";
import { type HarnessOptions, offsetOf, type TaskHarness, withTask } from "./task-harness.ts";

const mining = suite("the redo that the sandbox's connector mines");

const at = (scn: bigint, address?: number): RedoPlace => ({
  scn,
  rsId: address === undefined ? undefined : `0x00002a.0000${String(address).padStart(4, "0")}.0010`,
  ssn: 0n,
});

/** A transaction of container 3 and thread 1, with a change at its start. */
function transaction(
  id: number,
  start: bigint,
  commit: bigint | undefined,
  more: readonly bigint[] = [],
): ScriptedTransaction {
  return {
    xid: `3:1.1.${id}`,
    thread: 1n,
    start: at(start),
    changes: [start, ...more].map((scn) => at(scn)),
    end: commit === undefined ? undefined : { is: "commit", at: at(commit) },
  };
}

const END = 2_044_000n;
const redo = (...transactions: readonly ScriptedTransaction[]): RedoScript => ({ transactions, ddl: [], end: END });

interface Watched {
  /** `SQN` or `SQN: delivered before/changes`, in order. */
  readonly delivered: string[];
  readonly ddl: ScriptedDdl[];
}

async function inRedo(
  script: RedoScript,
  options: HarnessOptions,
  use: (task: TaskHarness, watched: Watched) => void,
): Promise<void> {
  const watched: Watched = { delivered: [], ddl: [] };
  const deliver = ({ xid, delivered, size, firstMined, restored }: Delivery) => {
    const part = `${delivered + firstMined}-${size + firstMined}`;
    watched.delivered.push(`${xid.slice("3:1.1.".length)}: ${part}${restored > 0 ? `, ${restored} restored` : ""}`);
  };
  await withTask(
    {
      ...options,
      mining: (connector, oracle) =>
        scriptedTask(connector, {
          database: oracle.database,
          currentScn: oracle.currentScn,
          transactions: oracle.transactions,
          redo: () => script,
          deliver,
          onDdl: (ddl) => watched.ddl.push(ddl),
        }),
    },
    (task) => use(task, watched),
  );
}

const offset = (changes: JsonObject): JsonObject => offsetOf(healthyWorld(), changes);
const NO_COMMIT: JsonObject = { last_commit_scn: 0n, last_commit_xid: null, last_commit_thread: 0n, event_index: 0n };

// The first-start cut. The floor is 2,030,000: 1 is open at the first start, 2 began after it was looked, 3 ended
// before the floor, 4 is not listed and ended after it, 5 lies above it.
const FLOOR = 2_030_000n;
const CUT: JsonObject = {
  ...NO_COMMIT,
  ...{ resume_scn: 2_020_000n, start_floor_scn: FLOOR, start_open_scn: 2_029_000n, start_open_xids: "3:1.1.1" },
};
const FIRST_START = redo(
  transaction(1, 2_020_000n, 2_031_000n, [2_025_000n, 2_030_500n]),
  transaction(2, 2_029_500n, 2_032_000n, [2_029_600n]),
  transaction(3, 2_021_000n, 2_022_000n),
  transaction(4, 2_023_000n, 2_033_000n, [2_032_500n]),
  transaction(5, 2_034_000n, 2_034_100n),
);

mining("is delivered below the floor for the transactions open at the first start alone", () =>
  inRedo(FIRST_START, { offset: offset(CUT) }, (task, { delivered }) => {
    task.start();
    task.tick();
    assert.equal(
      delivered.filter((one) => !one.startsWith("2:")),
      ["1: 0-3", "4: 1-2", "5: 0-1"],
    );
  }),
);

mining("is delivered below the floor of a transaction that began at or after start_open_scn", () =>
  inRedo(FIRST_START, { offset: offset(CUT) }, (task, { delivered }) => {
    task.start();
    task.tick();
    assert.ok(delivered.includes("2: 0-2"));
  }),
);

mining("drops DDL below the floor", () => {
  const ddl = [2_025_000n, 2_035_000n].map((scn) => ({ at: at(scn), table: "ORCLPDB1.SALES.ORDERS" }));
  return inRedo({ ...FIRST_START, ddl }, { offset: offset(CUT) }, (task, watched) => {
    task.start();
    task.tick(2);
    assert.equal(
      watched.ddl.map((one) => one.at.scn),
      [2_035_000n],
    );
  });
});

mining("skips commits below the floor whole, even of listed transactions", () =>
  inRedo(
    redo(transaction(1, 2_020_000n, 2_029_999n), transaction(2, 2_030_000n, 2_030_001n)),
    { offset: offset(CUT) },
    (task, { delivered }) => {
      task.start();
      task.tick();
      assert.equal(delivered, ["2: 0-1"]);
    },
  ),
);

mining("ends the cut with the first acknowledged commit", () =>
  inRedo(
    redo(transaction(1, 2_020_000n, undefined), transaction(5, 2_034_000n, 2_034_100n)),
    { offset: offset(CUT) },
    (task) => {
      task.start();
      assert.is(task.stored()?.["start_floor_scn"], FLOOR);
      task.tick();
      for (const field of ["start_floor_scn", "start_open_scn", "start_open_xids"])
        assert.is(task.stored()?.[field], undefined);
      assert.is(task.stored()?.["last_commit_xid"], "3:1.1.5");
    },
  ),
);

mining("delivers nothing after a move below the floor, unless the three fields are removed with it", async () => {
  const replayed = redo(transaction(7, 2_012_000n, 2_013_000n), transaction(8, 2_014_000n, 2_015_000n));
  const { start_floor_scn: _floor, start_open_scn: _open, start_open_xids: _xids, ...lifted } = CUT;
  for (const [fields, expected] of [
    [CUT, []],
    [lifted, ["7: 0-1", "8: 0-1"]],
  ] as const)
    await inRedo(replayed, { offset: offset({ ...fields, resume_scn: 2_010_000n }) }, (task, { delivered }) => {
      task.start();
      task.tick();
      assert.equal(delivered, expected);
    });
});

mining("begins at a first start with the oldest open transaction, below cdc.start.scn, by whatever user", () =>
  inRedo(
    redo(),
    {
      offset: null,
      config: { "cdc.start.scn": "2044000" },
      oracle: (world) => openTransaction(world, 2_025_000n),
    },
    (task) => {
      task.start();
      const stored = task.stored();
      assert.equal(
        [stored?.["resume_scn"], stored?.["start_floor_scn"], stored?.["start_open_scn"], stored?.["start_open_xids"]],
        [2_025_000n, 2_044_000n, 2_044_000n, "3:9.4.1207"],
      );
    },
  ),
);

mining("begins at a first start with cdc.start.scn if no transaction is older, without a cut", () =>
  inRedo(redo(), { offset: null, config: { "cdc.start.scn": "2044000" } }, (task) => {
    task.start();
    assert.is(task.stored()?.["resume_scn"], 2_044_000n);
    assert.not.ok("start_floor_scn" in (task.stored() ?? {}));
    assert.is(task.stored()?.["last_commit_xid"], null);
  }),
);

mining("that is gone from the oldest open transaction on stops a first start with CDC-2002", () =>
  inRedo(
    redo(),
    {
      offset: null,
      config: { "cdc.start.scn": "2044000" },
      oracle: (world) => {
        openTransaction(world, 2_015_000n);
        purge(world, 119n);
      },
    },
    (task) => {
      assert.throws(() => task.start(), /\[CDC-2002\] thread 1 sequence 119/);
      assert.is(task.stored(), undefined);
    },
  ),
);

mining("is not reached by a cdc.start.scn above the current SCN, which stops the task with CDC-5001", () =>
  inRedo(redo(), { offset: null, config: { "cdc.start.scn": "2999999" } }, (task) => {
    assert.throws(() => task.start(), /\[CDC-5001\] cdc\.start\.scn 2999999/);
  }),
);

// What was delivered: 2 is the last commit, of three changes, of which two were acknowledged.
const DELIVERED = redo(
  transaction(1, 2_010_000n, 2_010_100n),
  transaction(2, 2_011_000n, 2_011_100n, [2_011_010n, 2_011_020n]),
  transaction(3, 2_012_000n, 2_012_100n),
);
const LAST: JsonObject = {
  ...{ resume_scn: 2_005_000n, last_commit_scn: 2_011_100n, last_commit_xid: "3:1.1.2", last_commit_thread: 1n },
  event_index: 2n,
};

mining("is recognised up to the last commit, of which event_index changes were delivered", () =>
  inRedo(DELIVERED, { offset: offset(LAST) }, (task, { delivered }) => {
    task.start();
    task.tick();
    assert.equal(delivered, ["2: 2-3", "3: 0-1"]);
    task.tick(3);
    assert.is(delivered.length, 2, "and nothing comes twice");
  }),
);

mining("is recognised by xid, thread and address, whatever last_commit_scn says", async () => {
  const withAddresses: RedoScript = {
    ...DELIVERED,
    transactions: DELIVERED.transactions.map((one, n) => ({
      ...one,
      end: one.end && { ...one.end, at: at(one.end.at.scn, n + 1) },
    })),
  };
  const addressed: JsonObject = { ...LAST, last_commit_rs_id: at(0n, 2).rsId ?? null, last_commit_ssn: 0n };
  const all = ["1: 0-1", "2: 0-3", "3: 0-1"];
  for (const [fields, expected, why] of [
    [{ ...addressed, last_commit_scn: 0n }, ["2: 2-3", "3: 0-1"], "SCN 0 with xid and address"],
    [{ ...LAST, last_commit_xid: null }, all, "no xid"],
    [{ ...LAST, last_commit_xid: "1.1.2" }, ["2: 0-3", "3: 0-1"], "an xid without container, and no address"],
    [{ ...LAST, last_commit_thread: 0n }, ["2: 0-3", "3: 0-1"], "no thread"],
  ] as const)
    await inRedo(withAddresses, { offset: offset(fields) }, (task, { delivered }) => {
      task.start();
      task.tick();
      assert.equal(delivered, expected, why);
    });
});

mining("is delivered again without last_commit_*, with event_index 0", () =>
  inRedo(DELIVERED, { offset: offset({ ...LAST, ...NO_COMMIT }) }, (task, { delivered }) => {
    task.start();
    task.tick();
    assert.equal(delivered, ["1: 0-1", "2: 0-3", "3: 0-1"]);
  }),
);

mining("goes on from the old redo address if a move back leaves it in the offset", async () => {
  const script = redo(
    ...[1, 2].map((n): ScriptedTransaction => {
      const start = at(2_010_000n + BigInt(n) * 100n, n);
      return { ...transaction(n, start.scn, undefined), start, changes: [start], end: { is: "commit", at: start } };
    }),
  );
  const address = { resume_rs_id: at(0n, 2).rsId ?? null, resume_ssn: 0n };
  const moved: JsonObject = { ...NO_COMMIT, resume_scn: 2_010_000n };
  for (const [fields, expected] of [
    [{ ...moved, ...address }, ["2: 0-1"]],
    [moved, ["1: 0-1", "2: 0-1"]],
  ] as const)
    await inRedo(script, { offset: offset(fields) }, (task, { delivered }) => {
      task.start();
      task.tick();
      assert.equal(delivered, expected);
    });
});

mining("lacks the first part of a transaction that began below the resume SCN", () =>
  inRedo(DELIVERED, { offset: offset({ ...LAST, ...NO_COMMIT, resume_scn: 2_011_010n }) }, (task, { delivered }) => {
    task.start();
    task.tick();
    assert.equal(delivered, ["2: 1-3", "3: 0-1"]);
  }),
);

mining("never moves the resume SCN past an open transaction", () =>
  inRedo(redo(transaction(1, 2_020_000n, undefined)), { offset: offset({ resume_scn: 2_010_000n }) }, (task) => {
    task.start();
    task.tick(20);
    assert.is(task.stored()?.["resume_scn"], 2_020_000n);
    task.signal({ id: "s", type: "log-state" });
    task.tick();
    const { open_transactions, buffered_events, oldest_open_scn, largest } = task.events("signal-ack")[0] ?? {};
    assert.equal(
      [open_transactions, buffered_events, oldest_open_scn, largest],
      ["1", "1", "2020000", "3:1.1.1:2020000"],
    );
  }),
);

mining("stops the task with CDC-7001 at the commit of a released transaction, also of one delivered before", () =>
  inRedo(DELIVERED, { offset: offset({ ...LAST, released_xids: "3:1.1.1" }) }, (task, { delivered }) => {
    task.start();
    assert.throws(() => task.tick(), /\[CDC-7001\] Transaction 3:1\.1\.1 committed at SCN 2010100 /);
    assert.equal(delivered, []);
    task.store(offset({ ...LAST, released_xids: null }));
    task.start();
    task.tick();
    assert.equal(delivered, ["2: 2-3", "3: 0-1"]);
  }),
);

mining("of each thread is compared with its own mark while threads are trusted", async () => {
  const second: ScriptedTransaction = { ...transaction(9, 2_011_500n, 2_011_600n), thread: 2n };
  const block = (resume: bigint) =>
    `{"1":{"resume_scn":${resume},"commit_scn":2011100,"commit_xid":"3:1.1.2"},` +
    '"2":{"resume_scn":2011700,"commit_scn":2011650,"commit_xid":"3:1.1.10"}}';
  for (const [resume, expected] of [
    [2_005_000n, ["2: 2-3", "3: 0-1"]],
    [2_004_000n, ["2: 2-3", "9: 0-1", "3: 0-1"]],
  ] as const)
    await inRedo(
      redo(...DELIVERED.transactions, second),
      { offset: offset({ ...LAST, threads: block(resume) }) },
      (task, { delivered }) => {
        task.start();
        task.tick();
        assert.equal(delivered, expected);
      },
    );
});

mining.run();
