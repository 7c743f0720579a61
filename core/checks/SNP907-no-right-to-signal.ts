import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * Asked of the broker before anything is begun.
 */
export const noRightToSignal: Check<"Resnapshot"> = {
  code: "SNP907",
  title: "The signal may not be written",
  problem: "The broker would refuse it after the connector was stopped.",
  remedy: "Grant WRITE on the signals topic to this login (--command-config).",
  grade: "acceptable",

  run(_intent, { facts: { signalsTopic, connector } }) {
    if (!signalsTopic.known || signalsTopic.value === "missing") return pass;
    const { mayWrite } = signalsTopic.value;
    if (!mayWrite.known)
      return unknown(
        `whether this login may write to ${connector.signalsTopic} can't be told: ${mayWrite.why}`,
        mayWrite.remedy,
      );
    return mayWrite.value ? pass : fail({ seen: `this login may not write to ${connector.signalsTopic}` });
  },
};
