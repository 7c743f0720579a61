import type { ArchivedLog } from "../../../schemas/generated/facts.ts";
import { HOUR } from "../../values/duration.ts";
import { epochMillis, type Instant, instantOf } from "../../values/instant.ts";
import { ascending } from "../../values/lists.ts";
import { isReadable } from "./logs.ts";

export interface ThreadHistory {
  readonly thread: bigint;
  readonly logs: number;
  readonly bytes: bigint;
  /** The hour, from the beginning of a log on, in which most logs began. */
  readonly peak: { readonly since: Instant; readonly logs: number; readonly bytes: bigint };
}

/** How far back a thread's archived logs reach without a break. */
export interface ThreadReach {
  readonly thread: bigint;
  /** When the first of them begins; undefined if none can be read. */
  readonly since: Instant | undefined;
  /** Whether the one before it is gone: otherwise nothing shows how long logs are kept. */
  readonly purged: boolean;
}

type LogsByThread = ReadonlyMap<bigint, readonly ArchivedLog[]>;

/**
 * What each thread has archived since a moment, in order of thread; threads without any are omitted. Deleted logs
 * count: they were written.
 *
 * @param since milliseconds since the epoch
 */
export function historyOf(logs: LogsByThread, since: number): readonly ThreadHistory[] {
  return inOrder(logs).flatMap(([thread, own]): ThreadHistory[] => {
    const timed = own.flatMap(({ firstTime, bytes }) => {
      const at = firstTime === undefined ? Number.NEGATIVE_INFINITY : epochMillis(firstTime);
      return at < since ? [] : [{ at, bytes }];
    });
    timed.sort((a, b) => a.at - b.at);
    const peak = busiestHour(timed);
    return peak === undefined ? [] : [{ thread, logs: timed.length, bytes: sumOf(timed), peak }];
  });
}

/** The busiest of the hours that begin with a log; the first of several. @param logs in order of time */
function busiestHour(
  logs: readonly { readonly at: number; readonly bytes: bigint }[],
): ThreadHistory["peak"] | undefined {
  let most: { from: number; to: number } | undefined;
  let to = 0;
  for (const [from, { at }] of logs.entries()) {
    while ((logs[to]?.at ?? Number.POSITIVE_INFINITY) < at + HOUR) to++;
    if (most === undefined || to - from > most.to - most.from) most = { from, to };
  }
  if (most === undefined) return undefined;
  const within = logs.slice(most.from, most.to);
  return { since: instantOf(within[0]?.at ?? 0), logs: within.length, bytes: sumOf(within) };
}

function sumOf(logs: readonly { readonly bytes: bigint }[]): bigint {
  return logs.reduce((sum, { bytes }) => sum + bytes, 0n);
}

/** How far back each thread reaches from its newest archived log. */
export function reachOf(logs: LogsByThread): readonly ThreadReach[] {
  return inOrder(logs).map(([thread, own]) => {
    let since: Instant | undefined;
    let next: bigint | undefined;
    for (const log of own.toReversed()) {
      if (!isReadable(log)) return { thread, since, purged: true };
      if (next !== undefined && log.sequence !== next - 1n) return { thread, since, purged: true };
      since = log.firstTime ?? since;
      next = log.sequence;
    }
    return { thread, since, purged: false };
  });
}

/** Rule: the connector's own preflight, DOC-9: a warning above six switches in an hour, and a size for about four. */
export const MOST_SWITCHES = 6;
const WANTED_SWITCHES = 4n;
const STEP = 128n * 1024n * 1024n;

/** The size of online logs with which the busiest hour has about four switches: a multiple of 128 MiB. */
export function logSizeFor({ peak }: ThreadHistory): bigint {
  const wanted = peak.bytes / WANTED_SWITCHES;
  return ((wanted + STEP - 1n) / STEP) * STEP;
}

function inOrder(logs: LogsByThread): readonly (readonly [bigint, readonly ArchivedLog[]])[] {
  return [...logs].sort(ascending(([thread]) => thread));
}
