import { answerReadable } from "../kinds/resnapshot/answers.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * The connector writes its answer as it writes every record: in a form that only a JSON converter makes readable here.
 *
 * Rule: reference: wire formats, "Ops topic".
 */
export const answerUnreadable: Check<"Resnapshot"> = {
  code: "SNP914",
  title: "The connector's answer can't be read",
  problem: "Its answer is written by its value converter, and only that of a JSON converter can be read.",
  remedy: "Look for the signal's id in the ops topic with a consumer that knows the converter.",
  grade: "advisory",

  run({ waitForAck }, { facts }) {
    if (waitForAck === undefined || answerReadable(facts)) return pass;
    return fail({
      seen:
        `value.converter of ${facts.connector.name} is ${facts.connector.valueConverter}: the connector's answer ` +
        "to the signal can't be read, and is not waited for",
      at: "spec.waitForAck",
    });
  },
};
