/**
 * Changes on connect clusters of several workers: what a stop shows there, workers that freeze, late commits, others at
 * work, and workers that restart.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../../core/run/state.ts";
import { until } from "../../providers/connect/contract.ts";
import type { Place } from "../../providers/sandbox/connect/cluster.ts";
import type { StartConnectOptions } from "../../providers/sandbox/connect/start-connect.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { type Arrival, type ChangedWorld, type Fault, failAll, openChangedWorld } from "./changed-world.ts";
import { positionOf, TARGET_SCN } from "./changes.ts";
import { type Gate, gate } from "./gate.ts";
import { inLanes } from "./in-lanes.ts";
import { type Finished, runHere } from "./run-command.ts";
import { collected, contradictions, unannounced } from "./story.ts";

const several = suite("several workers");
const test = inLanes(several);

const LEADER = 0;
const FOLLOWER = 1;
/** A frozen worker answers nothing: it is given up soon. */
const PATIENCE = {
  connect: { callMillis: 1000, orderMillis: 300, patchMillis: 300, retryMillis: 10_000, firstContactMillis: 10_000 },
  patch: 30_000,
};

interface Scene {
  readonly world: ChangedWorld;
  /** Opened before the world is closed; where a test has its tasks hang, they hang until then. */
  readonly later: Gate;
  run(...argv: readonly string[]): Promise<Finished>;
  /** @param spec further lines of the plan file's spec */
  apply(spec?: readonly string[], flags?: readonly string[]): Promise<Finished>;
}

/**
 * @param options over two workers; `through` is the worker that cdcctl speaks to, by default the follower
 * @param act what is done; every call that changes something has its own entry in the journal all the time
 */
function inWorld(
  name: string,
  options: (later: Gate) => Partial<StartConnectOptions> & { readonly through?: number },
  act: (scene: Scene) => Promise<void>,
): void {
  test(name, async () => {
    const later = gate();
    const { through = FOLLOWER, ...connect } = options(later);
    const world = await openChangedWorld({ connect: { workers: 2, ...connect } });
    try {
      if (connect.balanced !== true) await speakTo(world, through);
      watch(world, () => undefined);
      const run = (...argv: readonly string[]) => runHere(argv, { env: world.env, patience: PATIENCE });
      const apply = async (
        spec: readonly string[] = ["resume: true"],
        flags: readonly string[] = ["--settle", "2s"],
      ) => {
        const plan = await world.writePlan("plan.yaml", planFile("move", "replay", `scn: ${TARGET_SCN}`, ...spec));
        return run("apply", plan, "--yes", ...flags);
      };
      await act({ world, later, run, apply });
      assert.equal(announcementsOf.get(world), []);
    } finally {
      later.open();
      await world.close();
    }
  });
}

async function speakTo({ sandbox, dir, writePlan }: ChangedWorld, worker: number): Promise<void> {
  const text = await readFile(join(dir, "contexts.yaml"), "utf8");
  await writePlan("contexts.yaml", text.replace(sandbox.connect.url, workerOf(sandbox.connect, worker).url));
}

function workerOf({ workers }: ChangedWorld["sandbox"]["connect"], index: number) {
  const worker = workers[index];
  if (worker === undefined) throw new Error(`there is no worker ${index}`);
  return worker;
}

const announcementsOf = new WeakMap<ChangedWorld, string[]>();

/** Calls this with every request, after it was held against the journal. */
function watch(world: ChangedWorld, rule: (arrival: Arrival) => Fault | undefined): void {
  const announced = unannounced();
  const wrong: string[] = [];
  announcementsOf.set(world, wrong);
  failAll(world.sandbox, (arrival) => {
    const problem = announced(arrival, world.journal());
    if (problem !== undefined) wrong.push(problem);
    return rule(arrival);
  });
}

const flat = (text: string) => text.replace(/\s+/g, " ");
const connectorOf = ({ sandbox }: ChangedWorld) => {
  const connector = sandbox.connect.cluster.connectors.get(CONNECTOR);
  if (connector === undefined) throw new Error("the connector is gone");
  return connector;
};
const stands = ({ sandbox }: ChangedWorld) => positionOf(sandbox.stored());
const runOf = (world: ChangedWorld) => runState(world.journal())?.started.run ?? "";
const patches = ({ sandbox }: ChangedWorld) => sandbox.connect.requests.filter(({ method }) => method === "PATCH");
const outcomes = async (world: ChangedWorld) => (await world.opsEvents()).map(({ details }) => details.outcome);
const isPut = (arrival: Arrival, does: string) =>
  arrival.system === "connect" && arrival.method === "PUT" && arrival.path.endsWith(`/${does}`);
const isPatch = (arrival: Arrival) => arrival.system === "connect" && arrival.method === "PATCH";
const isStatus = (arrival: Arrival) => arrival.system === "connect" && arrival.path.endsWith("/status");
const begun = (world: ChangedWorld) =>
  world
    .journal()
    .flatMap((entry) => (entry.type === "step-started" ? [entry.step] : []))
    .at(-1);
const STOP_DOUBT = /not proven: (?:\(1\) )?the old task has ended/;
const ACCUSES = /another (user|process|run)|operator such as/;

/** Stopped without tasks, as the status topic says it at this moment. */
function isAtRest(world: ChangedWorld): boolean {
  const { target, reported } = connectorOf(world);
  return target === "STOPPED" && reported?.state === "STOPPED" && reported.tasks.length === 0;
}

// An undisturbed stop shows the connector STOPPED without tasks, then a task again, then none.
for (const [place, seenToEnd] of [
  [{ connector: LEADER, task: LEADER }, false],
  [{ connector: LEADER, task: FOLLOWER }, true],
  [{ connector: FOLLOWER, task: FOLLOWER }, true],
  [{ connector: FOLLOWER, task: LEADER }, false],
] as const satisfies readonly (readonly [Place, boolean])[]) {
  const [task, rebalance] = [gate(), gate()];
  inWorld(
    `an undisturbed change with the connector on worker ${place.connector} and its task on worker ${place.task} ` +
      "succeeds",
    () => ({ place, hang: task.opened, nextRebalance: rebalance.opened }),
    async ({ world, apply, run }) => {
      let reads = 0;
      const early: string[] = [];
      watch(world, (arrival) => {
        if (isStatus(arrival) && connectorOf(world).target === "STOPPED") {
          reads++;
          if (reads === 2) task.open();
          if (reads === 8) rebalance.open();
        }
        if (isPatch(arrival) && (reads < 8 || !isAtRest(world))) early.push(`PATCH after ${reads} looks`);
        return undefined;
      });
      const { exit, output } = await apply([]);
      assert.is(exit, 0, output);
      assert.equal(early, []);
      assert.not.match(flat(output), ACCUSES);
      assert.is(STOP_DOUBT.test(flat(output)), !seenToEnd, output);
      assert.is(stands(world), "at the target");
      assert.equal(contradictions(await collected(world)), []);
      assert.is((await run("status")).exit, 0);
    },
  );
}

for (const step of ["recheck", "patch-offset"] as const)
  for (const state of ["UNASSIGNED", "RESTARTING"] as const)
    inWorld(
      `a rebalance that shows ${state} in the step ${step} is waited for, and no user is blamed`,
      () => ({}),
      async ({ world, apply }) => {
        let end: (() => void) | undefined;
        let reads = 0;
        const early: string[] = [];
        watch(world, (arrival) => {
          if (arrival.system === "connect" && begun(world) === step) {
            if (reads === 0) end = world.sandbox.connect.rebalance(state);
            if (isStatus(arrival)) reads++;
            if (reads === 5) end?.();
          }
          if (isPatch(arrival) && !isAtRest(world)) early.push("PATCH in the rebalance");
          return undefined;
        });
        const { exit, output } = await apply();
        assert.is(exit, 0, output);
        assert.ok(reads >= 5, "the rebalance was not seen");
        assert.equal(early, []);
        assert.not.match(flat(output), ACCUSES);
        assert.is(stands(world), "from the target");
      },
    );

// A worker that freezes with a call of the run carries it out when it goes on, whoever leads by then.
for (const version of ["3.9.2", "4.3.1"])
  for (const place of [
    { connector: LEADER, task: FOLLOWER },
    { connector: LEADER, task: LEADER },
  ])
    inWorld(
      `${version}, task on worker ${place.task}: a stop that a frozen leader carries out after the end was said ` +
        "to be possible, is told by status and repaired",
      () => ({ version, idleTimeout: 50, place }),
      async ({ world, apply, run }) => {
        const { connect } = world.sandbox;
        let stops = 0;
        watch(world, (arrival) => {
          if (isPut(arrival, "stop")) {
            stops++;
            if (stops === 1) workerOf(connect, LEADER).freeze();
            if (stops === 2) connect.elect(FOLLOWER);
          }
          return undefined;
        });
        const { exit, output } = await apply();
        assert.is(exit, 0, output);
        assert.match(
          flat(output),
          "not proven: no worker still carries out an unanswered PUT stop orders-cdc, " +
            "which would stop orders-cdc again",
        );
        assert.is(stands(world), "from the target");
        assert.is((await run("status")).exit, 0);
        workerOf(connect, LEADER).thaw();
        await until("the old stop", async () => isAtRest(world));
        const status = await run("status");
        assert.is(status.exit, 3, status.output);
        assert.match(flat(status.output), /orders-cdc is STOPPED, although run \S+ started it|is undone/);
        const resumed = await run("recover", runOf(world), "--resume", "--yes", "--settle", "300ms");
        assert.is(resumed.exit, 0, resumed.output);
        assert.is(connectorOf(world).target, "RUNNING");
        assert.is(stands(world), "from the target");
        assert.is((await run("status")).exit, 0);
        assert.equal(contradictions(await collected(world)), []);
      },
    );

inWorld(
  "a resume that a frozen worker carries out after the end was said to be possible, and starts the connector " +
    "that was stopped since",
  () => ({ balanced: true }),
  async ({ world, apply, run }) => {
    const { connect } = world.sandbox;
    let frozen: number | undefined;
    watch(world, (arrival) => {
      if (isPut(arrival, "resume") && frozen === undefined) {
        frozen = connect.requests.at(-1)?.worker ?? LEADER;
        workerOf(connect, frozen).freeze();
        if (frozen === LEADER) connect.elect(FOLLOWER);
      }
      return undefined;
    });
    const { exit, output } = await apply();
    assert.is(exit, 0, output);
    assert.match(
      flat(output),
      "not proven: no worker still carries out an unanswered PUT resume orders-cdc, " +
        "which would start orders-cdc again after it is stopped",
    );
    connect.cluster.aim(connectorOf(world), "STOPPED");
    await until("the stop of another user", async () => isAtRest(world));
    workerOf(connect, frozen ?? LEADER).thaw();
    await until("the old resume", async () => connectorOf(world).target === "RUNNING");
    assert.is((await run("status")).exit, 0);
    assert.is(stands(world), "from the target");
  },
);

for (const version of ["3.9.2", "4.3.1"])
  inWorld(
    `${version}: a PATCH that a frozen leader carries out after the end was said to be possible, and sets the ` +
      "same offset",
    () => ({ version, idleTimeout: 50 }),
    async ({ world, apply, run }) => {
      const { connect } = world.sandbox;
      let sent = 0;
      watch(world, (arrival) => {
        if (isPatch(arrival)) {
          sent++;
          if (sent === 1) workerOf(connect, LEADER).freeze();
          if (sent === 2) connect.elect(FOLLOWER);
        }
        return undefined;
      });
      const { exit, output } = await apply([]);
      assert.is(exit, 0, output);
      assert.match(flat(output), /not proven: .*no worker still carries out an unanswered PATCH/);
      const writes: unknown[] = [];
      const { offsets } = connect.cluster;
      const write = offsets.write;
      Object.assign(offsets, {
        write: (...args: Parameters<typeof write>) => {
          writes.push(args);
          return write(...args);
        },
      });
      workerOf(connect, LEADER).thaw();
      await until("the old PATCH", async () => writes.length > 0);
      assert.is(stands(world), "at the target");
      assert.is((await run("status")).exit, 0);
      assert.equal(contradictions(await collected(world)), []);
    },
  );

// A task that hangs longer than anybody waits commits once more after the end.
for (const place of [
  { connector: LEADER, task: LEADER },
  { connector: LEADER, task: FOLLOWER },
  { connector: FOLLOWER, task: FOLLOWER },
])
  inWorld(
    `a late commit after the end, connector on worker ${place.connector}, task on worker ${place.task}: it was ` +
      "said to be possible, status tells, recover --resume repairs",
    ({ opened }) => ({ place, hang: opened, graceful: 20, nextRebalance: 50 }),
    async ({ world, later, apply, run }) => {
      const { exit, output } = await apply([], ["--settle", "500ms"]);
      assert.is(exit, 0, output);
      assert.match(flat(output), STOP_DOUBT);
      assert.is(stands(world), "at the target");
      assert.is((await run("status")).exit, 0);
      later.open();
      await until("the late commit", async () => stands(world) === "as before");
      const status = await run("status");
      assert.is(status.exit, 3, status.output);
      assert.match(flat(status.output), /committed again; the change of run \S+ is undone/);
      assert.match(status.output, new RegExp(`cdcctl recover ${runOf(world)} --resume`));
      const resumed = await run("recover", runOf(world), "--resume", "--yes");
      assert.is(resumed.exit, 0, resumed.output);
      assert.match(flat(resumed.output), /undone the change; sending the same body again/);
      const [first, second, ...others] = patches(world).map(({ body }) => body);
      assert.is(second, first);
      assert.equal(others, []);
      assert.is(stands(world), "from the target");
      assert.is(connectorOf(world).target, "RUNNING");
      assert.equal(await outcomes(world), ["applying", "applied"]);
      assert.is((await run("status")).exit, 0);
      assert.equal(contradictions(await collected(world)), []);
    },
  );

inWorld(
  "a stop that another process undoes before it is observed ends long before its limit, and the process is named",
  () => ({ place: { connector: FOLLOWER, task: FOLLOWER }, operator: 10 }),
  async ({ world, apply }) => {
    const started = performance.now();
    const { exit, output } = await apply(undefined, []);
    assert.ok(performance.now() - started < 50_000);
    assert.is(exit, 1, output);
    assert.match(
      flat(output),
      /orders-cdc is RUNNING, task 0 RUNNING: another user or process started it after the stop/,
    );
    assert.match(flat(output), /If an operator such as Strimzi manages the connector, stop it there/);
    assert.equal(patches(world), []);
    assert.is(stands(world), "as before");
    assert.equal(await outcomes(world), []);
    assert.equal(contradictions(await collected(world)), []);
  },
);

inWorld(
  "a resume by another user before the PATCH is reported as such, and nothing is changed",
  // What the status topic tells is behind what the worker that refuses knows.
  () => ({ operator: "before PATCH", statusLag: 100 }),
  async ({ world, apply }) => {
    const { exit, output } = await apply();
    assert.is(exit, 1, output);
    assert.match(
      flat(output),
      "orders-cdc is RUNNING, task 0 RUNNING: another user or process started it after the stop; " +
        "Connect refused the PATCH",
    );
    assert.match(output, /APL804/);
    assert.not.match(output, /STOPPED state/);
    assert.is(connectorOf(world).target, "RUNNING");
    assert.is(stands(world), "as before");
    assert.equal(await outcomes(world), ["applying", "failed"]);
    assert.equal(contradictions(await collected(world)), []);
  },
);

const RESTARTS: readonly (readonly [string, (arrival: Arrival, world: ChangedWorld) => boolean])[] = [
  ["before the first inspection", (arrival) => arrival.system === "connect"],
  ["at the stop", (arrival) => isPut(arrival, "stop")],
  ["while the stop is watched", (arrival, world) => isStatus(arrival) && connectorOf(world).target === "STOPPED"],
  ["at the PATCH", isPatch],
  ["at the resume", (arrival) => isPut(arrival, "resume")],
];
for (const [when, matches] of RESTARTS)
  inWorld(
    `a worker that restarts ${when}, and meanwhile answers 404 to everything, is waited for`,
    () => ({ place: { connector: LEADER, task: LEADER } }),
    async ({ world, apply, run }) => {
      const worker = workerOf(world.sandbox.connect, FOLLOWER);
      const { requests } = world.sandbox.connect;
      const [starting, joining] = [gate(), gate()];
      let restarted: Promise<void> | undefined;
      let at = 0;
      watch(world, (arrival) => {
        if (restarted === undefined && matches(arrival, world)) {
          at = requests.length;
          restarted = worker.kill().then(() => worker.start({ starting: starting.opened, joining: joining.opened }));
          return { connect: "disconnect-before" };
        }
        // Two requests meet each phase.
        if (restarted !== undefined && requests.length >= at + 2) starting.open();
        if (restarted !== undefined && requests.length >= at + 4) joining.open();
        return undefined;
      });
      const { exit, output } = await apply(undefined, ["--settle", "300ms"]);
      assert.is(exit, 0, output);
      await restarted;
      assert.is(stands(world), "from the target");
      assert.is((await run("status")).exit, 0);
      assert.equal(contradictions(await collected(world)), []);
    },
  );

test("a worker of the context that is down costs one try, not the plan", async () => {
  const world = await openChangedWorld({ connect: { workers: 2 } });
  try {
    const { connect } = world.sandbox;
    const text = await readFile(join(world.dir, "contexts.yaml"), "utf8");
    const urls = `urls: [http://127.0.0.1:1, ${workerOf(connect, FOLLOWER).url}]`;
    await world.writePlan("contexts.yaml", text.replace(`url: ${connect.url}`, urls));
    const run = (...argv: readonly string[]) => runHere(argv, { env: world.env, patience: PATIENCE });
    const tested = await run("contexts", "test", "sandbox", "--contexts", join(world.dir, "contexts.yaml"));
    assert.match(flat(tested.output), /http:\/\/127\.0\.0\.1:1 .*ECONNREFUSED/);
    assert.match(flat(tested.output), /Kafka Connect 3\./);
    const plan = await world.writePlan("plan.yaml", planFile("move", "replay", `scn: ${TARGET_SCN}`, "resume: true"));
    const applied = await run("apply", plan, "--yes", "--settle", "2s");
    assert.is(applied.exit, 0, applied.output);
    assert.is(patches(world).length, 1);
    assert.not.ok(
      world.journal().some(({ type }) => type === "call-unanswered" || type === "patch-unanswered"),
      "a refused connection leaves no doubt",
    );
  } finally {
    await world.close();
  }
});

several.run();
