import type { Cost, DiffRow as FieldRow, TornTransaction } from "../../../schemas/generated/plan.ts";
import { statusOf } from "../../facts/connector/connector.ts";
import type { Move } from "../../facts/offset/move.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import { redoSentences } from "../../facts/redo/sentences.ts";
import {
  type ChangeShown,
  type ConnectorPlan,
  type Diff,
  NOT_KNOWN,
  type Note,
  note,
  placeOf,
  roughly,
} from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { counted, showBytes } from "../../values/amounts.ts";
import { showMillis } from "../../values/duration.ts";
import { showInstant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";

/** What offset changes and resnapshots show alike: the stored offset, torn transactions, the redo, the connector. */

export function offsetDiff({ offset }: Pick<ConnectorPlan, "offset">): readonly Diff[] {
  if (offset === undefined) return [];
  return [{ title: "Stored offset", what: "field", rows: offset.rows.map(fieldRow) }];
}

function fieldRow({ field, ...row }: FieldRow): Diff["rows"][number] {
  return { label: truncate(field, 60), ...row };
}

/** What a plan says of a move: `Move orders-cdc on prod back 32 min 11 s, 35,224 SCNs`. */
export function moveShown(
  plan: Pick<ConnectorPlan, "world" | "intent" | "connector" | "cost">,
  { direction, distance, to }: Move,
): Pick<ChangeShown, "summary" | "asks"> {
  const { connector, cost } = plan;
  const millis = cost === undefined || cost.kind === "none" ? undefined : cost.millis;
  const scns = counted(distance, "SCN");
  const of = `${truncate(connector.name, 300)} on ${placeOf(plan)}`;
  const far = (long: (millis: bigint) => string) => (millis === undefined ? "" : ` ${long(millis)}`);
  switch (direction) {
    case "backward":
    case "forward": {
      const way = direction === "backward" ? "back" : "forward";
      return {
        summary: `Move ${of} ${way}${far(showMillis)}${millis === undefined ? " " : ", "}${scns}`,
        asks: `Move ${of} ${way}${far(roughly)} to SCN ${to}`,
      };
    }
    case "same":
      return { summary: `Set the offset of ${of}; the resume SCN stays ${to}`, asks: `Set the offset of ${of}` };
    case "initial":
      return { summary: `Start ${of} at ${to}: no offset is stored`, asks: `Store an offset for ${of} at SCN ${to}` };
  }
}

/** Direction and cost of a move in a few words; undefined without one. */
export function moveInShort({ move, cost }: Pick<ConnectorPlan, "move" | "cost">): ChangeShown["inShort"] | undefined {
  if (move === undefined) return undefined;
  const { direction } = move;
  return { change: direction, cost: cost === undefined ? NOT_KNOWN : COSTS[cost.kind](cost as never) };
}

const COSTS: { readonly [K in Cost["kind"]]: (cost: Extract<Cost, { kind: K }>) => string } = {
  none: () => "none",
  skipped: ({ millis }) => `skips ${millis === undefined ? "commits" : showMillis(millis)}`,
  "mined again": ({ archivedLogs, bytes }) => `${counted(archivedLogs, "archived log")}, ${showBytes(bytes)}`,
};

/** Torn transactions are lost in part: never folded. @param tables the affected tables, when some are snapshotted */
export function tornNotes(
  { torn, move }: Pick<ConnectorPlan, "torn" | "move">,
  tables: (many: boolean) => string = () => "",
): readonly Note[] {
  if (torn.length === 0 || move === undefined) return [];
  const many = torn.length > 1;
  return [
    note(
      "torn",
      `${counted(torn.length, "open transaction")} began before ${move.to}: ${many ? "their" : "its"} ` +
        `changes before it are lost; those after it are delivered${tables(many)}`,
      "bad",
      undefined,
      torn.map((one) => tornTransaction(one, move.to)),
      "transaction",
    ),
  ];
}

function tornTransaction({ xid, startScn, startedAt, user, clientId, seenIn }: TornTransaction, target: Scn): string {
  const who = [user, clientId === undefined ? undefined : `client ${clientId}`].filter((part) => part !== undefined);
  const since = startedAt === undefined ? "" : `, ${showInstant(startedAt)}`;
  const where = {
    GV$TRANSACTION: "open",
    both: "open, and in the journal",
    journal: `in the journal; if it committed before ${target}, all of it is lost`,
  }[seenIn];
  const by = who.length === 0 ? "" : `, ${truncate(who.join(", "), 120)}`;
  return `${truncate(xid, 60)}  from ${startScn}${since}${by}; ${where}`;
}

/** Complete redo is said in a word; what is at fault is listed. @param from where it begins, if it is unknown */
export function redoNotes(seen: RedoExamination | undefined, from?: Scn | string): readonly Note[] {
  if (seen === undefined) {
    const onwards = from === undefined ? "" : ` from ${from} onwards`;
    return [note("redo", `whether it is complete${onwards} is unknown`, "caution")];
  }
  const { sentence, details } = redoSentences(seen);
  if (seen.complete) return [note("redo", sentence, undefined, undefined, details, "fault")];
  return [note("redo", sentence, "bad", "always", details, "fault")];
}

export function connectorNotes({ connector: shown, steps, outcome }: ConnectorPlan): readonly Note[] {
  const happens = whatHappens(shown.state, steps, outcome.state);
  return [note("connector", `${shown.state}; ${happens}`), note("tasks", statusOf(shown), undefined, "in full")];
}

function whatHappens(state: string, steps: readonly PlannedStep[], outcome: ConnectorPlan["outcome"]["state"]): string {
  if (outcome !== "ready") return "it is left unchanged";
  const will = (name: PlannedStep["step"]) => steps.some(({ step }) => step === name);
  if (will("start-connector")) return will("stop-connector") ? "it will be stopped and started" : "it will be started";
  if (!will("stop-connector")) return state === "RUNNING" ? "it is not stopped" : "it is left unchanged";
  const resumed = will("resume-connector");
  if (state === "STOPPED") return resumed ? "it will be resumed" : "it stays stopped";
  return resumed ? "it will be stopped and resumed" : "it will be stopped and stays stopped";
}
