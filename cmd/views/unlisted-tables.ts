import type { UnlistedTable } from "../../core/facts/redo/gap.ts";
import { COUNTS_GONE, type Evidence } from "../../core/facts/tables/evidence.ts";
import type { TableModifications } from "../../core/facts/tables/tables.ts";
import type { ConnectorPlan } from "../../core/plan/plan.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { Tone } from "./colour.ts";
import { clip, NO_BREAK } from "./layout.ts";
import { counted, grouped, showInstant } from "./quantities.ts";
import { items, notice, RANK, type Row, type Section, section, type Table } from "./report/model.ts";

/** In this order they are shown. */
const WEIGHT = ["changed", "unknown", "nothing seen"] as const satisfies readonly Evidence["says"][];
/** Of the reasons for not seeing something, so many. */
const MOST_UNSEEN = 3;
const LONGEST_NAME = 500;
/** `2026-11-20 19:02:11Z`. */
const TIME = 20;

const MARKS: { readonly [says in Evidence["says"]]: readonly [mark: string, tone: Tone | undefined] } = {
  changed: ["!", "bad"],
  unknown: ["?", "caution"],
  "nothing seen": [" ", undefined],
};

/** Captured tables that a resnapshot does not name, with what is known of each; none where none loses anything. */
export function unlistedSection({ snapshot }: ConnectorPlan): readonly Section[] {
  if (snapshot?.gap === undefined || snapshot.unlisted.length === 0) return [];
  const { unlisted, gap } = snapshot;
  const sorted = WEIGHT.flatMap((says) => unlisted.filter(({ evidence }) => evidence.says === says));
  const rowScns = unlisted.some(({ evidence }) => evidence.rowScn !== undefined);
  const since = gap.fromTime === undefined ? `SCN ${gap.from}` : `${showInstant(gap.fromTime)} (SCN ${gap.from})`;
  const sentence =
    `What is known of the tables not named since ${since}. It is evidence, no proof: a delete leaves no row to ` +
    "look at, and modifications are counted only since statistics were gathered, and written down late.";
  const table: Table = {
    is: "table",
    caption: "What says that a table was changed comes first; times are UTC",
    columns: [
      { title: "table" },
      { title: "last DDL", least: TIME },
      { title: "modifications", wraps: true },
      ...(rowScns ? [{ title: "row SCN" }] : []),
    ],
    rows: items(sorted, "table", (one) => row(one, rowScns)),
  };
  const title = { title: "Tables that are not named", terminal: "no title" } as const;
  return [
    ...section(RANK.details, [notice(sentence)], title),
    ...section(RANK.details, [table, ...reasons(unlisted).map((why) => notice(why))]),
  ];
}

function row({ table, evidence }: UnlistedTable, rowScns: boolean): Row {
  const { says, lastDdl, modifications, analyzed, rowScn, unseen } = evidence;
  // What was counted is gone, yet everything was looked at.
  const missing = (word: string) => (unseen === undefined || unseen === COUNTS_GONE ? word : "not seen");
  // Both come from one look at the dictionary.
  const unmodified = lastDdl === undefined ? missing("none") : "none";
  const [mark, tone] = MARKS[says];
  const counts = modifications === undefined ? unmodified : modified(modifications);
  return {
    mark,
    tone,
    cells: [
      clip(table, LONGEST_NAME),
      lastDdl === undefined ? missing("not known") : at(lastDdl),
      `${counts}${analyzed === undefined ? "" : `; statistics gathered ${at(analyzed)}`}`,
      ...(rowScns ? [rowScn === undefined ? missing("no rows") : `${rowScn}`] : []),
    ],
  };
}

/** `12 inserts, 3 updates until 2026-11-20 19:10:00Z`. */
function modified({ inserts, updates, deletes, truncated, at: until }: TableModifications): string {
  const counts = [
    ...(truncated ? ["truncated"] : []),
    ...(inserts === 0n ? [] : [counted(inserts, "insert")]),
    ...(updates === 0n ? [] : [counted(updates, "update")]),
    ...(deletes === 0n ? [] : [counted(deletes, "delete")]),
  ].map((part) => part.replace(" ", NO_BREAK));
  return `${counts.length === 0 ? "none" : counts.join(", ")}${until === undefined ? "" : ` until ${at(until)}`}`;
}

/** Never broken at the end of a line. */
function at(instant: Instant): string {
  return showInstant(instant).replace(" ", NO_BREAK);
}

function reasons(unlisted: readonly UnlistedTable[]): readonly string[] {
  const tables = new Map<string, number>();
  for (const { evidence } of unlisted)
    if (evidence.unseen !== undefined) tables.set(evidence.unseen, (tables.get(evidence.unseen) ?? 0) + 1);
  const sorted = [...tables].sort(([, a], [, b]) => b - a);
  return [
    ...sorted
      .slice(0, MOST_UNSEEN)
      .map(([why, count]) => `not all is known of ${counted(count, "table")}: ${clip(why, 300)}`),
    ...(sorted.length > MOST_UNSEEN ? [`and ${counted(sorted.length - MOST_UNSEEN, "more reason")}`] : []),
  ];
}

/** `3 changed (!), 2 unknown (?), 34 with nothing seen`. */
export function countsByEvidence(unlisted: readonly UnlistedTable[]): string {
  const count = (says: Evidence["says"]) => BigInt(unlisted.filter(({ evidence }) => evidence.says === says).length);
  const [changed, unknown, nothing] = [count("changed"), count("unknown"), count("nothing seen")];
  return [
    ...(changed === 0n ? [] : [`${grouped(changed)} changed (!)`]),
    ...(unknown === 0n ? [] : [`${grouped(unknown)} unknown (?)`]),
    ...(nothing === 0n ? [] : [`${grouped(nothing)} with nothing seen`]),
  ].join(", ");
}
