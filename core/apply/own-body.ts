import type { ConnectorKind } from "../document/intent.ts";
import { Refusal } from "../errors.ts";
import { FIRST_START, initialOffset, moveOffset } from "../facts/offset/moved-offset.ts";
import { decodeOffset, isEmptyOffset, sameOffset } from "../facts/offset/stored-offset.ts";
import { carriedOffset, type OffsetsSetEvent } from "../facts/ops/ops-event.ts";
import type { Plan } from "../plan/plan.ts";
import { describeStep, type PlannedStep } from "../plan/steps.ts";
import { ownEvents } from "../run/change.ts";
import type { RunState } from "../run/state.ts";
import { connectorsOf } from "../run/subject.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import type { Remedy } from "../values/remedy.ts";
import { fromOpsCommand, shellWord } from "../values/shell-word.ts";
import type { RunContext } from "./context.ts";
import { announcementIn, ownOrder } from "./steps/ops-topic.ts";

/**
 * How versions of cdcctl compute what a move stores: the first row is today's, every other one was used up to the
 * version it names. A run is judged by the rules of the version that began it.
 */
const MOVES: readonly { readonly until?: string; readonly move: typeof moveOffset }[] = [
  { move: moveOffset },
  // A move back below its floor left the first-start cut in place.
  {
    until: "0.1.0",
    move: (stored, asked) => ({
      ...Object.fromEntries(Object.entries(stored.raw).filter(([name]) => FIRST_START.some((one) => one === name))),
      ...moveOffset(stored, asked),
    }),
  },
];

/**
 * Compares the journaled body with the two other accounts of it: what the plan makes of the previous offset, and the
 * run's own `applying` in the ops topic. A journal is a file: what it says alone is not sent, nor called planned.
 *
 * Rule: architecture, "What apply promises", 2 and 6.
 *
 * @param events of the run's connector in the ops topic
 * @param isRead whether everything since the run began is among them
 * @returns the refusal `APL823`, with all three; `APL824` if the topic no longer has the run's own; undefined where
 * they agree
 */
export function strayBody(
  { started, body, steps }: RunState,
  events: readonly OffsetsSetEvent[] = [],
  isRead = false,
): Refusal | undefined {
  if (body === undefined) return undefined;
  const { run, plan, subject } = started;
  const { previous, entry } = body;
  const journaled: Move = { previous, next: entry.offset };
  const planned = plan === null ? undefined : movesOf(plan as Plan<ConnectorKind>, started, previous);
  const applying = announcementIn(ownEvents(events, { started }));
  const recorded = applying && moveIn(applying);
  const isMissing = isRead && applying === undefined && steps.get("record-applying") === "done";
  const isPlanned = planned === undefined || planned.some((one) => sameMove(one, journaled));
  const isRecorded =
    applying === undefined ||
    (recorded !== undefined && sameMove(recorded, journaled) && applying.server === subject.prefix);
  if (isPlanned && isRecorded && sameOffset(entry.partition, { server: subject.prefix })) {
    if (!isMissing) return undefined;
    if (!events.some(({ details }) => details.run === run)) return forgotten(started);
  }
  return new Refusal(
    "APL823",
    `the offset that run ${run} is to store under ${canonicalJson(entry.partition)} is not the one that it decided. ` +
      `Nothing was sent. ${accounts({
        "Its journal": journaled,
        "Its plan": planned === undefined ? "none, the run was taken over" : (planned[0] ?? "contradicts itself"),
        [subject.opsTopic]: recorded ?? "no record of this run",
      })}`,
    [
      RESTORE,
      { text: "To set it aside and settle the change by the ops topic", command: fromOpsCommand(subject) },
      callOff(run),
    ],
  );
}

const RESTORE = "Find out who can write to the state directory, and restore the journal from a backup.";
const callOff = (run: string): Remedy => ({
  text: "To leave the offset as it is",
  command: `cdcctl recover ${shellWord(run)} --abandon`,
});

/** Retention or compaction has removed the record: nothing says that anybody has edited the journal. */
function forgotten({ run, subject }: RunState["started"]): Refusal {
  return new Refusal(
    "APL824",
    `${subject.opsTopic} no longer has the record that run ${run} made there before its change, so nothing confirms ` +
      "the offset that its journal names. Nothing was sent",
    [
      `Keep the records of ${subject.opsTopic}: without compaction, and longer than a run may stay open.`,
      callOff(run),
      "Then plan the change again, from what is stored.",
    ],
  );
}

/**
 * Compares the steps of a journaled plan with what it decided: the run's own connectors, the topics to delete, the
 * tables to snapshot.
 *
 * @returns the refusal `APL823`, which names the first step that differs
 */
export function strayStep({ started: { run, plan, subject } }: RunState): Refusal | undefined {
  if (plan === null) return undefined;
  const { decided, decision, steps } = plan;
  const own = connectorsOf(subject);
  const topics = "topics" in decided ? decided.topics : [];
  const tables = "tables" in decided ? decided.tables : [];
  const isStray = (one: PlannedStep) =>
    ("connector" in one && !own.includes(one.connector)) ||
    ("legacy" in one && one.legacy !== undefined && !own.includes(one.legacy)) ||
    ("topics" in one && canonicalJson(one.topics) !== canonicalJson(topics ?? [])) ||
    (one.step === "write-signal" && canonicalJson(one.tables) !== canonicalJson(tables));
  const stray = steps.find(isStray);
  if (stray === undefined && decision === digestOf(decided)) return undefined;
  return new Refusal(
    "APL823",
    `the journal of run ${run} has ${stray === undefined ? "a decision" : `the step "${describeStep(stray)}"`} that ` +
      "is not what its plan decided. Nothing was sent",
    [RESTORE, callOff(run)],
  );
}

interface Move {
  readonly previous: JsonObject | null;
  readonly next: JsonObject | null;
}

function sameMove(one: Move, other: Move): boolean {
  return sameOffset(one.previous, other.previous) && sameOffset(one.next, other.next);
}

function moveIn({ details }: OffsetsSetEvent): Move | undefined {
  const [previous, next] = [details.previous_offset, details.new_offset].map(carriedOffset);
  return previous === undefined || next === undefined ? undefined : { previous, next };
}

/** What each says of the move: resume SCN, and the fields that they do not have alike; a text where it says none. */
function accounts(said: Readonly<Record<string, Move | string>>): string {
  const moves = Object.values(said).filter((one) => typeof one !== "string");
  const names = new Set(moves.flatMap(({ previous, next }) => Object.keys({ ...previous, ...next })));
  const told = [...names].filter(
    (name) => name === "resume_scn" || new Set(moves.map((move) => fieldText(move, name))).size > 1,
  );
  return Object.entries(said)
    .map(([by, one]) => `${by}: ${typeof one === "string" ? one : told.map((name) => fieldText(one, name)).join(", ")}`)
    .join(". ");
}

function fieldText({ previous, next }: Move, name: string): string {
  const [from, to] = [previous, next].map((offset) =>
    offset !== null && Object.hasOwn(offset, name) ? canonicalJson(offset[name]) : "none",
  );
  return `${name} from ${from} to ${to}`;
}

/** What a plan makes of the previous offset, by each rule of a version; nothing for a plan that contradicts itself. */
function movesOf(
  { decided, decision, steps, world }: Plan<ConnectorKind>,
  { subject, cdcctl }: RunState["started"],
  previous: JsonObject | null,
): readonly Move[] {
  const { connector, prefix } = subject;
  const isWhole = decision === digestOf(decided) && decision === subject.decision && prefix === world.prefix;
  const isOwn = steps.every((one) => !("connector" in one) || one.connector === connector);
  const { scn, database } = decided;
  const { restore, forgetReleased: forget = "none", deliverAgain } = decided.kind === "OffsetChange" ? decided : {};
  if (!isWhole || !isOwn || decided.connector !== connector || scn === undefined) return [];
  if (restore !== undefined) return [{ previous, next: restore }];
  if (previous === null || isEmptyOffset(previous)) return [{ previous, next: initialOffset(scn, database) }];
  const before = decodeOffset(previous);
  if (!before.ok) return [];
  return MOVES.filter(({ until }) => until === undefined || isUpTo(cdcctl, until)).map(({ move }) => ({
    previous,
    next: move(before.offset, { scn, forget, deliverAgain }),
  }));
}

function isUpTo(version: string, last: string): boolean {
  return /^\d/.test(version) && version.localeCompare(last, "en", { numeric: true }) <= 0;
}

/**
 * Refuses to go by a journaled body that the plan and the ops topic do not confirm.
 *
 * @throws Refusal as `strayBody`; CallFailed if the topic can't be read
 */
export async function demandOwnBody(ctx: RunContext): Promise<void> {
  const state = ctx.state();
  if (state.body === undefined) return;
  const isBegun = state.steps.has("record-applying");
  const stray = isBegun ? strayBody(state, (await ownOrder(ctx)).events, true) : strayBody(state);
  if (stray !== undefined) throw stray;
}
