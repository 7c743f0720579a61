import type { SignalsSeen } from "../../../schemas/generated/facts.ts";
import { CallFailed, orUndefined } from "../../errors.ts";
import { signalSeen } from "../../facts/ops/signal.ts";
import type { KafkaPort } from "../../ports/kafka.ts";

const BOUNDS = { records: 10_000, millis: 15_000 } as const;

/** Who the signals are to: the task reads those with its connector's name as key, and those with its topic prefix. */
export interface Addressed {
  readonly topic: string;
  readonly connector: string;
  readonly prefix: string;
}

/**
 * Reads partition 0 of the signals topic as the task would at its next start; of a missing topic, whether it may be
 * created.
 *
 * Rule: reference: connector rules, "Signals and snapshots".
 *
 * @param handled the stored `signal_offset`; undefined: the topic is read from its beginning
 * @throws CallFailed if the topic can't be read to its end: an incomplete list proves nothing
 */
export async function inspectSignals(
  kafka: Pick<KafkaPort, "brokers" | "endOffsets" | "read" | "mayCreateTopics">,
  { topic, connector, prefix }: Addressed,
  handled: bigint | undefined,
): Promise<SignalsSeen> {
  const ends = await orUndefined(kafka.endOffsets(topic), "missing");
  if (ends === undefined) {
    const mayCreate = await kafka.mayCreateTopics();
    return { end: 0n, unread: [], ...(mayCreate === undefined ? {} : { mayCreate }) };
  }
  const end = ends.find(({ partition }) => partition === 0)?.offset ?? 0n;
  const first = handled === undefined ? 0n : handled + 1n;
  if (first >= end) return { end, unread: [] };
  // Only what lies in partition 0 is read.
  const from = ends.map((one) => (one.partition === 0 ? { partition: 0, offset: first } : one));
  const { records, reachedEnd } = await kafka.read(topic, { from, ...BOUNDS });
  if (!reachedEnd)
    throw new CallFailed("kafka", "timeout", {
      message: `${kafka.brokers}: ${topic} could not be read to its end in time`,
      remedy: "Check whether the brokers are overloaded, or a transaction on the topic is open.",
    });
  return {
    end,
    unread: records.flatMap((record) =>
      record.partition === 0 ? (signalSeen(record, [connector, prefix]) ?? []) : [],
    ),
  };
}
