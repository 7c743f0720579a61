import type { ConnectorPlan, OffsetChangePlan } from "../../../core/plan/plan.ts";
import { onlyStarts } from "../../../core/plan/steps.ts";
import type { OffsetSubject } from "../../../core/run/subject.ts";
import { counted, showBytes } from "../../../core/values/amounts.ts";
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
  if (move !== undefined)
    return moved(
      move,
      cost,
      position.to === "restore" ? `; the offset from before run ${position.run}, field by field` : "",
    );
  if (!onlyStarts({ steps })) return undefined;
  return `start only: the stored offset is already at ${decided.scn} as requested, and stays unchanged`;
}

function costs({ cost, move }: ConnectorPlan): readonly Field[] {
  if (cost === undefined || move === undefined || cost.kind === "none") return [];
  if (cost.kind === "mined again") {
    const recognised =
      cost.recognisedUpTo === undefined
        ? "no last commit is stored, so delivered commits are delivered again"
        : `commits up to ${cost.recognisedUpTo} are recognised and not delivered twice`;
    const logs = `${counted(cost.archivedLogs, "archived log")}, ${showBytes(cost.bytes)}`;
    return [field("mined again", `${logs}; ${recognised}`)];
  }
  const span = cost.millis === undefined ? "" : ` (${showMillis(cost.millis)})`;
  return [
    field(
      "skipped",
      `every commit in between, from ${move.from} to ${move.to}${span}, is lost for all captured tables and not ` +
        "delivered later",
      "bad",
    ),
  ];
}
