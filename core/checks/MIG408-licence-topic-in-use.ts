import { licenceTopicOf } from "../legacy/licence-topic.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { listed } from "./listed.ts";

/**
 * Legacy connectors share a licence topic unless they were told otherwise.
 *
 * Rule: specification, "Start, verification and rollback", retirement: if unused by any other legacy connector.
 */
export const licenceTopicInUse: Check<"Retirement"> = {
  code: "MIG408",
  title: "Another legacy connector uses the licence topic",
  problem: "Without its licence topic that connector fails when it is started the next time.",
  remedy: "Leave `spec.deleteLicenceTopic` out.",
  grade: "refusal",

  run({ deleteLicenceTopic }, { facts: { legacy, others } }) {
    if (!deleteLicenceTopic || legacy === undefined) return pass;
    if (!others.known) return unknown(`which other connectors there are can't be seen: ${others.why}`, others.remedy);
    const topic = licenceTopicOf(legacy.config);
    const reference = (name: string | undefined) => name?.includes("${") ?? false;
    if (reference(topic)) return unknown(`the licence topic is ${topic}, a reference that only the worker resolves`);
    const users = others.value
      .filter(({ licenceTopic }) => licenceTopic === topic || reference(licenceTopic))
      .map(({ name }) => name);
    if (users.length === 0) return pass;
    return fail({
      seen: `${listed(users)} ${users.length === 1 ? "uses" : "use"} the licence topic ${topic} too, or may`,
      at: "spec.deleteLicenceTopic",
    });
  },
};
