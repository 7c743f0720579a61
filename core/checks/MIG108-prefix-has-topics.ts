import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { listed } from "./listed.ts";

/**
 * Topics of an earlier life hold its changes, its signals and its transaction journal. The ops topic only tells what
 * was done: it is no obstacle, and where topics are not created by themselves it has to be there before.
 */
export const prefixHasTopics: Check<"Cutover"> = {
  code: "MIG108",
  title: "Topics of the new prefix exist already",
  problem:
    "What they hold would be mixed with the new connector's changes; a journal or signals of an earlier " +
    "connector would be taken for its own.",
  remedy: "Choose another `spec.to.topicPrefix`, or delete the topics.",
  grade: "acceptable",

  run(_intent, { prefixTopics, facts: { settings } }) {
    if (!prefixTopics.known)
      return unknown(`which topics exist can't be seen: ${prefixTopics.why}`, prefixTopics.remedy ?? TO_KNOW.topics);
    const topics = prefixTopics.value;
    if (topics.length === 0) return pass;
    return fail({
      seen:
        `${topics.length === 1 ? "1 topic begins" : `${topics.length} topics begin`} with ${settings.prefix}. ` +
        `already: ${listed(topics)}`,
      remedies: [
        "Choose another prefix:  spec.to.topicPrefix",
        "Delete them, if nobody reads them; or, if they were created for this connector and are empty:  " +
          "spec.accept: [MIG108]",
      ],
      at: "spec.to.topicPrefix",
    });
  },
};
