import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import { decodeOffsetsSet } from "../../facts/ops/ops-event.ts";
import { signalIdOf } from "../../facts/ops/signal.ts";
import { unredacted } from "../../facts/testing/unredacted.ts";
import type { KafkaPort, KafkaRecord, TopicRead } from "../../ports/kafka.ts";

const bytes = (value: string) => new TextEncoder().encode(value);

interface MemoryRecord {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
}

/** Topics of one partition each, as lists of records. Whoever writes to them may put anything there. */
export interface MemoryTopics {
  names(): readonly string[];
  /** Makes it without records, where it is not there. */
  create(topic: string): void;
  /** @returns whether it was there */
  delete(topic: string): boolean;
  add(topic: string, value: Uint8Array | null, key?: Uint8Array | null): void;
  events(topic: string): readonly RecordedEvent[];
  /** Ids of the signals that stand in a topic, oldest first. */
  signalIds(topic: string): readonly string[];
  end(topic: string): bigint;
  read(topic: string, from: Parameters<KafkaPort["read"]>[1]["from"]): TopicRead;
}

export function memoryTopics(): MemoryTopics {
  const topics = new Map<string, MemoryRecord[]>();
  const of = (topic: string) => topics.get(topic) ?? [];
  return {
    names: () => [...topics.keys()],
    create(topic) {
      topics.set(topic, of(topic));
    },
    delete: (topic) => topics.delete(topic),
    add(topic, value, key = null) {
      topics.set(topic, [...of(topic), { key, value }]);
    },
    events: (topic) =>
      of(topic).flatMap(({ value }, i) => {
        const event = decodeOffsetsSet(value, unredacted);
        if (event === undefined) return [];
        return [{ ...event, record: { partition: 0n, offset: BigInt(i), time: event.at, stampedBy: "producer" } }];
      }),
    signalIds: (topic) => of(topic).flatMap(({ value }) => signalIdOf(value) ?? []),
    end: (topic) => BigInt(of(topic).length),
    read(topic, from) {
      const start = typeof from === "string" ? 0n : (from.find(({ partition }) => partition === 0)?.offset ?? 0n);
      const records = of(topic).map(
        ({ key, value }, i): KafkaRecord => ({
          partition: 0,
          offset: BigInt(i),
          timestamp: 0n,
          stampedBy: "producer",
          key,
          headers: {},
          value,
        }),
      );
      const readTo = [{ partition: 0, offset: BigInt(records.length) }];
      return { records: records.slice(Number(start)), whole: start === 0n, reachedEnd: true, readTo };
    },
  };
}

/** A `signal-ack` as the connector writes it, in the schema envelope; amid records of others. */
export function acknowledgement(
  id: string,
  { outcome, message }: { readonly outcome: string; readonly message: string },
) {
  const ack = (of: string, text: string) =>
    bytes(
      JSON.stringify({
        schema: { type: "struct" },
        payload: { v: 1, type: "signal-ack", details: { id: of, type: "snapshot", outcome: text, message } },
      }),
    );
  return [bytes("no JSON"), ack("another-signal", "failed"), ack(id, outcome)];
}
