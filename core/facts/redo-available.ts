import type { Scn } from "../values/scn.ts";
import { type Unopened, wrongWith } from "./redo-faults.ts";
import { type Log, maximum, passes, type Span, type ThreadRedo } from "./redo-logs.ts";

/**
 * The lowest SCN from `from` to `end` at which some thread was enabled and from which every thread has all it owes.
 *
 * What is wrong with a thread's logs rules out every SCN below a bound; above it, only holes between the SCNs of two logs do. So one cursor a
 * thread moves forward, and none ever goes back.
 */
export function firstAvailable(
  threads: readonly ThreadRedo[],
  from: Scn,
  end: Scn,
  unopened: Unopened,
): Scn | undefined {
  const cursors = threads.flatMap(({ logs, spans }) => spans.map((span) => cursorOver(logs, span, unopened)));
  const spans = threads.flatMap((thread) => thread.spans);
  let scn = from;
  for (;;) {
    const before = scn;
    for (const next of cursors) scn = next(scn);
    scn = enabledAtOrAbove(spans, scn) ?? end + 1n;
    if (scn > end) return undefined;
    if (scn === before) return scn;
  }
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
function cursorOver(logs: readonly Log[], span: Span, unopened: Unopened): (scn: Scn) => Scn {
  const bound = lowestSound(logs, span, unopened);
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

/** No SCN below this has every log that it needs, readable, without a missing sequence, and up to the end of the span. */
function lowestSound(logs: readonly Log[], span: Span, unopened: Unopened): Scn {
  const beyond = span.to + 1n;
  const nextOf = (log: Log) => (log.nextScn === undefined || log.nextScn > beyond ? beyond : log.nextScn);
  let bound = 0n;
  let later: Log | undefined;
  let highestLater = 0n;
  let reachesEnd = false;
  /** Missing sequences matter to SCNs that need a log on either side: below the highest end of those before, and of those after. */
  const breaks: { readonly index: number; readonly after: Scn }[] = [];
  for (let i = logs.length - 1; i >= 0; i--) {
    const log = logs[i];
    if (log === undefined) continue;
    if (later !== undefined && later.sequence > log.sequence + 1n) breaks.push({ index: i, after: highestLater });
    later = log;
    if (log.firstScn > span.to) continue;
    const next = nextOf(log);
    if (next >= beyond) reachesEnd = true;
    if ((!reachesEnd || wrongWith(log, unopened) !== undefined) && next > bound) bound = next;
    if (next > highestLater) highestLater = next;
  }
  let highestEarlier = 0n;
  let index = 0;
  for (const { index: last, after } of breaks.reverse()) {
    for (; index <= last; index++) {
      const log = logs[index];
      if (log !== undefined && log.firstScn <= span.to) highestEarlier = maximum(highestEarlier, nextOf(log));
    }
    const both = after < highestEarlier ? after : highestEarlier;
    bound = maximum(bound, both);
  }
  return reachesEnd ? bound : beyond;
}
