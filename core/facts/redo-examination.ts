import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { ArchiveDestination, ArchivedLog, LogProbe, OnlineLog, RedoThread } from "./redo.ts";

/** One read of the catalogue: the four views that say what redo there is. */
export interface RedoCatalogue {
  readonly threads: readonly RedoThread[];
  readonly destinations: readonly ArchiveDestination[];
  readonly archived: readonly ArchivedLog[];
  readonly online: readonly OnlineLog[];
}

export interface RedoQuestion {
  /** Mining would start here, inclusive. */
  readonly from: Scn;
  readonly currentScn: Scn;
  readonly resetlogsScn: Scn;
  readonly captureMode: "online" | "archive_only";
  /** `cdc.archive.destination`, by name; undefined: the lowest valid local one. */
  readonly destination: string | undefined;
}

/** What the catalogue, and the probe of its files, say of the redo from an SCN to now. A plain value. */
export interface RedoExamination {
  readonly from: Scn;
  /** Inclusive: the current SCN, or in `archive_only` the last one that is archived in every thread. */
  readonly end: Scn;
  /** Whether every log from `from` to `end` is there. */
  readonly complete: boolean;
  /** Whether the files were tried; otherwise the catalogue is all there is. */
  readonly probed: boolean;
  readonly destination: { readonly id: bigint; readonly name: string } | undefined;
  /** In order of thread and sequence; consecutive logs with one thing wrong are one fault. */
  readonly faults: readonly RedoFault[];
  /** What would be mined, a thread. */
  readonly used: readonly RedoUsed[];
  /** The lowest SCN at or above `from` from which every log up to the end is there; undefined when there is none. */
  readonly firstAvailable: Scn | undefined;
  /** The same over the whole catalogue given. */
  readonly earliest: Scn | undefined;
  /** Readable copies of faulty logs under another destination: they close no gap. */
  readonly restoredElsewhere: readonly RestoredCopy[];
  /** `from` lies in an earlier incarnation: no redo of this one can begin there. */
  readonly beforeResetlogs: boolean;
}

export interface RedoFault {
  readonly code: "CDC-2001" | "CDC-2002";
  readonly reason:
    | "sequence missing"
    | "no log at all"
    | "begins too late"
    | "ends too early"
    | "deleted in the catalogue"
    | "without a name"
    | "cannot be opened"
    | "no archive destination";
  /** Undefined where it concerns all. */
  readonly thread: bigint | undefined;
  /** Inclusive, as far as known. */
  readonly fromSequence: bigint | undefined;
  readonly toSequence: bigint | undefined;
  /** SCNs affected: from inclusive, to exclusive, as far as known. */
  readonly firstScn: Scn | undefined;
  readonly nextScn: Scn | undefined;
  readonly firstTime: Instant | undefined;
  readonly nextTime: Instant | undefined;
  readonly files: readonly string[];
  /** One sentence. */
  readonly message: string;
}

export interface RedoUsed {
  readonly thread: bigint;
  readonly archivedLogs: bigint;
  readonly firstSequence: bigint | undefined;
  readonly lastSequence: bigint | undefined;
  readonly onlineSequences: readonly bigint[];
  readonly bytes: bigint;
  readonly firstTime: Instant | undefined;
}

export interface RestoredCopy {
  readonly thread: bigint;
  readonly sequence: bigint;
  readonly destination: bigint;
  readonly name: string;
}

/** One log of a thread as the task would take it: its archived copy, or the online one. */
interface Log {
  readonly sequence: bigint;
  readonly firstScn: Scn;
  readonly nextScn: Scn | undefined;
  readonly file: string | undefined;
  readonly online: boolean;
  readonly purged: boolean;
  readonly bytes: bigint;
  readonly firstTime: Instant | undefined;
  readonly nextTime: Instant | undefined;
}

/** A thread with its logs in order, and the span of SCNs for which it owes redo. */
interface ThreadLogs {
  readonly thread: bigint;
  readonly logs: readonly Log[];
  /** Inclusive; undefined when it was not enabled anywhere up to the end. */
  readonly owes: { readonly from: Scn; readonly to: Scn } | undefined;
  /** The first SCN for which it owes nothing any more; undefined while it is enabled. */
  readonly owesNothingFrom: Scn | undefined;
}

/**
 * Whether the redo from an SCN to now is all present, and if not, what is wrong and from where on it is. One pass over one read of the catalogue.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?".
 *
 * @param probes what came of opening the files (`logsToProbe`); undefined when they were not tried
 */
export function examineRedo(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
): RedoExamination {
  const destination = destinationOf(catalogue.destinations, question.destination);
  const { threads, end } = threadsOf(catalogue, question, destination?.id);
  const unopened = new Map(probes?.flatMap((probe) => (probe.opened ? [] : [[probe.file, probe] as const])) ?? []);
  const faults = [
    ...(destination === undefined ? [noDestination(question.destination)] : []),
    ...threads.flatMap((thread) => faultsOf(thread, question.from, unopened)),
    ...(threads.some(({ owes }) => owes !== undefined) || question.from > end ? [] : [noThread(question.from)]),
  ];
  const beforeResetlogs = question.from < question.resetlogsScn;
  const complete = faults.length === 0 && !beforeResetlogs;
  const bounds = threads.map((thread) => availableFrom(thread, unopened));
  const lowest = destination === undefined ? undefined : highest(bounds);
  const starts = (at: Scn) => startAtOrAbove(threads, at, end);
  return {
    from: question.from,
    end,
    complete,
    probed: probes !== undefined,
    destination: destination === undefined ? undefined : { id: destination.id, name: destination.name },
    faults,
    used: threads.filter(({ owes }) => owes !== undefined).map((thread) => usedOf(thread, question.from, end)),
    firstAvailable: complete
      ? question.from
      : lowest === undefined
        ? undefined
        : starts(maximum(lowest, question.from, question.resetlogsScn)),
    earliest: lowest === undefined ? undefined : starts(maximum(lowest, question.resetlogsScn)),
    restoredElsewhere:
      destination === undefined
        ? []
        : copiesElsewhere(catalogue.archived, destination.id, question.resetlogsScn, faults),
    beforeResetlogs,
  };
}

/** Every file that the task would add from `from` to the end, online ones included, each once. */
export function logsToProbe(catalogue: RedoCatalogue, question: RedoQuestion): string[] {
  const destination = destinationOf(catalogue.destinations, question.destination);
  const { threads } = threadsOf(catalogue, question, destination?.id);
  const files = new Set<string>();
  for (const { logs, owes } of threads) {
    for (const log of logs) {
      if (log.file !== undefined && !log.purged && concerns(log, owes, question.from)) files.add(log.file);
    }
  }
  return [...files];
}

/** The archived logs of the destination that hold redo from `from` to before `to`, one a sequence. */
export function logsBetween(
  catalogue: RedoCatalogue,
  destination: { readonly id: bigint } | undefined,
  resetlogsScn: Scn,
  from: Scn,
  to: Scn,
): readonly { readonly thread: bigint; readonly sequence: bigint; readonly bytes: bigint }[] {
  const seen = new Set<string>();
  return catalogue.archived.filter((log) => {
    if (!counts(log, destination?.id, resetlogsScn) || log.nextScn <= from || log.firstScn >= to) return false;
    const id = `${log.thread}:${log.sequence}`;
    return !seen.has(id) && seen.add(id) !== undefined;
  });
}

function destinationOf(
  destinations: readonly ArchiveDestination[],
  name: string | undefined,
): ArchiveDestination | undefined {
  const usable = destinations.filter(({ status, type }) => status === "VALID" && type === "LOCAL");
  if (name !== undefined) return usable.find((one) => one.name.toUpperCase() === name.trim().toUpperCase());
  return usable.reduce<ArchiveDestination | undefined>(
    (lowest, one) => (lowest === undefined || one.id < lowest.id ? one : lowest),
    undefined,
  );
}

/** Standby copies, other destinations and other incarnations say nothing of the connector's redo. */
function counts(log: ArchivedLog, destination: bigint | undefined, resetlogsScn: Scn): boolean {
  return log.destination === destination && !log.standby && log.resetlogsScn === resetlogsScn;
}

/** `D` and `X` are purged, `U` is unavailable: none of them can be read. */
function isPurged({ deleted, status }: ArchivedLog): boolean {
  return deleted || status === "D" || status === "X" || status === "U";
}

function threadsOf(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  destination: bigint | undefined,
): { readonly threads: readonly ThreadLogs[]; readonly end: Scn } {
  const archived = new Map<bigint, ArchivedLog[]>();
  let lastThread: bigint | undefined;
  let lastLogs: ArchivedLog[] = [];
  for (const log of catalogue.archived) {
    if (!counts(log, destination, question.resetlogsScn)) continue;
    if (log.thread !== lastThread) {
      lastThread = log.thread;
      lastLogs = archived.get(log.thread) ?? [];
      archived.set(log.thread, lastLogs);
    }
    lastLogs.push(log);
  }
  const end =
    question.captureMode === "online" ? question.currentScn : archivedEnd(catalogue.threads, archived, question);
  const threads = catalogue.threads.map((thread): ThreadLogs => {
    const online =
      question.captureMode === "online"
        ? catalogue.online.filter((log) => log.thread === thread.thread && log.status !== "UNUSED")
        : [];
    return {
      thread: thread.thread,
      logs: inOrder(archived.get(thread.thread) ?? [], online),
      ...span(thread, question.from, end),
    };
  });
  return { threads, end };
}

/** In `archive_only` the lowest per-thread maximum of what is readable, minus 1. */
function archivedEnd(
  threads: readonly RedoThread[],
  archived: ReadonlyMap<bigint, readonly ArchivedLog[]>,
  { from }: RedoQuestion,
): Scn {
  const ends = threads
    .filter(({ enabled }) => enabled !== "DISABLED")
    .map(({ thread }) =>
      (archived.get(thread) ?? []).reduce(
        (last, log) => (!isPurged(log) && log.nextScn > last ? log.nextScn : last),
        0n,
      ),
    );
  const end = ends.reduce<Scn | undefined>(
    (lowest, one) => (lowest === undefined || one < lowest ? one : lowest),
    undefined,
  );
  return end === undefined || end === 0n ? from : end - 1n;
}

/** A thread owes redo for the span in which it was enabled: one disabled since still wrote some, one enabled later owes none from before. */
function span(
  { enabled, enableScn, disableScn }: RedoThread,
  from: Scn,
  end: Scn,
): Pick<ThreadLogs, "owes" | "owesNothingFrom"> {
  const disabled = enabled === "DISABLED";
  if (disabled && disableScn === undefined) return { owes: undefined, owesNothingFrom: 0n };
  const owesNothingFrom = disabled ? disableScn : undefined;
  const first = enableScn > from ? enableScn : from;
  const last = owesNothingFrom !== undefined && owesNothingFrom - 1n < end ? owesNothingFrom - 1n : end;
  return { owes: first <= last ? { from: first, to: last } : undefined, owesNothingFrom };
}

/** One log a sequence, a readable archived copy first; online logs for those that have none. */
function inOrder(archived: readonly ArchivedLog[], online: readonly OnlineLog[]): readonly Log[] {
  const sorted = isSorted(archived)
    ? archived
    : [...archived].sort((a, b) => (a.sequence < b.sequence ? -1 : a.sequence > b.sequence ? 1 : 0));
  const logs: Log[] = [];
  for (const row of sorted) {
    const last = logs.at(-1);
    const log = archivedLog(row);
    if (last?.sequence !== log.sequence) logs.push(log);
    else if (!isReadable(last) && isReadable(log)) logs[logs.length - 1] = log;
  }
  for (const row of online) {
    const at = position(logs, row.sequence);
    const known = logs[at];
    if (known?.sequence !== row.sequence) logs.splice(at, 0, onlineLog(row));
    else if (!isReadable(known)) logs[at] = onlineLog(row);
  }
  return logs;
}

function isSorted(logs: readonly ArchivedLog[]): boolean {
  return logs.every((log, i) => i === 0 || (logs[i - 1]?.sequence ?? log.sequence) <= log.sequence);
}

/** Where a sequence stands, or would stand: binary search. */
function position(logs: readonly Log[], sequence: bigint): number {
  let low = 0;
  let high = logs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((logs[middle]?.sequence ?? sequence) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

function archivedLog(row: ArchivedLog): Log {
  return {
    sequence: row.sequence,
    firstScn: row.firstScn,
    nextScn: row.nextScn,
    file: row.name,
    online: false,
    purged: isPurged(row),
    bytes: row.bytes,
    firstTime: row.firstTime,
    nextTime: row.nextTime,
  };
}

function onlineLog(row: OnlineLog): Log {
  return {
    sequence: row.sequence,
    firstScn: row.firstScn,
    nextScn: row.nextScn,
    file: row.member,
    online: true,
    purged: false,
    bytes: row.bytes,
    firstTime: undefined,
    nextTime: undefined,
  };
}

function isReadable({ purged, file }: Log): boolean {
  return !purged && file !== undefined;
}

/** Whether a log holds redo that its thread owes. */
function concerns({ firstScn, nextScn }: Log, owes: ThreadLogs["owes"], from: Scn): boolean {
  return (
    owes !== undefined &&
    firstScn <= owes.to &&
    (nextScn === undefined || nextScn > (owes.from > from ? owes.from : from))
  );
}

function faultsOf(
  { thread, logs, owes }: ThreadLogs,
  from: Scn,
  unopened: ReadonlyMap<string, LogProbe>,
): readonly RedoFault[] {
  if (owes === undefined) return [];
  const faults: RedoFault[] = [];
  let last: Log | undefined;
  for (const log of logs) {
    if (!concerns(log, owes, from)) continue;
    if (last === undefined) {
      if (log.firstScn > owes.from) faults.push(beginsTooLate(thread, owes.from, log));
    } else if (log.sequence > last.sequence + 1n) {
      faults.push(sequenceMissing(thread, last, log));
    }
    const wrong = wrongWith(log, unopened);
    if (wrong !== undefined) addTo(faults, thread, log, wrong);
    last = log;
  }
  if (last === undefined) faults.push(noLog(thread, owes));
  else if (last.nextScn !== undefined && last.nextScn <= owes.to) faults.push(endsTooEarly(thread, last, owes.to));
  return faults;
}

function wrongWith(
  { purged, file }: Log,
  unopened: ReadonlyMap<string, LogProbe>,
): { readonly reason: RedoFault["reason"]; readonly detail: string } | undefined {
  if (purged) return { reason: "deleted in the catalogue", detail: "" };
  if (file === undefined) return { reason: "without a name", detail: "" };
  const probe = unopened.get(file);
  return probe === undefined || probe.opened ? undefined : { reason: "cannot be opened", detail: probe.code };
}

/** Adds a faulty log to the run it continues, or begins a new one. */
function addTo(
  faults: RedoFault[],
  thread: bigint,
  log: Log,
  { reason, detail }: { readonly reason: RedoFault["reason"]; readonly detail: string },
): void {
  const run = faults.at(-1);
  const continues =
    run !== undefined && run.reason === reason && run.thread === thread && run.toSequence === log.sequence - 1n;
  const first = continues ? run : undefined;
  const fault = {
    code: "CDC-2002",
    reason,
    thread,
    fromSequence: first?.fromSequence ?? log.sequence,
    toSequence: log.sequence,
    firstScn: first?.firstScn ?? log.firstScn,
    nextScn: log.nextScn,
    firstTime: first === undefined ? log.firstTime : first.firstTime,
    nextTime: log.nextTime,
    files: [...(first?.files ?? []), ...(log.file === undefined ? [] : [log.file])],
    message: "",
  } as const;
  const message = `${logsNamed(thread, fault.fromSequence, fault.toSequence)} ${VERBS[reason]}${detail === "" ? "" : ` (${detail})`}${sample(fault.files)}`;
  if (continues) faults[faults.length - 1] = { ...fault, message };
  else faults.push({ ...fault, message });
}

const VERBS: Readonly<Partial<Record<RedoFault["reason"], string>>> = {
  "deleted in the catalogue": "purged: marked deleted in the catalogue",
  "without a name": "can't be read: the catalogue has no file name",
  "cannot be opened": "can't be opened",
};

function sample(files: readonly string[]): string {
  const [file] = files;
  return file === undefined ? "" : `: ${file}${files.length > 1 ? ` and ${files.length - 1} more` : ""}`;
}

function logsNamed(thread: bigint, from: bigint, to: bigint): string {
  return from === to ? `thread ${thread} sequence ${from}` : `thread ${thread} sequences ${from} to ${to}`;
}

const nothingKnown = {
  fromSequence: undefined,
  toSequence: undefined,
  firstScn: undefined,
  nextScn: undefined,
  firstTime: undefined,
  nextTime: undefined,
  files: [],
} as const;

function sequenceMissing(thread: bigint, before: Log, after: Log): RedoFault {
  const fromSequence = before.sequence + 1n;
  const toSequence = after.sequence - 1n;
  return {
    ...nothingKnown,
    code: "CDC-2001",
    reason: "sequence missing",
    thread,
    fromSequence,
    toSequence,
    firstScn: before.nextScn,
    nextScn: after.firstScn,
    firstTime: before.nextTime,
    nextTime: after.firstTime,
    message: `${logsNamed(thread, fromSequence, toSequence)} missing: the catalogue goes from ${before.sequence} to ${after.sequence}`,
  };
}

function beginsTooLate(thread: bigint, from: Scn, first: Log): RedoFault {
  return {
    ...nothingKnown,
    code: "CDC-2001",
    reason: "begins too late",
    thread,
    toSequence: first.sequence - 1n,
    firstScn: from,
    nextScn: first.firstScn,
    nextTime: first.firstTime,
    message: `thread ${thread} has no log for SCN ${from}: its first one, sequence ${first.sequence}, begins at ${first.firstScn}`,
  };
}

function endsTooEarly(thread: bigint, last: Log, to: Scn): RedoFault {
  return {
    ...nothingKnown,
    code: "CDC-2001",
    reason: "ends too early",
    thread,
    fromSequence: last.sequence + 1n,
    firstScn: last.nextScn,
    nextScn: to + 1n,
    firstTime: last.nextTime,
    message: `thread ${thread} has no log after sequence ${last.sequence}, which ends at ${last.nextScn}; redo is owed up to ${to}`,
  };
}

function noLog(thread: bigint, { from, to }: { readonly from: Scn; readonly to: Scn }): RedoFault {
  return {
    ...nothingKnown,
    code: "CDC-2001",
    reason: "no log at all",
    thread,
    firstScn: from,
    nextScn: to + 1n,
    message: `thread ${thread} has no log at all from SCN ${from} to ${to}`,
  };
}

function noThread(from: Scn): RedoFault {
  return {
    ...nothingKnown,
    code: "CDC-2001",
    reason: "no log at all",
    thread: undefined,
    firstScn: from,
    message: `no redo thread was enabled at SCN ${from}`,
  };
}

function noDestination(name: string | undefined): RedoFault {
  return {
    ...nothingKnown,
    code: "CDC-2001",
    reason: "no archive destination",
    thread: undefined,
    message:
      name === undefined
        ? "no archive destination is both VALID and LOCAL"
        : `the archive destination ${name} (cdc.archive.destination) is not a VALID LOCAL one`,
  };
}

/**
 * The lowest SCN from which a thread's logs are unbroken up to the end of what it owes. 0 when that is any SCN; undefined when there is none.
 */
function availableFrom(
  { logs, owes, owesNothingFrom }: ThreadLogs,
  unopened: ReadonlyMap<string, LogProbe>,
): Scn | undefined {
  if (owes === undefined) return 0n;
  let start: Log | undefined;
  for (let i = logs.length - 1; i >= 0; i--) {
    const log = logs[i];
    if (log === undefined) break;
    if (start === undefined && log.firstScn > owes.to) continue;
    if (wrongWith(log, unopened) !== undefined) break;
    if (
      start === undefined ? log.nextScn !== undefined && log.nextScn <= owes.to : log.sequence !== start.sequence - 1n
    )
      break;
    start = log;
  }
  if (start === undefined) return owesNothingFrom;
  return start.firstScn <= owes.from ? 0n : start.firstScn;
}

/** Undefined as soon as one thread has none. */
function highest(bounds: readonly (Scn | undefined)[]): Scn | undefined {
  return bounds.reduce<Scn | undefined>(
    (top, one) => (top === undefined || one === undefined ? undefined : one > top ? one : top),
    0n,
  );
}

function maximum(...scns: readonly Scn[]): Scn {
  return scns.reduce((top, one) => (one > top ? one : top), 0n);
}

/** An SCN at which everything is there can be mined from when it is not beyond the end, and some thread still owes redo there. */
function startAtOrAbove(threads: readonly ThreadLogs[], at: Scn, end: Scn): Scn | undefined {
  if (at > end) return undefined;
  return threads.some(
    ({ owes, owesNothingFrom }) => owes !== undefined && (owesNothingFrom === undefined || at < owesNothingFrom),
  )
    ? at
    : undefined;
}

function usedOf({ thread, logs, owes }: ThreadLogs, from: Scn, _end: Scn): RedoUsed {
  const used = logs.filter((log) => concerns(log, owes, from));
  const archived = used.filter(({ online }) => !online);
  return {
    thread,
    archivedLogs: BigInt(archived.length),
    firstSequence: archived[0]?.sequence,
    lastSequence: archived.at(-1)?.sequence,
    onlineSequences: used.filter(({ online }) => online).map(({ sequence }) => sequence),
    bytes: archived.reduce((sum, { bytes }) => sum + bytes, 0n),
    firstTime: archived[0]?.firstTime,
  };
}

function copiesElsewhere(
  archived: readonly ArchivedLog[],
  destination: bigint,
  resetlogsScn: Scn,
  faults: readonly RedoFault[],
): readonly RestoredCopy[] {
  const spans = faults.filter(
    ({ thread, fromSequence, toSequence }) =>
      thread !== undefined && (fromSequence !== undefined || toSequence !== undefined),
  );
  if (spans.length === 0) return [];
  return archived.flatMap((log): readonly RestoredCopy[] => {
    if (
      log.destination === destination ||
      log.standby ||
      log.resetlogsScn !== resetlogsScn ||
      isPurged(log) ||
      log.name === undefined
    )
      return [];
    const missing = spans.some(
      ({ thread, fromSequence, toSequence }) =>
        thread === log.thread &&
        log.sequence >= (fromSequence ?? 0n) &&
        (toSequence === undefined || log.sequence <= toSequence),
    );
    return missing
      ? [{ thread: log.thread, sequence: log.sequence, destination: log.destination, name: log.name }]
      : [];
  });
}
