import type { ConsumerGroupSeen } from "../facts/ops/topic.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { listed, sentences } from "./listed.ts";

/**
 * Consumers are pointed at the new topics before the old ones go.
 *
 * Rule: specification, "Start, verification and rollback", retirement.
 */
export const consumersActive: Check<"Retirement"> = {
  code: "MIG405",
  title: "Consumers read topics that would be deleted",
  problem: "They would lose what they have not read yet, or fail, or create the topic anew and wait for ever.",
  remedy: "Point them at the new topics, and stop those that read the old ones.",
  grade: "refusal",

  run(_intent, { topics, facts: { groups } }) {
    if (!topics.known) return unknown(`which topics would be deleted can't be told: ${topics.why}`, topics.remedy);
    if (topics.value.length === 0) return pass;
    if (!groups.known) return unknown(`who reads them can't be seen: ${groups.why}`, groups.remedy);
    const deleted = new Set(topics.value.map(({ topic }) => topic));
    const active = groups.value.flatMap((group) => {
      const on = group.active.filter((topic) => deleted.has(topic));
      return on.length === 0 ? [] : [{ ...group, on }];
    });
    if (active.length > 0)
      return fail({ seen: sentences(active.map(({ group, state, on }) => `${group} (${state}) reads ${listed(on)}`)) });
    const unclear = groups.value.filter(({ unclear: why }) => why !== undefined);
    return unclear.length === 0 ? pass : unknown(sentences(unclear.map(said)));
  },
};

function said({ group, state, unclear }: ConsumerGroupSeen): string {
  return `what ${group} (${state}) reads can't be told: ${unclear}`;
}
