import type { ScnTime } from "../../../schemas/generated/facts.ts";
import type { TornTransaction } from "../../checks/readings.ts";
import type { ConnectorKind } from "../../document/intent.ts";
import { statusOf } from "../../facts/connector/connector.ts";
import type { Move } from "../../facts/offset/move.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import { redoSentences } from "../../facts/redo/sentences.ts";
import { diffRows, type OffsetMove } from "../../plan/diff.ts";
import {
  type ConnectorShown,
  type Diff,
  type Figures,
  NOT_KNOWN,
  type Note,
  note,
  placeOf,
  type Resolved,
  roughly,
  type Said,
} from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { counted, showBytes } from "../../values/amounts.ts";
import { showMillis } from "../../values/duration.ts";
import { showInstant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";

/** What a plan of one connector speaks of, besides what every plan has. */
export interface ConnectorChange<K extends ConnectorKind = ConnectorKind> extends Resolved<K> {
  readonly connector: ConnectorShown;
  /** Undefined if nothing moves, or while the target or the stored offset is unknown; the findings explain why. */
  readonly move: Move | undefined;
  /** Undefined likewise. */
  readonly offset: OffsetMove | undefined;
  readonly cost: Cost | undefined;
  /**
   * The redo from the target to now; for a resnapshot from the stored position. Undefined if it could not be inspected.
   */
  readonly redo: RedoExamination | undefined;
  readonly torn: readonly TornTransaction[];
  readonly times: readonly ScnTime[];
}

export interface Mined {
  readonly archivedLogs: bigint;
  readonly bytesToMine: bigint;
}

/** @param what the noun for one of the logs */
export function minedText({ archivedLogs, bytesToMine }: Mined, what: string): string {
  return `${counted(archivedLogs, what)}, ${showBytes(bytesToMine)}`;
}

/** What a move costs: redo that is mined again, or commits that are never delivered. */
export type Cost =
  | {
      readonly kind: "mined again";
      /** Undefined where the redo could not be inspected. */
      readonly mined: Mined | undefined;
      /** The time between the two SCNs; undefined where Oracle no longer knows the times. */
      readonly millis: bigint | undefined;
    }
  | { readonly kind: "skipped"; readonly millis: bigint | undefined }
  | { readonly kind: "none" };

export function offsetDiff({ offset, times }: Pick<ConnectorChange, "offset" | "times">): readonly Diff[] {
  if (offset === undefined) return [];
  return [{ title: "Stored offset", what: "field", rows: diffRows(offset.before, offset.after, times) }];
}

/** What a plan says of a move: `Move orders-cdc on prod back 32 min 11 s, 35,224 SCNs`; undefined without one. */
export function moveSaid(plan: ConnectorChange): Omit<Said, "diff" | "notes"> | undefined {
  const { connector, cost, move } = plan;
  if (move === undefined) return undefined;
  const { direction, distance, from, to } = move;
  const millis = cost === undefined || cost.kind === "none" ? undefined : cost.millis;
  const who = `${truncate(connector.name, 300)} on ${placeOf(plan)}`;
  const seconds = millis === undefined ? {} : { seconds: millis / 1000n };
  return {
    ...sentences(move, who, millis, plan.offset?.before != null),
    inShort: { change: direction, cost: cost === undefined ? NOT_KNOWN : COSTS[cost.kind](cost as never) },
    figures: {
      direction,
      targetScn: to,
      ...(from === undefined ? {} : { storedScn: from, scnDistance: distance }),
      ...seconds,
    },
  };
}

/** @param replaces whether an offset is stored: without a resume SCN to move from, it can't be read */
function sentences({ direction, distance, to }: Move, who: string, millis: bigint | undefined, replaces: boolean) {
  const scns = counted(distance, "SCN");
  const far = (long: (millis: bigint) => string) => (millis === undefined ? "" : ` ${long(millis)}`);
  switch (direction) {
    case "backward":
    case "forward": {
      const way = direction === "backward" ? "back" : "forward";
      return {
        summary: `Move ${who} ${way}${far(showMillis)}${millis === undefined ? " " : ", "}${scns}`,
        asks: `Move ${who} ${way}${far(roughly)} to SCN ${to}`,
      };
    }
    case "same":
      return { summary: `Set the offset of ${who}; the resume SCN stays ${to}`, asks: `Set the offset of ${who}` };
    case "initial":
      if (replaces)
        return { summary: `Set ${who} to ${to}: its offset can't be read`, asks: `Set ${who} to SCN ${to}` };
      return { summary: `Start ${who} at ${to}: no offset is stored`, asks: `Store an offset for ${who} at SCN ${to}` };
  }
}

const COSTS: { readonly [K in Cost["kind"]]: (cost: Extract<Cost, { kind: K }>) => string } = {
  none: () => "none",
  skipped: ({ millis }) => `skips ${millis === undefined ? "commits" : showMillis(millis)}`,
  "mined again": ({ mined }) => (mined === undefined ? NOT_KNOWN : minedText(mined, "log")),
};

/** Torn transactions are lost in part: never folded. @param tables the affected tables, when some are snapshotted */
export function tornNotes(
  { torn, move }: Pick<ConnectorChange, "torn" | "move">,
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

export function redoFigures(redo: RedoExamination | undefined): Figures {
  if (redo === undefined) return {};
  const missing = redo.faults.map(({ reason, fromSequence: from, toSequence: to = from }) => {
    if (reason === "online log unreadable" || reason === "no archive destination") return 0n;
    return from === undefined || to === undefined ? 1n : to - from + 1n;
  });
  return { redoComplete: redo.complete, missingArchives: missing.reduce((sum, many) => sum + many, 0n) };
}

/** What is at stake beside the move itself. */
export function connectorFigures({ redo, torn, move }: ConnectorChange): Figures {
  return {
    ...redoFigures(redo),
    ...(move === undefined ? {} : { tornTransactions: BigInt(torn.length) }),
  };
}

export function connectorNotes({ connector: shown, steps, outcome }: ConnectorChange): readonly Note[] {
  const happens = whatHappens(shown.state, steps, outcome.state);
  return [note("connector", `${shown.state}; ${happens}`), note("tasks", statusOf(shown), undefined, "in full")];
}

/** What a plan that is not ready says of a connector. */
export const UNCHANGED = "it is left unchanged";

function whatHappens(
  state: string,
  steps: readonly PlannedStep[],
  outcome: ConnectorChange["outcome"]["state"],
): string {
  if (outcome !== "ready") return UNCHANGED;
  const will = (name: PlannedStep["step"]) => steps.some(({ step }) => step === name);
  if (will("start-connector")) return will("stop-connector") ? "it will be stopped and started" : "it will be started";
  if (!will("stop-connector")) return state === "RUNNING" ? "it is not stopped" : UNCHANGED;
  const resumed = will("resume-connector");
  if (state === "STOPPED") return resumed ? "it will be resumed" : "it stays stopped";
  return resumed ? "it will be stopped and resumed" : "it will be stopped and stays stopped";
}
