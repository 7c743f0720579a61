import type { TornTransaction } from "../../core/facts/transactions.ts";
import type { ConnectorPlan } from "../../core/plan/plan.ts";
import { onlyStarts, type PlannedStep } from "../../core/plan/steps.ts";
import { clip } from "./layout.ts";
import { offsetTable } from "./offset.ts";
import { meaning, type PlanParts, zoneNote } from "./plan-parts.ts";
import { counted, showBytes, showInstant, showMillis, standingOf } from "./quantities.ts";
import { redoField } from "./redo-sentences.ts";
import { type Field, field, figure, items, RANK, type Section, section } from "./report/model.ts";
import { restoreFirst, signalOnly, snapshotFields } from "./resnapshot.ts";
import { unlistedSection } from "./unlisted-tables.ts";

/** What is peculiar to a change of one connector: its stored offset, and of a resnapshot its tables. */
export function connectorParts(plan: ConnectorPlan): PlanParts {
  const { sections: before, said } = restoreFirst(plan);
  const what = meaning(direction(plan), consequences(plan));
  const picture = section(RANK.figure, figure(plan.timeline), { title: "The position", terminal: "no title" });
  return {
    connectors: plan.connector.name,
    before,
    said,
    // Of a resnapshot the tables are what matters, and what is lost.
    change:
      plan.snapshot === undefined
        ? [...offset(plan), what, ...picture]
        : [what, ...unlistedSection(plan), ...offset(plan), ...picture],
  };
}

function offset(plan: ConnectorPlan): readonly Section[] {
  // Without an offset that changes, only a gap has times to show.
  if (plan.offset === undefined && plan.snapshot?.gap === undefined) return [];
  const rows = plan.offset === undefined ? [] : [offsetTable(plan.offset.rows)];
  return section(RANK.subject, [...rows, ...zoneNote(plan)], { title: "The stored offset", terminal: "no title" });
}

/**
 * What the change means: redo mined again, commits lost, transactions torn, the redo's state, the connector. Of a
 * resnapshot: the gap and what follows from it for each table.
 */
function consequences(plan: ConnectorPlan): readonly Field[] {
  const { snapshot } = plan;
  return [
    ...(snapshot === undefined ? costs(plan) : snapshotFields(plan, snapshot)),
    ...torn(plan),
    ...(snapshot?.gap === undefined ? redo(plan) : []),
    connector(plan),
  ];
}

/** The change in one phrase: `backward by 35224 SCNs, 32 min 11 s`. Undefined where there is none to tell. */
function direction(plan: ConnectorPlan): string | undefined {
  const { move, cost, intent } = plan;
  if (move === undefined) return signalOnly(plan) ?? startOnly(plan);
  const millis = cost === undefined || cost.kind === "none" ? undefined : cost.millis;
  const span = millis === undefined ? "" : `, ${showMillis(millis)}`;
  const restored =
    intent.kind === "OffsetChange" && intent.position.to === "restore"
      ? `; the offset as it was before run ${intent.position.run}, field by field`
      : "";
  switch (move.direction) {
    case "backward":
    case "forward":
      return `${move.direction} by ${move.distance} ${move.distance === 1n ? "SCN" : "SCNs"}${span}${restored}`;
    case "same":
      return `same: the resume SCN stays ${move.to}${restored}`;
    case "initial":
      return `initial: no offset is stored; mining starts at ${move.to}`;
  }
}

function startOnly({ steps, decided }: ConnectorPlan): string | undefined {
  if (!onlyStarts({ steps })) return undefined;
  return `a start only: the stored offset is already as wanted, at ${decided.scn}, and stays as it is`;
}

function costs({ cost, move }: ConnectorPlan): readonly Field[] {
  if (cost === undefined || move === undefined || cost.kind === "none") return [];
  if (cost.kind === "mined again") {
    const recognised =
      cost.recognisedUpTo === undefined
        ? "no last commit is stored, so what was delivered is delivered again"
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

function torn({ torn: transactions, move, intent, snapshot }: ConnectorPlan): readonly Field[] {
  if (transactions.length === 0 || move === undefined) return [];
  const many = transactions.length > 1;
  const journaled = transactions.filter(({ seenIn }) => seenIn !== "GV$TRANSACTION").length;
  const kept =
    journaled === 0 || move.from === undefined
      ? ""
      : journaled === transactions.length
        ? ", but for what the journal holds, which is restored"
        : `, but for what the journal holds of ${journaled} of them, which is restored`;
  const all = items(transactions, "transaction", tornTransaction, "few");
  const one = field(
    "torn",
    `${counted(transactions.length, "open transaction")} began before ${move.to}: ${many ? "their" : "its"} ` +
      `changes before it are lost${kept}; those after it are ` +
      `delivered${tornTables(intent, many, (snapshot?.unlisted.length ?? 0) > 0)}`,
    "bad",
    all,
  );
  return [one];
}

/** Which tables that concerns, where some are snapshotted. Rule: reference: Oracle, "Torn transactions". */
function tornTables(intent: ConnectorPlan["intent"], many: boolean, unlisted: boolean): string {
  if (intent.kind !== "Resnapshot") return "";
  return intent.waitForTransactions === undefined
    ? `; so in the named tables too, unless ${many ? "they have" : "it has"} ended before the snapshot reads`
    : `; apply waits for ${many ? "their" : "its"} end (at most ` +
        `${showMillis(intent.waitForTransactions)})${unlisted ? ", which helps the named tables only" : ""}`;
}

function tornTransaction({ xid, startScn, startedAt, user, clientId, seenIn }: TornTransaction): string {
  const who = [user, clientId === undefined ? undefined : `client ${clientId}`].filter((part) => part !== undefined);
  const since = startedAt === undefined ? "" : `, ${showInstant(startedAt)}`;
  const where = seenIn === "both" ? "open, and in the journal" : seenIn === "journal" ? "in the journal" : "open";
  return (
    `${clip(xid, 60)}  from ${startScn}${since}${who.length === 0 ? "" : `, ${clip(who.join(", "), 120)}`}; ` +
    `${where}`
  );
}

function redo(plan: ConnectorPlan): readonly Field[] {
  const { move, snapshot } = plan;
  if (move === undefined && snapshot === undefined) return [];
  if (plan.redo === undefined) {
    const from = move?.to ?? "the stored position";
    return [field("redo", `whether it is all there from ${from} on can't be seen`, "caution")];
  }
  return [redoField(plan.redo, "few")];
}

function connector({ connector: shown, steps, outcome }: ConnectorPlan): Field {
  return field("connector", `${standingOf(shown)}; ${whatHappens(shown.state, steps, outcome.state)}`);
}

function whatHappens(state: string, steps: readonly PlannedStep[], outcome: ConnectorPlan["outcome"]["state"]): string {
  if (outcome !== "ready") return "it is left as it is";
  const will = (name: PlannedStep["step"]) => steps.some(({ step }) => step === name);
  if (will("start-connector")) return will("stop-connector") ? "it will be stopped and started" : "it will be started";
  if (!will("stop-connector")) return state === "RUNNING" ? "it is not stopped" : "it is left as it is";
  const resumed = will("resume-connector");
  if (state === "STOPPED") return resumed ? "it will be resumed" : "it stays stopped";
  return resumed ? "it will be stopped and resumed" : "it will be stopped and stays stopped";
}
