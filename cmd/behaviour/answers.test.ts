/**
 * What becomes of a resnapshot by the connector's answer to its signal, or without one; and by transactions that do not
 * end.
 */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../../core/run/state.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import {
  type ChangedWorld,
  creepingTask,
  failAll,
  OPS_TOPIC,
  openChangedWorld,
  SIGNALS_TOPIC,
} from "./changed-world.ts";
import { type Change, PAST_GAP, positionOf, resnapshotFile, SIGNAL_ONLY } from "./changes.ts";
import { ORDERS } from "./real/resnapshot-scene.ts";
import { runHere } from "./run-command.ts";
import { collected, contradictions } from "./story.ts";

const answers = suite("the answer to a signal");
const LIMITS = ["--settle", "300ms", "--resume-timeout", "3s"];
const SHORT = (change: Change): Change => ({
  ...change,
  plan: change.plan.replace("waitForAck: 5s", "waitForAck: 400ms"),
});

function inWorld(
  name: string,
  change: Change,
  options: Parameters<typeof openChangedWorld>[0],
  act: (world: ChangedWorld) => Promise<void>,
): void {
  answers(name, async () => {
    const world = await openChangedWorld(options, change);
    try {
      await act(world);
    } finally {
      await world.close();
    }
  });
}

const apply = (world: ChangedWorld) => runHere(["apply", world.plan, "--yes", ...LIMITS], world);
const recover = (world: ChangedWorld) => runHere(["recover", "--yes", ...LIMITS], world);
const flat = (text: string) => text.replace(/\s+/g, " ");
const outcome = (world: ChangedWorld) => runState(world.journal())?.ended?.outcome;

/** Has these records written as soon as the run waits for its answer. */
function onceAwaited(world: ChangedWorld, write: (id: string) => void): void {
  let written = false;
  failAll(world.sandbox, () => {
    const journal = world.journal();
    const pinned = journal.findLast((entry) => entry.type === "signal-pinned");
    const awaited = journal.some((entry) => entry.type === "step-started" && entry.step === "wait-for-ack");
    if (awaited && !written && pinned?.type === "signal-pinned") {
      written = true;
      write(pinned.id);
    }
    return undefined;
  });
}

for (const text of ["rejected", "invalid", "unknown", "failed", "a word of a later version"]) {
  inWorld(
    `"${text}" to a signal alone: exit 1, in the connector's own words`,
    SIGNAL_ONLY,
    { signals: "silent" },
    async (world) => {
      onceAwaited(world, (id) => world.answer({ id, outcome: text, message: "ORA-01031: no right to ORDERS" }));
      const { exit, output } = await apply(world);
      assert.is(exit, 1, output);
      assert.match(flat(output), new RegExp(`"${text}"`));
      assert.match(flat(output), /ORA-01031: no right to ORDERS/);
      const [id = "none"] = await world.signals();
      assert.ok(output.includes(id), output);
      assert.is(outcome(world), "rejected");
      assert.is((await recover(world)).exit, 0);
      assert.equal(contradictions(await collected(world)), []);
    },
  );
}

inWorld(
  "rejected after the offset moved: exit 3, and the new offset stays stored",
  PAST_GAP,
  { signals: "rejecting" },
  async (world) => {
    const { exit, output } = await apply(world);
    assert.is(exit, 3, output);
    assert.match(flat(output), /"rejected"/);
    assert.is(outcome(world), "rejected");
    assert.is(positionOf(world.sandbox.stored(), PAST_GAP), "from the target");
    assert.equal(contradictions(await collected(world)), []);
    // Exit 3 leads to recover: there is nothing to recover, and it says what is left to do.
    const run = /^run (\S+)$/m.exec(output)?.[1] ?? "";
    const settled = await runHere(["recover", run, "--yes", ...LIMITS], world);
    assert.is(settled.exit, 0, settled.output);
    assert.match(
      flat(settled.output),
      /is settled: rejected The tables lack what happened in the gap .* apply it again/,
    );
    // What was asked for is still to be done, and now by a signal alone: refused again, nothing else is changed.
    const again = await apply(world);
    assert.is(again.exit, 1, again.output);
    assert.is((await world.signals()).length, 2);
  },
);

for (const [change, expected] of [
  [SIGNAL_ONLY, 1],
  [PAST_GAP, 3],
] as const) {
  inWorld(
    `no answer in time, ${change.name}: exit ${expected}, and recover continues waiting`,
    SHORT(change),
    { signals: "silent" },
    async (world) => {
      const { exit, output } = await apply(world);
      assert.is(exit, expected, output);
      assert.match(flat(output), /has not answered within 0\.4 s/);
      assert.match(output, /cdcctl recover/);
      const [id = "none"] = await world.signals();
      assert.ok(output.includes(id), output);
      const still = await recover(world);
      assert.is(still.exit, 3, still.output);
      world.answer({ id, outcome: "ok", message: "" });
      const done = await recover(world);
      assert.is(done.exit, 0, done.output);
      assert.is(outcome(world), "succeeded");
      assert.equal(contradictions(await collected(world)), []);
    },
  );
}

inWorld(
  "another signal's answer and unrelated records are not taken for the answer",
  SIGNAL_ONLY,
  { signals: "silent" },
  async (world) => {
    onceAwaited(world, (id) => {
      world.answer({ id: `${id}0`, outcome: "rejected", message: "another" });
      world.answer({ id: id.toUpperCase(), outcome: "rejected", message: "another" });
      for (const value of ["", "{", "[]", "null", '{"type":"signal-ack"}', '{"type":"signal-ack","details":{"id":7}}'])
        world.sandbox.broker.append(OPS_TOPIC, { key: null, value: Buffer.from(value) });
      world.sandbox.broker.append(OPS_TOPIC, { key: null, value: null });
      world.sandbox.broker.append(OPS_TOPIC, { key: null, value: Buffer.from([0, 0, 0, 0, 1, 0xff, 0xfe]) });
      world.answer({ id, outcome: "ok", message: "" });
    });
    const { exit, output } = await apply(world);
    assert.is(exit, 0, output);
  },
);

inWorld(
  "control characters of an answer are escaped, and a long answer is truncated",
  SIGNAL_ONLY,
  { signals: "silent" },
  async (world) => {
    const message = `\u001b]0;owned\u0007\u001b[2J\r\n\u202e${"x".repeat(100_000)}`;
    onceAwaited(world, (id) => world.answer({ id, outcome: "re\u001b[31mjected", message }));
    const { exit, output } = await apply(world);
    assert.is(exit, 1, output.slice(0, 2000));
    for (const sign of ["\u001b", "\u0007", "\r", "\u202e"]) assert.not.ok(output.includes(sign), JSON.stringify(sign));
    assert.ok(output.length < 20_000, `${output.length} characters`);
  },
);

inWorld(
  "a task that fails instead of answering ends the wait, and its trace is quoted",
  { ...PAST_GAP, plan: PAST_GAP.plan.replace("waitForAck: 5s", "waitForAck: 10m") },
  { signals: "silent", connect: { task: () => failingOnce() } },
  async (world) => {
    const { exit, output } = await apply(world);
    assert.is(exit, 3, output);
    assert.match(flat(output), /ORA-01555: snapshot too old/);
  },
);

inWorld(
  "a connector that stays stopped is not waited for, which the plan states before anything is done",
  {
    ...SIGNAL_ONLY,
    plan: resnapshotFile("stays", `tables: [${ORDERS}]`, "waitForAck: 10m"),
    steps: ["write-signal"],
  },
  {},
  async (world) => {
    const { exit, output } = await apply(world);
    assert.is(exit, 0, output);
    assert.match(flat(output), /SNP910/);
    assert.match(flat(output), /apply does not wait for the answer/);
    assert.is(world.sandbox.connect.cluster.connectors.get(CONNECTOR)?.target, "STOPPED");
    assert.equal(contradictions(await collected(world)), []);
  },
);

inWorld("a signal that can no longer be written: exit 1, before the move", PAST_GAP, {}, async (world) => {
  failAll(world.sandbox, (arrival) =>
    arrival.system === "kafka" && arrival.api === "Produce" && arrival.topic === SIGNALS_TOPIC
      ? { kafka: "deny" }
      : undefined,
  );
  const { exit, output } = await apply(world);
  assert.is(exit, 1, output);
  assert.match(output, /SNP907/);
  assert.equal(await world.opsEvents(), []);
  assert.ok(world.sandbox.connect.requests.every(({ method }) => method !== "PATCH"));
  assert.equal(contradictions(await collected(world)), []);
});

inWorld(
  "a transaction that does not end: exit 1, it is named, and the connector is never stopped",
  { ...PAST_GAP, waits: false, plan: PAST_GAP.plan.replace("waitForTransactions: 5s", "waitForTransactions: 300ms") },
  {
    oracle: (oracle) => {
      const row = { instance: 1n, container: 3n, usn: 9n, slot: 4n, sequence: 1207n, startScn: 2_006_000n };
      const startTime = oracle.scnTimes.timeOf(row.startScn);
      oracle.transactions.push({ ...row, startTime, user: "BATCH", clientId: null });
    },
  },
  async (world) => {
    const { exit, output } = await apply(world);
    assert.is(exit, 1, output);
    assert.match(flat(output), /after 0\.3 s a transaction is still open: 3:9\.4\.1207 \(BATCH\) from 2006000/);
    assert.match(output, /TRX501/);
    assert.ok(world.sandbox.connect.requests.every(({ method }) => method === "GET"));
    assert.equal(await world.signals(), []);
    assert.is(outcome(world), "refused");
  },
);

/** Commits after the gap, and then finds no undo for its snapshot. */
function failingOnce(): ReturnType<typeof creepingTask> {
  const task = creepingTask();
  return {
    start: task.start,
    tick() {
      const entries = task.tick();
      if (BigInt(String(entries[0]?.offset?.["resume_scn"])) > 2_010_060n)
        throw new Error("ORA-01555: snapshot too old\n\tat sh.oso.cdc.Snapshot");
      return entries;
    },
  };
}

answers.run();
