import type { JournalEntry } from "../../core/run/journal.ts";
import { runState } from "../../core/run/state.ts";
import type { Arrival, Misfortune } from "./changed-world.ts";
import { atPlace, type FaultKind, type Place } from "./fault-places.ts";
import { gate } from "./gate.ts";
import { type Finished, runHere, type Started, type Surroundings } from "./run-command.ts";

/** How the commands and the story of a cell came out. */
export interface CellResult<Cell extends Place> {
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

/** Long enough for a busy machine, short enough for some hundred cells. */
export const PATIENCE = {
  connect: { callMillis: 800, patchMillis: 800, retryMillis: 1600, firstContactMillis: 5000 },
  kafka: { connectMillis: 3000, requestMillis: 1500 },
  patch: 1000,
  signal: 400,
};
const RECOVERIES = 4;

/** What strikes at a cell's place, and what it struck first. */
export interface Watch {
  strike: ((arrival: Arrival) => Misfortune | undefined) | undefined;
  struck: Arrival | undefined;
}

/** `apply` under a misfortune. */
export interface Stricken {
  readonly applied: Finished;
  /** What is still held back happens. */
  readonly afterwards: () => void;
}

export function watching(): Watch {
  return { strike: undefined, struck: undefined };
}

/** What a request meets that arrives at the place: the misfortune, once or as long as it lasts. */
export function struckAt(
  { step, moment, lasts }: Place,
  watch: Watch,
): (arrival: Arrival, journal: readonly JournalEntry[]) => Misfortune | undefined {
  const here = atPlace(step, moment);
  return (arrival, journal) => {
    if (watch.strike === undefined || !here(arrival, journal) || (watch.struck !== undefined && !lasts))
      return undefined;
    watch.struck ??= arrival;
    return watch.strike(arrival);
  };
}

/** A fault of a request, in this process. */
export async function withFault(
  kind: FaultKind,
  { lasts }: Place,
  apply: () => Promise<Finished>,
  watch: Watch,
): Promise<Stricken> {
  const later = gate();
  watch.strike = (arrival) => kind.misfortune(later.opened, arrival);
  const applied = await apply();
  watch.strike = undefined;
  // What lasts is applied before somebody recovers; what struck once, after everything is settled.
  if (lasts) later.open();
  return { applied, afterwards: later.open };
}

/**
 * A task that hangs while it is stopped commits its last offset when the place is reached. @param commit lets it go on
 */
export async function withLateCommit(
  commit: { readonly open: () => void },
  apply: () => Promise<Finished>,
  watch: Watch,
): Promise<Stricken> {
  watch.strike = () => {
    commit.open();
    return undefined;
  };
  const applied = await apply();
  watch.strike = undefined;
  return { applied, afterwards: commit.open };
}

/**
 * `kill -9` when the request arrives. @param applied whether the call, on its way already, is carried out after the
 * death
 */
export async function withKill(applied: boolean, { child, finished }: Started, watch: Watch): Promise<Stricken> {
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
}

/** Recovers a run that is not settled, as often as that is what it asks for. */
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
    last = await runHere(["recover", ...limits], { env: world.env, patience: PATIENCE });
    output += last.output;
  }
  return { exit: last?.exit, output, wrong: last?.exit === 0 ? [] : [`recover ended with ${last?.exit}`] };
}

/** What is due in this process has happened. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
