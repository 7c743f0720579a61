import type { Scn } from "../../values/scn.ts";
import type { TriedThread } from "./faults.ts";
import { type Log, maximum, passes, type Span } from "./logs.ts";

/**
 * Answers for rising SCNs: the lowest one from `from` to `end` at which some thread was enabled and from which every
 * thread has all it owes.
 *
 * What is wrong with a thread's logs rules out every SCN below a bound; above it, only holes between the SCNs of two
 * logs do. So one cursor a thread moves forward, and none ever goes back.
 */
export function availability(threads: readonly TriedThread[], end: Scn): (from: Scn) => Scn | undefined {
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

/** Gives the lowest SCN at or above another from which one span is all there; asked with rising SCNs only. */
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
    // A span that is sound from its beginning asks nothing of the SCNs before it.
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
 * Missing sequences matter to an SCN that needs a log on either side of them: one below the highest end of those
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
