import type { ArchivedLog, LogProbe, RedoCatalogue, ScnTime } from "../../../schemas/generated/facts.ts";
import type { Instant } from "../../values/instant.ts";
import { grouped } from "../../values/lists.ts";
import type { Remedy } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import type { DatabaseSeen } from "../database/database.ts";
import type { Observed } from "../observed.ts";
import {
  earlierIncarnation,
  faultsOf,
  noDestination,
  noThread,
  type TriedThread,
  tried,
  type Unopened,
} from "./faults.ts";
import {
  archivedLogsOf,
  concerns,
  destinationOf,
  fileOf,
  isArchived,
  isReadable,
  type Log,
  lowestIndex,
  maximum,
  owedFrom,
  passes,
  type Span,
  type ThreadRedo,
  threadsOf,
} from "./logs.ts";

/** Redo that is missing from the stored position on. */
export interface Gap {
  readonly code: "CDC-2001" | "CDC-2002";
  /** One sentence. */
  readonly message: string;
  /** The stored resume SCN: mining would continue here. */
  readonly from: Scn;
  /** RMAN commands that would restore the logs. */
  readonly restore: readonly string[];
  /** The first SCN from which all redo up to now exists; undefined if there is none. */
  readonly to?: Scn | undefined;
  readonly fromTime?: Instant | undefined;
  readonly toTime?: Instant | undefined;
}

/** What the catalogue, and the probe of its files, show about the redo from an SCN to now. */
export interface RedoExamination {
  readonly from: Scn;
  /** Inclusive: the current SCN, or in `archive_only` the last one up to it that is archived in every thread. */
  readonly end: Scn;
  /** Whether every log from `from` to `end` exists. */
  readonly complete: boolean;
  /** Whether the files were tried; otherwise only the catalogue is known. */
  readonly probed: boolean;
  /** Faults in order of thread and sequence; consecutive logs with the same problem are one fault. */
  readonly faults: readonly RedoFault[];
  /** What would be mined, per thread. */
  readonly used: readonly RedoUsed[];
  /** Readable copies of faulty logs under another destination: they do not close a gap. */
  readonly restoredElsewhere: readonly RestoredCopy[];
  /** `from` lies in an earlier incarnation: this incarnation's redo can't begin there. */
  readonly beforeResetlogs: boolean;
  readonly destination?: { readonly id: bigint; readonly name: string } | undefined;
  /** The lowest SCN at or above `from` from which every log up to the end exists; undefined if there is none. */
  readonly firstAvailable?: Scn | undefined;
  /** The same over the whole catalogue given. */
  readonly earliest?: Scn | undefined;
}

/** Consecutive logs of a thread with the same problem. */
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
    | "online log unreadable"
    | "no archive destination";
  readonly files: readonly string[];
  /** One sentence. */
  readonly message: string;
  /** Undefined if it concerns all. */
  readonly thread?: bigint | undefined;
  /** Inclusive, as far as known. */
  readonly fromSequence?: bigint | undefined;
  readonly toSequence?: bigint | undefined;
  /** SCNs affected: from inclusive, to exclusive, as far as known. */
  readonly firstScn?: Scn | undefined;
  readonly nextScn?: Scn | undefined;
  readonly firstTime?: Instant | undefined;
  readonly nextTime?: Instant | undefined;
}

export function faultText({ code, message }: RedoFault): string {
  return `${code} ${message}`;
}

/** What would be mined of a thread. */
export interface RedoUsed {
  readonly thread: bigint;
  readonly archivedLogs: bigint;
  readonly onlineSequences: readonly bigint[];
  readonly bytes: bigint;
  readonly firstSequence?: bigint | undefined;
  readonly lastSequence?: bigint | undefined;
  readonly firstTime?: Instant | undefined;
}

/** A readable copy under another destination: it closes no gap. */
type RestoredCopy = Pick<ArchivedLog, "thread" | "sequence" | "destination"> & { readonly name: string };

/**
 * What a resnapshot does.
 * - `signal`: the redo is complete from the stored position on; the offset does not change.
 * - `past the gap`: it moves.
 * - `unknown`: whether redo is missing is unknown, nothing is stored, or the stored offset does not belong to the
 *   database.
 */
export type Way = "signal" | "past the gap" | "unknown";

/** A part of the redo to mine, with LogMiner in a session of its own. */
export interface RedoRange {
  /** Inclusive. */
  readonly from: Scn;
  /** Inclusive. */
  readonly to: Scn;
  readonly files: readonly string[];
}

/** Rows of `V$LOGMNR_CONTENTS`, counted by table and operation. */
export interface MinedRows {
  /** `SRC_CON_NAME`; undefined in a database without containers. */
  readonly container: string | undefined;
  /** Undefined, like `table`, for rows without a table: the begin and the end of a transaction. */
  readonly owner: string | undefined;
  readonly table: string | undefined;
  /** `INSERT`, `DDL`, `COMMIT`, … */
  readonly operation: string;
  readonly rows: bigint;
  /** How many of them truncate the table. */
  readonly truncates: bigint;
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

export function bringBack(commands: readonly string[]): readonly Remedy[] {
  return commands.map((sql) => ({ text: "Restore the logs (RMAN)", sql }));
}

/**
 * The RMAN commands that restore the logs of faults, one per run of logs. RMAN still counts a file removed without RMAN
 * as present: without a CROSSCHECK first it restores nothing. None for online logs: no backup has them.
 */
export function restoreCommands(faults: readonly RedoFault[]): readonly string[] {
  return faults.flatMap((fault) => {
    const range = rangeOf(fault);
    if (range === undefined || fault.reason === "online log unreadable") return [];
    const restore = `RESTORE ARCHIVELOG ${range};`;
    return fault.reason === "cannot be opened" ? [`CROSSCHECK ARCHIVELOG ${range};`, restore] : [restore];
  });
}

function rangeOf({ thread, fromSequence, toSequence, firstScn, nextScn }: RedoFault): string | undefined {
  if (thread === undefined) return undefined;
  if (fromSequence !== undefined && toSequence !== undefined)
    return `FROM SEQUENCE ${fromSequence} UNTIL SEQUENCE ${toSequence} THREAD ${thread}`;
  if (fromSequence !== undefined) return `FROM SEQUENCE ${fromSequence} THREAD ${thread}`;
  if (firstScn !== undefined && nextScn !== undefined)
    return `FROM SCN ${firstScn} UNTIL SCN ${nextScn - 1n} THREAD ${thread}`;
  return undefined;
}

/** What shows when an SCN was current. */
export interface DatedRedo {
  readonly times: Observed<readonly ScnTime[]>;
  readonly redo: Observed<RedoCatalogue>;
  readonly database: Pick<DatabaseSeen, "resetlogsScn">;
}

/**
 * The time of an SCN, or else the latest time that a log of the catalogue gives for one at or below it, whatever
 * destination lists it: Oracle forgets the time of an SCN after some days, the catalogue later. The result is never
 * later than the SCN's own time, so that a comparison counts too much rather than too little.
 */
export function timeAtOrBefore(scn: Scn, { times, redo, database }: DatedRedo): Instant | undefined {
  const known = times.known ? times.value.find((time) => time.scn === scn)?.at : undefined;
  if (known !== undefined || !redo.known) return known;
  let best: { readonly scn: Scn; readonly at: Instant } | undefined;
  const consider = (at: Scn, time: Instant | undefined) => {
    if (time !== undefined && at <= scn && (best === undefined || at > best.scn)) best = { scn: at, at: time };
  };
  for (const log of redo.value.archived) {
    if (log.resetlogsScn !== database.resetlogsScn) continue;
    consider(log.firstScn, log.firstTime);
    consider(log.nextScn, log.nextTime);
  }
  return best?.at;
}

/**
 * Examines whether all redo from an SCN to now is present, and if not, what is wrong and from where on it is complete.
 * One pass over one reading of the catalogue.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?". Rows that end at or below `from` may be
 * omitted from the catalogue: they affect only `earliest`.
 *
 * @param probes the results of opening the files (`logsToProbe`); undefined if they were not tried
 */
export function examineRedo(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
): RedoExamination {
  const { from, resetlogsScn } = question;
  const destination = destinationOf(catalogue.destinations, question.destination);
  const unopened = unopenedOf(probes ?? []);
  const { threads: read, end } = threadsOf(catalogue, question, destination?.id);
  const threads = read.map((thread) => tried(thread, unopened));
  const beforeResetlogs = from < resetlogsScn;
  const owing = threads.filter((thread) => owedFrom(thread, from).length > 0);
  const faults =
    destination === undefined
      ? [noDestination(question.destination)]
      : [
          ...(beforeResetlogs ? [earlierIncarnation(from, resetlogsScn)] : []),
          ...(owing.length === 0 ? [noThread(from)] : owing.flatMap((thread) => faultsOf(thread, from, unopened))),
        ];
  const complete = faults.length === 0;
  const availableFrom = destination === undefined ? () => undefined : availability(threads, end);
  const earliest = availableFrom(resetlogsScn);
  // The first available SCN at or above `from` is never below the earliest, and each query has to be above the one
  // before.
  const later = earliest === undefined ? undefined : availableFrom(maximum(from, earliest));
  return {
    from,
    end,
    complete,
    probed: probes !== undefined,
    destination: destination === undefined ? undefined : { id: destination.id, name: destination.name },
    faults,
    used: owing.map((thread) => usedOf(thread, from)),
    firstAvailable: complete ? from : later,
    earliest,
    restoredElsewhere:
      destination === undefined ? [] : copiesElsewhere(catalogue.archived, destination.id, resetlogsScn, faults),
    beforeResetlogs,
  };
}

/** Every file that the task would add from `from` to the end, online ones included, each once. */
export function logsToProbe(catalogue: RedoCatalogue, question: RedoQuestion): string[] {
  const destination = destinationOf(catalogue.destinations, question.destination);
  const files = new Set<string>();
  for (const thread of threadsOf(catalogue, question, destination?.id).threads) {
    const owed = owedFrom(thread, question.from);
    for (const log of thread.logs) {
      const file = fileOf(log);
      if (file !== undefined && isReadable(log) && concerns(log, owed)) files.add(file);
    }
  }
  return [...files];
}

/** The archived logs of the destination that hold redo from `from` to before `to`, one per sequence. */
export function logsBetween(
  { archived }: RedoCatalogue,
  destination: { readonly id: bigint } | undefined,
  resetlogsScn: Scn,
  from: Scn,
  to: Scn,
): readonly { readonly thread: bigint; readonly sequence: bigint; readonly bytes: bigint }[] {
  return [...archivedLogsOf(archived, destination?.id, resetlogsScn).values()].flatMap((logs) =>
    logs.filter((log) => log.firstScn < to && passes(log, from)),
  );
}

function unopenedOf(probes: readonly LogProbe[]): Unopened {
  const unopened = new Map<string, LogProbe & { readonly opened: false }>();
  for (const probe of probes) if (!probe.opened) unopened.set(probe.file, probe);
  return unopened;
}

function usedOf(redo: ThreadRedo, from: Scn): RedoUsed {
  const { thread, logs } = redo;
  const owed = owedFrom(redo, from);
  let archivedLogs = 0;
  let bytes = 0n;
  let first: ArchivedLog | undefined;
  let last: ArchivedLog | undefined;
  const onlineSequences: bigint[] = [];
  for (const log of logs) {
    if (!isReadable(log) || !concerns(log, owed)) continue;
    if (isArchived(log)) {
      archivedLogs++;
      bytes += log.bytes;
      first ??= log;
      last = log;
    } else onlineSequences.push(log.sequence);
  }
  return {
    thread,
    archivedLogs: BigInt(archivedLogs),
    firstSequence: first?.sequence,
    lastSequence: last?.sequence,
    onlineSequences,
    bytes,
    firstTime: first?.firstTime,
  };
}

/** Readable copies of logs at fault that the catalogue lists under another destination. */
function copiesElsewhere(
  archived: readonly ArchivedLog[],
  destination: bigint,
  resetlogsScn: Scn,
  faults: readonly RedoFault[],
): readonly RestoredCopy[] {
  const covers = faultsByThread(faults);
  if (covers.size === 0) return [];
  const copies: RestoredCopy[] = [];
  for (const log of archived) {
    if (log.destination === destination || log.standby || log.resetlogsScn !== resetlogsScn) continue;
    if (log.name !== undefined && isReadable(log) && covers.get(log.thread)?.(log)) {
      copies.push({ thread: log.thread, sequence: log.sequence, destination: log.destination, name: log.name });
    }
  }
  return copies;
}

/** Whether a log would fix one of a thread's faults: binary search over those that name their sequences. */
function faultsByThread(faults: readonly RedoFault[]): ReadonlyMap<bigint, (log: ArchivedLog) => boolean> {
  return new Map(
    [...grouped(faults, ({ thread }) => thread)].flatMap(([thread, all]) => {
      if (thread === undefined) return [];
      const named = all
        .flatMap(({ fromSequence: from, toSequence: to }) =>
          from === undefined || to === undefined ? [] : [{ from, to }],
        )
        .sort((a, b) => (a.from < b.from ? -1 : 1));
      const open = all.filter(({ fromSequence, toSequence }) => fromSequence === undefined || toSequence === undefined);
      return [[thread, (log) => within(named, log.sequence) || open.some((fault) => overlaps(fault, log))] as const];
    }),
  );
}

/** @param ranges rising, without overlaps */
function within(ranges: readonly { readonly from: bigint; readonly to: bigint }[], sequence: bigint): boolean {
  const range = ranges[lowestIndex(ranges.length, (at) => (ranges[at]?.to ?? sequence) >= sequence)];
  return range !== undefined && range.from <= sequence;
}

/** A fault at either end of the redo has only SCNs, no sequences. */
function overlaps({ firstScn, nextScn }: RedoFault, log: ArchivedLog): boolean {
  return (firstScn === undefined || log.nextScn > firstScn) && (nextScn === undefined || log.firstScn < nextScn);
}

/**
 * Answers queries with rising SCNs: the lowest SCN from `from` to `end` at which some thread was enabled and from which
 * every thread has all the redo that it owes.
 *
 * What is wrong with a thread's logs rules out every SCN below a bound; above it, only holes between the SCNs of two
 * logs do. So each thread has one cursor, which only moves forward.
 */
function availability(threads: readonly TriedThread[], end: Scn): (from: Scn) => Scn | undefined {
  const cursors = threads.flatMap((thread) => thread.spans.map((span) => cursorOver(thread, span)));
  const spans = threads.flatMap((thread) => thread.spans);
  return (from) => {
    let scn = from;
    for (;;) {
      const before = scn;
      for (const next of cursors) scn = next(scn);
      scn = enabledAtOrAbove(spans, scn) ?? end + 1n;
      if (scn > end) return undefined;
      if (scn === before) return scn;
    }
  };
}

function enabledAtOrAbove(spans: readonly Span[], scn: Scn): Scn | undefined {
  let lowest: Scn | undefined;
  for (const { from, to } of spans) {
    if (to < scn) continue;
    if (from <= scn) return scn;
    if (lowest === undefined || from < lowest) lowest = from;
  }
  return lowest;
}

/** Returns the lowest SCN at or above another from which one span is complete; called with rising SCNs only. */
function cursorOver(thread: TriedThread, span: Span): (scn: Scn) => Scn {
  const { logs } = thread;
  const bound = lowestSound(thread, span);
  let place = 0;
  const soundFrom = (at: Scn): Scn => {
    let scn = maximum(at, bound);
    for (let log = logs[place]; log !== undefined; log = logs[++place]) {
      if (log.firstScn > span.to || !passes(log, scn)) continue;
      if (log.firstScn <= scn) return scn;
      if (passes(log, log.firstScn)) return log.firstScn;
      scn = log.nextScn ?? scn;
    }
    return span.to + 1n;
  };
  const first = soundFrom(span.from);
  return (scn) => {
    if (scn > span.to) return scn;
    // A span that is complete from its beginning does not limit the SCNs before it.
    if (scn <= first) return first === span.from ? scn : first;
    return soundFrom(scn);
  };
}

/**
 * No SCN below this one has every log that it needs, readable, without a missing sequence, and up to the end of the
 * span. It lies above every log that can't be read, and above those at the end that don't reach it.
 */
function lowestSound({ logs, breaks, unreadable }: TriedThread, span: Span): Scn {
  const beyond = span.to + 1n;
  let bound = 0n;
  for (const place of unreadable) {
    const log = logs[place];
    if (log !== undefined && log.firstScn <= span.to) bound = maximum(bound, nextUpTo(log, beyond));
  }
  for (let i = logs.length - 1; i >= 0; i--) {
    const log = logs[i];
    if (log === undefined || log.firstScn > span.to) continue;
    if (passes(log, span.to)) return maximum(bound, lowestUnbroken(logs, breaks, span));
    bound = maximum(bound, nextUpTo(log, beyond));
  }
  return beyond;
}

/**
 * Missing sequences matter to an SCN that needs a log on both sides of them: one below the highest end of the logs
 * before, and of those after.
 */
function lowestUnbroken(logs: readonly Log[], breaks: readonly number[], span: Span): Scn {
  const highestNext = (start: number, stop: number) => {
    let highest = 0n;
    for (let i = start; i < stop; i++) {
      const log = logs[i];
      if (log !== undefined && log.firstScn <= span.to) highest = maximum(highest, nextUpTo(log, span.to + 1n));
    }
    return highest;
  };
  // The highest end of each stretch between two breaks, then of all up to and of all from each.
  const stretches = breaks.length === 0 ? [] : [0, ...breaks].map((at, i) => highestNext(at, breaks[i] ?? logs.length));
  const after = stretches.slice();
  for (let i = after.length - 2; i >= 0; i--) after[i] = maximum(after[i] ?? 0n, after[i + 1] ?? 0n);
  let before = 0n;
  let bound = 0n;
  for (let i = 0; i + 1 < stretches.length; i++) {
    before = maximum(before, stretches[i] ?? 0n);
    const rest = after[i + 1] ?? 0n;
    bound = maximum(bound, rest < before ? rest : before);
  }
  return bound;
}

function nextUpTo({ nextScn }: Log, limit: Scn): Scn {
  return nextScn === undefined || nextScn > limit ? limit : nextScn;
}
