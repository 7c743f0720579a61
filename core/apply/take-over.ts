import type { OffsetChangeIntent, OpsFormat } from "../document/intent.ts";
import { Refusal } from "../errors.ts";
import { sameOffset } from "../facts/offset/stored-offset.ts";
import { type OffsetsSetEvent, recordedChanges } from "../facts/ops/ops-event.ts";
import { planFor } from "../kinds/catalogue.ts";
import type { Facts } from "../kinds/facts.ts";
import {
  isReversal,
  ledgerChange,
  type MoveStanding,
  standingOf,
  strangeBeside,
  strangeInMove,
} from "../kinds/offset-change/recorded-move.ts";
import type { OffsetChangePlan } from "../plan/plan.ts";
import type { PlannedStep } from "../plan/steps.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { RecordedMove, TakenOver } from "../run/from-ops.ts";
import type { JournalEvent } from "../run/journal.ts";
import { fromOpsCommand } from "../run/read-journal.ts";
import { type OffsetSubject, offsetSubject } from "../run/subject.ts";
import { type Digest, digestOf } from "../values/digest.ts";
import { withoutRun } from "./steps/recheck.ts";

/** Only a record that was checked, or is to be recorded as failed, becomes a journal that is gone on with. */
const CHECKED: unique symbol = Symbol("checked");

/** The journal of a run that is taken over: the only form in which it is written. */
export interface Takeover {
  readonly [CHECKED]: true;
  readonly run: string;
  readonly events: readonly JournalEvent[];
  /** Whether the move itself was checked against the world. */
  readonly moveChecked: boolean;
}

/** What the operator is asked to agree to. */
export interface TakeoverShown {
  readonly subject: OffsetSubject;
  readonly run: string;
  readonly operator: string;
  readonly move: RecordedMove;
  readonly standing: MoveStanding;
  /** Where the offset is still to be moved: the change as it is planned now, from what is stored now. */
  readonly plan: OffsetChangePlan | undefined;
  /** Over what is going to be done. */
  readonly decision: Digest;
  /** The command that records the change as failed instead. */
  readonly insteadFailed: string;
}

export interface CheckedTakeover {
  readonly shown: TakeoverShown;
  /** Undefined while a check refuses the move. */
  readonly takeover: Takeover | undefined;
}

/** What is known where a run is taken over. */
export interface TakeoverWorld {
  readonly connect: Pick<ConnectPort, "offsets">;
  /** All events of the ops topic, as far as it could be read. */
  readonly events: readonly OffsetsSetEvent[];
  /** `--allow-skip`: a record does not tell whether a forward move was allowed. */
  readonly allowSkip: boolean;
  readonly resume: boolean;
  /** Looks at everything that an offset change is decided by. */
  observe(intent: OffsetChangeIntent): Promise<Facts>;
}

/**
 * Holds a recorded change against what an offset change would do. Where the previous offset is stored the whole change
 * is planned and checked again, with the identity and version of what is stored; what it would store has to be what the
 * record says. Where the change stands already, or something else is stored, nothing is moved: that is recorded.
 *
 * Rule: architecture, "What apply promises", 6.
 *
 * @throws Refusal `APL817` for a record that cdcctl would not have written; CallFailed where the world can't be asked
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
  const stored = offsets.find(({ partition }) => sameOffset(partition, { server: prefix }))?.offset ?? null;
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
  const standing = standingOf(move, stored);
  const plan =
    standing === "not begun" ? await planMove(taken, move, subject, isReversal(move, changes), world) : undefined;
  const decision =
    plan?.decision ?? digestOf({ run, connector, cluster: subject.clusterId, standing, stored, next: move.next });
  const shown = { subject, run, operator, move, standing, plan, decision, insteadFailed };
  const mayGo = plan === undefined || plan.outcome.state === "ready";
  return { shown, takeover: mayGo ? takeoverOf(taken, plan !== undefined) : undefined };
}

function one(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

/** The change ends as failed, on the operator's word, and nothing else is done: there is nothing to check. */
export function abandonTakeover(taken: TakenOver): Takeover {
  return takeoverOf(taken, false);
}

function takeoverOf({ started, events }: TakenOver, moveChecked: boolean): Takeover {
  const subject = offsetSubject(started.subject);
  const marked =
    moveChecked || subject === undefined
      ? events
      : events.map((event) =>
          event.type === "run-started" ? { ...event, subject: { ...subject, settlesOnly: true as const } } : event,
        );
  return { [CHECKED]: true, run: started.run, events: marked, moveChecked };
}

/** @throws Refusal `APL817` where the change as it is planned now would store something else */
async function planMove(
  { started: { run } }: TakenOver,
  move: RecordedMove,
  subject: OffsetSubject,
  isReturn: boolean,
  world: TakeoverWorld,
): Promise<OffsetChangePlan> {
  const intent = intentOf(run, move, subject, isReturn, world);
  const facts = withoutRun(await world.observe(intent), run);
  const plan = planFor(intent, facts, { pinned: move.scn, again: true });
  const { offset } = plan;
  if (offset !== undefined && !(sameOffset(offset.before, move.previous) && sameOffset(offset.after, move.next)))
    throw new Refusal(
      "APL817",
      `the record of run ${run} in ${subject.opsTopic} asks for another offset than a move of what is stored to ` +
        `${move.scn} gives`,
      [{ text: "To record the change as failed, and change nothing", command: `${fromOpsCommand(subject)} --abandon` }],
    );
  return { ...plan, steps: stepsFor(plan.steps) };
}

/**
 * Everything was checked already, and nothing is worked out anew after the stop: the recorded offset is sent, or none.
 */
function stepsFor(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  return steps.filter(({ step }) => step !== "recheck");
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
        : { to: "scn", scn: move.scn },
    allowSkip,
    forgetReleased: isReturn || removed.length === 0 ? "none" : removed,
    resume,
    opsFormat,
    // The log decides between changes in flight when the run goes on (`steps/ops-topic.ts`); two that were cut off must
    // not wait for each other.
    accept: ["OPS603"],
  };
}
