import type { LogProbe, RedoCatalogue } from "../../schemas/generated/facts.ts";
import {
  concerns,
  destinationOf,
  fileOf,
  isArchived,
  isPurged,
  isReadable,
  type Log,
  owedFrom,
  passes,
  type ThreadRedo,
  threadsOf,
} from "../facts/redo/logs.ts";
import type { RedoQuestion } from "../facts/redo/redo.ts";
import type { Scn } from "../values/scn.ts";
import { isGap, MOST_STRETCHES, type RedoState, type Stretch, type ThreadTimeline } from "./timeline.ts";

/**
 * The redo that each thread owes in stretches, from the log on that holds `question.from`. One pass over the catalogue.
 *
 * Online logs are shown in `archive_only` too: that the task waits for their archived copies doesn't make them a gap.
 *
 * @param probes what came of opening the files; undefined when they were not tried
 */
export function threadTimelines(
  catalogue: RedoCatalogue,
  question: RedoQuestion,
  probes: readonly LogProbe[] | undefined,
): readonly ThreadTimeline[] {
  const unopened = new Set((probes ?? []).flatMap(({ file, opened }) => (opened ? [] : [file])));
  const destination = destinationOf(catalogue.destinations, question.destination);
  const { threads } = threadsOf(catalogue, { ...question, captureMode: "online" }, destination?.id);
  return threads.flatMap((thread) => {
    const stretches = stretchesOf(thread, question, unopened);
    return stretches.length === 0 ? [] : [{ thread: thread.thread, stretches: fewer(stretches, MOST_STRETCHES) }];
  });
}

function stretchesOf(
  redo: ThreadRedo,
  { from, currentScn }: RedoQuestion,
  unopened: ReadonlySet<string>,
): readonly Stretch[] {
  const end = currentScn + 1n;
  // Everything from SCN 0 was asked for: nothing is missing before it.
  const owed = owedFrom(redo, from);
  const stretches: Stretch[] = [];
  let before: Log | undefined;
  for (const log of redo.logs) {
    if (!passes(log, from) || !concerns(log, owed)) continue;
    if (before === undefined) {
      const start = owed.find(({ to }) => to >= from)?.from;
      if (start !== undefined && from > 0n && log.firstScn > start) stretches.push(missing(start, log.firstScn));
    } else if (log.sequence > before.sequence + 1n) {
      const gap = between(before, log);
      if (owed.some(({ from, to }) => gap.from <= to && gap.to > from)) stretches.push(gap);
    }
    add(stretches, stretchOf(log, end, unopened));
    before = log;
  }
  const last = owed.at(-1);
  if (last === undefined) return stretches;
  if (before === undefined) return from === 0n ? stretches : [...stretches, missing(last.from, last.to + 1n)];
  if (before.nextScn !== undefined && before.nextScn <= last.to) stretches.push(missing(before.nextScn, last.to + 1n));
  return stretches;
}

/** Appends, or lengthens the stretch before where the same goes on. */
function add(stretches: Stretch[], next: Stretch): void {
  const last = stretches.at(-1);
  if (last === undefined || last.state !== next.state || last.toSequence !== (next.fromSequence ?? 0n) - 1n) {
    stretches.push(next);
    return;
  }
  stretches[stretches.length - 1] = joined(last, next, last.state);
}

function joined(first: Stretch, last: Stretch, state: RedoState): Stretch {
  return {
    state,
    from: first.from,
    to: last.to > first.to ? last.to : first.to,
    fromSequence: first.fromSequence ?? last.fromSequence,
    toSequence: last.toSequence ?? first.toSequence,
    fromTime: first.fromTime,
    toTime: last.toTime,
  };
}

function stretchOf(log: Log, end: Scn, unopened: ReadonlySet<string>): Stretch {
  const to = log.nextScn === undefined || log.nextScn > end ? end : log.nextScn;
  return {
    state: stateOf(log, unopened),
    from: log.firstScn,
    to: to > log.firstScn ? to : log.firstScn + 1n,
    fromSequence: log.sequence,
    toSequence: log.sequence,
    fromTime: isArchived(log) ? log.firstTime : undefined,
    toTime: isArchived(log) && log.nextScn !== undefined && log.nextScn <= end ? log.nextTime : undefined,
  };
}

function stateOf(log: Log, unopened: ReadonlySet<string>): RedoState {
  if (isPurged(log)) return "purged";
  const file = fileOf(log);
  if (!isReadable(log) || file === undefined || unopened.has(file)) return "unreadable";
  return isArchived(log) ? "archived" : "online";
}

function missing(from: Scn, to: Scn): Stretch {
  return { state: "missing", from, to };
}

/** The sequences between two logs, of which the catalogue has none. */
function between(before: Log, after: Log): Stretch {
  const from = before.nextScn ?? before.firstScn;
  return {
    ...missing(from, after.firstScn > from ? after.firstScn : from + 1n),
    fromSequence: before.sequence + 1n,
    toSequence: after.sequence - 1n,
    fromTime: isArchived(before) ? before.nextTime : undefined,
    toTime: isArchived(after) ? after.firstTime : undefined,
  };
}

/**
 * The stretches that a picture holds: if there are more, neighbours are shown as one, which is `in part` there when one
 * of them is not.
 */
export function fewer(stretches: readonly Stretch[], most: number): readonly Stretch[] {
  if (stretches.length <= most) return stretches;
  const each = Math.ceil(stretches.length / most);
  const merged: Stretch[] = [];
  for (let at = 0; at < stretches.length; at += each) {
    const group = stretches.slice(at, at + each);
    const [first, last] = [group[0], group.at(-1)];
    if (first === undefined || last === undefined) continue;
    const same = group.every(({ state }) => state === first.state);
    const state = same ? first.state : group.some((one) => isGap(one.state)) ? "in part" : "archived";
    merged.push(group.length === 1 ? first : joined(first, last, state));
  }
  return merged;
}
