import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { timelineOf } from "../../timeline/position.ts";
import type { Timeline } from "../../timeline/timeline.ts";
import type { Scn } from "../../values/scn.ts";
import { type ConnectorReading, redoQuestion } from "./reading.ts";

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
  const { probes, transactions, journaled, times, database } = facts;
  return timelineOf({
    stored: offset,
    target,
    firstAvailable: redo?.known && !redo.value.complete ? redo.value.firstAvailable : undefined,
    currentScn: database.currentScn,
    redo: mapObserved(facts.redo, (catalogue) => ({
      catalogue,
      question: { ...redoQuestion(facts), from: lower(offset?.resumeScn, target) ?? 0n },
      probes: probes.known && probes.value.applies ? probes.value.files : undefined,
    })),
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
