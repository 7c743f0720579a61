import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import { availableFrom, redoSeenFrom } from "../../facts/redo/from.ts";
import { timelineOf } from "../../timeline/position.ts";
import type { Timeline } from "../../timeline/timeline.ts";
import type { Scn } from "../../values/scn.ts";
import type { ConnectorReading } from "./reading.ts";

/**
 * The picture of the position that a plan shows. @param journalRead whether the journal was looked at: it takes a
 * while, and few changes need it
 */
export function plannedTimeline(
  { facts, stored, redo }: Pick<ConnectorReading, "facts" | "stored" | "redo">,
  target: Scn | undefined,
  journalRead: boolean,
): Timeline {
  const offset = stored.state === "stored" ? stored.offset : undefined;
  const { transactions, journaled, times, database } = facts;
  return timelineOf({
    stored: offset,
    target,
    firstAvailable: availableFrom(redo),
    currentScn: database.currentScn,
    redo: redoSeenFrom(lower(offset?.resumeScn, target) ?? 0n, facts, facts.connector),
    transactions,
    journaled: journalRead ? journaled : notRead(journaled),
    times,
    clock: { zone: database.zone, now: facts.at },
  });
}

function notRead({ source }: ConnectorFacts["journaled"]): Observed<never> {
  return { known: false, why: "this change does not depend on them, so the journal was not read", source };
}

function lower(a: Scn | undefined, b: Scn | undefined): Scn | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
