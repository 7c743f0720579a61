// Generated from verification-job.schema.json by npm run types. Edit the schema, not this file.
import type {Digest} from "../../core/values/digest.ts";
import type {JobTable} from "../../core/verification/job/job.ts";

/**
 * A verification that is carried out elsewhere, as `migrate verify --job-dir` plans it and `migrate verify-worker` reads it: canonical JSON, without a login. It holds values of the key where a table is divided by it.
 */
export interface VerificationJob {
  /**
   * The version of the document's format.
   */
  readonly apiVersion: "cdcctl/v1";
  /**
   * What the document is.
   */
  readonly kind: "VerificationJob";
  /**
   * Of this kind of document.
   */
  readonly formatVersion: number;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the document without this member.
   */
  readonly digest: Digest;
  /**
   * Version of the program that planned it.
   */
  readonly cdcctl: string;
  /**
   * Version of the frames between a worker and whoever drives it.
   */
  readonly protocol: number;
  /**
   * Version of what a worker makes of rows and records: a worker of another one refuses.
   */
  readonly engine: number;
  /**
   * Name of the context by which a worker resolves logins, in a contexts file of its own.
   */
  readonly context: string;
  /**
   * The new connector.
   */
  readonly connector: string;
  /**
   * The Kafka cluster: a worker whose context leads to another one refuses.
   */
  readonly clusterId: string;
  /**
   * What the verification was given: names, addresses, options. A worker whose context leads to other brokers or another database refuses.
   */
  readonly inputs: {
    readonly [k: string]: string | boolean | string[];
  };
  /**
   * The connector's position.
   */
  readonly position: {
    /**
     * The table is read as of it.
     */
    readonly checkScn: bigint;
    /**
     * The stored offset's resume SCN when the job was planned.
     */
    readonly resumeScn: bigint;
  };
  /**
   * Hash partitions of all tables: a unit's result goes to the one behind them.
   */
  readonly slots: number;
  /**
   * Units of tables that may be read at the same time.
   */
  readonly databaseSessions: number;
  /**
   * Bytes of tuples that a unit keeps before it sends them.
   */
  readonly segment: number;
  /**
   * Bytes of tuples that are joined in memory; more is joined in parts, from disk.
   */
  readonly join: number;
  /**
   * Offsets that a unit of a topic reads.
   */
  readonly recordsAUnit: number;
  /**
   * Units of reading, those of tables first.
   */
  readonly units: readonly JobUnit[];
  /**
   * The tables, in their order.
   *
   * Items: A table: what is read of it, and what its evidence says besides.
   */
  readonly tables: readonly JobTable[];
}
/**
 * A unit.
 */
export interface JobUnit {
  /**
   * Its name.
   */
  readonly unit: string;
  /**
   * Number of its table, from 0.
   */
  readonly table: number;
  /**
   * What it reads.
   */
  readonly side: "table" | "new" | "legacy";
}
