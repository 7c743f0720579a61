import { waysBack } from "../../../core/checks/snapshot-gap.ts";
import { MOST_UNLISTED } from "../../../core/checks/snapshot-tables.ts";
import type { Gap, UnlistedTable } from "../../../core/facts/redo/gap.ts";
import { restoreCommands } from "../../../core/facts/redo/redo.ts";
import { COUNTS_GONE, type Evidence } from "../../../core/facts/tables/evidence.ts";
import type { TableModifications } from "../../../core/facts/tables/tables.ts";
import type { ResnapshotPlan, SnapshotShown } from "../../../core/plan/plan.ts";
import type { OffsetSubject } from "../../../core/run/subject.ts";
import { counted, showCount } from "../../../core/values/amounts.ts";
import type { Instant } from "../../../core/values/instant.ts";
import type { Advice } from "../../../core/values/remedy.ts";
import type { Tone } from "../colour.ts";
import { clip, NO_BREAK } from "../layout.ts";
import { showInstant, showMillis } from "../quantities.ts";
import { gapSentences } from "../redo-sentences.ts";
import {
  type Code,
  code,
  type Field,
  field,
  figures,
  type Items,
  items,
  notice,
  RANK,
  type Row,
  type Section,
  section,
  type Table,
  type Words,
} from "../report/model.ts";
import { connector, moved, moveInShort, offsetSection, ofOneConnector, picture, redo, torn } from "./connector.ts";
import { type KindView, meaning, NOT_KNOWN } from "./kind.ts";

/** A signal, and past a gap a move of the stored offset: the tables are what matters, and what is lost. */
export const resnapshot: KindView<ResnapshotPlan, OffsetSubject> = {
  ...ofOneConnector,
  plan(plan) {
    const { snapshot, move, cost } = plan;
    const { sections: before, said } = restoreFirst(plan);
    const fields = [
      ...snapshotFields(plan, snapshot),
      ...torn(plan, (many) => tornTables(plan, many)),
      ...(snapshot.gap === undefined ? [redo(plan, move?.to ?? "the stored position")] : []),
      connector(plan),
    ];
    return {
      connectors: plan.connector.name,
      before,
      said,
      listed: snapshot.unlisted.length > MOST_UNLISTED ? unlistedSection(plan) : [],
      inShort: moveInShort(plan) ?? {
        direction: snapshot.gap === undefined ? "signal only" : NOT_KNOWN,
        cost: counted(snapshot.tables.length, "table"),
      },
      change: [
        meaning(move === undefined ? signalOnly(plan) : moved(move, cost), fields),
        ...unlistedSection(plan),
        ...offsetSection(plan),
        ...picture(plan),
      ],
    };
  },
  aim: ({ direction, scn }) => (scn === undefined ? "signal only" : `${direction ?? "moved"} to ${scn}`),
};

/**
 * What stands before anything that skips changes: how redo that is gone is brought back. Nothing where no redo is gone.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?": purged is not lost.
 *
 * @returns `said`: the remedies of checks that it says already
 */
function restoreFirst({ snapshot, connector, redo }: ResnapshotPlan): {
  readonly sections: readonly Section[];
  readonly said: readonly Advice[];
} {
  const { gap } = snapshot;
  if (gap === undefined) return { sections: [], said: [] };
  const said = waysBack(gap);
  const shown = { title: "To be tried first", terminal: "no title", flush: true } as const;
  if (gap.restore.length === 0) {
    const none = `Redo is gone (${gap.code}), and there is no RMAN command that would bring it back.`;
    return { sections: section(RANK.outcome, [notice(none, "bad")], shown), said };
  }
  const without = (redo?.faults ?? []).filter((fault) => restoreCommands([fault]).length === 0).length;
  const before =
    `Redo is gone (${gap.code}). Nothing is lost if a backup still has it; ` + "first try to bring it back (RMAN):";
  const commands: Code = { is: "code", language: "sql", lines: items(gap.restore, "command", (one) => one) };
  const after =
    without === 0
      ? `Then start ${clip(connector.name)}: it goes on from ${gap.from}, and this plan is not needed.`
      : `That does not close the gap: RMAN can't restore ${counted(without, "fault")} of it, shown below.`;
  return { sections: section(RANK.refusals, [notice(before, "bad"), commands, notice(after)], shown), said };
}

/** Where the offset stays: that a signal is all. Undefined for any other plan. */
function signalOnly({ snapshot, redo }: ResnapshotPlan): string | undefined {
  if (snapshot.gap !== undefined || redo?.complete !== true) return undefined;
  return `a signal only: all redo is there, so the stored offset stays at ${redo.from} and no change is skipped`;
}

/** The gap, what is skipped, what is snapshotted, what is not; or that a signal is enough. */
function snapshotFields(plan: ResnapshotPlan, snapshot: SnapshotShown): readonly Field[] {
  const { gap } = snapshot;
  if (gap === undefined) return [...failedForNothing(plan), snapshotted(plan, snapshot)];
  return [
    gone(plan, gap),
    afterTheGap(plan, gap),
    ...skipped(plan, snapshot, gap),
    snapshotted(plan, snapshot),
    ...notNamed(plan, snapshot),
  ];
}

/** It stopped over redo that has come back since. */
function failedForNothing({ connector: { name, failedWith }, redo }: ResnapshotPlan): readonly Field[] {
  if (redo?.complete !== true || (failedWith !== "CDC-2001" && failedWith !== "CDC-2002")) return [];
  return [
    field(
      "failed",
      `with ${failedWith}, but the redo is all there by now: to start ${clip(name)} again is enough, and loses ` +
        "nothing; a snapshot is not needed for that",
      "good",
    ),
  ];
}

function gone({ redo }: ResnapshotPlan, gap: Gap): Field {
  if (redo === undefined) return field("gap", `${gap.code} ${clip(gap.message, 1000)}`, "bad");
  const { sentence, details } = gapSentences(redo);
  return field(
    "gap",
    sentence,
    "bad",
    items(details, "fault", (one) => one, "few"),
  );
}

function afterTheGap({ redo, world }: ResnapshotPlan, { to, toTime }: Gap): Field {
  if (to === undefined) return field("after it", "no SCN from which every log up to now is there", "bad");
  const at = toTime === undefined ? "" : `, ${showInstant(toTime)}`;
  if (redo !== undefined && to > redo.end)
    return field(
      "after it",
      `${to}${at}: where redo that is not archived yet begins; archive_only mines it after the next log switch`,
    );
  const now =
    redo === undefined
      ? "now"
      : redo.end < world.database.currentScn
        ? `the last that is archived (${redo.end})`
        : `now (${redo.end})`;
  return field("after it", `${to}${at}: the first SCN from which every log up to ${now} is there`);
}

function skipped({ cost }: ResnapshotPlan, { tables, captured }: SnapshotShown, { from, to }: Gap): readonly Field[] {
  if (to === undefined) return [];
  const millis = cost?.kind === "skipped" ? cost.millis : undefined;
  const span = millis === undefined ? "" : ` (${showMillis(millis)})`;
  const all = captured === undefined ? "every captured table" : `all ${counted(captured, "captured table")}`;
  const made =
    tables.length === 0
      ? ""
      : `; the snapshot brings the rows of the ${tables.length === 1 ? "one" : showCount(tables.length)} ` +
        "named up to date, deletes stay undelivered";
  return [field("skipped", `every commit from ${from} up to ${to}${span}, for ${all}${made}`, "bad")];
}

function snapshotted({ intent }: ResnapshotPlan, { tables, captured, signalsTopic }: SnapshotShown): Field {
  const [only] = tables;
  if (only === undefined) {
    const none = "none of the tables given is known to be captured";
    return field("snapshot", none, "caution", tableItems(intent.tables));
  }
  const of = captured === undefined ? "" : ` of ${counted(captured, "captured table")}`;
  const count = captured === undefined ? counted(tables.length, "table") : showCount(tables.length);
  return field("snapshot", `${count}${of}, by a signal to ${clip(signalsTopic)}`, undefined, tableItems(tables));
}

function tableItems(tables: readonly string[]): Items<Words> {
  return items(tables, "table", (table) => [{ code: clip(table, 500) }], "few");
}

function notNamed({ intent }: ResnapshotPlan, { unlisted, captured }: SnapshotShown): readonly Field[] {
  if (captured === undefined) return [];
  if (unlisted.length === 0) return [field("not named", "none: every captured table is snapshotted", "good")];
  const asserted = intent.skipGapForUnlistedTables;
  const changed = unlisted.some(({ evidence }) => evidence.says === "changed");
  return [
    field(
      "not named",
      `${counted(unlisted.length, "captured table")}, listed below: ${countsByEvidence(unlisted)}; ` +
        `${assertion(asserted, unlisted.length)}`,
      changed ? "bad" : "caution",
    ),
  ];
}

function assertion(asserted: "none" | "all" | readonly string[], count: number): string {
  const had = `that ${count === 1 ? "it" : "they"} had no changes in the gap`;
  if (asserted === "none") return `nobody has asserted ${had}`;
  const of = asserted === "all" ? "" : ` by name of ${showCount(asserted.length)}`;
  return `it is asserted${of} ${had}, and that is recorded`;
}

/** Which tables that concerns. Rule: reference: Oracle, "Torn transactions". */
function tornTables({ intent, snapshot }: ResnapshotPlan, many: boolean): string {
  const { waitForTransactions: wait } = intent;
  if (wait === undefined)
    return `; so in the named tables too, unless ${many ? "they have" : "it has"} ended before the snapshot reads`;
  const helps = snapshot.unlisted.length > 0 ? ", which helps the named tables only" : "";
  return `; apply waits for ${many ? "their" : "its"} end (at most ${showMillis(wait)})${helps}`;
}

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
function unlistedSection({ snapshot }: ResnapshotPlan): readonly Section[] {
  if (snapshot.gap === undefined || snapshot.unlisted.length === 0) return [];
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
      ...(rowScns ? figures("row SCN") : []),
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
      code(clip(table, LONGEST_NAME)),
      lastDdl === undefined ? missing("not known") : at(lastDdl),
      `${counts}${analyzed === undefined ? "" : `; statistics gathered ${at(analyzed)}`}`,
      ...(rowScns ? [rowScn === undefined ? missing("no rows") : code(`${rowScn}`)] : []),
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
function countsByEvidence(unlisted: readonly UnlistedTable[]): string {
  const count = (says: Evidence["says"]) => BigInt(unlisted.filter(({ evidence }) => evidence.says === says).length);
  const [changed, unknown, nothing] = [count("changed"), count("unknown"), count("nothing seen")];
  return [
    ...(changed === 0n ? [] : [`${showCount(changed)} changed (!)`]),
    ...(unknown === 0n ? [] : [`${showCount(unknown)} unknown (?)`]),
    ...(nothing === 0n ? [] : [`${showCount(nothing)} with nothing seen`]),
  ].join(", ");
}
