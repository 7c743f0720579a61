/**
 * A resnapshot while another snapshot is under way, and a signals topic of several partitions: what the connector would
 * reject, or never read, is not asked for.
 */

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decodeSnapshotEnd } from "../../core/facts/ops/signal.ts";
import { unredacted } from "../../core/facts/testing/unredacted.ts";
import type { OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import type { SignalAck } from "../../schemas/generated/facts.ts";
import { type ChangedWorld, OPS_TOPIC, openChangedWorld, SIGNALS_TOPIC } from "./changed-world.ts";
import { type Change, PAST_GAP, resnapshotFile, SIGNAL_ONLY } from "./changes.ts";
import { fillDictionary, LINES, ORDERS } from "./real/resnapshot-scene.ts";
import { runHere } from "./run-command.ts";

const meanwhile = suite("a resnapshot while another snapshot is under way");

/** The snapshot of LINES takes about so many commits. */
const lasting = (chunks: number) => (oracle: OracleWorld) => {
  fillDictionary(oracle);
  for (const table of oracle.tables)
    if (table.name === "LINES") Object.assign(table, { statistics: { rows: String(chunks * 100) } });
};

/** A world whose connector snapshots LINES, by its stored offset. */
async function underway(change: Change, chunks: number, offset: object = {}): Promise<ChangedWorld> {
  const snapshot = `{"v":1,"complete":false,"tables":{},"scope":["${LINES}"]}`;
  const stored = { ...(change.world.offset ?? (await storedNow())), snapshot, ...offset };
  return openChangedWorld(
    { offset: stored, state: "RUNNING", oracle: lasting(chunks), config: { "cdc.snapshot.chunk.rows": "100" } },
    change,
  );
}

async function storedNow() {
  const { storedOffset } = await import("../../providers/sandbox/sandbox.ts");
  const { healthyWorld } = await import("../../providers/sandbox/oracle/world.ts");
  return storedOffset(healthyWorld());
}

async function applied(world: ChangedWorld, ...spec: readonly string[]) {
  const plan = await world.writePlan("now.yaml", resnapshotFile("orders-now", ...spec));
  const done = await runHere(["apply", plan, "--yes", "--settle", "300ms"], world);
  return { ...done, text: done.output.replace(/\s+/g, " ") };
}

const outcomesOf = (acks: readonly SignalAck[]) => acks.map(({ outcome }) => outcome);

async function within(world: ChangedWorld, act: (world: ChangedWorld) => Promise<void>): Promise<void> {
  try {
    await act(world);
  } finally {
    await world.close();
  }
}

async function partitionsOf({ sandbox }: ChangedWorld): Promise<readonly number[]> {
  return (await sandbox.broker.records(SIGNALS_TOPIC)).map(({ partition }) => partition);
}

const BOTH = `tables: [${ORDERS}, ${LINES}]`;
const WAIT = "waitForAck: 20s";

meanwhile("is blocked, with the ways out, and nothing is sent to anybody", () =>
  underway(SIGNAL_ONLY, 5000).then((world) =>
    within(world, async () => {
      const refused = await applied(world, BOTH, WAIT);
      assert.is(refused.exit, 1);
      assert.match(
        refused.text,
        "a snapshot is unfinished (1 table left): it comes first, and this signal is rejected",
      );
      assert.match(refused.text, "spec.waitForSnapshot");
      assert.match(refused.text, "spec.stopRunningSnapshot: true");
      assert.equal(await world.signals(), []);
    }),
  ),
);

meanwhile("waits for the earlier one, and for its own end", () =>
  underway(SIGNAL_ONLY, 20).then((world) =>
    within(world, async () => {
      const done = await applied(world, BOTH, "waitForSnapshot: 60s", "waitForCompletion: 60s");
      assert.is(done.exit, 0, done.output);
      assert.match(done.text, "no other snapshot is under way");
      assert.match(done.text, "the snapshot of 2 tables is complete");
      assert.equal(outcomesOf(await world.acks()), ["ok"]);
      const ends = (await world.sandbox.broker.records(OPS_TOPIC)).flatMap(
        ({ value }) => decodeSnapshotEnd(value, unredacted) ?? [],
      );
      assert.equal(
        ends.map(({ table }) => table),
        [LINES, "*", ORDERS, LINES, "*"],
      );
    }),
  ),
);

meanwhile("is refused without harm when the earlier one takes longer", () =>
  underway(SIGNAL_ONLY, 5000).then((world) =>
    within(world, async () => {
      const refused = await applied(world, BOTH, "waitForSnapshot: 1s");
      assert.is(refused.exit, 1, refused.output);
      assert.match(refused.text, "after 1 s a snapshot is unfinished");
      assert.equal(await world.signals(), []);
    }),
  ),
);

meanwhile("stops the earlier one with a signal in the same batch, which the task handles first", () =>
  underway(SIGNAL_ONLY, 5000).then((world) =>
    within(world, async () => {
      const unlisted = await applied(world, `tables: [${ORDERS}]`, "stopRunningSnapshot: true");
      assert.is(unlisted.exit, 1);
      assert.match(unlisted.text, `would never be read to the end: ${LINES}`);
      const done = await applied(world, BOTH, WAIT, "stopRunningSnapshot: true");
      assert.is(done.exit, 0, done.output);
      assert.equal(outcomesOf(await world.acks()), ["ok", "ok"]);
      assert.equal(
        (await world.acks()).map(({ id }) => id),
        await world.signals(),
      );
    }),
  ),
);

meanwhile("past a gap it is blocked, waiting does not help, and stopping does", () =>
  underway(PAST_GAP, 5000, { snapshot_pending: ORDERS }).then((world) =>
    within(world, async () => {
      const spec = [BOTH, WAIT, "skipGapForUnlistedTables: true", "waitForTransactions: 5s", "resume: true"];
      const refused = await applied(world, ...spec, "waitForSnapshot: 1h");
      assert.is(refused.exit, 1);
      assert.match(refused.text, "leaves the rows that it has read as they were before the gap");
      assert.match(refused.text, "waiting does not help: its task can't run before the offset has moved past the gap");
      assert.not.match(refused.text, "up to date");
      assert.equal([await world.signals(), await world.opsEvents()], [[], []]);

      const done = await applied(world, ...spec, "stopRunningSnapshot: true");
      assert.is(done.exit, 0, done.output);
      assert.match(done.text, "up to date");
      assert.equal(outcomesOf(await world.acks()), ["ok", "ok"]);
      assert.equal(
        (await world.opsEvents()).map(({ details }) => details.outcome),
        ["applying", "applied"],
      );
    }),
  ),
);

for (const partitions of [2, 3, 4, 6])
  meanwhile(`a signals topic of ${partitions} partitions is named, and the signal goes where the task reads`, () =>
    openChangedWorld({ state: "RUNNING" }, SIGNAL_ONLY).then((world) =>
      within(world, async () => {
        world.sandbox.broker.createTopic(SIGNALS_TOPIC, { partitions });
        const done = await applied(world, BOTH, WAIT);
        assert.is(done.exit, 0, done.output);
        assert.match(done.text, `has ${partitions} partitions, of which the task reads partition 0 only`);
        assert.equal(await partitionsOf(world), [0]);
        assert.equal(outcomesOf(await world.acks()), ["ok"]);
      }),
    ),
  );

meanwhile(
  "a topic that was created again is refused before anything is moved, until it is beyond the stored offset",
  () =>
    underway(PAST_GAP, 1, { snapshot: '{"v":1,"complete":true,"tables":{}}', signal_offset: 3n }).then((world) =>
      within(world, async () => {
        const spec = [BOTH, "skipGapForUnlistedTables: true", "waitForTransactions: 5s", "resume: true", WAIT];
        const refused = await applied(world, ...spec);
        assert.is(refused.exit, 1);
        assert.match(refused.text, "gets offset 0 in partition 0, but the stored signal_offset is 3");
        assert.match(refused.text, "Write 4 records without a key to partition 0");
        for (let i = 0; i < 4; i++) world.sandbox.broker.append(SIGNALS_TOPIC, { key: null, value: Buffer.from("-") });
        const done = await applied(world, ...spec);
        assert.is(done.exit, 0, done.output);
        assert.equal(outcomesOf(await world.acks()), ["ok"]);
      }),
    ),
);

meanwhile.run();
