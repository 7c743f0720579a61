import { decodeOffset, nothingLost } from "../../../core/facts/offset/stored-offset.ts";
import { cutChange, deliveredAgain } from "../../../core/plan/diff.ts";
import type { ConnectorPlan, OffsetChangePlan } from "../../../core/plan/plan.ts";
import { onlyStarts } from "../../../core/plan/steps.ts";
import { counted, showBytes } from "../../../core/values/amounts.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { showMillis } from "../layout.ts";
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
      ? `unknown: no resume SCN can be read in the stored offset; mining starts at ${move.to}, every field as recorded`
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

/** What becomes of the first-start cut; nothing where it stays. */
function cutChanged({ offset }: ConnectorPlan): readonly Field[] {
  const text = offset === undefined ? undefined : cutChange(offset);
  return text === undefined ? [] : [field("first start", text, "caution")];
}
