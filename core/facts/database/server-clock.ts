import type { Instant } from "../../values/instant.ts";
import { earliestByWrongHour } from "../../values/zone-change.ts";

/** The database server's clock: it shows its offset from UTC (`+01:00`), but not the rules for changing it. */
export interface ServerClock {
  readonly zone: string;
  readonly now: Instant;
}

/**
 * Explains in one sentence with which offset times were converted, and which of them may be an hour off; undefined if
 * all are right whatever the rules.
 *
 * @param times as the database's statements return them: converted with the current offset
 */
export function timesInDoubt({ zone, now }: ServerClock, times: readonly Instant[]): string | undefined {
  const earliest = earliestByWrongHour(zone, times, now);
  return earliest === undefined
    ? undefined
    : `times are converted with the database server's current offset, ${zone}; times before the last change of its ` +
        `clock, such as ${earliest}, may be an hour off`;
}
