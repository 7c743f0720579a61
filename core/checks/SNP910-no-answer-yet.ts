import { hasFailed } from "../facts/connector/connector.ts";
import { answersSignals } from "../kinds/resnapshot/answers.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * A signal is answered by a running connector only. That is said beforehand, instead of waiting for what can't come.
 *
 * Rule: reference: wire formats, "Ops topic" (`signal-ack`).
 */
export const noAnswerYet: Check<"Resnapshot"> = {
  code: "SNP910",
  title: "The connector can't answer the signal yet",
  problem: "A connector that is stopped or failed reads the signal when it runs again, and not before.",
  remedy: "Set `spec.resume: true` (`--resume`), or start it later; the signal waits in its topic.",
  grade: "advisory",

  run(intent, reading) {
    if (reading.way === "unknown" || answersSignals(intent, reading)) return pass;
    const { name, status } = reading.facts.connector;
    const state = hasFailed(status) ? "FAILED" : status.state;
    const now =
      reading.way === "past the gap"
        ? "stays stopped"
        : state === "RUNNING"
          ? "is RUNNING, but not all of its tasks are"
          : `is ${state}`;
    return fail({
      seen:
        `${name} ${now}: it takes the signal, and answers it, once it ` +
        `runs${intent.waitForAck === undefined ? "" : "; its answer is not waited for"}`,
      remedies: [
        intent.origin.by === "admin"
          ? "Give --resume, or start it later; the signal waits in its topic."
          : "Set spec.resume: true, or start it later; the signal waits in its topic.",
      ],
      at: "spec.resume",
    });
  },
};
