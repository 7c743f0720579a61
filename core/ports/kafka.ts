import type { ConsumerGroupSeen, RecordInLog, TopicSeen } from "../../schemas/generated/facts.ts";
import type { OffsetRange } from "../../schemas/generated/verification-job.ts";
import type { ChangeAnswer } from "./answers.ts";

export type { OffsetRange };

export interface KafkaPort {
  /** `host:port` list as shown to people. */
  readonly brokers: string;
  clusterId(): Promise<string>;
  /** Names of all topics that this login may describe, Kafka's internal ones left out. */
  topics(): Promise<readonly string[]>;
  /**
   * Whether this login may create topics of any name; a permission that covers only some names is not reported.
   * Undefined if the brokers report no permissions.
   */
  mayCreateTopics(): Promise<boolean | undefined>;
  /**
   * The lowest `transaction.max.timeout.ms` of all brokers: a producer that asks for more is refused by the one that
   * coordinates its transactions.
   */
  maxTransactionMillis(): Promise<bigint>;
  /** Undefined if the topic does not exist. Never creates one. */
  topic(name: string): Promise<TopicSeen | undefined>;
  /**
   * Writes one record, or several in one batch, in the partition of the first: all of them or none. Acknowledged by all
   * in-sync replicas. Never creates the topic. A lost reply is `timeout` or `lost`.
   *
   * @param records their `partition`: omitted, the one that the Java client chooses for the key
   * @returns the position of the last record
   */
  append(topic: string, records: NewRecord | readonly NewRecord[]): Promise<RecordPosition>;
  /** Next offset to be written, a partition. */
  endOffsets(topic: string): Promise<readonly RecordPosition[]>;
  /** Reads up to the ends as they stand when called, committed records only, bounded in records and time. */
  read(topic: string, bounds: ReadBounds): Promise<TopicRead>;
  /**
   * One CreateTopics request for one topic, with the brokers' default number of replicas. Never throws for what the
   * world answered or did not answer. `status` is Kafka's error code: 36, TOPIC_ALREADY_EXISTS.
   */
  createTopic(name: string, partitions: number, config: Readonly<Record<string, string>>): Promise<ChangeAnswer>;
  /**
   * One DeleteTopics request for one topic. Never throws for what the world answered or did not answer. `status` is
   * Kafka's error code: 3, UNKNOWN_TOPIC_OR_PARTITION, for a topic that is not there.
   */
  deleteTopic(name: string): Promise<ChangeAnswer>;
  /**
   * Consumer groups that read or have read one of the topics: members assigned to them, or offsets committed for them.
   *
   * @throws CallFailed `forbidden` if this login can't list all groups: an incomplete list proves nothing
   */
  consumersOf(topics: readonly string[]): Promise<readonly ConsumerGroupSeen[]>;
  /** What there is to read of every partition, committed records only: an open transaction ends it. */
  extents(topic: string): Promise<readonly OffsetRange[]>;
  /**
   * Reads one partition from `from` to `to`, committed records only, in batches as they arrive: for topics that no
   * memory holds. A batch is fetched while the one before it is worked on, and no further ahead. Several partitions may
   * be read at the same time.
   *
   * @throws CallFailed also where records of the range are gone (retention) before they were read, or the range is not
   * committed to its end
   */
  records(topic: string, range: OffsetRange): AsyncIterable<readonly KafkaRecord[]>;
  /**
   * Reads records, but gives only the positions of each batch's records in the bytes that were received: creating an
   * object for every record costs more than reading it.
   *
   * @param alone whether no other partition is read at the same time: more is fetched at once, into memory that other
   * threads can read
   */
  recordsInPlace(topic: string, range: OffsetRange, alone?: boolean): AsyncIterable<RecordsInPlace>;
  close(): Promise<void>;
}

export interface NewRecord {
  readonly key: Uint8Array | null;
  /** Null in a compacted topic: it removes the records of its key. */
  readonly value: Uint8Array | null;
  readonly partition?: number;
}

export interface RecordPosition {
  readonly partition: number;
  readonly offset: bigint;
}

export interface ReadBounds {
  /**
   * Start here; partitions not named start at their beginning. `"tail"`: so that at most `records` are read a
   * partition.
   */
  readonly from: "beginning" | "tail" | readonly RecordPosition[];
  /** The maximum number of records in all, of 256 MiB of keys and values, give or take one record. */
  readonly records: number;
  readonly millis: number;
}

export interface KafkaRecord extends RecordPosition {
  /** Record time, milliseconds since the epoch, by the clock of `stampedBy`. */
  readonly timestamp: bigint;
  readonly stampedBy: RecordInLog["stampedBy"];
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
}

/** So many buffers last: that of the records that were given last, and those before it. */
export const LASTING_BUFFERS = 4;

/**
 * One or more records of one partition, in order. Its bytes last until as many other buffers have come as
 * `LASTING_BUFFERS` says; with the first records in the last of them it is time to copy what is still wanted, before
 * those after them are asked for.
 */
export interface RecordsInPlace {
  readonly partition: number;
  /** What holds the keys and values. */
  readonly bytes: Uint8Array;
  readonly count: number;
  /** A record's offset is `baseOffset` and its own of `offsetDeltas`. */
  readonly baseOffset: bigint;
  /** This one, and those that follow: one number a record. */
  readonly offsetDeltas: Int32Array;
  /** Where the key begins; -1: it is null. */
  readonly keyStarts: Int32Array;
  /** Exclusive. */
  readonly keyEnds: Int32Array;
  /** Where the value begins; -1: it is null. */
  readonly valueStarts: Int32Array;
  /** Exclusive. */
  readonly valueEnds: Int32Array;
  /**
   * Where the headers begin: their number, then the name and value of each, as record batches encode them
   * (https://kafka.apache.org/documentation/#recordheader).
   */
  readonly headerStarts: Int32Array;
}

/** Offset of one of the records. */
export function offsetOf({ baseOffset, offsetDeltas }: RecordsInPlace, nth: number): bigint {
  return baseOffset + BigInt(offsetDeltas[nth] as number);
}

export interface TopicRead {
  /** Records in order of offset within a partition. */
  readonly records: readonly KafkaRecord[];
  /** Whether everything from the start of the topic to its end was read. */
  readonly whole: boolean;
  /** Whether everything up to the ends as they stood when the read began was read. */
  readonly reachedEnd: boolean;
  /** How far every partition was read: the offset after the last one read. */
  readonly readTo: readonly RecordPosition[];
}
