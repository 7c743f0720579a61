import { LICENCE_TOPIC } from "../kinds/migration/legacy-topics.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { listed, sentences } from "./listed.ts";

/**
 * Several legacy connectors can write to one topic: a template that does not name the table, one redo log topic for
 * all, the same tables captured twice. By a transformation such as RegexRouter another one can write to any.
 *
 * What may be somebody else's stays, and while it is not known who else is there, nothing is deleted at all. The
 * licence topic has a refusal of its own, MIG408.
 *
 * Rule: specification, "Start, verification and rollback", retirement: *its* table topics, *its* redo log topic.
 */
export const topicOfOtherLegacy: Check<"Retirement"> = {
  code: "MIG413",
  title: "A legacy topic is another legacy connector's too, or may be",
  problem: "It is not deleted: another legacy connector writes to it, or may, and would lose what it has written.",
  remedy: "Delete it by hand once no other connector writes to it.",
  grade: "advisory",
  unknown: "refusal",

  run(_intent, { topics, spared, shared }) {
    if (!topics.known) return unknown(`which topics would be deleted can't be told: ${topics.why}`, topics.remedy);
    if (!shared.known) {
      const concerned = [...topics.value, ...spared].some(({ what }) => what !== LICENCE_TOPIC);
      return concerned
        ? unknown(
            `which other connectors there are can't be seen: ${shared.why}`,
            shared.remedy ?? "Mend what keeps the worker from telling its connectors, then plan again.",
          )
        : pass;
    }
    if (shared.value.length === 0) return pass;
    return fail({
      seen: sentences(
        shared.value.map(({ connector, topics: on, through }) => {
          const stay = `${listed(on)} ${on.length === 1 ? "stays" : "stay"}`;
          return through.length === 0
            ? `${stay}: ${connector} writes there too, by its settings`
            : `${stay}: ${connector} may write there, its records go through ${listed(through)}`;
        }),
      ),
    });
  },
};
