import { FIRST_START, liftedBetween } from "../../../core/facts/offset/moved-offset.ts";
import { nothingLost, recognitionBy } from "../../../core/facts/offset/recognition.ts";
import { decodeOffset } from "../../../core/facts/offset/stored-offset.ts";
import { cutText } from "../../../core/plan/diff.ts";
import type { ConnectorPlan, OffsetChangePlan } from "../../../core/plan/plan.ts";
import { onlyStarts } from "../../../core/plan/steps.ts";
import type { OffsetSubject } from "../../../core/run/subject.ts";
import { counted, showBytes } from "../../../core/values/amounts.ts";
import type { JsonObject } from "../../../core/values/json.ts";
import { showMillis } from "../quantities.ts";
import { type Field, field } from "../report/model.ts";
import { connector, moved, moveInShort, offsetSection, ofOneConnector, picture, redo, torn } from "./connector.ts";
import { type KindView, meaning, NOT_KNOWN } from "./kind.ts";

/** Moves the stored offset, or only starts the connector. */
export const offsetChange: KindView<OffsetChangePlan, OffsetSubject> = {
  ...ofOneConnector,
  plan(plan) {
    const { move } = plan;
    const fields = [
      ...costs(plan),
      ...cutChanged(plan),
      ...torn(plan),
      ...(move === undefined ? [] : [redo(plan, move.to)]),
      connector(plan),
    ];
    return {
      connectors: plan.connector.name,
      before: [],
      covered: [],
      inShort: moveInShort(plan) ?? {
        direction: onlyStarts(plan) ? "start only" : NOT_KNOWN,
        cost: onlyStarts(plan) ? "none" : NOT_KNOWN,
      },
      change: [...offsetSection(plan), meaning(direction(plan), fields), ...picture(plan)],
    };
  },
  aim: ({ direction: to, scn, control }) =>
    scn === undefined ? (control ?? "start only") : `${to ?? "moved"} to ${scn}`,
};

/** Undefined if nothing changes. */
function direction({ move, cost, intent: { position }, steps, decided }: OffsetChangePlan): string | undefined {
  if (move !== undefined && position.to === "lastRecorded")
    return move.from === undefined
      ? `unknown: no resume SCN can be read in the stored offset; mining starts at ${move.to}, field by field as recorded`
      : moved(move, cost, " by what the unreadable offset says; every field as recorded last");
  if (move !== undefined)
    return moved(
      move,
      cost,
      position.to === "restore" ? `; the offset from before run ${position.run}, field by field` : "",
    );
  if (!onlyStarts({ steps })) return undefined;
  return `start only: the stored offset is already at ${decided.scn} as requested, and stays unchanged`;
}

function costs({ cost, move, offset }: ConnectorPlan): readonly Field[] {
  if (cost === undefined || move === undefined || cost.kind === "none") return [];
  if (cost.kind === "mined again") {
    const logs = `${counted(cost.archivedLogs, "archived log")}, ${showBytes(cost.bytes)}`;
    return [field("mined again", `${logs}; ${deliveredAgain(offset?.after)}`)];
  }
  const span = cost.millis === undefined ? "" : ` (${showMillis(cost.millis)})`;
  const before = offset?.before == null ? undefined : decodeOffset(offset.before);
  const kept = before?.ok ? nothingLost(before.offset, move.to) : undefined;
  if (kept !== undefined)
    return [field("skipped", `no commit from ${move.from} to ${move.to}${span} is lost: ${kept.why}`)];
  return [
    field(
      "skipped",
      `every commit in between, from ${move.from} to ${move.to}${span}, is lost for all captured tables and not ` +
        "delivered later",
      "bad",
    ),
  ];
}

/** What the task recognises of what is mined again: by transaction, thread and address, as it does itself. */
function deliveredAgain(after: JsonObject | undefined): string {
  const decoded = after === undefined ? undefined : decodeOffset(after);
  if (decoded?.ok !== true) return "whether delivered commits are recognised is unknown";
  const { lastCommit, firstStart } = decoded.offset;
  if (firstStart !== undefined) return `the first-start cut stays: ${cutText(firstStart)}`;
  const recognition = recognitionBy(decoded.offset);
  switch (recognition.is) {
    case "all":
      return `commits up to ${recognition.upTo ?? lastCommit?.xid} are recognised and not delivered twice`;
    case "all but the last":
      return (
        `commits before ${recognition.upTo} are recognised and not delivered twice; the one at ${recognition.upTo} is ` +
        `delivered again: ${recognition.why}`
      );
    case "none":
      return `${recognition.why}, so delivered commits are delivered again`;
  }
}

/** What becomes of the first-start cut; nothing where it stays. */
function cutChanged({ offset }: ConnectorPlan): readonly Field[] {
  if (offset === undefined || offset.before === null) return [];
  const cut = liftedBetween(offset.before, offset.after);
  const restored = liftedBetween(offset.after, offset.before);
  if (cut !== undefined) {
    const why = "so that what was committed before the first start is delivered, too";
    return [
      field(
        "first start",
        `lifts the first-start cut at ${cut.floor}: ${FIRST_START.join(", ")} are removed, ${why}`,
        "caution",
      ),
    ];
  }
  if (restored === undefined) return [];
  return [field("first start", `restores the first-start cut at ${restored.floor}: ${cutText(restored)}`, "caution")];
}
