import { mapObserved, type Observed } from "../../facts/observed.ts";
import { type Instant, millisBetween } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { LagFacts } from "./lag-facts.ts";

/** How long ago an SCN was current. */
export interface Age {
  readonly at: Instant;
  /** Milliseconds until the second sample. */
  readonly millis: bigint;
  /** `log`: `at` is the first time of the log that holds the SCN, so this is an upper bound of its age. */
  readonly by: "SCN" | "log";
  /** Whose clock gave the current time. The clock of this machine may differ from the database's, which gave `at`. */
  readonly clock: "database" | "this machine";
}

/** Whether the age is exact: not an upper bound, and measured by the database's own clock. */
export function isExact({ by, clock }: Age): boolean {
  return by === "SCN" && clock === "database";
}

/**
 * Returns the age of an SCN by the database's own clock: from `SCN_TO_TIMESTAMP`, which covers some days, and beyond
 * that from the first time of the archived log that holds the SCN (reference: Oracle, "Why is the connector behind?").
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
  const forgotten = times.known ? `the database no longer maps SCN ${scn} to a time` : times.why;
  const unlisted = redo.known ? "no listed archived log contains it" : redo.why;
  const why = forgotten === unlisted ? forgotten : `${forgotten}; ${unlisted}`;
  return { known: false, why, source: "SCN_TO_TIMESTAMP, V$ARCHIVED_LOG.FIRST_TIME" };
}

/** The age of an SCN that may be unknown itself. */
export function ageOfObserved(scn: Observed<Scn>, facts: LagFacts): Observed<Age> {
  return scn.known ? ageOf(scn.value, facts) : scn;
}

/** The current time by the database's clock; undefined if unknown: the clock of this machine may differ. */
export function databaseNow(facts: LagFacts): Instant | undefined {
  const current = mapObserved(facts.second.currentScn, (scn) => timeOf(scn, facts));
  return current.known ? current.value : undefined;
}

function timeOf(scn: Scn, { times }: LagFacts): Instant | undefined {
  return times.known ? times.value.find((time) => time.scn === scn)?.at : undefined;
}
