import type { StepName } from "../../../core/plan/plan.ts";
import { runState } from "../../../core/run/state.ts";
import { type Arrival, failAll, type Misfortune } from "../changed-world.ts";
import { atPlace, type FaultKind, type Moment } from "../fault-places.ts";
import { gate } from "../gate.ts";
import { type Finished, runHere, startBuilt } from "../run-command.ts";
import { type Beginning, type MigrationWorld, openMigrationWorld } from "./migration-world.ts";
import { outOfTurn, phaseContradictions, type Seen, seen, standing, toldOf } from "./phase-story.ts";
import type { Phase } from "./phases.ts";

/** One fault at one place of a phase. */
export interface PhaseCell {
  readonly phase: Phase;
  readonly step: StepName;
  readonly moment: Moment;
  readonly fault: string;
  /** With one request only, or with every one at this place until the command has ended. */
  readonly lasts: boolean;
}

/** How the commands and the story came out. */
export interface PhaseCellResult {
  readonly cell: PhaseCell;
  readonly apply: Finished["exit"];
  /** The first request that was struck. */
  readonly struck: Arrival | undefined;
  /** Undefined where `apply` had settled it. */
  readonly recover: Finished["exit"] | undefined;
  readonly story: string;
  /** What does not fit; none in a cell that is as it should be. */
  readonly wrong: readonly string[];
}

const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];
/** Long enough for a busy machine, short enough for some hundred cells. */
const PATIENCE = {
  connect: { callMillis: 800, patchMillis: 800, retryMillis: 1600, firstContactMillis: 5000 },
  kafka: { connectMillis: 3000, requestMillis: 1500 },
  patch: 1000,
};
const RECOVERIES = 4;

/** @param beginning what has gone before the phase */
export type Runner = (cell: PhaseCell, beginning: Beginning | undefined) => Promise<PhaseCellResult>;

/** A fault of a request, in this process. */
export function faultIn(kind: FaultKind): Runner {
  return (cell, beginning) => {
    const later = gate();
    return inWorld(cell, beginning, {}, async (apply, watch) => {
      watch.strike = (arrival) => kind.misfortune(later.opened, arrival);
      const applied = await apply();
      watch.strike = undefined;
      // What lasts is applied before somebody recovers; what struck once, after everything is settled.
      if (cell.lasts) later.open();
      return { applied, afterwards: later.open };
    });
  };
}

/** A task that hangs while it is stopped commits its last offset at that moment. */
export const lateCommit: Runner = (cell, beginning) => {
  const commit = gate();
  const options = { connect: { hang: commit.opened, graceful: 40 } };
  return inWorld(cell, beginning, options, async (apply, watch) => {
    watch.strike = () => {
      commit.open();
      return undefined;
    };
    const applied = await apply();
    watch.strike = undefined;
    return { applied, afterwards: commit.open };
  });
};

/** `kill -9` of the built program when the request arrives. @param applied whether the call, on its way already, is carried out after the death */
export function killed(applied: boolean): Runner {
  return (cell, beginning) =>
    inWorld(cell, beginning, {}, async (_apply, watch, world, plan) => {
      const { child, finished } = startBuilt(["apply", plan, "--yes", ...LIMITS], world);
      const dead = finished.then(() => undefined);
      watch.strike = () => {
        child.kill("SIGKILL");
        return applied
          ? { connect: { hold: dead, when: "before" }, kafka: { hold: dead } }
          : { connect: "disconnect-before", kafka: "disconnect-before", oracle: "disconnect" };
      };
      const end = await finished;
      watch.strike = undefined;
      return { applied: end, afterwards: () => undefined };
    });
}

interface Watch {
  strike: ((arrival: Arrival) => Misfortune | undefined) | undefined;
  struck: Arrival | undefined;
}

async function inWorld(
  cell: PhaseCell,
  beginning: Beginning | undefined,
  options: Parameters<typeof openMigrationWorld>[0],
  act: (
    apply: () => Promise<Finished>,
    watch: Watch,
    world: MigrationWorld,
    plan: string,
  ) => Promise<{ readonly applied: Finished; readonly afterwards: () => void }>,
): Promise<PhaseCellResult> {
  const { phase } = cell;
  const world = await openMigrationWorld(options, beginning);
  try {
    const wrong: string[] = [];
    const watch: Watch = { strike: undefined, struck: undefined };
    const plan = await world.plan(phase.phase, ...phase.spec);
    const before = seen(world);
    watchOver(world, cell, watch, wrong);
    const apply = () => runHere(["apply", plan, "--yes", ...LIMITS], { env: world.env, patience: PATIENCE });
    const { applied, afterwards } = await act(apply, watch, world, plan);
    if (watch.struck === undefined) wrong.push("the fault never struck");
    wrong.push(...(await exitProblems(world, phase, before, applied)));
    let output = applied.output;
    let recovered: Finished | undefined;
    if (runState(world.journal())?.ended === undefined) {
      for (let sitting = 0; sitting < RECOVERIES && (recovered === undefined || recovered.exit === 3); sitting++) {
        recovered = await runHere(["recover", ...LIMITS], { env: world.env, patience: PATIENCE });
        output += recovered.output;
      }
      if (recovered?.exit !== 0) wrong.push(`recover ended with ${recovered?.exit}`);
    }
    wrong.push(...phaseContradictions(await toldOf(world, phase, before)));
    afterwards();
    await turn();
    const after = await toldOf(world, phase, before);
    wrong.push(...phaseContradictions(after).map((one) => `later: ${one}`));
    if (bothRun(world)) wrong.push("later: both connectors run");
    if (world.lockExists()) wrong.push("a lock is still there");
    const shown = output + (await world.written());
    wrong.push(...world.secrets.filter((secret) => shown.includes(secret)).map((secret) => `${secret} can be read`));
    const outcome = runState(world.journal())?.ended?.outcome ?? "no run";
    return {
      cell,
      apply: applied.exit,
      struck: watch.struck,
      recover: recovered?.exit,
      story: `${outcome}, ${standing(after)}`,
      wrong: wrong.length === 0 ? [] : [...new Set(wrong), output.slice(-1500)],
    };
  } finally {
    await world.close();
  }
}

/** Strikes at the cell's place; and holds every request against what may be done at all. */
function watchOver(
  world: MigrationWorld,
  { phase, step, moment, lasts }: PhaseCell,
  watch: Watch,
  wrong: string[],
): void {
  const here = atPlace(step, moment);
  failAll(world.sandbox, (arrival) => {
    const journal = world.journal();
    const problem = outOfTurn(arrival, journal, phase);
    if (problem !== undefined) wrong.push(problem);
    if (bothRun(world)) wrong.push("both connectors run");
    if (watch.strike === undefined || !here(arrival, journal) || (watch.struck !== undefined && !lasts))
      return undefined;
    watch.struck ??= arrival;
    return watch.strike(arrival);
  });
}

/** Both have a task: whatever their states say. */
export function bothRun(world: MigrationWorld): boolean {
  return world.connector("legacy")?.running !== undefined && world.connector("new")?.running !== undefined;
}

/** 0: everything is done. 1: nothing is other than before; a verification may have been cut off by then, and is gone on with. 3: something is, or may be. */
async function exitProblems(
  world: MigrationWorld,
  phase: Phase,
  before: Seen,
  { exit }: Finished,
): Promise<readonly string[]> {
  const tale = await toldOf(world, phase, before);
  const outcome = runState(tale.entries)?.ended?.outcome;
  switch (exit) {
    case "SIGKILL":
      return [];
    case 0:
      return outcome === "succeeded" ? [] : [`exit 0, but the run is ${outcome ?? "open"}`];
    case 1:
      return standing(tale) === "as before" && (outcome !== undefined || phase.phase === "verify")
        ? []
        : [`exit 1, but the run is ${outcome ?? "open"}, the world ${standing(tale)}`];
    case 3:
      return outcome === "succeeded" ? ["exit 3, but the run has succeeded"] : [];
    default:
      return [`exit ${exit}`];
  }
}

/** What is due in this process has happened. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
