import type { Target } from "../../core/document/intent.ts";
import { Refusal, UsageError } from "../../core/errors.ts";
import type { RunFilter, RunKey, StatePort } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { inOrder } from "../../core/run/order.ts";
import { unreadableFailure, unreadableRemedies, unreadableSentence } from "../../core/run/read-journal.ts";
import { type RunState, runState } from "../../core/run/state.ts";
import type { UnreadableRun, UnreadableState } from "../views/unreadable.ts";
import type { WorldFlags } from "./open-world.ts";

export interface StoredRun {
  readonly key: RunKey;
  readonly entries: readonly JournalEntry[];
  readonly state: RunState;
}

/** The runs of this machine. */
export interface StoredRuns {
  /** Readable runs, oldest first. */
  readonly runs: readonly StoredRun[];
  /** Runs whose outcome is unknown: they are in doubt. */
  readonly unreadable: UnreadableState;
}

/** The runs of this machine, or of one connector. An unreadable journal or folder affects only itself. */
export async function storedRuns(store: StatePort, of: RunFilter = {}): Promise<StoredRuns> {
  const { journals, folders } = await store.inspect(of);
  const runs: StoredRun[] = [];
  const unreadable: UnreadableRun[] = [];
  for (const found of journals) {
    if ("unreadable" in found) {
      unreadable.push({ key: found.key, journal: found.unreadable });
      continue;
    }
    const state = runState(found.entries);
    if (state !== undefined) runs.push({ key: found.key, entries: found.entries, state });
  }
  return { runs: inOrder(runs, ({ state }) => state.started), unreadable: { runs: unreadable, folders } };
}

/** Refuses to build on an unreadable run. @throws Refusal `APL813` when a run of this connector cannot be read */
export function refuseUnreadable(
  { runs }: UnreadableState,
  { clusterId, connector }: { readonly clusterId: string; readonly connector: string },
): void {
  const found = runs.find(({ key }) => key.connector === connector && key.clusterId === clusterId);
  if (found === undefined) return;
  throw new Refusal(
    "APL813",
    `run ${found.key.run} of ${connector} is in doubt: ${unreadableSentence(found.journal)}`,
    unreadableRemedies(found.journal, connector),
  );
}

/**
 * The place of a run, as target and flags of `openWorld`. A URL typed by the operator then counts as typed now; only a
 * plan file's URL gets no credentials.
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
    flags:
      typed && flags["connect-url"] === undefined && flags.context === undefined
        ? { ...flags, "connect-url": connectUrl }
        : flags,
  };
}

/** Like `placeOf`, for commands that show several runs: one with a context is looked up there, whatever is typed. */
export function ownPlaceOf<F extends WorldFlags>(run: StoredRun, flags: F): ReturnType<typeof placeOf<F>> {
  const { context } = run.state.started.subject;
  return placeOf(run, context === undefined ? flags : { ...flags, context: undefined, "connect-url": undefined });
}

/** The run with this id. @throws UsageError for an unknown one; CallFailed for one that cannot be read */
export function runNamed({ runs, unreadable }: StoredRuns, id: string, place: string): StoredRun {
  for (const fits of [(run: string) => run === id, (run: string) => run.startsWith(id)]) {
    const run = runs.find(({ key }) => fits(key.run));
    if (run !== undefined) return run;
    const lost = unreadable.runs.find(({ key }) => fits(key.run));
    if (lost !== undefined) throw unreadableFailure(lost.journal, lost.key.connector);
  }
  throw new UsageError(
    `no run ${id} in ${place}`,
    runs.length === 0 ? "No run was made from here; see --state." : "See `cdcctl history`.",
  );
}

/** Whether the command line names workers. */
export function namesWorkers(flags: WorldFlags): boolean {
  return flags.context !== undefined || flags["connect-url"] !== undefined;
}
