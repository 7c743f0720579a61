import { answersSignals } from "../kinds/resnapshot/answers.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * A signal is answered by a running connector only.
 */
export const noAnswerYet: Check<"Resnapshot"> = {
  code: "SNP910",
  title: "The connector can not answer yet",
  problem: "A connector that is stopped or failed reads the signal when it runs again, and not before.",
  remedy: "Set `spec.resume: true`, or start it later; the signal waits in its topic.",
  grade: "advisory",

  run(intent, reading) {
    if (answersSignals(intent, reading)) return pass;
    const { name, status } = reading.facts.connector;
    const failed = status.tasks.some(({ state }) => state === "FAILED");
    return fail({
      seen: `${name} ${reading.way === "signal" ? `is ${failed ? "FAILED" : status.state}` : "stays stopped"}: it takes the signal, and answers it, once it runs${intent.waitForAck === undefined ? "" : "; its answer is not waited for"}`,
    });
  },
};
