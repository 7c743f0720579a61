import type { Instant } from "../../values/instant.ts";
import { earliestByWrongHour } from "../../values/zone-change.ts";

/** The database server's clock: it says its offset from UTC (`+01:00`), and not by which rules that changes. */
export interface ServerClock {
  readonly zone: string;
  readonly now: Instant;
}

/**
 * By which offset times were converted, and from when on they may be an hour off: in one sentence, undefined where
 * every one is right whatever the rules.
 *
 * @param times as the database's statements give them: converted with the offset of now
 */
export function timesInDoubt({ zone, now }: ServerClock, times: readonly Instant[]): string | undefined {
  const earliest = earliestByWrongHour(zone, times, now);
  return earliest === undefined
    ? undefined
    : `times are converted with the database server's present offset, ${zone}; from before the last change of its ` +
        `clock, such as ${earliest}, they can be an hour off`;
}
