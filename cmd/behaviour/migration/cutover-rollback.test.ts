/**
 * The way back from a cutover by the command: to the very offsets that the legacy connector stopped with, leaving
 * nothing of the new one.
 */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import { runState } from "../../../core/run/state.ts";
import { until } from "../../../providers/connect/contract.ts";
import { journaledChunk } from "../../../providers/sandbox/journal-records.ts";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { LEGACY_CONNECTOR } from "../../../providers/sandbox/migration/stage.ts";
import type { SandboxOptions } from "../../../providers/sandbox/sandbox.ts";
import { type Arrival, failAll, OPS_TOPIC } from "../changed-world.ts";
import { gate } from "../gate.ts";
import { inLanes } from "../in-lanes.ts";
import { type Finished, runHere } from "../run-command.ts";
import { type MigrationWorld, openMigrationWorld } from "./migration-world.ts";
import { bothRun } from "./phase-cell.ts";
import { collectedOf, phaseContradictions, seen } from "./phase-story.ts";
import { CUTOVER, RETURN, RETURN_WITH_TOPICS } from "./phases.ts";

const rollbackMode = suite("a rollback of a cutover");
const test = inLanes(rollbackMode);
const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];

/** A case in a world that was cut over by the command. */
function cutOver(
  name: string,
  options: SandboxOptions,
  act: (world: MigrationWorld, run: string) => Promise<void>,
  spec: readonly string[] = [],
): void {
  test(name, async () => {
    const world = await openMigrationWorld(options);
    try {
      const { exit, output } = await apply(world, "cutover", spec);
      assert.is(exit, 0, output);
      await act(world, runState(world.journal())?.started.run ?? "none");
    } finally {
      await world.close();
    }
  });
}

const flat = (text: string) => text.replace(/\s+/g, " ");
const outcome = (world: MigrationWorld) => runState(world.journal())?.ended?.outcome;

async function apply(
  world: MigrationWorld,
  phase: string,
  spec: readonly string[] = [],
  ...more: string[]
): Promise<Finished> {
  return runHere(["apply", await world.plan(phase, ...spec), "--yes", ...LIMITS, ...more], world);
}

/** What is stored for the legacy connector when its resume arrives; and that never both run. */
function watched(world: MigrationWorld): { resumedFrom: readonly OffsetEntry[] | undefined; both: boolean } {
  const watch: ReturnType<typeof watched> = { resumedFrom: undefined, both: false };
  failAll(world.sandbox, (arrival) => {
    if (isResume(arrival, LEGACY_CONNECTOR)) watch.resumedFrom = world.stored("legacy");
    watch.both ||= bothRun(world);
    return undefined;
  });
  return watch;
}

const delivered = async ({ sandbox }: MigrationWorld) => (await sandbox.broker.records(LEGACY_TOPIC)).length;

const JOURNAL_TOPIC = "orders.cdc.txjournal";
const SCHEMA_TOPIC = "orders.cdc.schema";

const layoutOf = (server: string) =>
  new TextEncoder().encode(JSON.stringify({ server, pdb: "ORCLPDB1", owner: "SALES", table: "ORDERS" }));
const textOf = (key: Uint8Array | null) => new TextDecoder().decode(key ?? undefined);

/** The keys whose last record in a topic is not null. */
async function liveKeys({ sandbox }: MigrationWorld, topic: string): Promise<readonly string[]> {
  const last = new Map((await sandbox.broker.records(topic)).map(({ key, value }) => [textOf(key), value]));
  return [...last].flatMap(([key, value]) => (value === null ? [] : [key]));
}

const isResume = (arrival: Arrival, connector: string) =>
  arrival.system === "connect" && arrival.method === "PUT" && arrival.path === `/connectors/${connector}/resume`;

cutOver("rollback RUN restarts the legacy connector at exactly the offsets it stopped with", {}, async (world, run) => {
  const before = seen(world);
  const deliveredBefore = await delivered(world);
  const watch = watched(world);
  const { exit, output } = await runHere(["rollback", run, "--yes", ...LIMITS], world);
  assert.is(exit, 0, output);
  assert.equal(watch.resumedFrom, before.legacyOffsets);
  assert.is(watch.both, false);
  assert.match(flat(output), /the offsets of orders-legacy are those it stopped with/);
  assert.equal(phaseContradictions(await collectedOf(world, RETURN, before)), []);
  const [applying, applied, ...others] = await world.opsEvents();
  assert.equal(others, []);
  assert.equal([applying?.details.outcome, applied?.details.outcome], ["applying", "applied"]);
  assert.is(applying?.details.new_resume_scn, "none");
  assert.match(applying?.details.reason ?? "", run);
  const back = runState(world.journal())?.started.run ?? "none";
  const shown = (await runHere(["show", run], world)).output;
  assert.match(flat(shown), `it was rolled back by run ${back}`);
  assert.not.match(shown, "cdcctl rollback");
  assert.equal(world.topics(), before.topics, "its topics stay");
  await until("the legacy connector delivers again", async () => (await delivered(world)) > deliveredBefore);
});

cutOver(
  "without a name the latest run is rolled back; a second rollback finds nothing to roll back",
  {},
  async (world) => {
    assert.is((await runHere(["rollback", "--yes", ...LIMITS], world)).exit, 0);
    const again = await runHere(["rollback", "--yes", ...LIMITS], world);
    assert.is(again.exit, 1, again.output);
    assert.match(again.output, /APL808/);
    assert.is(world.connector("legacy")?.target, "RUNNING");
  },
);

cutOver("a plan file of the phase does the same, and changes nothing when applied again", {}, async (world) => {
  const before = seen(world);
  const { exit, output } = await apply(world, "rollback", ["deleteTopics: true"]);
  assert.is(exit, 0, output);
  assert.equal(phaseContradictions(await collectedOf(world, RETURN_WITH_TOPICS, before)), []);
  const there = seen(world);
  const again = await apply(world, "rollback", ["deleteTopics: true"]);
  assert.is(again.exit, 0, again.output);
  assert.equal(seen(world).topics, there.topics);
  assert.is(world.connector("legacy")?.target, "RUNNING");
});

cutOver(
  "after it the same cutover can be repeated explicitly, and starts from the legacy connector's new position",
  {},
  async (world) => {
    assert.is((await apply(world, "rollback", ["deleteTopics: true"])).exit, 0);
    await until("the legacy connector has gone on", async () => {
      const scn = world.stored("legacy").find(({ partition }) => "sidPdb" in partition)?.offset?.["scn"];
      return BigInt(String(scn)) > 2_044_800n;
    });
    const refused = await apply(world, "cutover");
    assert.is(refused.exit, 1, refused.output);
    assert.match(refused.output, /--again/);
    const before = seen(world);
    const { exit, output } = await apply(world, "cutover", [], "--again");
    assert.is(exit, 0, output);
    assert.equal(phaseContradictions(await collectedOf(world, CUTOVER, before)), []);
    assert.ok((runState(world.journal())?.takeover?.startScn ?? 0n) > 2_044_800n);
  },
);

cutOver(
  "after it the records of the new connector's prefix are gone, and the next cutover to that prefix is accepted",
  {},
  async (world, run) => {
    const { broker } = world.sandbox;
    const open = { xid: "5.2.802", generation: 1n, from: 2_044_900n, to: 2_044_950n };
    const chunks = [0, 1].map((chunk) => journaledChunk("orders", { ...open, chunk }));
    // The topics are shared with the connector of another prefix.
    const theirChunk = journaledChunk("billing", { ...open, chunk: 0 });
    const theirLayout = { key: layoutOf("billing"), value: layoutOf("billing") };
    broker.append(JOURNAL_TOPIC, [...chunks, theirChunk]);
    broker.append(SCHEMA_TOPIC, [theirLayout]);
    const back = await runHere(["rollback", run, "--yes", ...LIMITS], world);
    assert.is(back.exit, 0, back.output);
    assert.match(flat(back.output), `removed 2 keys from ${JOURNAL_TOPIC}, 1 key from ${SCHEMA_TOPIC}`);
    assert.equal(await liveKeys(world, JOURNAL_TOPIC), [textOf(theirChunk.key)]);
    assert.equal(await liveKeys(world, SCHEMA_TOPIC), [textOf(theirLayout.key)]);
    const { exit, output } = await apply(world, "cutover", ["accept: [MIG108]"], "--again");
    assert.is(exit, 0, output);
  },
);

cutOver("two operators at once: one rolls back, the other is refused", {}, async (world, run) => {
  const before = seen(world);
  const both = await Promise.all([runHere(["rollback", run, "--yes", ...LIMITS], world), apply(world, "rollback")]);
  const outputs = both.map(({ output }) => output).join("\n");
  assert.equal(both.map(({ exit }) => exit).sort(), [0, 1], outputs);
  assert.match(outputs, /STA701/);
  assert.equal(phaseContradictions(await collectedOf(world, RETURN, before)), []);
});

const hung = gate();
cutOver(
  "a task that commits after its connector is deleted: the next cutover detects it and does not resume from there",
  { connect: { graceful: 40, hang: (name) => (name === "orders-cdc" ? hung.opened : undefined) } },
  async (world) => {
    failAll(world.sandbox, (arrival) => {
      if (isResume(arrival, LEGACY_CONNECTOR)) hung.open();
      return undefined;
    });
    const back = await apply(world, "rollback", ["deleteTopics: true"]);
    assert.is(back.exit, 0, back.output);
    await until("it is stored", async () => world.stored("new").length > 0);
    const { exit, output } = await apply(world, "cutover", [], "--again");
    assert.is(exit, 1, output);
    assert.match(output, /MIG107/);
    assert.is(world.connector("new"), undefined, "it was never started");
    assert.is(world.connector("legacy")?.target, "RUNNING");
    assert.is(outcome(world), "failed");
  },
);

cutOver("the legacy connector's offsets were changed by another user: it is not resumed", {}, async (world) => {
  const { cluster } = world.sandbox.connect;
  const before = world.stored("legacy");
  let changed = false;
  failAll(world.sandbox, (arrival) => {
    if (
      !changed &&
      arrival.system === "connect" &&
      arrival.method === "DELETE" &&
      arrival.path === "/connectors/orders-cdc"
    ) {
      changed = true;
      cluster.offsets.write(
        LEGACY_CONNECTOR,
        before.map(({ partition, offset }) => ({ partition, offset: { ...offset, scn: "2045999" } })),
      );
    }
    return undefined;
  });
  const { exit, output } = await apply(world, "rollback");
  assert.is(exit, 3, output);
  assert.match(flat(output), /no longer those it stopped with/);
  assert.is(world.connector("legacy")?.target, "STOPPED");
  assert.is((await runHere(["recover", "--yes", ...LIMITS], world)).exit, 3);
  assert.is(world.connector("legacy")?.target, "STOPPED");
  cluster.offsets.write(LEGACY_CONNECTOR, before);
  const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
  assert.is(recovered.exit, 0, recovered.output);
  assert.is(world.connector("legacy")?.target, "RUNNING");
});

cutOver(
  "a topic that may not be deleted is named, and recover continues once deletion is allowed",
  {},
  async (world) => {
    failAll(world.sandbox, (arrival) =>
      arrival.system === "kafka" && arrival.api === "DeleteTopics" && arrival.topic === "orders.cdc.txjournal"
        ? { kafka: "deny" }
        : undefined,
    );
    const before = seen(world);
    const { exit, output } = await apply(world, "rollback", ["deleteTopics: true"]);
    assert.is(exit, 3, output);
    assert.match(flat(output), /orders\.cdc\.txjournal could not be deleted/);
    assert.ok(world.topics().includes("orders.cdc.txjournal"));
    failAll(world.sandbox, undefined);
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
    assert.equal(phaseContradictions(await collectedOf(world, RETURN_WITH_TOPICS, before)), []);
  },
);

cutOver(
  "where the record cannot be written nothing is removed, and the new connector keeps running",
  {},
  async (world) => {
    failAll(world.sandbox, (arrival) =>
      arrival.system === "kafka" && arrival.api === "Produce" && arrival.topic === OPS_TOPIC
        ? { kafka: "not-enough-replicas" }
        : undefined,
    );
    const before = seen(world);
    const { exit, output } = await apply(world, "rollback");
    failAll(world.sandbox, undefined);
    assert.is(exit, 1, output);
    assert.is(outcome(world), "failed");
    assert.equal(phaseContradictions(await collectedOf(world, RETURN, before)), []);
  },
);

cutOver(
  "a rollback abandoned half-way leaves what exists, recorded as failed; another one continues",
  {},
  async (world) => {
    failAll(world.sandbox, (arrival) =>
      arrival.system === "connect" && arrival.method === "DELETE" ? { connect: "disconnect-before" } : undefined,
    );
    const patience = { connect: { callMillis: 10_000, retryMillis: 600 }, patch: 100 };
    const cut = await runHere(["apply", await world.plan("rollback"), "--yes", ...LIMITS], { ...world, patience });
    assert.is(cut.exit, 3, cut.output);
    failAll(world.sandbox, undefined);
    const ended = await runHere(["recover", "--abandon", "--yes"], world);
    assert.is(ended.exit, 0, ended.output);
    assert.is(outcome(world), "abandoned");
    const events = (await world.opsEvents()).map(({ details }) => details.outcome);
    assert.equal(events, ["applying", "failed"]);
    assert.not.ok(bothRun(world));
    const again = await apply(world, "rollback", [], "--again");
    assert.is(again.exit, 0, again.output);
  },
);

cutOver("half-way on another machine, and recorded as applied: it is not called done", {}, async (world) => {
  failAll(world.sandbox, (arrival) =>
    arrival.system === "connect" && arrival.method === "DELETE" && !arrival.path.endsWith("/offsets")
      ? { connect: "disconnect-before" }
      : undefined,
  );
  const patience = { connect: { callMillis: 10_000, retryMillis: 600 }, patch: 100 };
  const cut = await runHere(["apply", await world.plan("rollback"), "--yes", ...LIMITS], { ...world, patience });
  assert.is(cut.exit, 3, cut.output);
  assert.is((await world.opsEvents()).at(-1)?.details.outcome, "applied");
  failAll(world.sandbox, undefined);
  const env = { ...world.env, CDCCTL_STATE: join(world.dir, "elsewhere") };
  const other = await runHere(["apply", await world.plan("rollback"), "--yes", ...LIMITS], { ...world, env });
  assert.is(other.exit, 1, other.output);
  assert.match(flat(other.output), /records that this decision was applied, and orders-cdc is still there.*APL812/);
  const again = await runHere(["apply", await world.plan("rollback"), "--yes", "--again", ...LIMITS], {
    ...world,
    env,
  });
  assert.is(again.exit, 0, again.output);
});

cutOver(
  "workers that cannot delete offsets: refused before anything is done",
  { connect: { version: "3.5.1" } },
  async (world) => {
    const before = world.sandbox.connect.requests.length;
    const { exit, output } = await apply(world, "rollback");
    assert.is(exit, 1, output);
    assert.match(output, /CON302/);
    assert.ok(world.sandbox.connect.requests.slice(before).every(({ method }) => method === "GET"));
    assert.equal(await world.opsEvents(), []);
  },
  ["accept: [MIG107]"],
);

rollbackMode.run();
