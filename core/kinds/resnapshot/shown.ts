import type { TableModifications } from "../../../schemas/generated/shared.ts";
import type { ResnapshotReading } from "../../checks/readings.ts";
import { gapRemedies } from "../../checks/snapshot-gap.ts";
import { type Gap, type RedoExamination, restoreCommands } from "../../facts/redo/redo.ts";
import { gapSentences } from "../../facts/redo/sentences.ts";
import { COUNTS_GONE, type Evidence } from "../../facts/tables/evidence.ts";
import {
  type Diff,
  NOT_KNOWN,
  type Note,
  note,
  placeOf,
  type Said,
  type Tone,
  type TryFirst,
  zoneNote,
} from "../../plan/plan.ts";
import { counted, showCount } from "../../values/amounts.ts";
import { showMillis } from "../../values/duration.ts";
import { showInstant } from "../../values/instant.ts";
import { lineOf } from "../../values/remedy.ts";
import { truncate } from "../../values/truncate.ts";
import {
  type ConnectorChange,
  connectorFigures,
  connectorNotes,
  moveSaid,
  offsetDiff,
  tornNotes,
} from "../connector/shown.ts";

type Change = ConnectorChange<"Resnapshot">;

/** What is known of the changes of each captured table that is not named. Never proof. */
type Unlisted = readonly { readonly table: string; readonly evidence: Evidence }[];

/** What a resnapshot says of itself: the tables, and what is lost, before everything else. */
export function resnapshotSaid(plan: Change, reading: ResnapshotReading): Said {
  const { gap, tables, evidence } = reading;
  const { redo } = plan;
  const unlisted = [...evidence].map(([{ fullName }, known]) => ({ table: fullName, evidence: known }));
  const captured = capturedIn(reading);
  const count = counted(tables.length, "table");
  const what = `${count} of ${truncate(plan.connector.name, 300)} on ${placeOf(plan)}`;
  const stays = redo?.complete === true ? `: the offset stays at ${redo.from}, nothing is skipped` : "";
  const moved = moveSaid(plan);
  const changed = unlisted.filter((one) => one.evidence.says === "changed");
  return {
    summary: moved === undefined ? `Snapshot ${what}${stays}` : `${moved.summary}; snapshot ${count}`,
    asks: moved === undefined ? `Snapshot ${what}` : `${moved.asks} and snapshot ${count}`,
    inShort: moved?.inShort ?? { change: reading.way === "signal" ? "signal only" : NOT_KNOWN, cost: count },
    first: gap && firstOf(plan, gap),
    diff: [...(gap === undefined ? [] : unlistedDiff(gap, unlisted)), ...offsetDiff(plan)],
    notes: [
      ...(gap === undefined || redo === undefined ? [] : gapNotes(plan, redo, gap, reading)),
      snapshotted(plan, reading),
      ...(gap === undefined || captured === undefined ? [] : [notNamed(plan, unlisted)]),
      ...tornNotes(plan, (many) => tornTables(plan, unlisted, many)),
      ...connectorNotes(plan),
      ...zoneNote(plan),
    ],
    figures: {
      ...moved?.figures,
      ...connectorFigures(plan),
      skipsCommits: redo && gap !== undefined,
      tables,
      capturedTables: captured,
      gapFrom: gap?.from,
      gapTo: gap?.to,
      ...(gap === undefined || captured === undefined
        ? {}
        : { unlistedTables: unlisted.map(({ table }) => table), changedTables: changed.map(({ table }) => table) }),
    },
  };
}

/**
 * How to restore missing redo; precedes anything that skips changes.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?": purged is not lost.
 */
function firstOf({ connector, redo }: Change, gap: Gap): TryFirst {
  const covers = gapRemedies(gap).map(lineOf);
  if (gap.restore.length === 0)
    return { why: `Redo is missing (${gap.code}), and no RMAN command can restore it.`, commands: [], covers };
  const without = (redo?.faults ?? []).filter((fault) => restoreCommands([fault]).length === 0).length;
  return {
    why: `Redo is missing (${gap.code}). First try to restore it from a backup (RMAN):`,
    commands: gap.restore,
    after:
      without === 0
        ? `Once it is back, start ${truncate(connector.name, 300)}: it resumes from ${gap.from}, and nothing is lost.`
        : `This does not close the gap: RMAN cannot restore ${counted(without, "fault")} of it, shown below.`,
    covers,
  };
}

function capturedIn({ captured }: ResnapshotReading): bigint | undefined {
  return captured.known ? BigInt(captured.tables.length) : undefined;
}

function gapNotes(plan: Change, redo: RedoExamination, gap: Gap, reading: ResnapshotReading): readonly Note[] {
  const { sentence, details } = gapSentences(redo);
  return [
    note("gap", sentence, "bad", undefined, details, "fault"),
    afterTheGap(redo, gap),
    ...skipped(plan, gap, reading),
  ];
}

function afterTheGap({ end }: RedoExamination, { to, toTime }: Gap): Note {
  if (to === undefined) return note("after it", "no SCN from which every log up to now is present", "bad");
  const at = `${to}${toTime === undefined ? "" : `, ${showInstant(toTime)}`}`;
  if (to > end)
    return note(
      "after it",
      `${at}: where redo that is not archived yet begins; archive_only mines it after the next log switch`,
    );
  return note("after it", `${at}: the first SCN from which every log up to ${end} is present`, undefined, "in full");
}

/** What is never delivered: never folded. */
function skipped({ cost, outcome }: Change, { from, to }: Gap, reading: ResnapshotReading): readonly Note[] {
  const captured = capturedIn(reading);
  const { tables } = reading;
  if (to === undefined) return [];
  const millis = cost?.kind === "skipped" ? cost.millis : undefined;
  const span = millis === undefined ? "" : ` (${showMillis(millis)})`;
  const all =
    captured === undefined
      ? "every captured table"
      : captured === 1n
        ? "the one captured table"
        : `all ${counted(captured, "captured table")}`;
  const made =
    tables.length === 0 || outcome.state === "blocked"
      ? ""
      : `; the snapshot brings the rows of the ${tables.length === 1 ? "one" : showCount(tables.length)} ` +
        "named up to date, but deletes are not delivered";
  const text = `every commit from ${from} up to ${to}${span}, for ${all}${made}`;
  return [note("skipped", text, "bad", "always")];
}

function snapshotted({ intent, steps }: Change, reading: ResnapshotReading): Note {
  const { tables, facts } = reading;
  const captured = capturedIn(reading);
  const listed = (tables.length === 0 ? intent.tables : tables).map((table) => truncate(table, 500));
  const none = "none of the given tables is known to be captured";
  if (captured === undefined || tables.length === 0)
    return note("snapshot", none, "caution", undefined, listed, "table");
  const stated = intent.capturedTables === undefined ? "" : ", as the plan file names them";
  const of = `${showCount(tables.length)} of ${counted(captured, "captured table")}${stated}`;
  const named = listed.length === 1 ? `: ${listed[0]}` : "";
  const created = steps.some((step) => step.step === "write-signal" && step.create === true);
  const topic = `${truncate(facts.connector.signalsTopic, 300)}${created ? ", created with one partition" : ""}`;
  const text = `${of}, by a signal to ${topic}${named}`;
  return note("snapshot", text, undefined, undefined, listed, "table");
}

function notNamed({ intent }: Change, unlisted: Unlisted): Note {
  if (unlisted.length === 0) return note("not named", "none: every captured table is snapshotted", "good", "in full");
  const changed = unlisted.some(({ evidence }) => evidence.says === "changed");
  const text =
    `${counted(unlisted.length, "captured table")}: ${countsByEvidence(unlisted)}; ` +
    `${assertion(intent.skipGapForUnlistedTables, unlisted.length)}`;
  return note("not named", text, changed ? "bad" : "caution", "always");
}

function assertion(asserted: "none" | "all" | readonly string[], count: number): string {
  const had = "to have had no changes in the gap";
  if (asserted === "none") return `not asserted ${had}`;
  const which = asserted === "all" ? (count === 1 ? "it is" : "all are") : counted(asserted.length, "is", "are");
  return `${which} asserted ${had}, which is recorded`;
}

/** The tables affected by torn transactions. Rule: reference: Oracle, "Torn transactions". */
function tornTables({ intent }: Change, unlisted: Unlisted, many: boolean): string {
  const { waitForTransactions: wait } = intent;
  if (wait === undefined)
    return `; this includes the named tables, unless ${many ? "they have" : "it has"} ended before the snapshot reads`;
  const helps = unlisted.length > 0 ? ", which helps the named tables only" : "";
  return `; apply waits for ${many ? "them" : "it"} to end (at most ${showMillis(wait)})${helps}`;
}

const WEIGHT = ["changed", "unknown", "nothing seen"] as const satisfies readonly Evidence["says"][];

const TONES: { readonly [says in Evidence["says"]]: Tone | undefined } = {
  changed: "bad",
  unknown: "caution",
  "nothing seen": undefined,
};

export const UNLISTED = "Tables that are not named";

/** Captured tables that a resnapshot does not name, with what is known of each: never folded. */
function unlistedDiff(gap: Gap, unlisted: Unlisted): readonly Diff[] {
  if (unlisted.length === 0) return [];
  const sorted = WEIGHT.flatMap((says) => unlisted.filter(({ evidence }) => evidence.says === says));
  const since = gap.fromTime === undefined ? `SCN ${gap.from}` : showInstant(gap.fromTime);
  return [
    {
      title: UNLISTED,
      what: "table",
      shown: "always",
      about: `Not named, and what is seen of them since ${since} (no proof: deletes leave no row):`,
      rows: sorted.map(({ table, evidence }) => ({
        label: truncate(table, 500),
        change: "unchanged",
        note: seen(evidence),
        tone: TONES[evidence.says],
      })),
    },
  ];
}

function seen(evidence: Evidence): string {
  const { lastDdl, modifications, analyzed, rowScn, unseen, says } = evidence;
  const counts = modifications === undefined ? [] : modified(modifications);
  const parts = [
    ...counts,
    ...(lastDdl === undefined ? [] : [`last DDL ${showInstant(lastDdl)}`]),
    ...(rowScn === undefined ? [] : [`row SCN ${rowScn}`]),
    ...(unseen === undefined
      ? []
      : [
          unseen === COUNTS_GONE && analyzed !== undefined
            ? `statistics gathered ${showInstant(analyzed)}: earlier counts are gone`
            : truncate(unseen, 300),
        ]),
  ];
  return parts.length === 0 ? says : parts.join("; ");
}

/** `12 inserts, 3 updates until 2026-11-20 19:10:00Z`. */
function modified({ inserts, updates, deletes, truncated, at: until }: TableModifications): readonly string[] {
  const counts = [
    ...(truncated ? ["truncated"] : []),
    ...(inserts === 0n ? [] : [counted(inserts, "insert")]),
    ...(updates === 0n ? [] : [counted(updates, "update")]),
    ...(deletes === 0n ? [] : [counted(deletes, "delete")]),
  ];
  if (counts.length === 0) return [];
  return [`${counts.join(", ")}${until === undefined ? "" : ` until ${showInstant(until)}`}`];
}

/** `3 changed (!), 2 unknown (?), 34 with nothing seen`. */
function countsByEvidence(unlisted: Unlisted): string {
  const words = { changed: "changed (!)", unknown: "unknown (?)", "nothing seen": "with nothing seen" };
  return WEIGHT.map((says) => ({ says, count: unlisted.filter(({ evidence }) => evidence.says === says).length }))
    .filter(({ count }) => count > 0)
    .map(({ says, count }) => `${showCount(count)} ${words[says]}`)
    .join(", ");
}
