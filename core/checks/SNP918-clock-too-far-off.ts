import type { Check } from "./check.ts";
import { isInTime } from "./topic.ts";

/** A record is dated by the clock of the machine that writes it, unless its topic has the broker do that. */
export const clockTooFarOffForSignal: Check<"Resnapshot"> = {
  code: "SNP918",
  title: "This machine's clock is too far off for the signals topic",
  problem: "The broker would refuse the signal (INVALID_TIMESTAMP), past a gap after the connector was stopped.",
  remedy:
    "Correct this machine's clock, or raise message.timestamp.before.max.ms and message.timestamp.after.max.ms " +
    "of the topic.",
  grade: "acceptable",
  unknown: "advisory",

  run(_intent, { facts: { signalsTopic, connector, opsHistory } }) {
    return isInTime({ called: "signals topic", name: connector.signalsTopic, seen: signalsTopic }, opsHistory);
  },
};
