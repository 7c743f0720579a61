import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isBefore } from "../../../../core/journal/chunk-record.ts";
import type { JsonObject } from "../../../../core/values/json.ts";
import { purge } from "../../faults.ts";
import { type JournaledChunk, journaledChunk, journalTombstone } from "../../journal-records.ts";
import type { NewRecord } from "../../kafka/encode-batch.ts";
import { healthyWorld, type OracleWorld } from "../../oracle/world.ts";
import { oracleTask } from "../task.ts";
import type { Delivery, ScriptedTransaction } from "./redo-script.ts";
import { scriptedTask } from "./scripted-task.ts";
import { offsetOf, PREFIX, type TaskHarness, withTask } from "./task-harness.ts";

const journal = suite("the journal of the sandbox's connector");

const TOPIC = `${PREFIX}.cdc.txjournal`;
/** The stored offset has generation 7. */
const STORED = 7n;
const JOURNALED = "8.14.2207";
const chunk = (number: number, more: Partial<JournaledChunk> = {}): JournaledChunk => {
  const from = 2_012_000n + BigInt(number) * 1_000n;
  return { xid: JOURNALED, chunk: number, generation: STORED, from, to: from + 900n, user: "BATCH", ...more };
};
const last = (number: number): bigint => chunk(number).to;

interface World {
  readonly records: readonly NewRecord[];
  readonly offset?: JsonObject | null;
  readonly config?: Readonly<Record<string, string>>;
  readonly oracle?: (world: OracleWorld) => void;
  /** A script lists what is delivered. */
  readonly transactions?: readonly ScriptedTransaction[];
}

async function withJournal(
  { records, transactions, ...options }: World,
  use: (task: TaskHarness, delivered: readonly Delivery[]) => void,
): Promise<void> {
  const delivered: Delivery[] = [];
  await withTask(
    {
      ...options,
      topics: { [TOPIC]: { configs: { "cleanup.policy": "compact" } } },
      mining: (connector, { database, currentScn }) =>
        transactions === undefined
          ? oracleTask(connector, { ...database, position: () => 2_044_000n, firstStart: { currentScn } })
          : scriptedTask(connector, {
              ...{ database, currentScn },
              redo: () => ({ transactions, ddl: [], end: 2_044_000n }),
              deliver: (delivery) => delivered.push(delivery),
            }),
    },
    (task) => {
      if (records.length > 0) task.broker.append(TOPIC, records);
      use(task, delivered);
    },
  );
}

const written = (...chunks: readonly JournaledChunk[]) => chunks.map((one) => journaledChunk(PREFIX, one));
const at = (scn: bigint) => ({ scn, rsId: undefined, ssn: 0n });
const moved = (resume: bigint): JsonObject =>
  offsetOf(healthyWorld(), { resume_scn: resume, last_commit_scn: 2_010_000n });
/** The SCN that a restarted task would mine from. */
const resumeOf = (task: TaskHarness) => task.stored()?.["resume_scn"];

journal("is read after the generation was raised: a chunk of the stored one + 1 is the task's own", async () => {
  for (const [generation, expected] of [
    [STORED + 1n, last(0)],
    [STORED + 2n, 2_044_000n],
  ] as const)
    await withJournal({ records: written(chunk(0, { generation })), offset: moved(2_043_999n) }, (task) => {
      task.start();
      assert.is(task.stored()?.["journal_generation"], STORED + 1n);
      task.tick();
      assert.is(resumeOf(task), expected);
    });
});

journal("is read with the initial position and generation 1 if no offset is stored", async () => {
  const config = { "cdc.start.scn": "2043000" };
  for (const [generation, expected] of [
    [1n, last(0)],
    [2n, 2_043_500n],
  ] as const)
    await withJournal({ records: written(chunk(0, { generation })), offset: null, config }, (task) => {
      task.start();
      task.tick();
      assert.is(resumeOf(task), expected);
    });
});

journal("of a deleted offset restores a foreign transaction, unless its records were removed as well", async () => {
  const old = chunk(0, { generation: 1n });
  for (const [records, expected] of [
    [written(old), last(0)],
    [[...written(old), journalTombstone(PREFIX, old)], 2_043_500n],
  ] as const)
    await withJournal({ records, offset: null, config: { "cdc.start.scn": "2043000" } }, (task) => {
      task.start();
      task.tick();
      assert.is(resumeOf(task), expected);
    });
});

journal("holds the resume point at the last journaled record of a restored transaction until it ends", () => {
  const transaction = (end: ScriptedTransaction["end"]): ScriptedTransaction => ({
    ...{ xid: `3:${JOURNALED}`, thread: 1n, start: at(2_012_000n), end },
    changes: [2_012_000n, 2_012_900n, 2_030_000n].map(at),
  });
  const transactions = [transaction(undefined)];
  return withJournal({ records: written(chunk(0)), offset: moved(2_020_000n), transactions }, (task, delivered) => {
    task.start();
    task.tick(20);
    assert.is(resumeOf(task), last(0));
    transactions[0] = transaction({ is: "commit", at: at(2_043_000n) });
    task.tick();
    assert.equal(
      delivered.map(({ size, restored }) => [size, restored]),
      [[3, 2]],
      "restored and mined changes together",
    );
    task.tick(20);
    assert.is(resumeOf(task), 2_044_000n);
  });
});

journal("pulls a forward move over a restored transaction back with the next commit", () =>
  withJournal({ records: written(chunk(0)), offset: moved(2_043_000n) }, (task) => {
    task.start();
    assert.is(resumeOf(task), 2_043_000n, "the first heartbeat carries the start position");
    task.tick();
    assert.is(resumeOf(task), last(0));
  }),
);

journal("stops the start after that with CDC-2002 if the redo in between is gone", () =>
  withJournal(
    { records: written(chunk(0)), offset: moved(2_043_000n), oracle: (world) => purge(world, 119n, 120n) },
    (task) => {
      task.start();
      task.tick();
      assert.throws(() => task.start(), /\[CDC-2002\] thread 1 sequence 119 is purged/);
    },
  ),
);

journal("delivers nothing of a restored transaction that committed in the skipped span, and holds on to it", () => {
  const transactions: readonly ScriptedTransaction[] = [
    {
      ...{ xid: `3:${JOURNALED}`, thread: 1n, start: at(2_012_000n) },
      changes: [2_012_000n, 2_012_900n, 2_030_000n].map(at),
      end: { is: "commit", at: at(2_035_000n) },
    },
  ];
  return withJournal({ records: written(chunk(0)), offset: moved(2_040_000n), transactions }, (task, delivered) => {
    task.start();
    task.signal({ id: "s", type: "log-state" });
    task.tick();
    assert.equal(delivered, []);
    assert.is(task.events("signal-ack")[0]?.["open_transactions"], "1");
    assert.is(resumeOf(task), last(0));
  });
});

journal("with a missing chunk stops the start with CDC-4002", () =>
  withJournal({ records: written(chunk(0), chunk(2)), offset: moved(2_040_000n) }, (task) => {
    assert.throws(
      () => task.start(),
      /\[CDC-4002\] Journal for transaction 3:8\.14\.2207 is missing chunk 1 \(next found is 2\)/,
    );
    task.store(moved(2_012_000n));
    task.start();
  }),
);

journal("with an unreadable record stops the start with CDC-4002, but not one of another connector", async () => {
  const [good] = written(chunk(0));
  const bytes = Buffer.from("{");
  for (const record of [
    { key: bytes, value: null },
    { key: good?.key ?? null, value: bytes },
  ])
    await withJournal({ records: [record], offset: moved(2_040_000n) }, (task) => {
      assert.throws(() => task.start(), /\[CDC-4002\]/);
    });
  const foreign = { ...journaledChunk("billing", chunk(0)), value: bytes };
  await withJournal({ records: [foreign], offset: moved(2_040_000n) }, (task) => task.start());
});

journal("keeps the frames before the resume point, and nothing of chunks that are mined again", () => {
  const frames = [{ change: 2_013_000n }, { undo: 2_013_100n }, { change: 2_013_500n }, { change: 2_013_800n }];
  const records = written(chunk(0), chunk(1, { frames }), chunk(2));
  return withJournal({ records, offset: moved(2_013_600n) }, (task) => {
    task.start();
    task.tick();
    assert.is(resumeOf(task), 2_013_500n);
  });
});

journal("orders records by address, then ssn, then SCN", () => {
  const place = (scn: bigint, rsId: string | undefined, ssn: bigint) => ({ scn, rsId, ssn });
  const [low, high] = ["0x00002a.00000f1c.0010", "0x00002a.00000f1c.0020"];
  const ordered = [place(9n, low, 1n), place(8n, low, 2n), place(9n, low, 2n), place(7n, high, 0n)];
  for (const [i, one] of ordered.entries()) {
    for (const [j, other] of ordered.entries()) assert.is(isBefore(one, other), i < j, `${i} ${j}`);
  }
  // The chunk lies before the resume point by address, but not by SCN.
  const [record] = written(chunk(0, { from: 2_020_000n, to: 2_021_000n }));
  const value = JSON.parse(Buffer.from(record?.value ?? []).toString("utf8")) as Record<string, unknown>;
  const addressed = { ...value, first_rs_id: low, last_rs_id: low, first_ssn: 1, last_ssn: 2 };
  const offset = offsetOf(healthyWorld(), { resume_scn: 2_015_000n, resume_rs_id: high, resume_ssn: 0n });
  return withJournal(
    {
      records: [{ key: record?.key ?? null, value: Buffer.from(JSON.stringify(addressed)) }],
      offset,
      transactions: [],
    },
    (task) => {
      task.start();
      task.signal({ id: "s", type: "log-state" });
      task.tick();
      assert.is(task.events("signal-ack")[0]?.["open_transactions"], "1");
    },
  );
});

journal.run();
