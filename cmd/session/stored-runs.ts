import type { Target } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import type { RunKey, StatePort } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type RunState, runState } from "../../core/run/state.ts";
import type { WorldFlags } from "./open-world.ts";

export interface StoredRun {
  readonly key: RunKey;
  readonly entries: readonly JournalEntry[];
  readonly state: RunState;
}

/** The runs of this machine, oldest first. A journal without its first entry has begun nothing and is left out. */
export async function storedRuns(store: StatePort, connector?: string): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = [];
  for (const key of await store.list(connector === undefined ? {} : { connector })) {
    const entries = await store.read(key);
    const state = runState(entries);
    if (state !== undefined) runs.push({ key, entries, state });
  }
  // A run's id tells the second only.
  const begun = ({ entries }: StoredRun) => entries[0]?.at ?? "";
  return runs.sort((a, b) => (begun(a) < begun(b) ? -1 : begun(a) > begun(b) ? 1 : 0));
}

/**
 * Where a run was made, as target and flags of `openWorld`. A URL that the operator typed then counts as typed now: only that of a plan file gets
 * no credentials.
 */
export function placeOf<F extends WorldFlags>(
  { state }: StoredRun,
  flags: F,
): { readonly target: Target; readonly flags: F } {
  const { subject, plan } = state.started;
  const { context, connectUrl, connector } = subject;
  if (context !== undefined) return { target: { context, connectUrl: undefined, connector }, flags };
  const typed = subject.by === "admin" || (plan !== null && plan.intent.target.connectUrl === undefined);
  return {
    target: { context: undefined, connectUrl, connector },
    flags: typed && flags["connect-url"] === undefined ? { ...flags, "connect-url": connectUrl } : flags,
  };
}

/** The run with this id. @throws UsageError naming the nearest */
export function runNamed(runs: readonly StoredRun[], id: string, place: string): StoredRun {
  const found = runs.filter(({ key }) => key.run === id);
  const [run] = found.length === 0 ? runs.filter(({ key }) => key.run.startsWith(id)) : found;
  if (run === undefined) {
    throw new UsageError(
      `there is no run ${id} in ${place}`,
      runs.length === 0 ? "No run was made from here; see --state." : "See `cdcctl history`.",
    );
  }
  return run;
}
