import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { listed } from "./listed.ts";

/**
 * The journal's keys begin with the prefix, and its topic is named by it.
 *
 * Rule: reference: connector settings, `cdc.topic.prefix`, `cdc.txjournal.topic`.
 */
export const prefixShared: Check<"Cutover"> = {
  code: "MIG109",
  title: "Another connector uses the new prefix",
  problem: "The two would share topics and a transaction journal: each would restore the other's transactions.",
  remedy: "Choose another `spec.to.topicPrefix`.",
  grade: "acceptable",

  run(_intent, { prefixUsers, facts: { others, settings } }) {
    if (!prefixUsers.known || !others.known) {
      const { why, remedy } = prefixUsers.known ? { why: "", remedy: undefined } : prefixUsers;
      return unknown(`which other connectors there are can't be seen: ${why}`, remedy ?? TO_KNOW.connectors);
    }
    const users = prefixUsers.value.map(({ name }) => name);
    if (users.length > 0)
      return fail({
        seen: `${listed(users)} ${users.length === 1 ? "has" : "have"} the prefix ${settings.prefix} too`,
        at: "spec.to.topicPrefix",
      });
    const hidden = others.value.filter(({ prefix }) => prefix?.includes("${")).map(({ name }) => name);
    if (hidden.length === 0) return pass;
    return unknown(
      `the prefix of ${listed(hidden)} is a reference that only the worker resolves: is it ${settings.prefix}?`,
      "Find out which prefix that is. If it is another:  spec.accept: [MIG109]",
    );
  },
};
