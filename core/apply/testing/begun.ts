import type { ResnapshotIntent } from "../../document/intent.ts";
import type { RunReport } from "../context.ts";
import { type Attempts, attemptsOf, planNow } from "./attempts.ts";
import { snapshotAgain } from "./intents.ts";
import { type Fate, type MemoryWorld, memoryWorld } from "./memory-world.ts";
import { STORED } from "./story.ts";

/** A run that is about to begin, and its world. */
export interface Begun {
  readonly world: MemoryWorld;
  readonly run: Attempts;
}

/** Redo is gone from the stored position on, and the task has failed over it. */
export function pastTheGap(more: Partial<ResnapshotIntent> = {}, state: MemoryWorld["state"] = "RUNNING"): Begun {
  const world = memoryWorld(STORED, state);
  world.purged = true;
  return { world, run: attemptsOf(planNow(snapshotAgain(more), world), world) };
}

/** All redo is there: the offset stays. */
export function signalOnly(more: Partial<ResnapshotIntent> = {}, state: MemoryWorld["state"] = "RUNNING"): Begun {
  const world = memoryWorld(STORED, state);
  return { world, run: attemptsOf(planNow(snapshotAgain({ resume: false, ...more }), world), world) };
}

export async function lived(attempt: Promise<RunReport | "killed">): Promise<RunReport> {
  const report = await attempt;
  if (report === "killed") throw new Error("the process was killed");
  return report;
}

/** What becomes of the records for one topic, one after the other; all others are written. */
export function fatesOf(topic: string, { world }: Begun, ...fates: readonly Fate[]): void {
  const { append } = world.kafka;
  const left = [...fates];
  Object.assign(world.kafka, {
    append: (to: string, record: Parameters<typeof append>[1]) => {
      const fate = to === topic ? left.shift() : undefined;
      if (fate !== undefined) world.fates = [fate];
      return append(to, record);
    },
  });
}

/** When the next entry of a kind is written, the process dies at once. */
export function killedAfter(wanted: string, { world, run }: Begun): void {
  const { fate } = world;
  let done = false;
  world.fate = () => {
    const type = run.entries.at(-1)?.type;
    if (done || type !== wanted) return fate();
    done = true;
    return "killed before";
  };
}

/** Applies a run that is interrupted from its so-and-so-many-th call or journal entry on, to which this happens. */
export async function interruptedAt(
  at: number,
  fate: Fate,
  world: { fate(): Fate },
  run: Pick<Attempts, "apply" | "interrupt">,
): Promise<RunReport> {
  const well = world.fate;
  let calls = 0;
  world.fate = () => {
    calls++;
    if (calls >= at) run.interrupt();
    return calls === at ? fate : well();
  };
  const report = await lived(run.apply());
  world.fate = well;
  return report;
}

/** Applies and settles a run through these fates. @param hold asked when it is settled, and when nothing is late */
export async function settledThrough(
  fates: readonly Fate[],
  world: { fates: Fate[]; settle(): Promise<void> },
  run: Pick<Attempts, "apply" | "settle">,
  hold: (when: string) => void,
): Promise<void> {
  world.fates = [...fates];
  await run.apply();
  await run.settle();
  hold("");
  await world.settle();
  hold(", later");
}
