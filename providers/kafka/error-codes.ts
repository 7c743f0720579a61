import type { FailureKind } from "../../core/errors.ts";

/**
 * The meaning of Kafka's error codes for a call (https://kafka.apache.org/protocol#protocol_error_codes). `timeout` for
 * codes after which a record may nevertheless have been written.
 */
const CODES: Readonly<Record<number, readonly [name: string, kind: FailureKind]>> = {
  [-1]: ["UNKNOWN_SERVER_ERROR", "timeout"],
  1: ["OFFSET_OUT_OF_RANGE", "rejected"],
  2: ["CORRUPT_MESSAGE", "rejected"],
  3: ["UNKNOWN_TOPIC_OR_PARTITION", "missing"],
  5: ["LEADER_NOT_AVAILABLE", "rejected"],
  6: ["NOT_LEADER_OR_FOLLOWER", "rejected"],
  7: ["REQUEST_TIMED_OUT", "timeout"],
  8: ["BROKER_NOT_AVAILABLE", "rejected"],
  9: ["REPLICA_NOT_AVAILABLE", "rejected"],
  10: ["MESSAGE_TOO_LARGE", "rejected"],
  13: ["NETWORK_EXCEPTION", "timeout"],
  14: ["COORDINATOR_LOAD_IN_PROGRESS", "rejected"],
  15: ["COORDINATOR_NOT_AVAILABLE", "rejected"],
  16: ["NOT_COORDINATOR", "rejected"],
  17: ["INVALID_TOPIC_EXCEPTION", "missing"],
  18: ["RECORD_LIST_TOO_LARGE", "rejected"],
  19: ["NOT_ENOUGH_REPLICAS", "rejected"],
  20: ["NOT_ENOUGH_REPLICAS_AFTER_APPEND", "timeout"],
  29: ["TOPIC_AUTHORIZATION_FAILED", "forbidden"],
  30: ["GROUP_AUTHORIZATION_FAILED", "forbidden"],
  31: ["CLUSTER_AUTHORIZATION_FAILED", "forbidden"],
  32: ["INVALID_TIMESTAMP", "rejected"],
  33: ["UNSUPPORTED_SASL_MECHANISM", "unauthorized"],
  34: ["ILLEGAL_SASL_STATE", "unauthorized"],
  35: ["UNSUPPORTED_VERSION", "unsupported"],
  36: ["TOPIC_ALREADY_EXISTS", "rejected"],
  37: ["INVALID_PARTITIONS", "rejected"],
  38: ["INVALID_REPLICATION_FACTOR", "rejected"],
  40: ["INVALID_CONFIG", "rejected"],
  41: ["NOT_CONTROLLER", "rejected"],
  42: ["INVALID_REQUEST", "rejected"],
  43: ["UNSUPPORTED_FOR_MESSAGE_FORMAT", "unsupported"],
  44: ["POLICY_VIOLATION", "rejected"],
  54: ["SECURITY_DISABLED", "rejected"],
  56: ["KAFKA_STORAGE_ERROR", "timeout"],
  58: ["SASL_AUTHENTICATION_FAILED", "unauthorized"],
  69: ["GROUP_ID_NOT_FOUND", "missing"],
  72: ["LISTENER_NOT_FOUND", "rejected"],
  73: ["TOPIC_DELETION_DISABLED", "rejected"],
  74: ["FENCED_LEADER_EPOCH", "rejected"],
  75: ["UNKNOWN_LEADER_EPOCH", "rejected"],
  76: ["UNSUPPORTED_COMPRESSION_TYPE", "unsupported"],
  78: ["OFFSET_NOT_AVAILABLE", "rejected"],
  87: ["INVALID_RECORD", "rejected"],
  89: ["THROTTLING_QUOTA_EXCEEDED", "rejected"],
  100: ["UNKNOWN_TOPIC_ID", "missing"],
};

export const OFFSET_OUT_OF_RANGE = 1;
export const UNKNOWN_TOPIC_OR_PARTITION = 3;
export const LEADER_NOT_AVAILABLE = 5;
export const BROKER_NOT_AVAILABLE = 8;
export const TOPIC_AUTHORIZATION_FAILED = 29;
export const GROUP_AUTHORIZATION_FAILED = 30;
export const GROUP_ID_NOT_FOUND = 69;

/**
 * Codes by which a broker reports that another broker now leads the partition, coordinates the group or controls the
 * cluster: nothing was done, and new metadata helps.
 */
export const MOVED: readonly number[] = [3, 5, 6, 8, 9, 14, 15, 16, 41, 72, 74, 75, 78];

export function errorName(code: number): string {
  return CODES[code]?.[0] ?? `error code ${code}`;
}

/** An unknown code may mean anything, so it does not prove that nothing happened. */
export function failureKind(code: number): FailureKind {
  return CODES[code]?.[1] ?? "timeout";
}
