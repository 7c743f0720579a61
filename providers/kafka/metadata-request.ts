import type { BrokerConnection } from "./broker-connection.ts";
import { tooOld } from "./kafka-failure.ts";
import { type WireReader, WireWriter } from "./wire.ts";

export interface Metadata {
  readonly clusterId: string | undefined;
  readonly brokers: ReadonlyMap<number, { readonly host: string; readonly port: number }>;
  /** The broker that accepts changes of topics. */
  readonly controller: number;
  /**
   * Operations that this login may perform on the cluster, as bits as for a topic; undefined if the broker does not
   * report them.
   */
  readonly operations: number | undefined;
  readonly topics: readonly TopicMetadata[];
}

export interface TopicMetadata {
  readonly error: number;
  readonly name: string;
  /** Kafka's own: `__consumer_offsets`, `__transaction_state`. */
  readonly internal: boolean;
  readonly partitions: readonly PartitionMetadata[];
  /**
   * ACL operations that this login may perform on the topic, as bits `1 << code`; undefined if the broker does not
   * report them.
   */
  readonly operations: number | undefined;
}

interface PartitionMetadata {
  readonly error: number;
  readonly index: number;
  /** -1 without a leader. */
  readonly leader: number;
  readonly replicas: readonly number[];
  /** Those in sync with the leader, which is one of them. */
  readonly inSync: readonly number[];
}

/** ACL operations, as bits of `operations`. */
export const MAY_WRITE = 1 << 4;
export const MAY_CREATE = 1 << 5;
export const MAY_DESCRIBE = 1 << 8;

const METADATA = 3;
/**
 * The first version that can report the authorized operations of a topic (Kafka 2.3); kafkajs supports versions up to
 * 6.
 */
const VERSION_WITH_OPERATIONS = 8;
/** The first version in which a client can prevent the creation of topics (Kafka 0.11). */
const LOWEST = 4;

/**
 * Requests metadata from one broker: of topics by name, or of all topics. Without names, of the brokers only. Never
 * creates a topic.
 */
export async function metadata(connection: BrokerConnection, topics: readonly string[] | "all"): Promise<Metadata> {
  const version = Math.min(connection.highest(METADATA), VERSION_WITH_OPERATIONS);
  if (version < LOWEST) throw tooOld(connection.address);
  return connection.send({
    apiKey: METADATA,
    apiName: "Metadata",
    version,
    encode() {
      const writer = new WireWriter();
      writer.array(topics === "all" ? null : topics, (name) => writer.string(name)).boolean(false);
      // The operations on the cluster are requested without topics, those on a topic with its name.
      if (version >= VERSION_WITH_OPERATIONS) writer.boolean(topics.length === 0).boolean(topics !== "all");
      return writer.toBuffer();
    },
    decode(body) {
      body.int32();
      const brokers = body.array(() => {
        const broker = { id: body.int32(), host: body.string(), port: body.int32() };
        body.nullableString();
        return broker;
      });
      const clusterId = body.nullableString() ?? undefined;
      const controller = body.int32();
      const found = body.array(() => readTopic(body, version));
      return {
        clusterId,
        brokers: new Map(brokers.map(({ id, host, port }) => [id, { host, port }])),
        controller,
        topics: found,
        operations: readOperations(body, version),
      };
    },
  });
}

const NOT_REPORTED = -2147483648;

function readTopic(body: WireReader, version: number): TopicMetadata {
  const error = body.int16();
  const name = body.string();
  const internal = body.boolean();
  const partitions = body.array(() => readPartition(body, version));
  return { error, name, internal, partitions, operations: readOperations(body, version) };
}

function readOperations(body: WireReader, version: number): number | undefined {
  const operations = version >= VERSION_WITH_OPERATIONS ? body.int32() : NOT_REPORTED;
  return operations === NOT_REPORTED ? undefined : operations;
}

function readPartition(body: WireReader, version: number): PartitionMetadata {
  const error = body.int16();
  const index = body.int32();
  const leader = body.int32();
  if (version >= 7) body.int32();
  const replicas = body.array(() => body.int32());
  const inSync = body.array(() => body.int32());
  if (version >= 5) body.array(() => body.int32());
  return { error, index, leader, replicas, inSync };
}
