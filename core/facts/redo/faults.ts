import type { LogProbe } from "../../../schemas/generated/facts.ts";
import { showCount } from "../../values/amounts.ts";
import type { Scn } from "../../values/scn.ts";
import { fileOf, isArchived, isPurged, type Log, owedFrom, passes, type Span, type ThreadRedo } from "./logs.ts";
import type { RedoFault } from "./redo.ts";

/** Files that could not be opened, by name. */
export type Unopened = ReadonlyMap<string, LogProbe & { readonly opened: false }>;

/** A thread with the places in `logs` of those that can't be read, rising. */
export interface TriedThread extends ThreadRedo {
  readonly unreadable: readonly number[];
}

/** A thread with the results of opening its files. */
export function tried(thread: ThreadRedo, unopened: Unopened): TriedThread {
  const unreadable: number[] = [];
  const { logs } = thread;
  for (let i = 0; i < logs.length; i++) {
    const log = logs[i];
    if (log !== undefined && wrongWith(log, unopened) !== undefined) unreadable.push(i);
  }
  return { ...thread, unreadable };
}

/** The faults of a thread's redo from an SCN on, in order of sequence. */
export function faultsOf(thread: TriedThread, from: Scn, unopened: Unopened): readonly RedoFault[] {
  return owedFrom(thread, from).flatMap((owed) => faultsIn(thread, owed, unopened));
}

function faultsIn({ thread, logs, breaks, unreadable }: TriedThread, owed: Span, unopened: Unopened): RedoFault[] {
  const concerned = (log: Log) => log.firstScn <= owed.to && passes(log, owed.from);
  const start = logs.findIndex(concerned);
  const stop = logs.findLastIndex(concerned);
  const first = logs[start];
  const last = logs[stop];
  if (first === undefined || last === undefined) return [noLog(thread, owed)];
  const faults: RedoFault[] = [];
  if (first.firstScn > owed.from) faults.push(beginsTooLate(thread, owed.from, first));
  const missing = breaks.filter((at) => at > start && at <= stop);
  let met = 0;
  const missingUpTo = (place: number) => {
    for (let at = missing[met]; at !== undefined && at <= place; at = missing[++met]) {
      const [before, after] = [logs[at - 1], logs[at]];
      if (before !== undefined && after !== undefined) faults.push(sequenceMissing(thread, before, after));
    }
  };
  let run: Log[] = [];
  let runWrong: Wrong | undefined;
  const endRun = () => {
    if (runWrong !== undefined) for (const one of unreadableRun(thread, run, runWrong)) faults.push(one);
    run = [];
    runWrong = undefined;
  };
  for (const place of unreadable) {
    const log = logs[place];
    if (log === undefined || !concerned(log)) continue;
    const wrong = wrongWith(log, unopened);
    if (run.at(-1)?.sequence !== log.sequence - 1n || runWrong?.what !== wrong?.what) endRun();
    missingUpTo(place);
    run.push(log);
    runWrong = wrong;
  }
  endRun();
  missingUpTo(stop);
  if (last.nextScn !== undefined && last.nextScn <= owed.to)
    faults.push(endsTooEarly(thread, last, last.nextScn, owed.to));
  return faults;
}

interface Wrong {
  readonly reason: RedoFault["reason"];
  readonly what: string;
}

const DELETED: Wrong = { reason: "deleted in the catalogue", what: "purged: marked deleted in the catalogue" };
const EXPIRED: Wrong = { reason: "deleted in the catalogue", what: "purged: marked expired in the catalogue" };
const NAMELESS: Wrong = { reason: "without a name", what: "can't be read: the catalogue has no file name" };
const NO_MEMBER: Wrong = { reason: "online log unreadable", what: "still on line, but no member of it can be read" };

/** The CDC-2002 error with which a log would stop the task. */
function wrongWith(log: Log, unopened: Unopened): Wrong | undefined {
  if (isPurged(log)) return isArchived(log) && !log.deleted && log.status === "X" ? EXPIRED : DELETED;
  const file = fileOf(log);
  if (file === undefined) return isArchived(log) ? NAMELESS : NO_MEMBER;
  if (unopened.size === 0) return undefined;
  const probe = unopened.get(file);
  if (probe === undefined) return undefined;
  return isArchived(log)
    ? { reason: "cannot be opened", what: `can't be opened (${probe.code})` }
    : { reason: "online log unreadable", what: `still on line, but can't be opened (${probe.code})` };
}

/** Consecutive logs with the same problem are one fault. */
function unreadableRun(thread: bigint, run: readonly Log[], { reason, what }: Wrong): readonly RedoFault[] {
  const first = run[0];
  const last = run.at(-1);
  if (first === undefined || last === undefined) return [];
  const files = run.flatMap((log) => fileOf(log) ?? []);
  const [file] = files;
  const sample =
    file === undefined ? "" : `: ${file}${files.length > 1 ? ` and ${showCount(files.length - 1)} more` : ""}`;
  return [
    {
      code: "CDC-2002",
      reason,
      thread,
      fromSequence: first.sequence,
      toSequence: last.sequence,
      firstScn: first.firstScn,
      nextScn: last.nextScn,
      firstTime: firstTimeOf(first),
      nextTime: nextTimeOf(last),
      files,
      message: `${logsNamed(thread, first.sequence, last.sequence)} ${what}${sample}`,
    },
  ];
}

/** What the catalogue lacks. @param known of the range that it lacks */
function lacking(
  reason: RedoFault["reason"],
  thread: bigint | undefined,
  message: string,
  known: Partial<Omit<RedoFault, "code" | "reason" | "thread" | "message">> = {},
): RedoFault {
  return { files: [], ...known, code: "CDC-2001", reason, thread, message };
}

function sequenceMissing(thread: bigint, before: Log, after: Log): RedoFault {
  const fromSequence = before.sequence + 1n;
  const toSequence = after.sequence - 1n;
  return lacking(
    "sequence missing",
    thread,
    `${logsNamed(thread, fromSequence, toSequence)} missing: the catalogue goes from ${before.sequence} to ` +
      `${after.sequence}`,
    {
      fromSequence,
      toSequence,
      firstScn: before.nextScn,
      nextScn: after.firstScn,
      firstTime: nextTimeOf(before),
      nextTime: firstTimeOf(after),
    },
  );
}

function beginsTooLate(thread: bigint, from: Scn, first: Log): RedoFault {
  const { sequence, firstScn: nextScn } = first;
  const begin = `its first one, sequence ${sequence}, begins at ${nextScn}`;
  const toSequence = sequence > 1n ? sequence - 1n : undefined;
  return lacking("begins too late", thread, `thread ${thread} has no log for SCN ${from}: ${begin}`, {
    toSequence,
    firstScn: from,
    nextScn,
    nextTime: firstTimeOf(first),
  });
}

function endsTooEarly(thread: bigint, last: Log, next: Scn, to: Scn): RedoFault {
  return lacking(
    "ends too early",
    thread,
    `thread ${thread} has no log after sequence ${last.sequence}, which ends at ${next}; redo is owed up to ${to}`,
    { fromSequence: last.sequence + 1n, firstScn: next, nextScn: to + 1n, firstTime: nextTimeOf(last) },
  );
}

function noLog(thread: bigint, { from, to }: Span): RedoFault {
  const message = `thread ${thread} has no log at all from SCN ${from} to ${to}`;
  return lacking("no log at all", thread, message, { firstScn: from, nextScn: to + 1n });
}

export function noThread(from: Scn): RedoFault {
  return lacking("no log at all", undefined, `no redo thread was enabled at SCN ${from}`, { firstScn: from });
}

export function earlierIncarnation(from: Scn, resetlogsScn: Scn): RedoFault {
  return lacking(
    "begins too late",
    undefined,
    `SCN ${from} lies in an earlier incarnation: the redo of this one begins at ${resetlogsScn} (RESETLOGS)`,
    { firstScn: from, nextScn: resetlogsScn },
  );
}

/** The fault of a database without an archive destination that the connector can read. */
export function noDestination(name: string | undefined): RedoFault {
  return lacking(
    "no archive destination",
    undefined,
    name === undefined
      ? "no archive destination is both VALID and LOCAL"
      : `the archive destination ${name} (cdc.archive.destination) is not a VALID LOCAL one`,
  );
}

function logsNamed(thread: bigint, from: bigint, to: bigint): string {
  return from === to ? `thread ${thread} sequence ${from}` : `thread ${thread} sequences ${from} to ${to}`;
}

function firstTimeOf(log: Log) {
  return isArchived(log) ? log.firstTime : undefined;
}

function nextTimeOf(log: Log) {
  return isArchived(log) ? log.nextTime : undefined;
}
