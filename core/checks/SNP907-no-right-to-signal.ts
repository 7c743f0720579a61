import type { Check } from "./check.ts";
import { mayBeWritten } from "./topic.ts";

/** Found while planning, as far as the protocol tells. */
export const noRightToSignal: Check<"Resnapshot"> = {
  code: "SNP907",
  title: "This login may not write to the signals topic",
  problem: "`apply` would stop the connector and then be unable to write the signal.",
  remedy: "Allow WRITE on the signals topic for this login (kafka-acls), or give another one (--command-config).",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { facts: { signalsTopic, connector } }) {
    return mayBeWritten({ called: "signals topic", name: connector.signalsTopic, seen: signalsTopic });
  },
};
