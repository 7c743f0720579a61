import type { RedoExamination } from "../../core/facts/redo/redo.ts";
import type { PartitionShown, TakeoverShown } from "../../core/plan/migration-plan.ts";
import type { Instant } from "../../core/values/instant.ts";
import { clip } from "./layout.ts";
import { counted, showInstant, showMillis } from "./quantities.ts";
import { redoField } from "./redo-sentences.ts";
import { type Field, field, items, type Table } from "./report/model.ts";

/** Where the legacy connector stands, and what follows from it, in sentences. Not escaped. */

/** `2169287, 2026-11-20 18:30:00Z`. */
export function timed(scn: bigint, at: Instant | undefined): string {
  return at === undefined ? scn.toString() : `${scn}, ${showInstant(at)}`;
}

export function lastDelivered({ lastDelivered: scn, lastDeliveredAt }: TakeoverShown): Field {
  return field("last delivered", scn === undefined ? "no table has a last commit" : timed(scn, lastDeliveredAt));
}

/** Specification, "Takeover rules", 5. */
export function overlap({ overlap: both }: TakeoverShown): Field {
  if (both === undefined) return field("overlap", "none: no commit at or after the start was delivered");
  const span = both.millis === undefined ? "" : `, ${showMillis(both.millis)}`;
  return field(
    "overlap",
    `${counted(both.scns, "SCN")}${span}: commits from ${both.from} to ${both.to} reach the new topics as well; ` +
      "an overlap, never a gap",
  );
}

export function redoFrom(redo: RedoExamination | undefined): Field {
  return redo === undefined
    ? field("redo", "whether it is all there can't be seen", "caution")
    : redoField(redo, "some");
}

/**
 * Every stored partition. A terminal shows the first, and, whatever their place, those that decide or are left out.
 */
export function partitionTable(takeover: TakeoverShown): Table {
  const noted = new Map(takeover.partitions.map((one) => [one, noteOn(one, takeover)]));
  return {
    is: "table",
    caption: "Stored partitions, the lowest SCN first; times are UTC",
    columns: ["stored partition", "scn", "", "cscn", "", ""].map((title) => ({ title })),
    rows: {
      ...items(takeover.partitions, "stored partition", () => ({ cells: [] })),
      first: (most) =>
        takeover.partitions
          .filter((one, at) => at < most || noted.get(one) !== "")
          .slice(0, 2 * most)
          .map((one) => {
            const { name, scn, at, commitScn, committedAt } = one;
            return {
              cells: [
                clip(name),
                `${scn}`,
                at === undefined ? "" : showInstant(at),
                commitScn?.toString() ?? "",
                committedAt === undefined ? "" : showInstant(committedAt),
                noted.get(one) ?? "",
              ],
            };
          }),
    },
  };
}

function noteOn({ leftOut, scn, commitScn }: PartitionShown, { startScn, lastDelivered: last }: TakeoverShown): string {
  if (leftOut) return "left out";
  if (scn === startScn) return "the lowest";
  return commitScn !== undefined && commitScn === last ? "the last commit" : "";
}
