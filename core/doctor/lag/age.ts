import { mapObserved, type Observed } from "../../facts/observed.ts";
import { type Instant, millisBetween } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { LagFacts } from "./lag-facts.ts";

/** How long ago an SCN was current. */
export interface Age {
  readonly at: Instant;
  /** Milliseconds up to the second look. */
  readonly millis: bigint;
  /** `log`: `at` is when the log that holds it was begun, so that the SCN is at most as old. */
  readonly by: "SCN" | "log";
  /**
   * Whose clock says what time it is now. This machine's may be set otherwise than the database's, by which `at` is.
   */
  readonly clock: "database" | "this machine";
}

/** Whether it is as old as that, and neither younger nor told by another clock. */
export function isExact({ by, clock }: Age): boolean {
  return by === "SCN" && clock === "database";
}

/**
 * How old an SCN is by the database's own clock: `SCN_TO_TIMESTAMP`, which remembers some days, and beyond that when
 * the archived log that holds it was begun (reference: Oracle, "Why is the connector behind?").
 */
export function ageOf(scn: Scn, facts: LagFacts): Observed<Age> {
  const { times, redo, second } = facts;
  const own = databaseNow(facts);
  const clock = own === undefined ? "this machine" : "database";
  const aged = (at: Instant, by: Age["by"]): Age => {
    return { at, millis: BigInt(Math.max(0, millisBetween(at, own ?? second.at))), by, clock };
  };
  const at = timeOf(scn, facts);
  if (at !== undefined) return { known: true, value: aged(at, "SCN"), source: "SCN_TO_TIMESTAMP", at: second.at };
  const begun = redo.known
    ? redo.value.archived.find(({ firstScn, nextScn }) => firstScn <= scn && scn < nextScn)?.firstTime
    : undefined;
  if (begun !== undefined)
    return { known: true, value: aged(begun, "log"), source: "V$ARCHIVED_LOG.FIRST_TIME", at: second.at };
  const forgotten = times.known ? `the database no longer knows when SCN ${scn} was current` : times.why;
  const unlisted = redo.known ? "no archived log that it lists holds it" : redo.why;
  const why = forgotten === unlisted ? forgotten : `${forgotten}; ${unlisted}`;
  return { known: false, why, source: "SCN_TO_TIMESTAMP, V$ARCHIVED_LOG.FIRST_TIME" };
}

/** The age of an SCN that may be unknown itself. */
export function ageOfObserved(scn: Observed<Scn>, facts: LagFacts): Observed<Age> {
  return scn.known ? ageOf(scn.value, facts) : scn;
}

/** What time it is by the database's clock; undefined where it does not tell: this machine's may differ. */
export function databaseNow(facts: LagFacts): Instant | undefined {
  const current = mapObserved(facts.second.currentScn, (scn) => timeOf(scn, facts));
  return current.known ? current.value : undefined;
}

function timeOf(scn: Scn, { times }: LagFacts): Instant | undefined {
  return times.known ? times.value.find((time) => time.scn === scn)?.at : undefined;
}
