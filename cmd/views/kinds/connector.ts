import type { Move } from "../../../core/facts/offset/move.ts";
import type { ConnectorPlan, Cost } from "../../../core/plan/plan.ts";
import type { PlannedStep, StepName } from "../../../core/plan/steps.ts";
import { changeStands } from "../../../core/run/change.ts";
import { patchInDoubt, type RunState, type StepState } from "../../../core/run/state.ts";
import { offsetSubject } from "../../../core/run/subject.ts";
import { counted, showBytes } from "../../../core/values/amounts.ts";
import type { Scn } from "../../../core/values/scn.ts";
import type { TornTransaction } from "../../../schemas/generated/plan.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { showInstant, showMillis, statusOf, trunc } from "../layout.ts";
import { offsetTable } from "../offset.ts";
import { redoField } from "../redo-sentences.ts";
import { type Field, field, figure, items, RANK, type Section, section } from "../report/model.ts";
import { backedOut, did, NOT_KNOWN, type PlanParts, zoneNote } from "./kind.ts";

/** Parts shared by offset changes and resnapshots: the stored offset, torn transactions, the redo, the connector. */

/** The stored offset before and after. */
export function offsetSection(plan: ConnectorPlan): readonly Section[] {
  // If the offset does not change, only a gap has times to show.
  if (plan.offset === undefined && plan.snapshot?.gap === undefined) return [];
  const rows = plan.offset === undefined ? [] : [offsetTable(plan.offset.rows)];
  return section(RANK.subject, [...rows, ...zoneNote(plan)], { title: "The stored offset", terminal: "no title" });
}

/**
 * The move in one phrase: `backward by 35224 SCNs, 32 min 11 s`. @param restored suffix for a move that restores an
 * earlier offset
 */
export function moved({ direction, distance, to }: Move, cost: Cost | undefined, restored = ""): string {
  const millis = cost === undefined || cost.kind === "none" ? undefined : cost.millis;
  const span = millis === undefined ? "" : `, ${showMillis(millis)}`;
  switch (direction) {
    case "backward":
    case "forward":
      return `${direction} by ${counted(distance, "SCN")}${span}${restored}`;
    case "same":
      return `same: the resume SCN stays ${to}${restored}`;
    case "initial":
      return `initial: no offset is stored; mining starts at ${to}`;
  }
}

/** Direction and cost of a move; undefined without one. */
export function moveInShort({ move, cost }: Pick<ConnectorPlan, "move" | "cost">): PlanParts["inShort"] | undefined {
  if (move === undefined) return undefined;
  const { direction } = move;
  if (cost === undefined) return { direction, cost: NOT_KNOWN };
  if (cost.kind === "none") return { direction, cost: "none" };
  if (cost.kind === "skipped")
    return { direction, cost: `skips ${cost.millis === undefined ? "commits" : showMillis(cost.millis)}` };
  return { direction, cost: `${counted(cost.archivedLogs, "archived log")}, ${showBytes(cost.bytes)}` };
}

/** Describes torn transactions. @param tables the affected tables, when some are snapshotted */
export function torn(
  { torn: transactions, move }: ConnectorPlan,
  tables: (many: boolean) => string = () => "",
): readonly Field[] {
  if (transactions.length === 0 || move === undefined) return [];
  const many = transactions.length > 1;
  const all = items(transactions, "transaction", (one) => tornTransaction(one, move.to), "few");
  const one = field(
    "torn",
    `${counted(transactions.length, "open transaction")} began before ${move.to}: ${many ? "their" : "its"} ` +
      `changes before it are lost; those after it are delivered${tables(many)}`,
    "bad",
    all,
  );
  return [one];
}

function tornTransaction({ xid, startScn, startedAt, user, clientId, seenIn }: TornTransaction, target: Scn): string {
  const who = [user, clientId === undefined ? undefined : `client ${clientId}`].filter((part) => part !== undefined);
  const since = startedAt === undefined ? "" : `, ${showInstant(startedAt)}`;
  const where = {
    GV$TRANSACTION: "open",
    both: "open, and in the journal",
    journal: `in the journal; if it committed before ${target}, all of it is lost`,
  }[seenIn];
  const by = who.length === 0 ? "" : `, ${trunc(who.join(", "), 120)}`;
  return `${trunc(xid, 60)}  from ${startScn}${since}${by}; ${where}`;
}

/** @param from where it begins, for the sentence when it is unknown */
export function redo({ redo: seen }: ConnectorPlan, from: Scn | string): Field {
  if (seen === undefined) return field("redo", `whether it is complete from ${from} onwards is unknown`, "caution");
  return redoField(seen, "few");
}

export function connector({ connector: shown, steps, outcome }: ConnectorPlan): Field {
  return field("connector", `${statusOf(shown)}; ${whatHappens(shown.state, steps, outcome.state)}`);
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

export function picture({ timeline }: ConnectorPlan): readonly Section[] {
  return section(RANK.figure, figure(timeline), { title: "The position", terminal: "no title" });
}

/** Parts of a run shared by both kinds. */
export const ofOneConnector = {
  untouched: "it changes neither offset nor connector",
  reportedByCalls: false,
  changes,
} as const;

/** What was changed according to the journal, one sentence each. */
function changes(subject: OffsetSubject, state: RunState, at: (step: StepName) => StepState): readonly string[] {
  const { connector: name, ranBefore } = subject;
  return [
    ...(ranBefore ? did("stop-connector", name, at) : []),
    ...signalSentence(at("write-signal"), state),
    ...(state.attempts === 0n ? [] : [patchSentence(at("patch-offset"), state)]),
    ...did("resume-connector", name, at),
    ...did("start-connector", name, at),
    ...did("restart-connector", name, at),
    ...backedOut(name, state),
  ];
}

/** A signal stays in its topic, whatever the outcome of the run. */
function signalSentence(written: StepState, { signal, started: { subject } }: RunState): readonly string[] {
  if (signal === undefined || written === "pending" || written === "failed") return [];
  const snapshot = offsetSubject(subject)?.snapshot;
  const where = snapshot === undefined ? "" : ` to ${snapshot.signalsTopic}`;
  return written === "done"
    ? [`the signal ${signal.id} was written${where} and cannot be withdrawn`]
    : [`whether the signal ${signal.id} was written${where} is unknown`];
}

function patchSentence(patched: StepState, state: RunState): string {
  const scn = offsetSubject(state.started.subject)?.scn;
  if (changeStands(state) || (patched === "done" && state.ended === undefined))
    return `the stored offset was set to ${scn}`;
  if (patchInDoubt(state)) return `whether the stored offset was set to ${scn} is unknown`;
  return patched === "failed"
    ? "the stored offset was not changed"
    : `the stored offset was patched to ${scn}, but is not as planned`;
}
