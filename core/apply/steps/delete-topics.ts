import type { RunContext } from "../context.ts";
import { untilDefinite } from "./definite-call.ts";
import type { Step, StepResult } from "./step.ts";

/** Kafka's own word for a topic that is not there. */
const UNKNOWN_TOPIC = 3;

/** Deletes topics, one after the other: the plan lists them all. */
export const deleteTopics: Step<"delete-topics"> = {
  name: "delete-topics",

  describe: ({ topics }) => `delete ${topics.length === 1 ? `the topic ${topics[0]}` : `${topics.length} topics`}`,

  async run({ topics }, ctx) {
    for (const topic of topics) {
      const problem = await remove(topic, ctx);
      if (problem !== undefined) return problem;
      ctx.report(`  ${topic} is deleted`);
    }
    return { result: "done", note: topics.length === 1 ? "it is deleted" : `${topics.length} topics are deleted` };
  },
};

/** A definite no is no end of the run: what comes before it is done, and it may be mended. */
async function remove(topic: string, ctx: RunContext): Promise<StepResult | undefined> {
  const removed = await untilDefinite(
    {
      call: `DELETE topic ${topic}`,
      send: () => ctx.kafka.deleteTopic(topic),
      isDone: async () => (await ctx.kafka.topic(topic)) === undefined,
      obstacle: async () => undefined,
      meansDone: ({ status }) => status === UNKNOWN_TOPIC,
    },
    ctx,
  );
  if (removed.result === "done") return undefined;
  if (removed.result === "unclear") return removed;
  return {
    result: "unclear",
    why: `the topic ${topic} could not be deleted: ${removed.error}`,
    remedies: ["Grant DELETE on it, or delete it by hand; then:  cdcctl recover"],
  };
}
