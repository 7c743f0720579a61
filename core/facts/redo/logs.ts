import type {
  ArchiveDestination,
  ArchivedLog,
  OnlineLog,
  RedoCatalogue,
  RedoThread,
} from "../../../schemas/generated/facts.ts";
import { ascending, lowest } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import type { RedoQuestion } from "./redo.ts";

/** One log of a thread as the task would take it: its archived copy, or the online one. */
export type Log = ArchivedLog | OnlineLog;

/** SCNs for which a thread owes redo, both inclusive. */
export interface Span {
  readonly from: Scn;
  readonly to: Scn;
}

/** A thread with one log per sequence, in order, and the spans for which it owes redo up to the end. */
export interface ThreadRedo {
  readonly thread: bigint;
  readonly logs: readonly Log[];
  /** Indexes in `logs` right before which at least one sequence is missing, rising. */
  readonly breaks: readonly number[];
  readonly spans: readonly Span[];
}

/**
 * Finds the archive destination: by name, in any case, otherwise the lowest usable one. A named one has to be usable
 * too: the connector reads its files itself.
 */
export function destinationOf(
  destinations: readonly ArchiveDestination[],
  name: string | undefined,
): ArchiveDestination | undefined {
  const usable = destinations.filter(({ status, type }) => status === "VALID" && type === "LOCAL");
  if (name !== undefined) return usable.find((one) => one.name.toUpperCase() === name.trim().toUpperCase());
  return usable.sort(ascending(({ id }) => id))[0];
}

export function threadsOf(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  destination: bigint | undefined,
): { readonly threads: readonly ThreadRedo[]; readonly end: Scn } {
  const archived = archivedLogsOf(catalogue.archived, destination, question.resetlogsScn);
  const enabled = [
    ...catalogue.threads.map((thread) => ({
      thread: thread.thread,
      spans: enabledSpans(thread, question.resetlogsScn),
    })),
    ...unlistedThreads(catalogue.threads, archived),
  ].sort((a, b) => (a.thread < b.thread ? -1 : 1));
  const online = question.captureMode === "online" ? catalogue.online : [];
  const end = question.captureMode === "online" ? question.currentScn : archivedEnd(enabled, archived, question);
  const threads = enabled.map(({ thread, spans }): ThreadRedo => {
    const own = archived.get(thread) ?? [];
    const to = question.captureMode === "online" ? maximum(end, question.from) : maximum(end, lastPurged(own));
    const logs = withOnline(
      own,
      online.filter((log) => log.thread === thread && isTail(log, own.at(-1)?.sequence)),
    );
    return {
      thread,
      logs,
      breaks: breaksIn(logs, 0, logs.length - 1),
      spans: spans
        .map((span) => ({ from: span.from, to: span.to === undefined || span.to > to ? to : span.to }))
        .filter((span) => span.from <= span.to),
    };
  });
  return { threads, end };
}

/**
 * The archived logs that count, of the mined destination and of this incarnation: per thread, in order of sequence; one
 * per sequence, a readable one first.
 */
export function archivedLogsOf(
  archived: readonly ArchivedLog[],
  destination: bigint | undefined,
  resetlogsScn: Scn,
): ReadonlyMap<bigint, readonly ArchivedLog[]> {
  const byThread = new Map<bigint, ThreadRows>();
  let rows: ThreadRows | undefined;
  for (const log of archived) {
    if (!counts(log, destination, resetlogsScn)) continue;
    if (rows === undefined || log.thread !== rows.thread) {
      rows = byThread.get(log.thread) ?? { thread: log.thread, logs: [], last: undefined, ascending: true };
      byThread.set(log.thread, rows);
    }
    if (rows.last !== undefined && log.sequence <= rows.last) rows.ascending = false;
    rows.last = log.sequence;
    rows.logs.push(log);
  }
  return new Map(
    [...byThread].map(([thread, { logs, ascending }]) => [thread, ascending ? logs : onePerSequence(logs)] as const),
  );
}

interface ThreadRows {
  readonly thread: bigint;
  readonly logs: ArchivedLog[];
  last: bigint | undefined;
  /** The catalogue is read in order of sequence; sorting a million rows again would cost more than all the rest. */
  ascending: boolean;
}

/**
 * Standby copies, other destinations and other incarnations (sequences begin again) do not concern the connector's
 * redo.
 */
function counts(log: ArchivedLog, destination: bigint | undefined, resetlogsScn: Scn): boolean {
  return log.destination === destination && !log.standby && log.resetlogsScn === resetlogsScn;
}

function onePerSequence(rows: ArchivedLog[]): readonly ArchivedLog[] {
  rows.sort(ascending(({ sequence }) => sequence));
  const logs: ArchivedLog[] = [];
  for (const row of rows) {
    const last = logs.at(-1);
    if (last === undefined || last.sequence !== row.sequence) logs.push(row);
    else if (!isReadable(last) && isReadable(row)) logs[logs.length - 1] = row;
  }
  return logs;
}

/**
 * If there are as many logs as sequences between the first and the last, none is missing, so halves without a break
 * need no check of each log.
 */
function breaksIn(logs: readonly Log[], start: number, stop: number): readonly number[] {
  const first = logs[start];
  const last = logs[stop];
  if (first === undefined || last === undefined || last.sequence - first.sequence === BigInt(stop - start)) return [];
  if (stop === start + 1) return [stop];
  const middle = (start + stop) >>> 1;
  return [...breaksIn(logs, start, middle), ...breaksIn(logs, middle, stop)];
}

/**
 * Past the end of the archived logs the task mines the online file, whether or not `V$LOG` calls it archived: the copy
 * may lie at another destination only (reference: Oracle, rule 4). Up to there, a log that was archived is read from
 * its copy or not at all. `UNUSED` was never written to; the content of a log that is being cleared is lost.
 *
 * @param lastArchived the highest sequence that the destination lists of the thread
 */
function isTail({ status, archived, sequence }: OnlineLog, lastArchived: bigint | undefined): boolean {
  const past = lastArchived === undefined || sequence > lastArchived;
  return (!archived || past) && status !== "UNUSED" && status !== "CLEARING";
}

/** Online logs complete the tail. */
function withOnline(archived: readonly ArchivedLog[], online: readonly OnlineLog[]): readonly Log[] {
  if (online.length === 0) return archived;
  const logs: Log[] = archived.slice();
  for (const log of online) {
    const at = lowestIndex(logs.length, (i) => (logs[i]?.sequence ?? log.sequence) >= log.sequence);
    const known = logs[at];
    if (known?.sequence !== log.sequence) logs.splice(at, 0, log);
    else if (!isReadable(known) && isReadable(log)) logs[at] = log;
  }
  return logs;
}

/**
 * When a thread was enabled: from `ENABLE_CHANGE#`, to `DISABLE_CHANGE#` where it was disabled after. `V$THREAD`
 * remembers one change of each; if the disabling came first, the thread wrote redo before it from an unknown SCN on,
 * and counts as having owed it all along.
 */
function enabledSpans(
  { enabled, enableScn, disableScn }: RedoThread,
  resetlogsScn: Scn,
): readonly { readonly from: Scn; readonly to: Scn | undefined }[] {
  const isEnabled = enabled !== "DISABLED";
  const from = maximum(enableScn, resetlogsScn);
  if (disableScn === undefined) return isEnabled ? [{ from, to: undefined }] : [];
  if (disableScn > enableScn) return [{ from, to: isEnabled ? undefined : disableScn - 1n }];
  const before = { from: resetlogsScn, to: disableScn - 1n };
  return isEnabled ? [before, { from, to: undefined }] : [before];
}

/**
 * A thread whose log groups were dropped leaves `V$THREAD`, not the catalogue: it owes what the catalogue lists of it.
 */
function unlistedThreads(
  threads: readonly RedoThread[],
  archived: ReadonlyMap<bigint, readonly ArchivedLog[]>,
): readonly { readonly thread: bigint; readonly spans: readonly Span[] }[] {
  const listed = new Set(threads.map(({ thread }) => thread));
  return [...archived]
    .filter(([thread, logs]) => !listed.has(thread) && logs.length > 0)
    .map(([thread, logs]) => ({
      thread,
      spans: [
        {
          from: lowest(logs.map(({ firstScn }) => firstScn)) ?? 0n,
          to: lastNext(logs, () => true) - 1n,
        },
      ],
    }));
}

/**
 * The lowest per-thread maximum of the readable logs in `archive_only`, minus 1; never below `from`. A thread disabled
 * since holds nothing back once all of it is archived, one enabled later not below its enabling. A standby's current
 * SCN is the applied one, which bounds it too (reference: connector rules, "Where the database may be mined").
 */
function archivedEnd(
  enabled: readonly { readonly thread: bigint; readonly spans: readonly { from: Scn; to: Scn | undefined }[] }[],
  archived: ReadonlyMap<bigint, readonly ArchivedLog[]>,
  { from, currentScn }: RedoQuestion,
): Scn {
  let end: Scn | undefined;
  let lastDisabled = from;
  for (const { thread, spans } of enabled) {
    const span = spans.at(-1);
    if (span === undefined || (span.to !== undefined && span.to < from)) continue;
    const next = lastNext(archived.get(thread) ?? [], isReadable);
    if (span.to !== undefined && next > span.to) {
      lastDisabled = maximum(lastDisabled, span.to);
      continue;
    }
    const last = maximum(next, span.from) - 1n;
    if (end === undefined || last < end) end = last;
  }
  const last = end ?? lastDisabled;
  return maximum(last < currentScn ? last : currentScn, from);
}

/**
 * Redo that was archived and purged since also belongs to "now" (specification, `offsets set`, rule 2), although
 * `archive_only` ends at the last log that is readable: otherwise a catalogue whose newest logs are deleted would have
 * no gap.
 */
function lastPurged(logs: readonly ArchivedLog[]): Scn {
  return lastNext(logs, (log) => !isReadable(log)) - 1n;
}

function lastNext(logs: readonly ArchivedLog[], take: (log: ArchivedLog) => boolean): Scn {
  let last = 0n;
  for (const log of logs) if (log.nextScn > last && take(log)) last = log.nextScn;
  return last;
}

export function isArchived(log: Log): log is ArchivedLog {
  return "destination" in log;
}

/** The file that the task would add for a log; undefined where the catalogue has no name. */
export function fileOf(log: Log): string | undefined {
  return isArchived(log) ? log.name : log.member;
}

/**
 * Marked deleted, status `D` or expired (`X`) (reference: Oracle, rule 3). For any other, including unavailable ones
 * (`U`), opening the file decides: a log that can still be read must not be skipped.
 */
export function isPurged(log: Log): boolean {
  return isArchived(log) && (log.deleted || log.status === "D" || log.status === "X");
}

export function isReadable(log: Log): boolean {
  return !isPurged(log) && fileOf(log) !== undefined;
}

/** Whether a log reaches above an SCN: the one that is being written always does. */
export function passes({ nextScn }: Log, scn: Scn): boolean {
  return nextScn === undefined || nextScn > scn;
}

export function owedFrom({ spans }: ThreadRedo, from: Scn): readonly Span[] {
  return spans.filter(({ to }) => from <= to).map((span) => ({ from: maximum(from, span.from), to: span.to }));
}

export function concerns(log: Log, owed: readonly Span[]): boolean {
  for (const { from, to } of owed) if (log.firstScn <= to && passes(log, from)) return true;
  return false;
}

/** The first of `length` indexes for which a condition holds that, once true, stays true. */
export function lowestIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function maximum(a: Scn, b: Scn): Scn {
  return a > b ? a : b;
}
