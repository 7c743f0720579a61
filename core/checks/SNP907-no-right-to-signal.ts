import { type Check, fail, pass, unknown } from "./check.ts";

/** Found while planning, as far as the protocol tells. */
export const noRightToSignal: Check<"Resnapshot"> = {
  code: "SNP907",
  title: "This login may not write to the signals topic",
  problem: "`apply` would stop the connector and then be unable to write the signal.",
  remedy: "Allow WRITE on the signals topic for this login (kafka-acls), or give another one (--command-config).",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { facts: { signalsTopic, connector } }) {
    if (!signalsTopic.known)
      return unknown(
        `the signals topic ${connector.signalsTopic} can't be seen: ${signalsTopic.why}`,
        signalsTopic.remedy,
      );
    if (signalsTopic.value === "missing") return pass;
    const { mayWrite } = signalsTopic.value;
    if (!mayWrite.known)
      return unknown(
        `whether this login may write to ${connector.signalsTopic} can't be told: ${mayWrite.why}`,
        mayWrite.remedy,
      );
    return mayWrite.value ? pass : fail({ seen: `this login may not write to ${connector.signalsTopic}` });
  },
};
