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
  /** How the broker takes the time that a producer gives a record. */
  readonly timestamps: Observed<TimestampRule>;
  /** Largest batch of records that the topic takes, bytes (`max.message.bytes`). */
  readonly maxMessageBytes: Observed<bigint>;
  /** `retention.ms`: a record is kept so long; -1 without end. */
  readonly retentionMillis: Observed<bigint>;
  /**
   * `retention.bytes`: a partition keeps so many bytes of its latest records, give or take a segment; -1 without end.
   */
  readonly retentionBytes: Observed<bigint>;
  /** Whether this login may write; unknown where the protocol does not tell. */
  readonly mayWrite: Observed<boolean>;
}

export interface TimestampRule {
  /**
   * `CreateTime`: the producer's clock, within the limits. `LogAppendTime`: the broker's, whatever the producer says.
   */
  readonly type: string;
  /** A record is refused whose time is so many milliseconds before the broker's clock, or more; undefined: none is. */
  readonly beforeMaxMillis: bigint | undefined;
  /** And after it. */
  readonly afterMaxMillis: bigint | undefined;
}

/**
 * Whose clock a record's time is of: its producer's (create time), or that of the broker that appended it (log append
 * time).
 */
export type StampedBy = "producer" | "broker";

/** A consumer group, seen from the topics that it was asked about. */
export interface ConsumerGroupSeen {
  readonly group: string;
  /** As the broker says it: `Stable`, `Empty`, `PreparingRebalance`, … */
  readonly state: string;
  /** Topics (of those asked for) that its members are assigned to now: it is active on them. */
  readonly active: readonly string[];
  /** Topics (of those asked for) that it has committed offsets for. */
  readonly committed: readonly string[];
  /** Why the broker does not tell what its members read: then it may be active on any of the topics. */
  readonly unclear?: string;
}
