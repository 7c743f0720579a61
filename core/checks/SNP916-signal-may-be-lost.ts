import { printDuration } from "../values/duration.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/** One that is stopped in the evening is started the day after at the latest. */
const SHORT_MILLIS = 86_400_000n;
/** So much a single request of a producer may hold, by default. */
const FEW_BYTES = 1_048_576n;

/**
 * A signal waits in its topic until the connector reads it, which may be hours later where the connector stays stopped.
 *
 * Rule: reference: wire formats, "Signals topic" (key: the connector's name) and "Stored offset" (`signal_offset`).
 */
export const signalMayBeLost: Check<"Resnapshot"> = {
  code: "SNP916",
  title: "A signal may not stay in its topic, or not be found there",
  problem: "A signal that the connector never reads is a snapshot that is never taken.",
  remedy:
    "Keep the signals topic uncompacted, with one partition and a long retention; look for the connector's answer.",
  grade: "advisory",

  run(_intent, { facts: { signalsTopic, connector } }) {
    // That it is missing, or can't be seen, another check says.
    if (!signalsTopic.known || signalsTopic.value === "missing") return pass;
    const { cleanupPolicy, partitions, retentionMillis: kept, retentionBytes: room } = signalsTopic.value;
    const problems = [
      ...(cleanupPolicy.known && cleanupPolicy.value.includes("compact")
        ? ["is compacted: a later signal of the connector removes one that it has not read"]
        : []),
      ...(kept.known && kept.value >= 0n && kept.value < SHORT_MILLIS
        ? [
            `keeps a record for ${printDuration(Number(kept.value))} (retention.ms): the connector has to read ` +
              "it before",
          ]
        : []),
      ...(room.known && room.value >= 0n && room.value < FEW_BYTES
        ? [`keeps about ${room.value} bytes a partition (retention.bytes): later signals push one out`]
        : []),
      ...(partitions > 1n
        ? [`has ${partitions} partitions, while the stored offset remembers one position in it`]
        : []),
    ];
    if (problems.length > 0) return fail({ seen: `${connector.signalsTopic} ${problems.join("; it ")}` });
    return cleanupPolicy.known
      ? pass
      : unknown(
          `whether ${connector.signalsTopic} keeps a signal until it is read can't be told: ${cleanupPolicy.why}`,
          cleanupPolicy.remedy,
        );
  },
};
