import type { StepName } from "../../core/plan/plan.ts";
import { runState } from "../../core/run/state.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { type Arrival, type ChangedWorld, failAll, type Misfortune, openChangedWorld } from "./changed-world.ts";
import { type Change, whereItStands } from "./changes.ts";
import { atPlace, type FaultKind, type Moment } from "./fault-places.ts";
import { gate } from "./gate.ts";
import { type Finished, runHere, startProcess } from "./run-command.ts";
import { contradictions, leaks, told, unannounced } from "./story.ts";

/** One fault at one place of a run. */
export interface Cell {
  readonly change: Change;
  readonly step: StepName;
  readonly moment: Moment;
  readonly fault: string;
  /** With one request only, or with every one at this place until the command has ended. */
  readonly lasts: boolean;
}

/** How the commands and the story came out. */
export interface CellResult {
  readonly cell: Cell;
  readonly apply: Finished["exit"];
  /** The first request that was struck. */
  readonly struck: Arrival | undefined;
  /** Undefined where `apply` had settled it. */
  readonly recover: Finished["exit"] | undefined;
  readonly story: string;
  /** What does not fit; none in a cell that is as it should be. */
  readonly wrong: readonly string[];
}

const LIMITS = ["--settle", "300ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];
/** Long enough for a busy machine, short enough for some hundred cells. */
const PATIENCE = {
  connect: { callMillis: 800, patchMillis: 800, retryMillis: 1600, firstContactMillis: 5000 },
  kafka: { connectMillis: 3000, requestMillis: 1500 },
  patch: 1000,
  signal: 400,
};
const RECOVERIES = 4;
export const LATE_COMMIT = "late commit";
const HELD_BACK = "500, applied later";

/** A fault of a request, in this process. */
export async function faultCell(cell: Cell, kind: FaultKind): Promise<CellResult> {
  const later = gate();
  return inWorld(cell, {}, async (world, watch) => {
    watch.strike = (arrival) => kind.misfortune(later.opened, arrival);
    const applied = await runHere(["apply", world.plan, "--yes", ...LIMITS], { env: world.env, patience: PATIENCE });
    watch.strike = undefined;
    // What lasts is applied before somebody recovers; what struck once, after everything is settled.
    if (cell.lasts) later.open();
    return { applied, afterwards: later.open };
  });
}

/** A task that hangs while it is stopped commits its last offset at that moment. Where redo is gone, it has not noticed yet. */
export async function lateCommitCell(cell: Cell): Promise<CellResult> {
  const commit = gate();
  const options = { connect: { hang: commit.opened, graceful: 40 } };
  return inWorld(cell, options, async (world, watch) => {
    watch.strike = () => {
      commit.open();
      return undefined;
    };
    const applied = await runHere(["apply", world.plan, "--yes", ...LIMITS], { env: world.env, patience: PATIENCE });
    watch.strike = undefined;
    return { applied, afterwards: commit.open };
  });
}

/** `kill -9` when the request arrives. @param applied whether the call, on its way already, is carried out after the death */
export async function killCell(cell: Cell, applied: boolean): Promise<CellResult> {
  return inWorld(cell, {}, async (world, watch) => {
    const { child, finished } = startProcess(["apply", world.plan, "--yes", ...LIMITS], world);
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

/** Nothing goes wrong. Loads what the others use, so that their short limits are not spent on it. */
export async function quietRun(world: ChangedWorld): Promise<Finished> {
  return runHere(["apply", world.plan, "--yes", ...LIMITS], world);
}

interface Watch {
  strike: ((arrival: Arrival) => Misfortune | undefined) | undefined;
  struck: Arrival | undefined;
}

async function inWorld(
  cell: Cell,
  options: Parameters<typeof openChangedWorld>[0],
  act: (world: ChangedWorld, watch: Watch) => Promise<{ readonly applied: Finished; readonly afterwards: () => void }>,
): Promise<CellResult> {
  const { change } = cell;
  const world = await openChangedWorld(options, change, { runsOn: cell.fault === LATE_COMMIT });
  try {
    const wrong: string[] = [];
    const watch: Watch = { strike: undefined, struck: undefined };
    const here = atPlace(cell.step, cell.moment);
    failAll(world.sandbox, (arrival) => {
      const journal = world.journal();
      const unwritten = unannounced(arrival, journal);
      if (unwritten !== undefined) wrong.push(unwritten);
      if (
        change.steps.includes("write-signal") &&
        arrival.system === "connect" &&
        arrival.method === "PATCH" &&
        !world.signalStands()
      )
        wrong.push("the offset is moved before the signal stands");
      if (watch.strike === undefined || !here(arrival, journal) || (watch.struck !== undefined && !cell.lasts))
        return undefined;
      watch.struck ??= arrival;
      return watch.strike(arrival);
    });
    const { applied, afterwards } = await act(world, watch);
    if (watch.struck === undefined) wrong.push("the fault never struck");
    wrong.push(...(await exitProblems(world, applied)));
    let output = applied.output;
    let recovered: Finished | undefined;
    if (runState(world.journal())?.ended === undefined) {
      for (let sitting = 0; sitting < RECOVERIES && (recovered === undefined || recovered.exit === 3); sitting++) {
        recovered = await runHere(["recover", ...LIMITS], { env: world.env, patience: PATIENCE });
        output += recovered.output;
      }
      if (recovered?.exit !== 0) wrong.push(`recover ended with ${recovered?.exit}`);
    }
    wrong.push(...contradictions(await told(world)));
    const outcome = runState(world.journal())?.ended?.outcome ?? "no run";
    // Every change here resumes the connector; one that was not made leaves it as it was.
    const expected = outcome === "succeeded" ? "RUNNING" : change.state;
    if (targetOf(world) !== expected)
      wrong.push(`the connector is ${targetOf(world)}, not ${expected}, as it was planned`);
    // A stop that a frozen worker carries out only now can't be told from one by another hand; no offset changes by it.
    afterwards();
    await turn();
    const after = await told(world);
    wrong.push(...contradictions(after).map((one) => `later: ${one}`));
    // One whose answer is held back for good is written again after it was looked for; it has the same id.
    if (after.signals.length > 1 && cell.fault !== HELD_BACK) wrong.push(`${after.signals.length} signals stand`);
    if (world.lockExists()) wrong.push("the lock is still there");
    wrong.push(...leaks(output + (await world.written())).map((canary) => `${canary} can be read`));
    return {
      cell,
      apply: applied.exit,
      struck: watch.struck,
      recover: recovered?.exit,
      story: `${outcome}, ${whereItStands(after.stored, change)}${after.signals.length === 0 ? "" : ", signal"}`,
      wrong: wrong.length === 0 ? [] : [...new Set(wrong), output.slice(-1500)],
    };
  } finally {
    await world.close();
  }
}

/** 0: everything is done. 1: nothing is other than before, or the answer of a connector that was only asked is missing. 3: something is. */
async function exitProblems(world: ChangedWorld, { exit }: Finished): Promise<readonly string[]> {
  const { entries, stored, signals } = await told(world);
  const state = runState(entries);
  const outcome = state?.ended?.outcome;
  const stands = whereItStands(stored, world.change);
  switch (exit) {
    case "SIGKILL":
      return [];
    case 0:
      return outcome === "succeeded" ? [] : [`exit 0, but the run is ${outcome ?? "open"}`];
    case 1: {
      const onlyUnanswered = world.change.target === undefined && state?.steps.has("wait-for-ack");
      const asBefore = targetOf(world) === world.change.state && stands === "as before" && signals.length === 0;
      return onlyUnanswered || (asBefore && outcome !== undefined)
        ? []
        : [
            `exit 1, but the run is ${outcome ?? "open"}, the connector ${targetOf(world)} ${stands}, signals: ${signals.length}`,
          ];
    }
    case 3:
      return outcome === "succeeded" ? ["exit 3, but the run has succeeded"] : [];
    default:
      return [`exit ${exit}`];
  }
}

/** What Connect was asked last that the connector be. */
function targetOf({ sandbox }: ChangedWorld): string | undefined {
  return sandbox.connect.cluster.connectors.get(CONNECTOR)?.target;
}

/** What is due in this process has happened. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
