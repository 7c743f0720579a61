// Generated from shared.json by npm run types. Edit the schema, not this file.
import type { Instant } from "../../core/values/instant.ts";

export type OpsFormat = "json" | "json_schemas";

/**
 * What several documents are made of. Each published schema has a copy of what it takes from here.
 */
export interface Shared {}
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
  readonly properties: readonly (
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
      }
  )[];
  /**
   * Settings that do not come from a property of the source, and the reason for them.
   */
  readonly added: readonly {
    readonly target: string;
    readonly value: string;
    readonly reason: string;
  }[];
  /**
   * The manual work before the connector is created, and what to monitor afterwards.
   */
  readonly followUps: readonly string[];
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
