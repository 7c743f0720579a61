import type { OffsetSubject } from "../../schemas/generated/run-journal.ts";
import type { OffsetChangeIntent, OpsFormat } from "../document/intent.ts";
import { Refusal } from "../errors.ts";
import { offsetUnder, sameOffset } from "../facts/offset/stored-offset.ts";
import { type OffsetsSetEvent, recordedChanges } from "../facts/ops/ops-event.ts";
import { kindOf, planFor } from "../kinds/catalogue.ts";
import type { Facts } from "../kinds/facts.ts";
import {
  isReversal,
  isRewrite,
  ledgerChange,
  type MoveStatus,
  moveStatusOf,
  strangeBeside,
  strangeInMove,
} from "../kinds/offset-change/recorded-move.ts";
import type { Plan } from "../plan/plan.ts";
import { onlyStarts, recordsRemoved } from "../plan/steps.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { RecordedMove, TakenOver } from "../run/from-ops.ts";
import type { JournalEvent } from "../run/journal.ts";
import { offsetSubject } from "../run/subject.ts";
import { type Digest, digestOf } from "../values/digest.ts";
import { fromOpsCommand } from "../values/shell-word.ts";
import { withoutRun } from "./steps/recheck.ts";

/** Marks a record that was checked, or is to be recorded as failed: only such a record becomes a journal to resume. */
const CHECKED: unique symbol = Symbol("checked");

/** The journal of a run that is taken over, the only form in which it is written. */
export interface Takeover {
  readonly [CHECKED]: true;
  readonly run: string;
  readonly events: readonly JournalEvent[];
  /** Whether the move itself was checked against the current state. */
  readonly moveChecked: boolean;
}

export interface TakeoverShown {
  readonly subject: OffsetSubject;
  readonly run: string;
  readonly operator: string;
  readonly move: RecordedMove;
  readonly moveStatus: MoveStatus;
  /** If the offset still has to be moved: the change as planned now, from the currently stored offset. */
  readonly plan: Plan<"OffsetChange"> | undefined;
  readonly decision: Digest;
  /** The command that records the change as failed instead. */
  readonly insteadFailed: string;
}

export interface CheckedTakeover {
  readonly shown: TakeoverShown;
  /** Undefined while a check refuses the move. */
  readonly takeover: Takeover | undefined;
}

/** What is known on the machine that takes a run over. */
export interface TakeoverWorld {
  readonly connect: Pick<ConnectPort, "offsets">;
  /** All events of the ops topic, as far as they could be read. */
  readonly events: readonly OffsetsSetEvent[];
  /** `--allow-skip`: a record does not show whether a forward move was allowed. */
  readonly allowSkip: boolean;
  readonly resume: boolean;
  /** Observes everything that an offset change is decided by. */
  observe(intent: OffsetChangeIntent): Promise<Facts>;
}

/**
 * Compares a recorded change with what an offset change would do. If the previous offset is stored, the whole change is
 * planned and checked again, with the identity and version of the stored offset; the result has to match the record. If
 * the change is already in effect, or something else is stored, nothing is moved, and that is recorded.
 *
 * Rule: architecture, "What apply promises", 6.
 *
 * @throws Refusal `APL817` for a record that cdcctl would not have written; CallFailed if a system can't be read
 */
export async function checkTakeover(taken: TakenOver, world: TakeoverWorld): Promise<CheckedTakeover> {
  const subject = offsetSubject(taken.started.subject);
  if (subject === undefined) throw new Error("only a change of an offset is taken over");
  const { connector, prefix } = subject;
  const insteadFailed = `${fromOpsCommand(subject)} --abandon`;
  const { run, operator } = taken.started;
  const changes = recordedChanges(world.events, connector).filter(({ event }) => event.details.run !== run);
  const { move } = taken;
  const offsets = await world.connect.offsets(connector);
  const stored = offsetUnder(offsets, prefix);
  const strange =
    move === undefined
      ? ["it carries no offsets, or no SCN, that can be read"]
      : [...strangeInMove(move, { prefix, changes }), ...one(strangeBeside(move, stored))];
  if (move === undefined || strange.length > 0)
    throw new Refusal(
      "APL817",
      `the record of run ${run} in ${subject.opsTopic} is not one that cdcctl writes: ${strange.join("; ")}`,
      [
        {
          text: "Find out who can write to that topic. Inspect the stored offset",
          command: "cdcctl admin offsets show",
        },
        { text: "To record the change as failed, and change nothing", command: insteadFailed },
      ],
    );
  const moveStatus = moveStatusOf(move, stored);
  const plan =
    moveStatus === "not begun" ? await planMove(taken, move, subject, isReversal(move, changes), world) : undefined;
  const decision =
    plan?.decision ?? digestOf({ run, connector, cluster: subject.clusterId, moveStatus, stored, next: move.next });
  const shown = { subject, run, operator, move, moveStatus, plan, decision, insteadFailed };
  const mayGo = plan === undefined || plan.outcome.state === "ready";
  return { shown, takeover: mayGo ? takeoverOf(taken, plan) : undefined };
}

function one(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

/**
 * @param plan the move as it is planned now, whose records are removed, not those that the record names; without one,
 * the change ends as failed, at the operator's request: nothing else is done, so there is nothing to check
 */
export function takeoverOf({ started, events }: TakenOver, plan?: Plan<"OffsetChange">): Takeover {
  const { removes: _, ...subject } = offsetSubject(started.subject) as OffsetSubject;
  const removes = plan === undefined ? [] : recordsRemoved(plan);
  const checked = plan === undefined ? { settlesOnly: true as const } : removes.length === 0 ? {} : { removes };
  const marked = events.map((event) =>
    event.type === "run-started" ? { ...event, subject: { ...subject, ...checked } } : event,
  );
  return { [CHECKED]: true, run: started.run, events: marked, moveChecked: plan !== undefined };
}

/** Plans the move. @throws Refusal `APL817` if the change as planned now would store something else */
async function planMove(
  { started: { run } }: TakenOver,
  move: RecordedMove,
  subject: OffsetSubject,
  isReturn: boolean,
  world: TakeoverWorld,
): Promise<Plan<"OffsetChange">> {
  const intent = intentOf(run, move, subject, isReturn, world);
  const facts = withoutRun(await world.observe(intent), run);
  const plan = planFor(intent, facts, { pinned: move.scn, again: true });
  const pinned = onlyStarts(plan) ? undefined : kindOf(intent).pin(plan, facts);
  const offset = typeof pinned === "object" && pinned.type === "body-pinned" ? pinned : undefined;
  if (offset && !(sameOffset(offset.previous, move.previous) && sameOffset(offset.body.offset, move.next)))
    throw new Refusal(
      "APL817",
      `the record of run ${run} in ${subject.opsTopic} asks for an offset that a move of the stored one to ` +
        `${move.scn} does not produce`,
      [{ text: "To record the change as failed, and change nothing", command: `${fromOpsCommand(subject)} --abandon` }],
    );
  // Everything was checked already, and nothing is computed again after the stop: the recorded offset is sent, or none.
  return { ...plan, steps: plan.steps.filter(({ step }) => step !== "recheck") };
}

function intentOf(
  run: string,
  move: RecordedMove,
  subject: OffsetSubject,
  isReturn: boolean,
  { allowSkip, resume }: TakeoverWorld,
): OffsetChangeIntent {
  const { removed } = ledgerChange(move);
  const { context, connectUrl, connector } = subject;
  const opsFormat: OpsFormat = subject.opsFormat;
  return {
    kind: "OffsetChange",
    metadata: { name: `takeover-of-${run}`, reason: subject.reason, ticket: subject.ticket },
    target: { context, connectUrl: context === undefined ? connectUrl : undefined, connector },
    origin: { by: "ops topic", file: undefined, lines: {} },
    position:
      isReturn && move.previous !== null
        ? { to: "restore", run, offset: move.next, replacing: move.previous }
        : isRewrite(move)
          ? { to: "lastRecorded" }
          : { to: "scn", scn: move.scn },
    allowSkip,
    ...(subject.removes?.some(({ of }) => of === "journal") ? { removeJournaledTransactions: true } : {}),
    ...(move.deliverAgain === true && !isReturn ? { deliverAgain: true } : {}),
    forgetReleased: isReturn || removed.length === 0 ? "none" : removed,
    resume,
    opsFormat,
    // The log decides between changes in flight when the run goes on (`steps/ops-topic.ts`); two interrupted ones must
    // not wait for each other.
    accept: ["OPS603"],
  };
}
