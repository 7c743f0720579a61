import { signalKey } from "../facts/ops/signal.ts";
import type { Check } from "./check.ts";
import { hasReplicas } from "./topic.ts";

/** A signal is acknowledged by all replicas in sync. */
export const tooFewReplicasForSignal: Check<"Resnapshot"> = {
  code: "SNP917",
  title: "Too few replicas of the signals topic are in sync",
  problem: "The broker would refuse the signal (NOT_ENOUGH_REPLICAS), past a gap after the connector was stopped.",
  remedy:
    "Bring the missing brokers back and wait until their replicas are in sync, or lower min.insync.replicas of " +
    "the topic.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { facts: { signalsTopic, connector } }) {
    const topic = { called: "signals topic", name: connector.signalsTopic, seen: signalsTopic };
    return hasReplicas(topic, signalKey(connector.name));
  },
};
