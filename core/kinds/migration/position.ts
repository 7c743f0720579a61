import type { Observed } from "../../facts/observed.ts";
import { ownOffset } from "../../facts/offset/stored-offset.ts";
import { availableFrom, redoSeenFrom } from "../../facts/redo/from.ts";
import { partitionMarks, timelineOf } from "../../timeline/position.ts";
import type { Mark, Timeline } from "../../timeline/timeline.ts";
import type { ReadsTakeover } from "./reading.ts";

/**
 * The picture of a takeover, or of the way back. The target is the lowest `scn` of the legacy connector's stored
 * offsets that count: there the new connector starts, as things stand, or the legacy one goes on. The new connector's
 * own offset is drawn on the way back.
 *
 * @param name of the new connector
 * @returns undefined where the stored offsets are no position: the findings say why
 */
export function migrationTimeline({ facts, takeover }: ReadsTakeover, name: string): Timeline | undefined {
  const { offsets, redo } = takeover;
  if (offsets === undefined) return undefined;
  const { legacy, next, settings, database, times, transactions } = facts;
  const { startScn, lastDelivered } = offsets;
  const back = facts.phase === "rollback";
  const own = ownOffset(back ? (next?.offsets ?? []) : [], settings.prefix);
  const partitions = partitionMarks(offsets.partitions, times);
  const delivered: readonly Mark[] =
    lastDelivered === undefined
      ? []
      : [{ mark: "last commit", scn: lastDelivered, at: timeOf(lastDelivered, times), of: legacy.name }];
  const timeline = timelineOf({
    stored: own.is === "stored" ? own.offset : undefined,
    target: startScn,
    firstAvailable: availableFrom(redo),
    currentScn: database.currentScn,
    redo: redoSeenFrom(startScn, facts, settings),
    transactions,
    journaled: back
      ? UNREAD
      : { known: true, value: [], source: "the legacy connector keeps no journal", at: facts.at },
    times,
    clock: { zone: database.zone, now: facts.at },
    of: { target: back ? legacy.name : name, "resume SCN": name, "last commit": name },
    more: [...partitions.marks, ...delivered],
  });
  return {
    ...timeline,
    ...(partitions.left === 0n ? {} : { moreStored: partitions.left }),
    unseen: [
      ...timeline.unseen,
      ...(own.is === "unreadable" ? [{ what: "stored offset" as const, why: own.why }] : []),
    ],
  };
}

const UNREAD: Observed<never> = {
  known: false,
  why: "the way back does not depend on them, so the journal was not read",
  source: "",
};

function timeOf(scn: bigint, times: ReadsTakeover["facts"]["times"]): Mark["at"] {
  return times.known ? times.value.find((one) => one.scn === scn)?.at : undefined;
}
