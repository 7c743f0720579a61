import { Refusal, UsageError } from "../errors.ts";
import type { RunFilter, RunKey, StatePort, UnreadableFolder } from "../ports/state.ts";
import type { JournalEntry } from "../run/journal.ts";
import { inOrder } from "../run/order.ts";
import {
  type UnreadableJournal,
  unreadableFailure,
  unreadableRemedies,
  unreadableSentence,
} from "../run/read-journal.ts";
import { type RunState, runState } from "../run/state.ts";
import { showCount } from "../values/amounts.ts";

export interface StoredRun {
  readonly key: RunKey;
  readonly entries: readonly JournalEntry[];
  readonly state: RunState;
}

export interface UnreadableRun {
  readonly key: RunKey;
  readonly journal: UnreadableJournal;
}

/** Unreadable local state: the outcome of these runs is unknown. */
export interface UnreadableState {
  readonly runs: readonly UnreadableRun[];
  readonly folders: readonly UnreadableFolder[];
}

export interface StoredRuns {
  /** Readable runs, oldest first. */
  readonly runs: readonly StoredRun[];
  /** Runs whose outcome is unknown: they are in doubt. */
  readonly unreadable: UnreadableState;
}

/** The runs of this machine, or of one connector. An unreadable journal or folder affects only itself. */
export async function storedRuns(store: StatePort, filter: RunFilter = {}): Promise<StoredRuns> {
  const { journals, folders } = await store.inspect(filter);
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

/** The last of the given runs of each connector. */
export function latestOfEach<R extends Pick<StoredRun, "key">>(runs: readonly R[]): readonly R[] {
  return [...new Map(runs.map((run) => [`${run.key.clusterId} ${run.key.connector}`, run])).values()];
}

/** The only one of these runs. @throws UsageError that names all where there are several: one has to be chosen */
export function onlyOne(
  runs: readonly StoredRun[],
  several: (count: string) => string,
  command: string,
): StoredRun | undefined {
  if (runs.length > 1)
    throw new UsageError(
      `${several(showCount(runs.length))}: ${runs.map(({ key }) => `${key.run} (${key.connector})`).join(", ")}`,
      `Name one: ${command}`,
    );
  return runs[0];
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
