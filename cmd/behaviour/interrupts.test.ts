/** Ctrl-C and SIGTERM in each wait of `apply`: a known state, a true journal, and `recover` goes on from there. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { patchInDoubt, runState } from "../../core/run/state.ts";
import {
  type Arrival,
  type ChangedWorld,
  creepingTask,
  type Fault,
  failAll,
  openChangedWorld,
} from "./changed-world.ts";
import { type Change, OFFSET_CHANGE, PAST_GAP, positionOf } from "./changes.ts";
import { gate } from "./gate.ts";
import { type Finished, runHere, type Started, startProcess } from "./run-command.ts";
import { collected, contradictions } from "./story.ts";

const interrupts = suite("interrupts");
const LIMITS = ["--settle", "300ms"];

type Sandbox = Parameters<typeof openChangedWorld>[0];

/** Starts `apply` as a process and sends it a signal when the n-th such request of a step arrives. */
async function interrupted(
  world: ChangedWorld,
  signal: "SIGINT" | "SIGTERM",
  at: { readonly step: string | undefined; readonly nth: number; matches(arrival: Arrival): boolean },
  fault?: Fault,
  more?: (started: Started) => void,
): Promise<Finished> {
  const started = startProcess(["apply", world.plan, "--yes", ...LIMITS], world);
  let seen = 0;
  failAll(world.sandbox, (arrival) => {
    const begun = world
      .journal()
      .flatMap((entry) => (entry.type === "step-started" ? [entry.step] : []))
      .at(-1);
    if (begun !== at.step || !at.matches(arrival)) return undefined;
    seen++;
    if (seen === at.nth) {
      started.child.kill(signal);
      more?.(started);
    }
    return fault;
  });
  const finished = await started.finished;
  failAll(world.sandbox, undefined);
  assert.ok(seen >= at.nth, `only ${seen} of ${at.nth} requests came:\n${finished.output}`);
  return finished;
}

const get = (path: string) => (arrival: Arrival) =>
  arrival.system === "connect" && arrival.method === "GET" && arrival.path.endsWith(path);
const patch = (arrival: Arrival) => arrival.system === "connect" && arrival.method === "PATCH";
const produce = (arrival: Arrival) => arrival.system === "kafka" && arrival.api === "Produce";

function waits(
  name: string,
  options: (let_go: { readonly opened: Promise<void> }) => Sandbox,
  act: (world: ChangedWorld) => Promise<Finished>,
  change: Change = OFFSET_CHANGE,
): void {
  interrupts(name, async () => {
    const release = gate();
    const world = await openChangedWorld(options(release), change);
    try {
      const { exit, output } = await act(world);
      assert.is(exit, 3, output);
      assert.match(output, /interrupted/);
      const state = runState(world.journal());
      assert.is(state?.ended, undefined);
      assert.not(world.lockExists());
      release.open();
      const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
      assert.is(recovered.exit, 0, recovered.output);
      assert.equal(contradictions(await collected(world)), []);
      assert.is(runState(world.journal())?.ended?.outcome, "succeeded");
    } finally {
      release.open();
      await world.close();
    }
  });
}

waits(
  "while the connector stops",
  ({ opened }) => ({ connect: { hang: opened, graceful: 600_000 } }),
  (world) => interrupted(world, "SIGINT", { step: "stop-connector", nth: 3, matches: get("/status") }),
);

waits(
  "while the offset is watched after the stop",
  () => ({}),
  (world) => interrupted(world, "SIGTERM", { step: "stop-connector", nth: 2, matches: get("/offsets") }),
);

waits(
  "while the record of the change is written again",
  () => ({}),
  (world) =>
    interrupted(world, "SIGINT", { step: "record-applying", nth: 2, matches: produce }, { kafka: "disconnect-before" }),
);

waits(
  "while an unanswered PATCH is sent again",
  () => ({}),
  (world) =>
    interrupted(world, "SIGTERM", { step: "patch-offset", nth: 2, matches: patch }, { connect: "500-applied" }),
);

waits(
  "while the first commit after the resume is waited for",
  (release) => ({ connect: { task: () => silentTask(release) } }),
  (world) => interrupted(world, "SIGINT", { step: "resume-connector", nth: 3, matches: get("/offsets") }),
);

waits(
  "between the signal and the PATCH",
  () => ({}),
  (world) => interrupted(world, "SIGINT", { step: "write-signal", nth: 1, matches: produce }),
  PAST_GAP,
);

waits(
  "while the acknowledgement of a signal is lost and the signal is searched for",
  () => ({}),
  (world) =>
    interrupted(world, "SIGTERM", { step: "write-signal", nth: 1, matches: produce }, { kafka: "disconnect-before" }),
  PAST_GAP,
);

waits(
  "while the connector's answer is waited for",
  () => ({ signals: "silent" }),
  async (world) => {
    const finished = await interrupted(world, "SIGINT", { step: "wait-for-ack", nth: 2, matches: get("/status") });
    const [id = "none"] = await world.signals();
    world.answer({ id, outcome: "ok", message: "" });
    return finished;
  },
  PAST_GAP,
);

interrupts("while transactions are waited for: exit 1, and nothing is changed", async () => {
  const world = await openChangedWorld({}, PAST_GAP);
  try {
    const { exit, output } = await interrupted(world, "SIGINT", {
      step: "wait-for-transactions",
      nth: 1,
      matches: (arrival) => arrival.system === "oracle" && arrival.statement.includes("GV$TRANSACTION"),
    });
    assert.is(exit, 1, output);
    assert.match(output, /interrupted before anything was changed/);
    assert.is(runState(world.journal())?.ended?.outcome, "refused");
    assert.ok(world.sandbox.connect.requests.every(({ method }) => method === "GET"));
    assert.equal(await world.signals(), []);
    assert.not(world.lockExists());
    const again = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(again.exit, 0, again.output);
    assert.equal(contradictions(await collected(world)), []);
  } finally {
    await world.close();
  }
});

interrupts("before anything has begun: exit 1, and nothing is changed", async () => {
  const world = await openChangedWorld();
  try {
    const { exit, output } = await interrupted(world, "SIGINT", { step: undefined, nth: 1, matches: get("/offsets") });
    assert.is(exit, 1, output);
    assert.match(output, /Interrupted: nothing was changed./);
    assert.equal(world.journal(), []);
    assert.ok(world.sandbox.connect.requests.every(({ method }) => method === "GET"));
    const again = await runHere(["apply", world.plan, "--yes", ...LIMITS], world);
    assert.is(again.exit, 0, again.output);
  } finally {
    await world.close();
  }
});

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  interrupts(`a second ${signal} exits at once, and the journal stays correct`, async () => {
    const world = await openChangedWorld();
    const never = gate();
    try {
      let repeat: NodeJS.Timeout | undefined;
      const { exit, output } = await interrupted(
        world,
        signal,
        { step: "patch-offset", nth: 1, matches: patch },
        { connect: { hold: never.opened, when: "after" } },
        ({ child }) => {
          repeat = setInterval(() => child.kill(signal), 50);
        },
      );
      clearInterval(repeat);
      assert.is(exit, code, output);
      const state = runState(world.journal());
      assert.ok(state !== undefined && patchInDoubt(state));
      assert.is(positionOf(world.sandbox.stored()), "at the target");
      never.open();
      const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
      assert.is(recovered.exit, 0, recovered.output);
      assert.equal(contradictions(await collected(world)), []);
      assert.not(world.lockExists());
    } finally {
      never.open();
      await world.close();
    }
  });
}

/** Commits nothing until it is let. */
function silentTask({ opened }: { readonly opened: Promise<void> }): ReturnType<typeof creepingTask> {
  const task = creepingTask();
  let silent = true;
  void opened.then(() => {
    silent = false;
  });
  return { start: task.start, tick: () => (silent ? [] : task.tick()) };
}

interrupts.run();
