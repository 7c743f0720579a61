import { earlierSnapshot } from "../../../core/checks/earlier-snapshots.ts";
import { gapRemedies } from "../../../core/checks/snapshot-gap.ts";
import { readsNoSignals, signalNeverRead } from "../../../core/checks/snapshot-signal.ts";
import { MOST_UNLISTED } from "../../../core/checks/snapshot-tables.ts";
import type { Gap, UnlistedTable } from "../../../core/facts/redo/redo.ts";
import { restoreCommands } from "../../../core/facts/redo/redo.ts";
import { COUNTS_GONE, type Evidence } from "../../../core/facts/tables/evidence.ts";
import type { ResnapshotPlan, SnapshotShown } from "../../../core/plan/plan.ts";
import { counted, showCount } from "../../../core/values/amounts.ts";
import type { Instant } from "../../../core/values/instant.ts";
import type { Advice } from "../../../core/values/remedy.ts";
import type { TableModifications } from "../../../schemas/generated/facts.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { NO_BREAK, showInstant, showMillis, trunc } from "../layout.ts";
import { gapSentences } from "../redo-sentences.ts";
import {
  type Cell,
  type Code,
  code,
  END,
  type Field,
  field,
  type Items,
  items,
  lines,
  notice,
  RANK,
  type Row,
  type Section,
  section,
  tableOf,
  type Words,
} from "../report/model.ts";
import { connector, moved, moveInShort, offsetSection, ofOneConnector, picture, redo, torn } from "./connector.ts";
import { type KindView, meaning, NOT_KNOWN } from "./kind.ts";

/** Signals a snapshot and, past a gap, moves the stored offset. Emphasises the tables, and what is lost. */
export const resnapshot: KindView<ResnapshotPlan, OffsetSubject> = {
  ...ofOneConnector,
  plan(plan) {
    const { snapshot, move, cost } = plan;
    const { sections: before, covered } = restoreFirst(plan);
    const fields = [
      ...snapshotFields(plan, snapshot),
      ...torn(plan, (many) => tornTables(plan, many)),
      ...(snapshot.gap === undefined ? [redo(plan, move?.to ?? "the stored position")] : []),
      connector(plan),
    ];
    return {
      connectors: plan.connector.name,
      before,
      covered,
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
 * How to restore missing redo; precedes anything that skips changes. Empty if no redo is missing.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?": purged is not lost.
 *
 * @returns `covered`: the remedies of checks that it already shows
 */
function restoreFirst({ snapshot, connector, redo }: ResnapshotPlan): {
  readonly sections: readonly Section[];
  readonly covered: readonly Advice[];
} {
  const { gap } = snapshot;
  if (gap === undefined) return { sections: [], covered: [] };
  const gapAdvice = gapRemedies(gap);
  const shown = { title: "Try this first", terminal: "no title", flush: true } as const;
  if (gap.restore.length === 0) {
    const none = `Redo is missing (${gap.code}), and no RMAN command can restore it.`;
    return { sections: section(RANK.outcome, [notice(none, "bad")], shown), covered: gapAdvice };
  }
  const without = (redo?.faults ?? []).filter((fault) => restoreCommands([fault]).length === 0).length;
  const before = `Redo is missing (${gap.code}). Nothing is lost if a backup has it; first try to restore it (RMAN):`;
  const commands: Code = { is: "code", language: "sql", lines: lines(gap.restore, "command") };
  const after =
    without === 0
      ? `Then start ${trunc(connector.name)}: it resumes from ${gap.from}, and this plan is not needed.`
      : `This does not close the gap: RMAN cannot restore ${counted(without, "fault")} of it, shown below.`;
  const refusal = [notice(before, "bad"), commands, notice(after)];
  return { sections: section(RANK.refusals, refusal, shown), covered: gapAdvice };
}

/** The sentence for a signal without a move. Undefined for any other plan. */
function signalOnly({ snapshot, redo }: ResnapshotPlan): string | undefined {
  if (snapshot.gap !== undefined || redo?.complete !== true) return undefined;
  return `signal only: all redo is present, so the stored offset stays at ${redo.from} and no change is skipped`;
}

/** The gap, what is skipped, and which tables are snapshotted or not; or that a signal is enough. */
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

/** The task stopped because of redo that has been restored since. */
function failedForNothing({ connector: { name, failedWith }, redo }: ResnapshotPlan): readonly Field[] {
  if (redo?.complete !== true || (failedWith !== "CDC-2001" && failedWith !== "CDC-2002")) return [];
  return [
    field(
      "failed",
      `with ${failedWith}, but all redo is present now: starting ${trunc(name)} again is enough and loses ` +
        "nothing; no snapshot is needed",
      "good",
    ),
  ];
}

function gone({ redo }: ResnapshotPlan, gap: Gap): Field {
  if (redo === undefined) return field("gap", `${gap.code} ${trunc(gap.message, 1000)}`, "bad");
  const { sentence, details } = gapSentences(redo);
  return field("gap", sentence, "bad", lines(details, "fault", "few"));
}

function afterTheGap({ redo, world }: ResnapshotPlan, { to, toTime }: Gap): Field {
  if (to === undefined) return field("after it", "no SCN from which every log up to now is present", "bad");
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
        ? `the last archived SCN (${redo.end})`
        : `now (${redo.end})`;
  return field("after it", `${to}${at}: the first SCN from which every log up to ${now} is present`);
}

/** Refusals because the connector would not take the snapshot. */
const NOT_TAKEN: ReadonlySet<string> = new Set(
  [earlierSnapshot, signalNeverRead, readsNoSignals].map(({ code }) => code),
);

function skipped(
  { cost, findings }: ResnapshotPlan,
  { tables, captured }: SnapshotShown,
  { from, to }: Gap,
): readonly Field[] {
  if (to === undefined) return [];
  const millis = cost?.kind === "skipped" ? cost.millis : undefined;
  const span = millis === undefined ? "" : ` (${showMillis(millis)})`;
  const all = captured === undefined ? "every captured table" : `all ${counted(captured, "captured table")}`;
  const made =
    tables.length === 0 || findings.some(({ code, effect }) => effect === "blocks" && NOT_TAKEN.has(code))
      ? ""
      : `; the snapshot brings the rows of the ${tables.length === 1 ? "one" : showCount(tables.length)} ` +
        "named up to date, but deletes are not delivered";
  return [field("skipped", `every commit from ${from} up to ${to}${span}, for ${all}${made}`, "bad")];
}

function snapshotted({ intent }: ResnapshotPlan, { tables, captured, signalsTopic }: SnapshotShown): Field {
  const [only] = tables;
  if (only === undefined) {
    const none = "none of the given tables is known to be captured";
    return field("snapshot", none, "caution", tableItems(intent.tables));
  }
  const of = captured === undefined ? "" : ` of ${counted(captured, "captured table")}`;
  const count = captured === undefined ? counted(tables.length, "table") : showCount(tables.length);
  return field("snapshot", `${count}${of}, by a signal to ${trunc(signalsTopic)}`, undefined, tableItems(tables));
}

function tableItems(tables: readonly string[]): Items<Words> {
  return items(tables, "table", (table) => [{ code: trunc(table, 500) }], "few");
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
  if (asserted === "none") return `not asserted ${had}`;
  const of = asserted === "all" ? "" : ` by name of ${showCount(asserted.length)}`;
  return `it is asserted${of} ${had}, and that is recorded`;
}

/** The tables affected by torn transactions. Rule: reference: Oracle, "Torn transactions". */
function tornTables({ intent, snapshot }: ResnapshotPlan, many: boolean): string {
  const { waitForTransactions: wait } = intent;
  if (wait === undefined)
    return `; this includes the named tables, unless ${many ? "they have" : "it has"} ended before the snapshot reads`;
  const helps = snapshot.unlisted.length > 0 ? ", which helps the named tables only" : "";
  return `; apply waits for ${many ? "them" : "it"} to end (at most ${showMillis(wait)})${helps}`;
}

/** Sort order of the display. */
const WEIGHT = ["changed", "unknown", "nothing seen"] as const satisfies readonly Evidence["says"][];
/** Maximum number of reasons shown for missing information. */
const MOST_UNSEEN = 3;
const LONGEST_NAME = 500;
/** `2026-11-20 19:02:11Z`. */
const TIME = 20;

const MARKS: { readonly [says in Evidence["says"]]: Pick<Row, "mark" | "tone"> } = {
  changed: { mark: "!", tone: "bad" },
  unknown: { mark: "?", tone: "caution" },
  "nothing seen": { mark: " " },
};

/** Captured tables that a resnapshot does not name, with what is known of each. Empty if no table loses changes. */
function unlistedSection({ snapshot }: ResnapshotPlan): readonly Section[] {
  if (snapshot.gap === undefined || snapshot.unlisted.length === 0) return [];
  const { unlisted, gap } = snapshot;
  const sorted = WEIGHT.flatMap((says) => unlisted.filter(({ evidence }) => evidence.says === says));
  const rowScns = unlisted.some(({ evidence }) => evidence.rowScn !== undefined);
  const since = gap.fromTime === undefined ? `SCN ${gap.from}` : `${showInstant(gap.fromTime)} (SCN ${gap.from})`;
  const sentence =
    `What is known of the tables not named since ${since}. This is evidence, not proof: a delete leaves no row ` +
    "behind, and modifications are counted only since statistics were gathered, and recorded late.";
  const table = tableOf(
    "Changed tables first; times are UTC",
    sorted,
    { what: "table", extent: "some", row: ({ evidence }) => MARKS[evidence.says] },
    [
      ["table", ({ table: name }) => code(trunc(name, LONGEST_NAME))],
      ["last DDL", lastDdlCell, { least: TIME }],
      ["modifications", modificationsCell, { wraps: true }],
      ...(rowScns ? [["row SCN", rowScnCell, END] as const] : []),
    ],
  );
  const title = { title: "Tables that are not named", terminal: "no title" } as const;
  return [
    ...section(RANK.details, [notice(sentence)], title),
    ...section(RANK.details, [table, ...reasons(unlisted).map((why) => notice(why))]),
  ];
}

/** Everything was read, but the counts have been discarded. */
function missing({ unseen }: Evidence, word: string): string {
  return unseen === undefined || unseen === COUNTS_GONE ? word : "not seen";
}

function lastDdlCell({ evidence }: UnlistedTable): string {
  return evidence.lastDdl === undefined ? missing(evidence, "not known") : at(evidence.lastDdl);
}

function modificationsCell({ evidence }: UnlistedTable): string {
  const { lastDdl, modifications, analyzed } = evidence;
  // Both come from one read of the dictionary.
  const unmodified = lastDdl === undefined ? missing(evidence, "none") : "none";
  const counts = modifications === undefined ? unmodified : modified(modifications);
  return `${counts}${analyzed === undefined ? "" : `; statistics gathered ${at(analyzed)}`}`;
}

function rowScnCell({ evidence }: UnlistedTable): Cell {
  return evidence.rowScn === undefined ? missing(evidence, "no rows") : code(`${evidence.rowScn}`);
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

/** An instant that is never wrapped. */
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
      .map(([why, count]) => `incomplete information for ${counted(count, "table")}: ${trunc(why, 300)}`),
    ...(sorted.length > MOST_UNSEEN ? [`and ${counted(sorted.length - MOST_UNSEEN, "more reason")}`] : []),
  ];
}

/** `3 changed (!), 2 unknown (?), 34 with nothing seen`. */
function countsByEvidence(unlisted: readonly UnlistedTable[]): string {
  const words = { changed: "changed (!)", unknown: "unknown (?)", "nothing seen": "with nothing seen" };
  return WEIGHT.map((says) => ({ says, count: unlisted.filter(({ evidence }) => evidence.says === says).length }))
    .filter(({ count }) => count > 0)
    .map(({ says, count }) => `${showCount(count)} ${words[says]}`)
    .join(", ");
}
