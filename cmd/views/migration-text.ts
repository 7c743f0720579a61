import type { MigrationPlan, TakeoverShown } from "../../core/plan/migration-plan.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { largest } from "../../core/values/extremes.ts";
import type { Paint } from "./colour.ts";
import type { Consequence } from "./consequence.ts";
import { translationConsequences } from "./cutover-sentences.ts";
import { clip, hanging, pad, widthOf, wrap } from "./layout.ts";
import { migrationAim, migrationConsequences } from "./migration-sentences.ts";
import { zoneNote } from "./plan-sentences.ts";
import { counted } from "./quantities.ts";
import { PARTITION_HEAD, partitionCells, partitionsShown } from "./takeover-sentences.ts";
import { timelineLines } from "./timeline-text.ts";

/** Of each list this many are shown; the JSON view has them all. */
const MOST_DETAILS = 30;
const MOST_PARTITIONS = 20;

/** What a phase of a migration is and means, for a terminal. */
export function migrationLines(
  plan: MigrationPlan,
  width: number,
  paint: Paint,
  shown: (one: Consequence) => readonly string[],
): readonly string[] {
  const { migration } = plan;
  const takeover = migration.phase === "cutover" || migration.phase === "rollback" ? migration.takeover : undefined;
  return [
    ...wrap(migrationAim(plan), width - 2).map((line) => `  ${paint("strong", line)}`),
    "",
    ...(takeover === undefined ? [] : [...partitionLines(takeover, width), ...zone(plan, width, paint), ""]),
    ...migrationConsequences(plan, MOST_DETAILS).flatMap(shown),
    "",
    ...(plan.timeline === undefined ? [] : [...timelineLines(plan.timeline, width, paint), ""]),
    ...(migration.phase === "cutover"
      ? [...translationConsequences(plan, migration, MOST_DETAILS).flatMap(shown), ""]
      : []),
  ];
}

function zone(plan: MigrationPlan, width: number, paint: Paint): readonly string[] {
  const note = zoneNote(plan);
  return note === undefined ? [] : wrap(note, width - 2).map((line) => `  ${paint("quiet", line)}`);
}

/** A table where it fits; else one partition after the other. */
function partitionLines(takeover: TakeoverShown, width: number): readonly string[] {
  const some = partitionsShown(takeover, MOST_PARTITIONS);
  const rows = [PARTITION_HEAD, ...some.map((one) => partitionCells(one, takeover))].map((row) =>
    row.map((cell) => escapeTerminal(clip(cell))),
  );
  const widths = PARTITION_HEAD.map((_, at) => largest(rows.map((row) => widthOf(row[at] ?? ""))));
  // Of SCNs whose times nobody knows no column is left empty.
  const used = widths.flatMap((of, at) => (of === 0 ? [] : [at]));
  const table = rows.map((row) => `  ${used.map((at) => pad(row[at] ?? "", widths[at] ?? 0)).join("  ")}`.trimEnd());
  const left = takeover.partitions.length - some.length;
  return [
    ...(table.every((line) => widthOf(line) <= width)
      ? table
      : ["  stored partitions", ...some.flatMap((one) => partitionItem(partitionCells(one, takeover), width))]),
    ...(left === 0 ? [] : [`  and ${counted(left, "more stored partition")}; --format json has them all`]),
  ];
}

function partitionItem(
  [name = "", scn, at, cscn, committedAt, note]: readonly string[],
  width: number,
): readonly string[] {
  const time = (of: string | undefined) => (of === undefined || of === "" ? "" : `, ${of}`);
  const parts = [
    `scn ${scn}${time(at)}`,
    ...(cscn === undefined || cscn === "" ? [] : [`cscn ${cscn}${time(committedAt)}`]),
    ...(note === undefined || note === "" ? [] : [note]),
  ];
  return [...hanging("  ", 4, clip(name), width), ...hanging("      ", 6, parts.join("; "), width)];
}
