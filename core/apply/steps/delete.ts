import { orUndefined } from "../../errors.ts";
import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { callName } from "../../plan/steps.ts";
import { showCount } from "../../values/amounts.ts";
import { type RunContext, toRecover } from "../context.ts";
import { notAtRest, whyNotAtRest } from "./at-rest.ts";
import { type CallOutcome, notMade, untilDefinite } from "./definite-call.ts";
import { overtaken } from "./ops-topic.ts";
import { removesNothing } from "./record-event.ts";
import { done, failed, type Step, type StepResult, unclear } from "./step.ts";
import { isSlow } from "./stop-connector.ts";

/**
 * Deletes the offsets stored under the new connector's name: they would outlive the connector, and a second cutover
 * would silently resume from them.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers": stop, DELETE offsets, DELETE connector.
 */
export const deleteOffsets: Step<"delete-offsets"> = {
  async run({ connector }, ctx) {
    // If nothing was sent yet, and the deletion was announced, no other run may have come first.
    const state = ctx.state();
    if (!state.calls.has(callName("delete offsets", connector)) && !removesNothing(state)) {
      const rival = await overtaken(ctx);
      if (rival !== undefined) return rival;
    }
    const deleted = await removeOffsets(connector, ctx);
    if (deleted.result !== "done")
      return notMade(deleted, { error: `Connect did not delete the offsets of ${connector}`, code: "APL806" });
    if (await hasOffsets(connector, ctx))
      return unclear(
        `the offsets of ${connector} were deleted, but one is stored again: a task that had not really stopped ` +
          "has committed once more",
        [toRecover("Find the leftover task and end it; then")],
      );
    return done(`no offset is stored for ${connector} any longer`);
  },
};

const OUTLIVES = "what is stored under its name outlives it, and can't be deleted without it";

/**
 * Deletes the offsets of a STOPPED connector, until a definite answer. Offsets that are stored again are deleted again.
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

/** Whether anything is stored for an existing connector; for a missing one, Connect shows nothing. */
export async function hasOffsets(connector: string, { connect }: Pick<RunContext, "connect">): Promise<boolean> {
  if ((await connect.connector(connector)) === undefined) return false;
  return (await connect.offsets(connector)).some(({ offset }) => !isEmptyOffset(offset));
}

/**
 * Deletes a connector that is stopped; its stored offsets outlive it (reference: Kafka Connect, "Seen on real
 * workers").
 */
export const deleteConnector: Step<"delete-connector"> = {
  async run({ connector }, ctx) {
    // A rollback has deleted its offsets before; an offset stored since would outlive it.
    const cleared = ctx.state().steps.has("delete-offsets");
    const removed = await removeConnector(connector, ctx, async () =>
      cleared && (await hasOffsets(connector, ctx))
        ? `offsets of ${connector} are stored again: another user or process has run it, or one of its tasks is ` +
          "still running"
        : undefined,
    );
    if (removed.result !== "done")
      return notMade(removed, { error: `Connect did not delete ${connector}`, code: "APL815" });
    return cleared ? lookedAfter(connector, ctx) : done(`${connector} is deleted`);
  },
};

/**
 * Checks what a leftover task may have stored after the offsets were deleted. For a missing connector Connect neither
 * shows nor deletes what is stored under its name. If the stop raised doubt, that is reported; a cutover to the name
 * checks again before anything runs (MIG107).
 *
 * Rule: reference: Kafka Connect, "Behaviour to design for".
 */
async function lookedAfter(connector: string, ctx: RunContext): Promise<StepResult> {
  const { stopMillis } = ctx.state();
  const clear = `to remove it, create ${connector} STOPPED, DELETE its offsets, then delete it`;
  const note = `${connector} is deleted`;
  const isStored = await offsetsOfDeleted(connector, ctx);
  if (isStored === true)
    return done(note, {
      unproven:
        `no offset is left: one is stored again under the name of ${connector}: a leftover task stored it, or ` +
        `another user or process created it again; ${clear}`,
    });
  if (isStored === false) return done(`${note}, and nothing is stored under its name`);
  const blind = `${note}; whether anything was stored under its name since is unknown without it`;
  if (stopMillis !== undefined && !isSlow(Number(stopMillis))) return done(blind);
  return done(blind, {
    unproven:
      `no offset is left: ${connector} took as long to stop as the workers' grace period, and a leftover task ` +
      "may still store one under its name, which is not visible before a cutover creates it again (MIG107); " +
      `${clear}`,
  });
}

/** Reads the offsets of a deleted connector. @returns whether there is any; undefined if unknown */
async function offsetsOfDeleted(connector: string, ctx: RunContext): Promise<boolean | undefined> {
  // The deletion is done; a failure to check this is no reason to leave the legacy connector stopped.
  const stored = await orUndefined(ctx.connect.offsets(connector));
  return stored?.some(({ offset }) => !isEmptyOffset(offset));
}

/**
 * Deletes a connector, until a definite answer; also done if Connect has no connector of that name. A connector that
 * was started meanwhile is left alone.
 *
 * @param more a further obstacle
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

/** Why nothing of a stopped connector may be deleted; also if it is gone, with the text for that case. */
async function notStopped(
  connector: string,
  ctx: RunContext,
  undone: string,
  ifDeleted?: string,
): Promise<string | undefined> {
  const status = await notAtRest(connector, ctx);
  if (status === undefined || (status === "gone" && ifDeleted === undefined)) return undefined;
  return `${whyNotAtRest(connector, status)}; ${status === "gone" ? ifDeleted : undone}`;
}

/** Kafka's error code for a topic that does not exist. */
const UNKNOWN_TOPIC = 3;

/** Deletes topics, one after the other: the plan lists them all. A topic that a consumer group reads by now is kept. */
export const deleteTopics: Step<"delete-topics"> = {
  async run({ topics }, ctx) {
    for (const topic of topics) {
      const problem = await remove(topic, ctx);
      if (problem !== undefined) return problem;
      ctx.report(`  ${topic} is deleted`);
    }
    return done(topics.length === 1 ? "it is deleted" : `${showCount(topics.length)} topics are deleted`);
  },
};

/** The earlier steps are done: past the point of no return a definite refusal is fixed, and the run resumed. */
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
    ? failed(`${topic} was not deleted: ${removed.error}`, "MIG405", ["Point its consumers at the new topics."])
    : failed(`the topic ${topic} could not be deleted: ${removed.error}`, undefined, [
        "Grant DELETE on it, or delete it manually.",
      ]);
}

/**
 * The active consumer group of a topic. If this login can't list groups, the plan's finding about that was accepted,
 * and none is known here either.
 */
async function reader(topic: string, ctx: RunContext): Promise<string | undefined> {
  const groups = await orUndefined(ctx.kafka.consumersOf([topic]), "forbidden", "unsupported");
  const group = groups?.find(({ active }) => active.includes(topic));
  return group && `the consumer group ${group.group} is active on it (${group.state})`;
}
