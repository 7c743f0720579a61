import type { Observed } from "../observed.ts";

export interface TopicSeen {
  readonly name: string;
  readonly partitions: bigint;
  readonly replicas: bigint;
  /** `delete`, `compact`, `compact,delete`; unknown where describing configurations is not allowed. */
  readonly cleanupPolicy: Observed<string>;
  readonly minInsyncReplicas: Observed<bigint>;
  /** How many replicas of each partition are in sync with its leader, itself included; by the partition's number. */
  readonly inSyncReplicas: readonly bigint[];
  /** How the broker handles the time that a producer sets in a record. */
  readonly timestamps: Observed<TimestampRule>;
  /** Largest batch of records that the topic accepts, bytes (`max.message.bytes`). */
  readonly maxMessageBytes: Observed<bigint>;
  /** `retention.ms`: how long a record is kept; -1: forever. */
  readonly retentionMillis: Observed<bigint>;
  /**
   * `retention.bytes`: how many bytes of its latest records a partition keeps, give or take a segment; -1: no limit.
   */
  readonly retentionBytes: Observed<bigint>;
  /** Whether this login may write; unknown if the protocol does not show it. */
  readonly mayWrite: Observed<boolean>;
}

export interface TimestampRule {
  /**
   * `CreateTime`: the producer's clock, within the limits. `LogAppendTime`: the broker's, whatever the producer set.
   */
  readonly type: string;
  /** The limit for a record's time before the broker's clock, milliseconds; undefined: no limit. */
  readonly beforeMaxMillis: bigint | undefined;
  /** The limit after it. */
  readonly afterMaxMillis: bigint | undefined;
}

/**
 * Whose clock set a record's time: its producer's (create time), or that of the broker that appended it (log append
 * time).
 */
export type StampedBy = "producer" | "broker";

/** A consumer group, with respect to the requested topics. */
export interface ConsumerGroupSeen {
  readonly group: string;
  /** As the broker reports it: `Stable`, `Empty`, `PreparingRebalance`, … */
  readonly state: string;
  /** Topics (of those requested) that its members are assigned to now: it is active on them. */
  readonly active: readonly string[];
  /** Topics (of those requested) that it has committed offsets for. */
  readonly committed: readonly string[];
  /** Why the broker does not show what its members read: then it may be active on any of the topics. */
  readonly unclear?: string;
}
