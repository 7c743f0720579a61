import { waysBack } from "../../core/checks/snapshot-gap.ts";
import type { Gap } from "../../core/facts/redo/gap.ts";
import { restoreCommands } from "../../core/facts/redo/redo.ts";
import type { ConnectorPlan, SnapshotShown } from "../../core/plan/plan.ts";
import type { Advice } from "../../core/values/remedy.ts";
import { clip } from "./layout.ts";
import { counted, grouped, showInstant, showMillis } from "./quantities.ts";
import { gapSentences } from "./redo-sentences.ts";
import {
  type Code,
  type Field,
  field,
  type Items,
  items,
  notice,
  RANK,
  type Section,
  section,
} from "./report/model.ts";
import { countsByEvidence } from "./unlisted-tables.ts";

/**
 * What stands before anything that skips changes: how redo that is gone is brought back. Nothing where no redo is gone.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?": purged is not lost.
 *
 * @returns `said`: the remedies of checks that it says already
 */
export function restoreFirst({ snapshot, connector, redo }: ConnectorPlan): {
  readonly sections: readonly Section[];
  readonly said: readonly Advice[];
} {
  const gap = snapshot?.gap;
  if (gap === undefined) return { sections: [], said: [] };
  const said = waysBack(gap);
  const shown = { title: "To be tried first", terminal: "no title", flush: true } as const;
  if (gap.restore.length === 0) {
    const none = `Redo is gone (${gap.code}), and there is no RMAN command that would bring it back: see the gap below.`;
    return { sections: section(RANK.outcome, [notice(none, "bad")], shown), said };
  }
  const without = (redo?.faults ?? []).filter((fault) => restoreCommands([fault]).length === 0).length;
  const before = `Redo is gone (${gap.code}). Nothing is lost if a backup still has it; first try to bring it back (RMAN):`;
  const commands: Code = { is: "code", language: "sql", lines: items(gap.restore, "command", (one) => one) };
  const after =
    without === 0
      ? `Then start ${clip(connector.name)}: it goes on from ${gap.from}, and this plan is not needed.`
      : `That does not close the gap: RMAN can't restore ${counted(without, "fault")} of it, shown below.`;
  return { sections: section(RANK.refusals, [notice(before, "bad"), commands, notice(after)], shown), said };
}

/** Where the offset stays: that a signal is all. Undefined for any other plan. */
export function signalOnly({ snapshot, redo }: ConnectorPlan): string | undefined {
  if (snapshot === undefined || snapshot.gap !== undefined || redo?.complete !== true) return undefined;
  return `a signal only: all redo is there, so the stored offset stays at ${redo.from} and no change is skipped`;
}

/** The gap, what is skipped, what is snapshotted, what is not; or that a signal is enough. */
export function snapshotFields(plan: ConnectorPlan, snapshot: SnapshotShown): readonly Field[] {
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
function failedForNothing({ connector: { name, failedWith }, redo }: ConnectorPlan): readonly Field[] {
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

function gone({ redo }: ConnectorPlan, gap: Gap): Field {
  if (redo === undefined) return field("gap", `${gap.code} ${clip(gap.message, 1000)}`, "bad");
  const { sentence, details } = gapSentences(redo);
  return field(
    "gap",
    sentence,
    "bad",
    items(details, "fault", (one) => one, "few"),
  );
}

function afterTheGap({ redo, world }: ConnectorPlan, { to, toTime }: Gap): Field {
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

function skipped({ cost }: ConnectorPlan, { tables, captured }: SnapshotShown, { from, to }: Gap): readonly Field[] {
  if (to === undefined) return [];
  const millis = cost?.kind === "skipped" ? cost.millis : undefined;
  const span = millis === undefined ? "" : ` (${showMillis(millis)})`;
  const all = captured === undefined ? "every captured table" : `all ${counted(captured, "captured table")}`;
  const made =
    tables.length === 0
      ? ""
      : `; the snapshot brings the rows of the ${tables.length === 1 ? "one" : grouped(BigInt(tables.length))} ` +
        "named up to date, deletes stay undelivered";
  return [field("skipped", `every commit from ${from} up to ${to}${span}, for ${all}${made}`, "bad")];
}

function snapshotted({ intent }: ConnectorPlan, { tables, captured, signalsTopic }: SnapshotShown): Field {
  const [only] = tables;
  if (only === undefined) {
    const named = intent.kind === "Resnapshot" ? intent.tables : [];
    const none = "none of the tables given is known to be captured";
    return field("snapshot", none, "caution", tableItems(named));
  }
  const of = captured === undefined ? "" : ` of ${counted(captured, "captured table")}`;
  const count = captured === undefined ? counted(tables.length, "table") : grouped(BigInt(tables.length));
  return field("snapshot", `${count}${of}, by a signal to ${clip(signalsTopic)}`, undefined, tableItems(tables));
}

function tableItems(tables: readonly string[]): Items<string> {
  return items(tables, "table", (table) => clip(table, 500), "few");
}

function notNamed({ intent }: ConnectorPlan, { unlisted, captured }: SnapshotShown): readonly Field[] {
  if (captured === undefined) return [];
  if (unlisted.length === 0) return [field("not named", "none: every captured table is snapshotted", "good")];
  const asserted = intent.kind === "Resnapshot" ? intent.skipGapForUnlistedTables : "none";
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
  const of = asserted === "all" ? "" : ` by name of ${grouped(BigInt(asserted.length))}`;
  return `it is asserted${of} ${had}, and that is recorded`;
}
