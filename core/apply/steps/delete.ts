import { CallFailed } from "../../errors.ts";
import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { callName } from "../../plan/calls.ts";
import { showCount } from "../../values/amounts.ts";
import type { RunContext } from "../context.ts";
import { notAtRest, whyNotAtRest } from "./at-rest.ts";
import { type CallOutcome, notMade, untilDefinite } from "./definite-call.ts";
import { overtaken } from "./ops-topic.ts";
import { removesNothing } from "./record-event.ts";
import type { Step, StepResult } from "./step.ts";
import { isSlow } from "./stop-connector.ts";

/**
 * Deletes what is stored under the new connector's name: it would outlive the connector, and a second cutover would
 * resume from it without a word.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers": stop, DELETE offsets, DELETE connector.
 */
export const deleteOffsets: Step<"delete-offsets"> = {
  async run({ connector }, ctx) {
    // Where nothing was sent yet, and the deletion was announced, no other run may have come first.
    const state = ctx.state();
    if (!state.calls.has(callName("delete offsets", connector)) && !removesNothing(state)) {
      const rival = await overtaken(ctx);
      if (rival !== undefined) return rival;
    }
    const deleted = await removeOffsets(connector, ctx);
    if (deleted.result !== "done")
      return notMade(deleted, { error: `Connect did not delete the offsets of ${connector}`, code: "APL806" });
    if (await hasOffsets(connector, ctx))
      return {
        result: "unclear",
        why:
          `the offsets of ${connector} were deleted, and one is stored again: a task that had not really stopped ` +
          "has committed once more",
        remedies: [{ text: "Find the task that was left behind and end it; then", command: "cdcctl recover" }],
      };
    return { result: "done", note: `nothing is stored for ${connector} any more` };
  },
};

const OUTLIVES = "what is stored under its name outlives it, and can't be deleted without it";

/**
 * Deletes the offsets of a STOPPED connector, until a definite answer. What was deleted and is stored again is deleted
 * again.
 */
function removeOffsets(connector: string, ctx: RunContext): Promise<CallOutcome> {
  return untilDefinite(
    {
      call: callName("delete offsets", connector),
      send: () => ctx.connect.deleteOffsets(connector),
      isDone: async () => (await ctx.connect.connector(connector)) !== undefined && !(await hasOffsets(connector, ctx)),
      obstacle: () => notStopped(connector, ctx, "nothing was sent", OUTLIVES),
      stands: async () => !(await hasOffsets(connector, ctx)),
    },
    ctx,
  );
}

/** Whether anything is stored for a connector that is there: of one that is not, nothing can be seen. */
export async function hasOffsets(connector: string, ctx: RunContext): Promise<boolean> {
  if ((await ctx.connect.connector(connector)) === undefined) return false;
  return (await ctx.connect.offsets(connector)).some(({ offset }) => !isEmptyOffset(offset));
}

/**
 * Deletes a connector that is stopped; its stored offsets outlive it (reference: Kafka Connect, "Seen on real
 * workers").
 */
export const deleteConnector: Step<"delete-connector"> = {
  async run({ connector }, ctx) {
    // In a return, what is stored for it was deleted before: what was stored since would outlive it.
    const cleared = ctx.state().steps.has("delete-offsets");
    const removed = await removeConnector(connector, ctx, async () =>
      cleared && (await hasOffsets(connector, ctx))
        ? `offsets of ${connector} are stored again: another user or process has run it, or a task of it was left ` +
          "behind"
        : undefined,
    );
    if (removed.result !== "done")
      return notMade(removed, { error: `Connect did not delete ${connector}`, code: "APL815" });
    return cleared ? lookedAfter(connector, ctx) : { result: "done", note: `${connector} is deleted` };
  },
};

/**
 * What a task that was left behind may have stored after the offsets were deleted. Connect tells of no connector that
 * is not there what is stored under its name, and deletes nothing of it: where the stop gave rise to doubt, that is
 * said; a cutover to the name looks once more before anything runs (MIG107).
 *
 * Rule: reference: Kafka Connect, "Behaviour to design for".
 */
async function lookedAfter(connector: string, ctx: RunContext): Promise<StepResult> {
  const { stopMillis } = ctx.state();
  const clear = `to remove it, create ${connector} STOPPED, DELETE its offsets, then delete it`;
  const note = `${connector} is deleted`;
  const isStored = await offsetsOfGone(connector, ctx);
  if (isStored === true)
    return {
      result: "done",
      note,
      unproven:
        `that no offset is left: one is stored again under the name of ${connector}: a task was left behind, or ` +
        `another user or process created it again; ${clear}`,
    };
  if (isStored === false) return { result: "done", note: `${note}, and nothing is stored under its name` };
  const blind = `${note}; whether anything is stored under its name since can't be seen without it`;
  if (stopMillis !== undefined && !isSlow(Number(stopMillis))) return { result: "done", note: blind };
  return {
    result: "done",
    note: blind,
    unproven:
      `that no offset is left: ${connector} took as long to stop as the workers' grace period, and a task that was ` +
      "left behind may store one under its name yet, which can't be seen before a cutover creates it again " +
      `(MIG107); ${clear}`,
  };
}

/** @returns whether there is any; undefined where it can't be seen */
async function offsetsOfGone(connector: string, ctx: RunContext): Promise<boolean | undefined> {
  try {
    return (await ctx.connect.offsets(connector)).some(({ offset }) => !isEmptyOffset(offset));
  } catch (failure) {
    // The deletion is done: that this can't be looked at is no reason to leave the legacy connector standing.
    if (failure instanceof CallFailed) return undefined;
    throw failure;
  }
}

/**
 * Deletes a connector, until a definite answer; done as well where Connect has none of the name. One that was started
 * meanwhile is left alone.
 *
 * @param more what else speaks against it
 */
export function removeConnector(
  connector: string,
  ctx: RunContext,
  more: () => Promise<string | undefined> = async () => undefined,
): Promise<CallOutcome> {
  return untilDefinite(
    {
      call: callName("delete connector", connector),
      send: () => ctx.connect.deleteConnector(connector),
      isDone: async () => (await ctx.connect.connector(connector)) === undefined,
      obstacle: async () => (await notStopped(connector, ctx, "it was not deleted")) ?? more(),
      meansDone: ({ status }) => status === 404,
    },
    ctx,
  );
}

/** What speaks against deleting anything of a connector that was stopped; also where it is gone, with what is said then. */
async function notStopped(
  connector: string,
  ctx: RunContext,
  undone: string,
  ifGone?: string,
): Promise<string | undefined> {
  const status = await notAtRest(connector, ctx);
  if (status === undefined || (status === "gone" && ifGone === undefined)) return undefined;
  return `${whyNotAtRest(connector, status)}; ${status === "gone" ? ifGone : undone}`;
}

/** Kafka's own word for a topic that is not there. */
const UNKNOWN_TOPIC = 3;

/** Deletes topics, one after the other: the plan lists them all. A group that has begun to read one since keeps it. */
export const deleteTopics: Step<"delete-topics"> = {
  async run({ topics }, ctx) {
    for (const topic of topics) {
      const problem = await remove(topic, ctx);
      if (problem !== undefined) return problem;
      ctx.report(`  ${topic} is deleted`);
    }
    return {
      result: "done",
      note: topics.length === 1 ? "it is deleted" : `${showCount(topics.length)} topics are deleted`,
    };
  },
};

/** What comes before it is done: past the point of no return a definite no is mended, and gone on with. */
async function remove(topic: string, ctx: RunContext): Promise<StepResult | undefined> {
  const removed = await untilDefinite(
    {
      call: callName("delete topic", topic),
      send: () => ctx.kafka.deleteTopic(topic),
      isDone: async () => (await ctx.kafka.topic(topic)) === undefined,
      obstacle: () => reader(topic, ctx),
      meansDone: ({ status }) => status === UNKNOWN_TOPIC,
    },
    ctx,
  );
  if (removed.result === "done") return undefined;
  if (removed.result === "unclear") return removed;
  return removed.rejected === undefined
    ? {
        result: "failed",
        error: `${topic} was not deleted: ${removed.error}`,
        code: "MIG405",
        remedies: ["Point its consumers at the new topics."],
      }
    : {
        result: "failed",
        error: `the topic ${topic} could not be deleted: ${removed.error}`,
        remedies: ["Grant DELETE on it, or delete it by hand."],
      };
}

/**
 * Where this login is not shown the groups, the plan's finding about that was accepted: nobody is known then either.
 */
async function reader(topic: string, ctx: RunContext): Promise<string | undefined> {
  try {
    const active = (await ctx.kafka.consumersOf([topic])).filter((group) => group.active.includes(topic));
    const [group] = active;
    return group === undefined ? undefined : `the consumer group ${group.group} is active on it (${group.state})`;
  } catch (failure) {
    if (failure instanceof CallFailed && (failure.kind === "forbidden" || failure.kind === "unsupported"))
      return undefined;
    throw failure;
  }
}
