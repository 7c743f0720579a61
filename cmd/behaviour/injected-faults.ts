import type { JournalEntry } from "../../core/run/journal.ts";
import { runState } from "../../core/run/state.ts";
import type { Arrival, Fault } from "./changed-world.ts";
import { atPlace, FAULTS, KILL, KILL_APPLIED, LATE_COMMIT, type Place } from "./fault-places.ts";
import { type Gate, gate } from "./gate.ts";
import { type Finished, runHere, type Started, type Surroundings, startProcess } from "./run-command.ts";

/** The results of the commands and the story of a cell. */
export interface CellResult<Cell extends Place> {
  readonly cell: Cell;
  readonly apply: Finished["exit"];
  /** The first request that met the fault. */
  readonly injected: Arrival | undefined;
  /** Undefined if `apply` settled the run. */
  readonly recover: Finished["exit"] | undefined;
  readonly story: string;
  /** Contradictions; empty for a correct cell. */
  readonly wrong: readonly string[];
}

/** Long enough for a busy machine, short enough for some hundred cells. */
export const PATIENCE = {
  connect: { callMillis: 800, patchMillis: 800, retryMillis: 1600, firstContactMillis: 5000 },
  kafka: { connectMillis: 3000, requestMillis: 1500 },
  patch: 1000,
  signal: 400,
};
const RECOVERIES = 4;

/** The fault at a cell's place, and the first request that met it. */
export interface Watch {
  faultFor: ((arrival: Arrival) => Fault | undefined) | undefined;
  injected: Arrival | undefined;
}

/** Runs `apply` with a fault injected. */
export interface FaultyRun {
  readonly applied: Finished;
  /** Lets delayed calls take effect. */
  readonly afterwards: () => void;
}

export function watching(): Watch {
  return { faultFor: undefined, injected: undefined };
}

/** The fault for a request that arrives at the place, once or as long as the fault lasts. */
export function faultAt(
  { step, moment, lasts }: Place,
  watch: Watch,
): (arrival: Arrival, journal: readonly JournalEntry[]) => Fault | undefined {
  const here = atPlace(step, moment);
  return (arrival, journal) => {
    if (watch.faultFor === undefined || !here(arrival, journal) || (watch.injected !== undefined && !lasts))
      return undefined;
    watch.injected ??= arrival;
    return watch.faultFor(arrival);
  };
}

/** The world's part of a late commit: a task hangs until then. Nothing for other faults. */
export function hanging({ fault }: Place, commit: Gate): { connect?: { hang: Promise<void>; graceful: number } } {
  return fault === LATE_COMMIT ? { connect: { hang: commit.opened, graceful: 40 } } : {};
}

/**
 * Applies a plan with a cell's fault: in this process, but where it is killed.
 *
 * @param commit lets a task that hangs continue
 */
export async function applyFaulty(
  { fault, lasts }: Place,
  { argv, env }: { readonly argv: readonly string[]; readonly env: Surroundings["env"] },
  watch: Watch,
  commit: Gate,
): Promise<FaultyRun> {
  if (fault === KILL || fault === KILL_APPLIED)
    return killed(fault === KILL_APPLIED, startProcess(argv, { env }), watch);
  const later = fault === LATE_COMMIT ? commit : gate();
  const kind = FAULTS.find(({ name }) => name === fault);
  watch.faultFor = (arrival) => {
    if (kind !== undefined) return kind.fault(later.opened, arrival);
    commit.open();
    return undefined;
  };
  const applied = await runHere(argv, { env, patience: PATIENCE });
  watch.faultFor = undefined;
  // Lasting faults take effect before a recovery; single ones after everything is settled.
  if (lasts) later.open();
  return { applied, afterwards: later.open };
}

/**
 * `kill -9` when the request arrives. @param applied whether the call in flight takes effect after the process was
 * killed
 */
async function killed(applied: boolean, { child, finished }: Started, watch: Watch): Promise<FaultyRun> {
  const dead = finished.then(() => undefined);
  watch.faultFor = () => {
    child.kill("SIGKILL");
    return applied
      ? { connect: { hold: dead, when: "before" }, kafka: { hold: dead } }
      : { connect: "disconnect-before", kafka: "disconnect-before", oracle: "disconnect" };
  };
  const end = await finished;
  watch.faultFor = undefined;
  return { applied: end, afterwards: () => undefined };
}

/** Recovers an unsettled run, as often as its output asks for it. */
export async function recovered(
  world: { readonly env: Surroundings["env"]; journal(): readonly JournalEntry[] },
  limits: readonly string[],
): Promise<{
  readonly exit: Finished["exit"] | undefined;
  readonly output: string;
  readonly wrong: readonly string[];
}> {
  if (runState(world.journal())?.ended !== undefined) return { exit: undefined, output: "", wrong: [] };
  let last: Finished | undefined;
  let output = "";
  for (let attempt = 0; attempt < RECOVERIES && (last === undefined || last.exit === 3); attempt++) {
    last = await runHere(["recover", "--yes", ...limits], { env: world.env, patience: PATIENCE });
    output += last.output;
  }
  return { exit: last?.exit, output, wrong: last?.exit === 0 ? [] : [`recover ended with ${last?.exit}`] };
}

/**
 * 0: everything is done. 1: nothing has changed. 3: something has changed, or may have.
 *
 * @param asBefore whether 1 is true
 * @param seen what there is
 */
export function exitProblems(
  { exit }: Finished,
  outcome: string | undefined,
  asBefore: boolean,
  seen: string,
): readonly string[] {
  const run = `exit ${exit}, but the run is ${outcome ?? "open"}`;
  switch (exit) {
    case "SIGKILL":
      return [];
    case 0:
      return outcome === "succeeded" ? [] : [run];
    case 1:
      return asBefore ? [] : [`${run}, ${seen}`];
    case 3:
      return outcome === "succeeded" ? [run] : [];
    default:
      return [`exit ${exit}`];
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
