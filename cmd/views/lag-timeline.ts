import type { LagReading } from "../../core/doctor/lag/lag-reading.ts";
import { lagQuestion } from "../../core/doctor/lag/redo-ahead.ts";
import { mapObserved } from "../../core/facts/observed.ts";
import { timelineOf } from "../../core/timeline/position.ts";
import type { Timeline } from "../../core/timeline/timeline.ts";

/** The picture of where the connector stands, as it was seen at the second look. */
export function lagTimeline({ facts, redo: ahead }: LagReading): Timeline {
  const { second, database, transactions, journaled, times } = facts;
  const question = lagQuestion(facts);
  return timelineOf({
    stored: second.stored.known ? second.stored.value : undefined,
    target: undefined,
    firstAvailable: ahead.known ? ahead.value.firstAvailable : undefined,
    currentScn: second.currentScn.known ? second.currentScn.value : undefined,
    redo: question.known
      ? mapObserved(facts.redo, (catalogue) => ({ catalogue, question: question.value, probes: undefined }))
      : question,
    transactions,
    journaled,
    times,
    clock: database.known ? { zone: database.value.zone, now: second.at } : undefined,
  });
}
