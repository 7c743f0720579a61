import { type Check, pass } from "./check.ts";
import { fits, signalBytes } from "./record-size.ts";

/**
 * A signal is one record with all its tables.
 *
 * Rule: specification, "Snapshot signal".
 */
export const signalTooLarge: Check<"Resnapshot"> = {
  code: "SNP913",
  title: "The signal is larger than its topic takes",
  problem: "The broker would refuse the signal after the connector was stopped.",
  remedy: "Raise max.message.bytes of the signals topic, or name fewer tables.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, reading) {
    if (reading.tables.length === 0) return pass;
    const { signalsTopic, connector } = reading.facts;
    return fits("the signal", signalBytes(reading), connector.signalsTopic, signalsTopic, [
      ...(reading.way === "signal"
        ? ["Or name fewer tables, and the others in a plan file of their own when these are done."]
        : []),
    ]);
  },
};
