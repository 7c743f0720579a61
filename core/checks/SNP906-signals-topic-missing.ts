import type { Check } from "./check.ts";
import { isThere } from "./topic.ts";

/**
 * A topic is never made by accident: one under a mistaken name would take the signal, and nobody would read it.
 *
 * Rule: specification, "Snapshot signal".
 */
export const signalsTopicMissing: Check<"Resnapshot"> = {
  code: "SNP906",
  title: "The signals topic is not there",
  problem: "The signal could not be written, and a topic is never made by accident.",
  remedy: "Create the topic, or set cdc.signals.topic to the one in use.",
  grade: "refusal",

  run(_intent, { facts: { signalsTopic, connector } }) {
    return isThere({ called: "signals topic", name: connector.signalsTopic, seen: signalsTopic });
  },
};
