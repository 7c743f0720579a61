// Generated from shared.json by npm run types. Edit the schema, not this file.
import type { Digest } from "../../core/values/digest.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { JsonObject } from "../../core/values/json.ts";

export type LegacyName = "confluent" | "debezium";
export type TopicChoice = "keep" | "new";
export type MigrationPhase = "cutover" | "verify" | "rollback" | "retire";
export type OpsFormat = "json" | "json_schemas";
export type Outcome = "pass" | "fail" | "inconclusive";
export type FailureReason =
  | "in-neither-topic"
  | "deleted-in-topic"
  | "values-differ"
  | "still-in-topic"
  | "only-in-legacy-topic"
  | "stale-in-legacy-topic"
  | "count-differs";
export type DoubtReason =
  | "only-above-check-scn"
  | "snapshot-after-check-scn"
  | "key-not-unique"
  | "partitions-disagree"
  | "delete-not-kept"
  | "truncate-skipped"
  | "commit-unknown"
  | "legacy-unreadable"
  | "column-added"
  | "overlap";
export type TranslatedProperty =
  | {
      readonly name: string;
      readonly fate: "mapped";
      readonly target: string;
      readonly value: string;
    }
  | {
      readonly name: string;
      readonly fate: "changed";
      readonly target: string;
      readonly value: string;
      readonly reason: string;
    }
  | {
      readonly name: string;
      readonly fate: "dropped";
      readonly reason: string;
    }
  | {
      readonly name: string;
      readonly fate: "manual";
      readonly value: string;
      readonly instruction: string;
    };

/**
 * What several documents are made of. Each published schema has a copy of what it takes from here.
 */
export interface Shared {}
/**
 * An approval that was verified when a run began: who signed, another person or the one who applies, and the fingerprint of the public key.
 */
export interface CountedApproval {
  readonly of: "approver" | "operator";
  readonly key: string;
  readonly approval: Approval;
}
/**
 * A statement, and its signature as `ssh-keygen -Y sign` writes it.
 */
export interface Approval {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Approval";
  readonly statement: Statement;
  readonly signature: string;
}
/**
 * Who approves what, where, and until when: the decision; that with its place, as `--expect` takes it; the contexts of the plans, sorted; the principal that signs; by the signer's clock when, and until when it counts; and the digest of the whole plan, for information.
 */
export interface Statement {
  readonly decision: Digest;
  readonly approval: Digest;
  readonly contexts: readonly string[];
  readonly by: string;
  /**
   * A moment in UTC, ISO 8601.
   */
  readonly at: string;
  /**
   * A moment in UTC, ISO 8601.
   */
  readonly expires: string;
  readonly plan: Digest;
}
/**
 * One element of `GET /connectors/{name}/offsets`, exactly as read: it is written back with the very same partition.
 */
export interface OffsetEntry {
  readonly partition: JsonObject;
  /**
   * Null in a PATCH removes the partition's offset.
   */
  readonly offset: JsonObject | null;
}
/**
 * A worker's objections to one setting.
 */
export interface SettingProblem {
  readonly setting: string;
  readonly errors: readonly string[];
}
export interface TableModifications {
  readonly inserts: bigint;
  readonly updates: bigint;
  readonly deletes: bigint;
  readonly truncated: boolean;
  /**
   * When they were last recorded.
   */
  readonly at?: Instant | undefined;
}
export interface Translation {
  readonly name: string;
  /**
   * This connector's configuration; literal secrets are `********`.
   */
  readonly config: {
    readonly [k: string]: string;
  };
  /**
   * Every property of the source, once, in its order.
   */
  readonly properties: readonly TranslatedProperty[];
  /**
   * Settings that do not come from a property of the source, and the reason for them.
   */
  readonly added: readonly AddedSetting[];
  /**
   * The manual work before the connector is created, and what to monitor afterwards.
   */
  readonly followUps: readonly string[];
}
export interface ChangeElsewhere {
  /**
   * Omitted if the workers could not list connectors.
   */
  readonly connector?: string | undefined;
  /**
   * As `last_change` of `offsets.schema.json`, or why it is unknown.
   */
  readonly change:
    | {
        readonly [k: string]: unknown;
      }
    | UnknownHere;
  /**
   * Commands to run next.
   */
  readonly next: readonly string[];
}
/**
 * Over all tables: rows, those whose values were compared, and those of which only the legacy topic held the key.
 */
export interface ComparedCounts {
  readonly rows: bigint;
  readonly compared: bigint;
  readonly byLegacy: bigint;
}
/**
 * A table in the dictionary, by its exact name.
 */
export interface TableSeen {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
}
/**
 * The connector, and how its connect cluster is reached: by context or connectUrl, or by a flag of the command.
 */
export interface ConnectorTarget {
  /**
   * A name of the contexts file, which holds URLs and credentials.
   */
  readonly context?: string | undefined;
  /**
   * REST URL of a worker in the connector's cluster. No credentials are sent to it.
   */
  readonly connectUrl?: string | undefined;
  /**
   * Its name in Kafka Connect.
   */
  readonly connector: string;
}
export interface AddedSetting {
  readonly target: string;
  readonly value: string;
  readonly reason: string;
}
export interface Fault {
  readonly code: string;
  readonly message: string;
}
export interface TaskNow {
  readonly id: bigint;
  readonly state: string;
  readonly worker: string;
}
export interface UnknownHere {
  /**
   * Why it is unknown.
   */
  readonly unknown: string;
}
export interface RedoAddress {
  readonly rs_id: string;
  readonly ssn: number | null;
}
