/**
 * What core needs from the world. Providers implement these; the commands join them. Every port throws `CallFailed` (or
 * `UsageError` for a setting that can't be used) and nothing else; messages never hold a credential.
 */

import type {
  ConnectorDescription,
  ConnectorStatus,
  PluginDescription,
  SettingProblem,
  WorkerInfo,
} from "./facts/connector.ts";
import type { DatabaseSeen, OpenTransaction, ScnTime } from "./facts/database.ts";
import type { AttributeSeen } from "./facts/metric-value.ts";
import type { OffsetEntry } from "./facts/offset.ts";
import type { ArchiveDestination, ArchivedLog, LogProbe, OnlineLog, RedoThread } from "./facts/redo.ts";
import type { ConnectorSettings } from "./facts/settings.ts";
import type { KeyRange, TableLayout, TableRead } from "./facts/table-layout.ts";
import type { ContainerSeen, Dictionary, RowScn, TableActivity, TableSeen } from "./facts/tables.ts";
import type { ConsumerGroupSeen, TopicSeen } from "./facts/topic.ts";
import type { JournalEntry } from "./run/journal.ts";
import type { Instant } from "./values/instant.ts";
import type { Json } from "./values/json.ts";
import type { Scn } from "./values/scn.ts";
import type { OracleValue } from "./verification/canonical-values.ts";

export interface World {
  readonly connect: ConnectPort;
  /** The brokers that hold the connector's ops, signals and journal topics. Connects on the first call. */
  kafka(settings: ConnectorSettings): KafkaPort;
  /** The source database, with the connector's own login. Connects on the first call. */
  oracle(settings: ConnectorSettings): OraclePort;
  readonly state: StatePort;
  readonly clock: Clock;
  close(): Promise<void>;
}

// ---- Kafka Connect --------------------------------------------------------------------------------------------------

/**
 * A connect cluster's REST API. Reads and idempotent calls (stop, resume) are retried on 409 and on connection errors,
 * with back-off, up to the provider's limit; PATCH, POST and DELETE are one attempt, because only the caller can know whether they may
 * be repeated.
 */
export interface ConnectPort {
  /** The URL as shown to people: scheme, host, port, path prefix; no credentials. */
  readonly url: string;
  worker(): Promise<WorkerInfo>;
  /** Names of all connectors of the cluster. */
  connectors(): Promise<readonly string[]>;
  plugins(): Promise<readonly PluginDescription[]>;
  /** What the workers find wrong with a configuration for a class; nothing: it is valid. The class has to be among `plugins`. */
  validate(className: string, config: Readonly<Record<string, string>>): Promise<readonly SettingProblem[]>;
  /** Undefined only when Connect itself says that it has no such connector. */
  connector(name: string): Promise<ConnectorDescription | undefined>;
  status(name: string): Promise<ConnectorStatus | undefined>;
  /** Committed offsets, in any state, from any worker; may be empty. */
  offsets(name: string): Promise<readonly OffsetEntry[]>;
  /** Asks for STOPPED. Answers before it is reached: poll `status`. */
  stop(name: string): Promise<void>;
  /** Asks for RUNNING. Answers before it is reached. */
  resume(name: string): Promise<void>;
  /** One PATCH of `/connectors/{name}/offsets`. Never throws for what the world answered or did not answer. */
  patchOffsets(name: string, entries: readonly OffsetEntry[]): Promise<PatchAnswer>;
  /**
   * One POST of `/connectors`. Never throws for what the world answered or did not answer. A connector of that name that is there already
   * is `rejected` with status 409: after an attempt without an answer the caller knows whether it may be its own.
   *
   * @param initialState needs Kafka Connect 3.7; an earlier one rejects the request
   */
  create(
    name: string,
    config: Readonly<Record<string, string>>,
    initialState: "STOPPED" | undefined,
  ): Promise<ChangeAnswer>;
  /** One DELETE of `/connectors/{name}/offsets`: all of them, of a STOPPED connector. Never throws, as `create`. */
  deleteOffsets(name: string): Promise<ChangeAnswer>;
  /**
   * One DELETE of `/connectors/{name}`; its offsets outlive it. Never throws, as `create`. Connect's own 404 is `rejected` with status 404:
   * the caller knows whether that means that it is done.
   */
  deleteConnector(name: string): Promise<ChangeAnswer>;
  close(): Promise<void>;
}

/** What one changing call came to: as `PatchAnswer`, of calls that have nothing to be checked. */
export type ChangeAnswer =
  | { readonly answer: "applied"; readonly message: string }
  | { readonly answer: "rejected"; readonly status: number; readonly message: string }
  | { readonly answer: "unanswered"; readonly why: string };

/**
 * - `applied`: 200. `checked` when the connector class looked at the offsets, not the framework alone.
 * - `rejected`: this request changed nothing: 401, 403, Connect's own JSON 400, 404 or 405, or its 500 whose message begins neither
 *   with `IO Error` nor with `Request timed out` (reference: Kafka Connect, "Errors"), nor says that the worker gave up what it had begun.
 * - `unanswered`: neither success nor failure: anything else. It may still be applied later.
 */
export type PatchAnswer =
  | { readonly answer: "applied"; readonly message: string; readonly checked: boolean }
  | { readonly answer: "rejected"; readonly status: number; readonly message: string }
  | { readonly answer: "unanswered"; readonly why: string };

// ---- Kafka ----------------------------------------------------------------------------------------------------------

export interface KafkaPort {
  /** `host:port` list as shown to people. */
  readonly brokers: string;
  clusterId(): Promise<string>;
  /** Names of all topics that this login may describe, Kafka's internal ones left out. */
  topics(): Promise<readonly string[]>;
  /** Undefined when the topic does not exist. Never creates one. */
  topic(name: string): Promise<TopicSeen | undefined>;
  /** Writes one record, acknowledged by all in-sync replicas. Never creates the topic. A lost reply is `timeout` or `lost`. */
  append(
    topic: string,
    record: { readonly key: Uint8Array | null; readonly value: Uint8Array },
  ): Promise<RecordPosition>;
  /** Next offset to be written, a partition. */
  endOffsets(topic: string): Promise<readonly RecordPosition[]>;
  /** Reads up to the ends as they stand when called, committed records only, bounded in records and time. */
  read(topic: string, bounds: ReadBounds): Promise<TopicRead>;
  /**
   * One DeleteTopics request for one topic. Never throws for what the world answered or did not answer. `status` is Kafka's error code: 3,
   * UNKNOWN_TOPIC_OR_PARTITION, for a topic that is not there.
   */
  deleteTopic(name: string): Promise<ChangeAnswer>;
  /**
   * Consumer groups that read or have read one of the topics: members assigned to them, or offsets committed for them.
   *
   * @throws CallFailed `forbidden` where this login is not shown all groups: a list that may lack some proves nothing
   */
  consumersOf(topics: readonly string[]): Promise<readonly ConsumerGroupSeen[]>;
  /** What there is to read of every partition, committed records only: an open transaction ends it. */
  extents(topic: string): Promise<readonly OffsetRange[]>;
  /**
   * Reads one partition from `from` to `to`, committed records only, in batches as they arrive: for topics that no memory holds. A batch is
   * fetched while the one before it is worked on, and no further ahead. Several partitions may be read at the same time.
   *
   * @throws CallFailed also where records of the range are gone (retention) before they were read, or the range is not committed to its end
   */
  records(topic: string, range: OffsetRange): AsyncIterable<readonly KafkaRecord[]>;
  close(): Promise<void>;
}

/** Offsets of one partition. */
export interface OffsetRange {
  readonly partition: number;
  /** Inclusive. */
  readonly from: bigint;
  /** Exclusive. */
  readonly to: bigint;
}

export interface RecordPosition {
  readonly partition: number;
  readonly offset: bigint;
}

export interface ReadBounds {
  /** Start here; partitions not named start at their beginning. `"tail"`: so that at most `records` are read a partition. */
  readonly from: "beginning" | "tail" | readonly RecordPosition[];
  /** At most this many records in all. */
  readonly records: number;
  readonly millis: number;
  /** At most so many bytes of keys and values, give or take one record; 256 MiB when left out. */
  readonly bytes?: number;
}

export interface KafkaRecord extends RecordPosition {
  /** Record time, milliseconds since the epoch. */
  readonly timestamp: bigint;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
}

export interface TopicRead {
  /** In order of offset within a partition. */
  readonly records: readonly KafkaRecord[];
  /** Whether everything from the start of the topic to its end was read. */
  readonly whole: boolean;
  /** Whether everything up to the ends as they stood when the read began was read. */
  readonly reachedEnd: boolean;
}

// ---- Oracle ---------------------------------------------------------------------------------------------------------

/**
 * The source database. Where a grant is missing the error names the view and the GRANT that is needed. SCNs and times: times are UTC
 * instants, converted in SQL from the server's zone.
 */
export interface OraclePort {
  /** `host:port/service` as shown to people. */
  readonly address: string;
  database(): Promise<DatabaseSeen>;
  threads(): Promise<readonly RedoThread[]>;
  destinations(): Promise<readonly ArchiveDestination[]>;
  /** Every row of `V$ARCHIVED_LOG` that ends above `from` (`NEXT_CHANGE# > from`), all destinations and incarnations. */
  archivedLogs(from: Scn): Promise<readonly ArchivedLog[]>;
  onlineLogs(): Promise<readonly OnlineLog[]>;
  /** In the root: of the containers that this login sees, and of no other. */
  openTransactions(): Promise<readonly OpenTransaction[]>;
  /** The containers that this login sees: from the root those of its CONTAINER_DATA, in a PDB that one. */
  containers(): Promise<readonly ContainerSeen[]>;
  /** When each SCN was current; `at` is undefined where Oracle no longer (or not yet) knows. One round trip for any number. */
  timesOf(scns: readonly Scn[]): Promise<readonly ScnTime[]>;
  /** The SCN at an instant, rounded down; undefined outside what the database remembers. */
  scnAt(instant: Instant): Promise<Scn | undefined>;
  /**
   * Adds every file to a LogMiner session that is never started, in a database session of its own, as the task would; a file
   * that fails is tried once more. At most `files / 500 + 3` round trips. In the order of `files`.
   */
  probeLogs(files: readonly string[]): Promise<readonly LogProbe[]>;
  /**
   * The containers that this login sees, the tables in those named, and which of them answer. One query each, however many tables there are.
   *
   * @param pdbs without any: of the container connected to
   */
  dictionary(pdbs: readonly string[]): Promise<Dictionary>;
  /** What the dictionary tells of changes to the tables of the same containers. One query each for DDL, modifications and statistics. */
  activity(pdbs: readonly string[]): Promise<readonly TableActivity[]>;
  /** `MAX(ORA_ROWSCN)` of each, in the order of `tables`; it may scan them whole. A table that can't be read has its `problem`. */
  rowScns(tables: readonly TableSeen[]): Promise<readonly RowScn[]>;
  /** Columns and key of a table, by its very name; undefined where this login sees no such table. */
  layout(table: TableSeen): Promise<TableLayout | undefined>;
  /**
   * Divides a table, as it was at the SCN, into at most so many ranges of about equal size; undefined is the whole of it, where it has no key or
   * its size is not known.
   *
   * @param rows how many the table has, about
   */
  ranges(read: TableRead, rows: bigint, most: number): Promise<readonly (KeyRange | undefined)[]>;
  /**
   * Reads the rows of a range as they were at the SCN, in batches, each a query of its own in the order of the key; without key, all in one
   * query. In a session of its own, so that several ranges may be read at the same time. Values are exact: none passes through a double but
   * BINARY_FLOAT and BINARY_DOUBLE, which are doubles. Of a large object above some size only length and SHA-256 are kept.
   *
   * @throws CallFailed with code `ORA-01555`, `ORA-08181`, `ORA-01466` or `ORA-22924` where the SCN can't be reached (any more)
   */
  rowsAsOf(
    read: TableRead,
    range: KeyRange | undefined,
    batch: number,
  ): AsyncIterable<readonly (readonly OracleValue[])[]>;
  close(): Promise<void>;
}

// ---- JMX ------------------------------------------------------------------------------------------------------------

/** The MBeans of the worker that runs the task. It only reads. Connects on the first call. */
export interface JmxPort {
  /** `host:port` of the RMI registry, as shown to people. */
  readonly address: string;
  /**
   * What the operator should mend although it went well: the address that the JVM gives out for itself leads nowhere from here. Empty before
   * the first call.
   */
  readonly remarks: readonly string[];
  /**
   * Attributes of the MBean of the task whose topics have this prefix, read together. One that the MBean does not have, or that can't be
   * read, says why. When none can be read, or the MBean is not there, the call fails and says which tasks the JVM runs.
   */
  taskAttributes(prefix: string, names: readonly string[]): Promise<ReadonlyMap<string, AttributeSeen>>;
  close(): Promise<void>;
}

// ---- State ----------------------------------------------------------------------------------------------------------

export interface RunKey {
  readonly clusterId: string;
  readonly connector: string;
  /** `2026-11-21T09-15-40Z-7f3a`; sorts by time. */
  readonly run: string;
}

/** Local state: one append-only journal a run, and one lock a connector. */
export interface StatePort {
  /** Where the state lives, for messages. */
  readonly place: string;
  /** @throws Refusal `STA701` naming host, user, pid and time when somebody else holds it; takes over what a dead process of this host left. */
  lock(connector: { readonly clusterId: string; readonly connector: string }, command: string): Promise<Lock>;
  /** Creates the journal of a new run; fails when it exists. */
  create(key: RunKey): Promise<JournalWriter>;
  /** Opens a journal to go on with it; cuts a torn last line first. */
  open(key: RunKey): Promise<JournalWriter>;
  /** Entries of one run; a torn last line is left out. @throws CallFailed for a journal that is damaged before its end. */
  read(key: RunKey): Promise<readonly JournalEntry[]>;
  /** All runs, oldest first; restricted to one connector or cluster when given. */
  list(of?: { readonly clusterId?: string; readonly connector?: string }): Promise<readonly RunKey[]>;
}

export interface Lock {
  release(): Promise<void>;
}

export interface JournalWriter {
  /** On disk (fsync) when it resolves. */
  append(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

// ---- Spool ----------------------------------------------------------------------------------------------------------

/** A directory for what a verification writes down while it works: files of bytes, and notes of which of them are whole. */
export interface SpoolPort {
  /** Where it is, for messages. */
  readonly place: string;
  /** Bytes free there; undefined where the system does not say. */
  free(): Promise<bigint | undefined>;
  /** Opens a spool by its name, empty or as it was left. @throws Refusal `STA701` while another process holds it */
  open(name: string): Promise<Spool>;
}

export interface Spool extends SpoolFiles {
  /** What was noted, in order. A torn or damaged note and those after it are cut off. */
  notes(): Promise<readonly Json[]>;
  /** Outlives the process when it resolves. After a loss of power the checksums tell what is left. */
  note(entry: Json): Promise<void>;
  /** Removes every file and note. The spool stays open. */
  clear(): Promise<void>;
  /** Lets go of it. What is in it stays. */
  close(): Promise<void>;
}

/** The files of a spool: all that a unit of work needs of it, in whatever thread it runs. */
export interface SpoolFiles {
  /** Makes a file, or empties the one that is there. */
  create(file: string): Promise<SpoolFile>;
  /** Opens a file to go on with it, cut off behind `written`. Undefined: it does not hold those bytes any more. */
  goOn(file: string, written: SpoolWritten): Promise<SpoolFile | undefined>;
  /** Whether a file begins with those bytes. */
  holds(file: string, written: SpoolWritten): Promise<boolean>;
  /** Fills `into` with the bytes from `at` on. @throws CallFailed for a file that ends before */
  read(file: string, at: number, into: Uint8Array): Promise<void>;
}

/** The beginning of a file, as it was written. */
export interface SpoolWritten {
  readonly bytes: number;
  /** CRC-32 of those bytes. */
  readonly checksum: number;
}

export interface SpoolFile {
  /** Appends. The parts may be used again when it resolves. */
  write(parts: readonly Uint8Array[]): Promise<void>;
  /** Everything that was written. */
  written(): SpoolWritten;
  close(): Promise<void>;
}

// ---- Time and chance ------------------------------------------------------------------------------------------------

export interface Clock {
  now(): Instant;
  /** Milliseconds that only go forward, for measuring. */
  elapsed(): number;
  /** Waits; ends early, without an error, when `stop` is aborted. */
  sleep(
    millis: number,
    stop?: {
      readonly aborted: boolean;
      addEventListener: AbortSignal["addEventListener"];
      removeEventListener: AbortSignal["removeEventListener"];
    },
  ): Promise<void>;
  /** Between 0 and 1. */
  random(): number;
}
