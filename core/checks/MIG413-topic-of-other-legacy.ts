import { mayWriteTo } from "../legacy/written-topics.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { listed, sentences } from "./listed.ts";

/**
 * Several legacy connectors can write to one topic: a template that does not name the table, one redo log topic for all, or the same tables captured twice.
 *
 * The licence topic has a refusal of its own, MIG408. As there, nobody takes upon himself to delete what may be somebody else's.
 *
 * Rule: specification, "Start, verification and rollback", retirement: *its* table topics, *its* redo log topic.
 */
export const topicOfOtherLegacy: Check<"Retirement"> = {
  code: "MIG413",
  title: "Another legacy connector writes to a topic that would be deleted, or may",
  problem:
    "It would lose what it has written, and fail or create the topic anew; who reads its changes there would miss them.",
  remedy: "Retire it first, or keep the topic: give the other connector one of its own.",
  grade: "refusal",

  run(_intent, { topics, facts: { others } }) {
    if (!topics.known) return unknown(`which topics would be deleted can't be told: ${topics.why}`, topics.remedy);
    // The licence topic is none that records are written to.
    const deleted = topics.value.filter(({ what }) => what !== "licence topic");
    if (deleted.length === 0) return pass;
    if (!others.known) return unknown(`which other connectors there are can't be seen: ${others.why}`, others.remedy);
    const users = others.value.flatMap(({ name, writes }) => {
      if (writes === undefined) return [];
      const on = deleted.filter(({ topic }) => mayWriteTo(writes, topic)).map(({ topic }) => topic);
      return on.length === 0 ? [] : [{ name, on, through: writes.reroutings }];
    });
    if (users.length === 0) return pass;
    return fail({
      seen: sentences(
        users.map(({ name, on, through }) =>
          through.length === 0
            ? `${name} writes to ${listed(on)} too, by its settings`
            : `${name} may write to ${listed(on)} too: its records go through ${listed(through)}`,
        ),
      ),
    });
  },
};
