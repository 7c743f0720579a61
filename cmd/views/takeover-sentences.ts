import type { RedoExamination } from "../../core/facts/redo/redo.ts";
import type { PartitionShown, TakeoverShown } from "../../core/plan/migration-plan.ts";
import type { Instant } from "../../core/values/instant.ts";
import { type Consequence, consequence, withDetails } from "./consequence.ts";
import { counted, showInstant, showMillis } from "./quantities.ts";
import { redoSentences } from "./redo-sentences.ts";

/** Where the legacy connector stands, and what follows from it, in sentences. Not escaped. */

/** `2169287, 2026-11-20 18:30:00Z`. */
export function timed(scn: bigint, at: Instant | undefined): string {
  return at === undefined ? scn.toString() : `${scn}, ${showInstant(at)}`;
}

export function lastDelivered({ lastDelivered: scn, lastDeliveredAt }: TakeoverShown): Consequence {
  return consequence("last delivered", scn === undefined ? "no table has a last commit" : timed(scn, lastDeliveredAt));
}

/** Specification, "Takeover rules", 5. */
export function overlap({ overlap: both }: TakeoverShown): Consequence {
  if (both === undefined) return consequence("overlap", "none: no commit at or after the start was delivered");
  const span = both.millis === undefined ? "" : `, ${showMillis(both.millis)}`;
  return consequence(
    "overlap",
    `${counted(both.scns, "SCN")}${span}: commits from ${both.from} to ${both.to} reach the new topics as well; ` +
      "an overlap, never a gap",
  );
}

export function redoFrom(redo: RedoExamination | undefined, most: number): Consequence {
  if (redo === undefined) return consequence("redo", "whether it is all there can't be seen", "caution");
  const { sentence, details } = redoSentences(redo);
  return withDetails(consequence("redo", sentence, redo.complete ? undefined : "bad"), details, most);
}

export const PARTITION_HEAD = ["stored partition", "scn", "", "cscn", "", ""] as const;

/** A stored partition in six cells, below `PARTITION_HEAD`. */
export function partitionCells(one: PartitionShown, takeover: TakeoverShown): readonly string[] {
  const { name, scn, at, commitScn, committedAt } = one;
  return [
    name,
    scn.toString(),
    at === undefined ? "" : showInstant(at),
    commitScn?.toString() ?? "",
    committedAt === undefined ? "" : showInstant(committedAt),
    noteOn(one, takeover),
  ];
}

function noteOn({ leftOut, scn, commitScn }: PartitionShown, { startScn, lastDelivered: last }: TakeoverShown): string {
  if (leftOut) return "left out";
  if (scn === startScn) return "the lowest";
  return commitScn !== undefined && commitScn === last ? "the last commit" : "";
}

/**
 * The first `most` partitions, which have the lowest SCNs; and, whatever their place, those that decide or are left
 * out.
 */
export function partitionsShown(takeover: TakeoverShown, most: number): readonly PartitionShown[] {
  return takeover.partitions.filter((one, at) => at < most || noteOn(one, takeover) !== "");
}
