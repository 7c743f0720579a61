import type { Observed } from "./observed.ts";

export interface TopicSeen {
  readonly name: string;
  readonly partitions: bigint;
  readonly replicas: bigint;
  /** `delete`, `compact`, `compact,delete`; unknown where describing configurations is not allowed. */
  readonly cleanupPolicy: Observed<string>;
  readonly minInsyncReplicas: Observed<bigint>;
  /** Largest batch of records that the topic takes, bytes (`max.message.bytes`). */
  readonly maxMessageBytes: Observed<bigint>;
  /** `retention.ms`: a record is kept so long; -1 without end. */
  readonly retentionMillis: Observed<bigint>;
  /** Whether this login may write; unknown where the protocol does not tell. */
  readonly mayWrite: Observed<boolean>;
}
