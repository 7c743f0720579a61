/** A forward move over a transaction that the task has journaled, and would restore. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { journaledChunk } from "../../providers/sandbox/journal-records.ts";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, PREFIX, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { type ChangedWorld, failAll, JOURNAL_TOPIC, openChangedWorld } from "./changed-world.ts";
import { type Change, OFFSET_CHANGE, PAST_GAP } from "./changes.ts";
import { PATIENCE } from "./injected-faults.ts";
import { runHere, startProcess } from "./run-command.ts";

const over = suite("a forward move over a journaled transaction");

const TARGET = 2_035_000n;
const LOAD = journaledChunk(PREFIX, { xid: "8.14.2207", chunk: 0, generation: 6n, from: 2_021_000n, to: 2_031_120n });

const BEFORE = journaledChunk(PREFIX, { xid: "8.14.2207", chunk: 0, generation: 6n, from: 2_004_000n, to: 2_004_900n });

const forward = (...spec: readonly string[]): Change => ({
  ...OFFSET_CHANGE,
  plan: planFile("orders-skip", "skip the load", `scn: ${TARGET}`, "allowSkip: true", "accept: [TRX501]", ...spec),
  world: { offset: { ...storedOffset(healthyWorld()), resume_scn: 2_020_000n } },
});

const resumeScn = ({ sandbox }: ChangedWorld) =>
  BigInt(String(sandbox.connect.stored(CONNECTOR)[0]?.offset?.["resume_scn"]));

/** Waits until the running task has committed what its first heartbeat does not show. */
async function commits(world: ChangedWorld, until: (scn: bigint) => boolean): Promise<bigint> {
  const deadline = Date.now() + 60_000;
  while (!until(resumeScn(world)) && Date.now() < deadline) await new Promise((done) => setImmediate(done));
  return resumeScn(world);
}

over("killed once its records are removed, and recovered: the task commits on from the target", async () => {
  const world = await openChangedWorld(
    { journal: { records: [LOAD] } },
    forward("removeJournaledTransactions: true", "resume: true"),
  );
  try {
    const { child, finished } = startProcess(["apply", world.plan, "--yes", "--settle", "300ms"], world);
    failAll(world.sandbox, (arrival) => {
      if (arrival.system !== "connect" || arrival.method !== "PATCH") return undefined;
      child.kill("SIGKILL");
      return { connect: "500" };
    });
    await finished;
    failAll(world.sandbox, undefined);
    assert.equal(
      (await world.sandbox.broker.records(JOURNAL_TOPIC)).map(({ value }) => value === null),
      [false, true],
    );
    assert.ok(resumeScn(world) < TARGET, "nothing was moved yet");
    const recovered = await runHere(["recover", "--yes", "--settle", "300ms"], { env: world.env, patience: PATIENCE });
    assert.is(recovered.exit, 0, recovered.output);
    assert.ok((await commits(world, (scn) => scn > TARGET + 10n)) > TARGET + 10n);
    assert.is((await world.sandbox.broker.records(JOURNAL_TOPIC)).length, 2, "removed once");
    const status = await runHere(["status"], world);
    assert.not.match(status.stdout, /no longer that of run/);
  } finally {
    await world.close();
  }
});

over("a resnapshot past a gap takes the journaled transaction away, and says what is lost", async () => {
  const plan = PAST_GAP.plan.replace("spec:", "spec:\n  removeJournaledTransactions: true");
  const world = await openChangedWorld({ journal: { records: [BEFORE] } }, { ...PAST_GAP, plan });
  try {
    const planned = await runHere(["plan", world.plan, "--full"], world);
    const text = planned.stdout.replace(/\s+/g, " ");
    assert.match(text, "3:8.14.2207 from 2004000; in the journal; if it committed before 2010000, all of it is lost");
    assert.match(text, "6 remove the journal records of 3:8.14.2207 from orders.cdc.txjournal");
    const applied = await runHere(["apply", world.plan, "--yes", "--settle", "300ms"], world);
    assert.is(applied.exit, 0, applied.output);
    const journal = await world.sandbox.broker.records(JOURNAL_TOPIC);
    assert.equal(journal[1]?.key, journal[0]?.key);
    assert.is(journal[1]?.value, null);
    assert.ok(resumeScn(world) >= 2_010_000n, "the task has not restored it");
  } finally {
    await world.close();
  }
});

over("that the journal did not show: status names what has pulled it back, and what the move needs", async () => {
  const world = await openChangedWorld({}, forward());
  try {
    const applied = await runHere(["apply", world.plan, "--yes", "--settle", "300ms"], world);
    assert.is(applied.exit, 0, applied.output);
    // The task was about to journal it when it was stopped.
    world.sandbox.broker.append(JOURNAL_TOPIC, LOAD);
    const { cluster } = world.sandbox.connect;
    const connector = cluster.connectors.get(CONNECTOR);
    assert.ok(connector);
    cluster.aim(connector, "RUNNING");
    assert.is(await commits(world, (scn) => scn < TARGET), 2_031_120n);
    const status = await runHere(["status"], world);
    const text = status.stdout.replace(/\s+/g, " ");
    assert.match(
      text,
      "the journaled transaction 3:8.14.2207 has pulled it back to 2031120, its last journaled record",
    );
    assert.match(text, "the move needs spec.removeJournaledTransactions: true");
    assert.not.match(text, /another run, user or process/);
    const again = await runHere(["plan", world.plan], world);
    assert.match(again.output, "TRX505");

    failAll(world.sandbox, ({ system }) => (system === "kafka" ? { kafka: "disconnect-before" } : undefined));
    const unread = await runHere(["status"], { ...world, patience: PATIENCE });
    assert.match(unread.stdout, /no longer that of run/, "a cause that can't be read hides nothing");
  } finally {
    await world.close();
  }
});

over.run();
