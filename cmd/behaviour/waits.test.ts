/** What `apply` waits for, and what it says when it has waited long enough; other hands on the connector. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../../core/run/state.ts";
import { plainProperties } from "../../providers/sandbox/plain-login.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { type Arrival, CANARIES, type ChangedWorld, creepingTask, failAll, openChangedWorld } from "./changed-world.ts";
import { positionOf, TARGET_SCN } from "./changes.ts";
import { type Gate, gate } from "./gate.ts";
import { runHere, startProcess } from "./run-command.ts";
import { collected, contradictions } from "./story.ts";

const waits = suite("waits");
const LIMITS = ["--settle", "300ms", "--stop-timeout", "1s", "--resume-timeout", "1s"];

function inWorld(
  name: string,
  options: (later: Gate) => Parameters<typeof openChangedWorld>[0],
  act: (world: ChangedWorld, later: Gate) => Promise<void>,
): void {
  waits(name, async () => {
    const later = gate();
    const world = await openChangedWorld(options(later));
    try {
      await act(world, later);
    } finally {
      later.open();
      await world.close();
    }
  });
}

const flat = (text: string) => text.replace(/\s+/g, " ");
const outcome = (world: ChangedWorld) => runState(world.journal())?.ended?.outcome;
const connectorOf = ({ sandbox }: ChangedWorld) => sandbox.connect.cluster.connectors.get(CONNECTOR);

inWorld(
  "a stop that never completes ends at its limit, stays requested, and the message explains how to withdraw it",
  ({ opened }) => ({ connect: { hang: opened, graceful: 600_000 } }),
  async (world, later) => {
    const { exit, output } = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(exit, 3, output);
    assert.match(flat(output), /has not stopped within 1(\.0)? s: it is \w+[^;]*, and the stop remains requested/);
    const run = runState(world.journal())?.started.run ?? "no run";
    assert.match(flat(output), `To withdraw it, first abandon the run: cdcctl recover ${run} --abandon Then`);
    assert.match(flat(output), "Then start the connector again: cdcctl connectors resume orders-cdc --context sandbox");
    assert.is(connectorOf(world)?.target, "STOPPED");
    assert.ok(world.sandbox.connect.requests.every(({ method }) => method !== "PATCH"));
    later.open();
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
    assert.equal(contradictions(await collected(world)), []);
  },
);

inWorld(
  "a resume without a commit ends at its limit, and recover continues waiting",
  (later) => ({ connect: { task: () => silentUntil(later) } }),
  async (world, later) => {
    const { exit, output } = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(exit, 3, output);
    assert.match(flat(output), /was resumed, is RUNNING, and has not committed an offset within 1(\.0)? s/);
    const still = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(still.exit, 3, still.output);
    later.open();
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
    assert.equal(contradictions(await collected(world)), []);
  },
);

inWorld(
  "the trace of a task that fails after the resume is quoted, and the run stays open",
  (later) => ({ connect: { task: () => failingUntil(later) } }),
  async (world, later) => {
    const { exit, output } = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(exit, 3, output);
    assert.match(flat(output), /ORA-01291: missing log file/);
    later.open();
    const connector = connectorOf(world);
    if (connector !== undefined) world.sandbox.connect.cluster.restart(connector);
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
  },
);

for (const after of [20, 150]) {
  inWorld(
    `an operator that starts the connector again after ${after} ms is noticed and named; the offset is untouched`,
    () => ({ connect: { operator: after } }),
    async (world) => {
      const { exit, output } = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
      assert.match(flat(output), /operator (such as |\()Strimzi/);
      assert.ok(world.sandbox.connect.requests.every(({ method }) => method !== "PATCH"));
      assert.is(positionOf(world.sandbox.stored()), "as before");
      // One that is quicker than any look at the status can't be told from a stop that never begins.
      if (after === 20 && exit === 3) return;
      assert.is(exit, 1, output);
      assert.is(outcome(world) === "refused" || outcome(world) === "failed", true);
      assert.equal(contradictions(await collected(world)), []);
    },
  );
}

/** Stores another offset as soon as the run is about to patch its own. */
function storeByAnotherHand(world: ChangedWorld): void {
  const changed = { ...world.sandbox.stored(), resume_scn: 2_044_999n };
  failAll(world.sandbox, (arrival) => {
    const last = world.journal().at(-1);
    if (last?.type === "step-started" && last.step === "patch-offset" && !isPatch(arrival))
      world.sandbox.connect.cluster.offsets.write(CONNECTOR, [{ partition: { server: "orders" }, offset: changed }]);
    return undefined;
  });
}

inWorld(
  "a paused connector that the run stopped is reported when the run fails, since its state has changed",
  () => ({ state: "PAUSED" }),
  async (world) => {
    storeByAnotherHand(world);
    const { exit, output } = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(exit, 3, output);
    assert.match(flat(output), /orders-cdc is STOPPED\. To start it/);
  },
);

inWorld(
  "an offset changed by another user after the stop is not overwritten",
  () => ({}),
  async (world) => {
    storeByAnotherHand(world);
    const { exit, output } = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(exit, 1, output);
    assert.match(flat(output), /neither the previous nor the new one/);
    assert.match(output, /APL804/);
    assert.ok(world.sandbox.connect.requests.every(({ method }) => method !== "PATCH"));
    assert.equal(contradictions(await collected(world)), []);
  },
);

inWorld(
  "where the plan does not resume, a refusal leaves the connector stopped and says how to start it",
  () => ({}),
  async (world) => {
    const plan = await world.writePlan("stay.yaml", planFile("stay", "replay", `scn: ${TARGET_SCN}`));
    failAll(world.sandbox, (arrival) =>
      arrival.system === "kafka" && arrival.api === "Produce" ? { kafka: "not-enough-replicas" } : undefined,
    );
    const { exit, output } = await runHere(["apply", plan, "--yes", ...LIMITS], world);
    assert.is(exit, 3, output);
    assert.match(
      flat(output),
      /orders-cdc is STOPPED\. To start it: cdcctl connectors resume orders-cdc --context sandbox/,
    );
    assert.is(connectorOf(world)?.target, "STOPPED");
    assert.is(outcome(world), "failed");
    assert.equal(await world.opsEvents(), []);
    failAll(world.sandbox, () => undefined);
    const resumed = await runHere(["connectors", "resume", CONNECTOR, "--context", "sandbox"], world);
    assert.is(resumed.exit, 0, resumed.output);
    assert.is(connectorOf(world)?.target, "RUNNING");
  },
);

inWorld(
  "a connector that was deleted meanwhile: recover reports it, and ends the run on request",
  () => ({}),
  async (world) => {
    const { child, finished } = startProcess(["apply", world.plan, "--yes", ...LIMITS], world);
    failAll(world.sandbox, (arrival) => {
      if (!isPatch(arrival)) return undefined;
      child.kill("SIGKILL");
      return { connect: "disconnect-before" };
    });
    assert.is((await finished).exit, "SIGKILL");
    failAll(world.sandbox, undefined);
    const connector = connectorOf(world);
    if (connector !== undefined) world.sandbox.connect.cluster.remove(connector);
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 3, recovered.output);
    assert.match(flat(recovered.output), /no longer have a connector orders-cdc/);
    assert.match(flat(recovered.output), /--abandon/);
    const [, , brokers] = CANARIES;
    const properties = await world.writePlan("client.properties", plainProperties("cdc", brokers ?? ""));
    const ended = await runHere(
      [
        "recover",
        "--abandon",
        "-y",
        "--bootstrap-servers",
        world.sandbox.broker.address,
        "--command-config",
        properties,
      ],
      world,
    );
    assert.is(ended.exit, 0, ended.output);
    assert.is(outcome(world), "abandoned");
    assert.equal(
      (await world.opsEvents()).map(({ details }) => details.outcome),
      ["applying", "failed"],
    );
  },
);

inWorld(
  "while no system answers, recover leaves the run unchanged: exit 3",
  () => ({}),
  async (world) => {
    failAll(world.sandbox, (arrival) => (isPatch(arrival) ? { connect: "500-applied" } : undefined));
    const patience = { connect: { callMillis: 10_000, retryMillis: 600, firstContactMillis: 600 }, patch: 100 };
    const applied = await runHere(["apply", world.plan, "--yes", ...LIMITS], { ...world, patience });
    assert.is(applied.exit, 3, applied.output);
    failAll(world.sandbox, (arrival) => (arrival.system === "connect" ? { connect: "disconnect-before" } : undefined));
    const before = world.journal();
    const recovered = await runHere(["recover", "--yes", ...LIMITS], { ...world, patience });
    assert.is(recovered.exit, 3, recovered.output);
    assert.equal(world.journal(), before);
    assert.not(world.lockExists());
    failAll(world.sandbox, undefined);
    assert.is((await runHere(["recover", "--yes", ...LIMITS], world)).exit, 0);
    assert.equal(contradictions(await collected(world)), []);
  },
);

const isPatch = (arrival: Arrival) => arrival.system === "connect" && arrival.method === "PATCH";

function silentUntil(later: Gate): ReturnType<typeof creepingTask> {
  const task = creepingTask();
  let open = false;
  void later.opened.then(() => {
    open = true;
  });
  return { start: task.start, tick: () => (open ? task.tick() : []) };
}

/** Runs until it finds itself before where it was: then the log is missing. */
function failingUntil(later: Gate): ReturnType<typeof creepingTask> {
  const task = creepingTask();
  let open = false;
  void later.opened.then(() => {
    open = true;
  });
  return {
    start(stored) {
      task.start(stored);
    },
    tick() {
      const entries = task.tick();
      if (!open && BigInt(String(entries[0]?.offset?.["resume_scn"])) < 2_040_000n)
        throw new Error("ORA-01291: missing log file\n at …");
      return entries;
    },
  };
}

waits.run();
