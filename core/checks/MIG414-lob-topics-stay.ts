import { type Check, fail, pass, unknown } from "./check.ts";
import { listed } from "./listed.ts";

/**
 * The legacy connector writes LOB columns to topics of their own.
 *
 * Rule: specification, "Start, verification and rollback", retirement: it names table topics, redo log topic and
 * licence topic; reference: legacy properties, `lob.topic.name.template`.
 */
export const lobTopicsStay: Check<"Retirement"> = {
  code: "MIG414",
  title: "Topics of LOB columns stay",
  problem: "They are not deleted: nothing in them was verified, and what they hold may be nowhere else.",
  remedy: "Delete them by hand once nobody needs what they hold.",
  grade: "advisory",

  run(_intent, { lobTopics }) {
    if (lobTopics === undefined) return pass;
    if (!lobTopics.known)
      return unknown(`which topics hold LOB columns can't be told: ${lobTopics.why}`, lobTopics.remedy);
    if (lobTopics.value.length === 0) return pass;
    return fail({ seen: `${listed(lobTopics.value)} ${lobTopics.value.length === 1 ? "holds" : "hold"} LOB columns` });
  },
};
