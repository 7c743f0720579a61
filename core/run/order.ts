import { epochMillis, type Instant } from "../values/instant.ts";
import type { RunStarted } from "./journal.ts";

type Started = Pick<RunStarted, "ordinal" | "subject"> & { readonly at: Instant };

/**
 * Runs in the order in which they were begun, oldest first. Those of one connector go by their ordinals, because a
 * clock can be set back; runs of earlier versions have none, come before and go by their time. Runs of different
 * connectors go by time, as far as that leaves the order of each connector.
 *
 * @param startedOf a run's first entry
 */
export function inOrder<T>(runs: readonly T[], startedOf: (run: T) => Started): readonly T[] {
  const byConnector = new Map<string, T[]>();
  for (const run of runs) {
    const { clusterId, connector } = startedOf(run).subject;
    const name = JSON.stringify([clusterId, connector]);
    byConnector.set(name, [...(byConnector.get(name) ?? []), run]);
  }
  const placed = [...byConnector.values()].flatMap((of) => {
    let latest = Number.NEGATIVE_INFINITY;
    return of
      .sort((a, b) => compare(startedOf(a), startedOf(b)))
      .map((run) => {
        latest = Math.max(latest, epochMillis(startedOf(run).at));
        return { run, at: latest };
      });
  });
  return placed.sort((a, b) => a.at - b.at).map(({ run }) => run);
}

function compare(a: Started, b: Started): number {
  const [one, other] = [a.ordinal ?? 0n, b.ordinal ?? 0n];
  return one === other ? epochMillis(a.at) - epochMillis(b.at) : one < other ? -1 : 1;
}

/**
 * The ordinal of the next run of a connector. @param earlier the first entries of all its runs in the state directory
 */
export function nextOrdinal(earlier: readonly Pick<RunStarted, "ordinal">[]): bigint {
  return earlier.reduce((high, { ordinal = 0n }) => (ordinal > high ? ordinal : high), 0n) + 1n;
}
