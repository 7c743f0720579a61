import { type Check, fail, pass, unknown } from "./check.ts";
import { listed } from "./listed.ts";

/** A deleted topic does not come back. */
export const newTopicsUnclear: Check<"Return"> = {
  code: "MIG306",
  title: "Which topics are the new connector's alone is not known",
  problem: "Topics of another connector could be deleted with it.",
  remedy: "Leave `spec.deleteTopics` out, and delete the topics by hand when you know.",
  grade: "refusal",

  run({ deleteTopics }, { newTopics, facts: { others, settings } }) {
    if (!deleteTopics) return pass;
    if (!newTopics.known) return unknown(newTopics.why, newTopics.remedy);
    if (!others.known) return unknown(`which other connectors there are can't be seen: ${others.why}`, others.remedy);
    const sharing = others.value
      .filter(({ prefix }) => prefix !== undefined && (prefix.trim() === settings.prefix || prefix.includes("${")))
      .map(({ name }) => name);
    if (sharing.length === 0) return pass;
    return fail({
      seen:
        `${listed(sharing)} may write to them too: ${sharing.length === 1 ? "its" : "their"} cdc.topic.prefix is ` +
        `${settings.prefix}, or a reference`,
      at: "spec.deleteTopics",
    });
  },
};
