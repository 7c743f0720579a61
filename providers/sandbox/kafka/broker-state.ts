import { type BatchAttributes, encodeBatch, encodeMarker, type NewRecord, withLogAppendTime } from "./encode-batch.ts";
import type { SandboxGroup } from "./group-apis.ts";
import { type PartitionLog, partitionLog } from "./partition-log.ts";

export interface NewTopic {
  readonly partitions?: number;
  /** Topic configurations over the broker's defaults, such as `cleanup.policy`. */
  readonly configs?: Readonly<Record<string, string>>;
  /** Number of replicas of each partition in the metadata, including this broker. Default: 1. */
  readonly replicas?: number;
  /** How many of them are in sync. Default: all. */
  readonly inSync?: number;
}

export interface Topic {
  readonly name: string;
  readonly partitions: readonly PartitionLog[];
  readonly configs: Readonly<Record<string, string>>;
  readonly replicas: number;
  /** May change while the broker runs. */
  inSync: number;
}

/** `describe-cluster` has no topic, `describe-group` a group instead. */
export type Operation =
  | "read"
  | "write"
  | "create"
  | "delete"
  | "describe"
  | "describe-configs"
  | "describe-cluster"
  | "describe-group";

interface Producer {
  readonly id: bigint;
  readonly epoch: number;
  /** Partitions the open transaction has touched, as `topic/partition`. */
  readonly touched: Set<string>;
}

/** The state of the broker, which requests change. */
export interface BrokerState {
  readonly topics: Map<string, Topic>;
  readonly groups: Map<string, SandboxGroup>;
  /** The broker's clock, milliseconds since the epoch. */
  now(): number;
  create(name: string, topic?: NewTopic): Topic;
  /** Appends produced bytes and wakes the fetches that wait. */
  append(topic: string, partition: number, batch: Buffer): bigint;
  /** Appends records as one batch. */
  appendRecords(topic: string, partition: number, records: readonly NewRecord[], attributes?: BatchAttributes): bigint;
  producer(transactionalId: string | null): Producer;
  /** Ends a producer's transaction in every partition it touched. @returns false for an unknown producer id */
  endTransaction(producerId: bigint, outcome: "abort" | "commit"): boolean;
  touch(producerId: bigint, topic: string, partition: number): boolean;
  /** Resolves at the next append or after `millis`. */
  changed(millis: number): Promise<void>;
}

const DEFAULT_CONFIGS = {
  "cleanup.policy": "delete",
  "min.insync.replicas": "1",
  "max.message.bytes": "1048588",
  "retention.ms": "604800000",
  "retention.bytes": "-1",
  "message.timestamp.type": "CreateTime",
  "message.timestamp.before.max.ms": "9223372036854775807",
  "message.timestamp.after.max.ms": "9223372036854775807",
};

/** @param now the broker's clock, milliseconds since the epoch */
export function brokerState(now: () => number = Date.now): BrokerState {
  const topics = new Map<string, Topic>();
  const producers = new Map<string | bigint, Producer>();
  const waiting = new Set<() => void>();
  let nextProducer = 1000n;

  const logOf = (topic: string, partition: number): PartitionLog => {
    const log = topics.get(topic)?.partitions[partition];
    if (log === undefined) throw new RangeError(`the sandbox has no partition ${partition} of ${topic}`);
    return log;
  };
  const wake = () => {
    for (const one of [...waiting]) one();
  };
  const byId = (id: bigint) => [...producers.values()].find((producer) => producer.id === id);

  const state: BrokerState = {
    topics,
    groups: new Map(),
    create(name, { partitions = 1, configs = {}, replicas = 1, inSync = replicas } = {}) {
      const topic = {
        name,
        partitions: Array.from({ length: partitions }, () => partitionLog()),
        configs: { ...DEFAULT_CONFIGS, ...configs },
        replicas,
        inSync,
      };
      topics.set(name, topic);
      return topic;
    },
    now,
    append(topic, partition, batch) {
      const stamped = topics.get(topic)?.configs["message.timestamp.type"] === "LogAppendTime";
      const offset = logOf(topic, partition).append(stamped ? withLogAppendTime(batch, BigInt(now())) : batch);
      wake();
      return offset;
    },
    appendRecords(topic, partition, records, attributes) {
      return state.append(topic, partition, encodeBatch(records, attributes));
    },
    producer(transactionalId) {
      const known = transactionalId === null ? undefined : producers.get(transactionalId);
      if (known !== undefined) state.endTransaction(known.id, "abort");
      const producer: Producer =
        known === undefined
          ? { id: nextProducer++, epoch: 0, touched: new Set() }
          : { ...known, epoch: known.epoch + 1 };
      producers.set(transactionalId ?? producer.id, producer);
      return producer;
    },
    endTransaction(producerId, outcome) {
      const producer = byId(producerId);
      if (producer === undefined) return false;
      for (const place of producer.touched) {
        const at = place.lastIndexOf("/");
        const marker = encodeMarker(producer.id, producer.epoch, outcome);
        logOf(place.slice(0, at), Number(place.slice(at + 1))).endTransaction(producer.id, marker, outcome);
      }
      producer.touched.clear();
      wake();
      return true;
    },
    touch(producerId, topic, partition) {
      const producer = byId(producerId);
      producer?.touched.add(`${topic}/${partition}`);
      return producer !== undefined;
    },
    changed(millis) {
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, millis);
        timer.unref();
        waiting.add(done);
      });
    },
  };
  return state;
}
