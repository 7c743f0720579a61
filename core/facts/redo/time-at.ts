import type { Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { DatabaseSeen, ScnTime } from "../database/database.ts";
import type { Observed } from "../observed.ts";
import type { RedoCatalogue } from "./redo.ts";

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
