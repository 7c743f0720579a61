import { CallFailed } from "../../errors.ts";
import { callName } from "../../plan/calls.ts";
import type { RunContext } from "../context.ts";
import { untilDefinite } from "./definite-call.ts";
import type { Step, StepResult } from "./step.ts";

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
    return { result: "done", note: topics.length === 1 ? "it is deleted" : `${topics.length} topics are deleted` };
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
