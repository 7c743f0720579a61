import type {
  ArchiveDestination,
  ArchivedLog,
  ContainerSeen,
  Dictionary,
  OnlineLog,
  RedoThread,
  TableSelection,
  TopicSeen,
} from "../../schemas/generated/facts.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import type { Advice } from "../values/remedy.ts";
import type { ConnectorSettings } from "./connector/settings.ts";
import type { DatabaseSeen } from "./database/database.ts";
import type { Observed } from "./observed.ts";
import { type CapturedSet, capturedIn } from "./tables/tables.ts";

/**
 * What `doctor check` inspects before a connector is started. Each fact is independent: one that can't be read does not
 * hide another.
 */
export interface PreflightFacts {
  readonly settings: PreflightSettings;
  /** Whether the login was refused because the database requires native network encryption. */
  readonly encryptionRequired: Observed<boolean>;
  readonly database: Observed<DatabaseSeen>;
  readonly logging: Observed<SupplementalLogging>;
  readonly threads: Observed<readonly RedoThread[]>;
  readonly destinations: Observed<readonly ArchiveDestination[]>;
  readonly account: Observed<Account>;
  /** Rights in the container connected to, then in each captured PDB that is open. */
  readonly rights: Observed<readonly SessionRights[]>;
  readonly usable: Observed<readonly ObjectTried[]>;
  readonly containers: Observed<readonly ContainerSeen[]>;
  readonly dictionary: Observed<Dictionary>;
  /** Logging of the captured PDBs; none in a database without containers. */
  readonly pdbLogging: Observed<readonly PdbLogging[]>;
  readonly logGroups: Observed<readonly LogGroup[]>;
  readonly columns: Observed<readonly ColumnOfNote[]>;
  readonly nestedTables: Observed<readonly NestedTableColumn[]>;
  readonly keys: Observed<readonly KeyedTable[]>;
  /** Tables whose rows may move (`ROW_MOVEMENT`). */
  readonly moving: Observed<readonly TableSeen[]>;
  /** Names of the PDBs that open automatically with the instance; none in a database without containers. */
  readonly savedStates: Observed<readonly string[]>;
  readonly archived: Observed<readonly ArchivedLog[]>;
  readonly online: Observed<readonly OnlineLog[]>;
  readonly dictionaryBuilds: Observed<readonly DictionaryLog[]>;
  /** `UNDO_RETENTION`, seconds. */
  readonly undoRetention: Observed<bigint>;
  /** How many fixed tables (X$) have statistics. */
  readonly fixedStatistics: Observed<bigint>;
  readonly rds: Observed<RdsArchive>;
  /** The connector's own topics. */
  readonly internalTopics: Observed<readonly InternalTopic[]>;
  /** Whether the login may create topics with any name; undefined: the brokers report no permissions. */
  readonly mayCreateTopics: Observed<boolean | undefined>;
  /** The lowest `transaction.max.timeout.ms` of the brokers; not read if nothing writes in transactions. */
  readonly maxTransactionMillis: Observed<bigint>;
  /**
   * Whether the worker that was asked runs with `exactly.once.source.support=enabled`; not asked for where nothing
   * requires it.
   */
  readonly exactlyOnceSource: Observed<boolean>;
  /** What the connector captures as its workers have it; `no offset`: nothing yet. */
  readonly deployed: Observed<TableSelection | "no offset">;
}

/** The parts of the connector's configuration that decide what the database needs. */
export interface PreflightSettings
  extends Pick<
    ConnectorSettings,
    | "origin"
    | "connectorClass"
    | "prefix"
    | "opsTopic"
    | "signalsTopic"
    | "journalTopic"
    | "captureMode"
    | "miningMode"
    | "archiveDestination"
    | "tables"
  > {
  readonly user: string | undefined;
  /** `cdc.heartbeat.topic`. */
  readonly heartbeatTopic: string;
  readonly keys: KeySettings;
  /** `cdc.lob.mode`; undefined: not set, which means `skip`. */
  readonly lobMode: LobMode | undefined;
  /** What Avro has to write; undefined if the configuration has no Avro converter. */
  readonly avro: AvroSettings | undefined;
  /** `oracle.net.TCP_KEEPIDLE` of the connection properties, seconds; undefined: not set. */
  readonly keepIdle: bigint | undefined;
  readonly dictionary: DictionarySettings;
  /** Undefined if records are not written in transactions bounded by the connector. */
  readonly exactlyOnce: ExactlyOnceSettings | undefined;
  /** The longest downtime of the connector, milliseconds (`--max-downtime`). */
  readonly maxDowntime: number;
  /** `cdc.txjournal.threshold.ms`: open transactions are mined again from this long before the position. */
  readonly journalThreshold: number;
}

export type LobMode = "skip" | "inline" | "reselect";

export interface AvroSettings {
  /** `key.converter` or `value.converter`, or both. */
  readonly settings: readonly string[];
  /** Whether `cdc.field.name.adjustment.mode` adjusts column names. */
  readonly fieldsAdjusted: boolean;
  /** Whether `cdc.schema.name.adjustment.mode` adjusts table names. */
  readonly schemasAdjusted: boolean;
}

export interface ExactlyOnceSettings {
  /** `exactly.once.support=required`, or `transaction.boundary=connector`. */
  readonly by: string;
  /** `cdc.eos.batch.max.ms`: how long the connector keeps a transaction open. */
  readonly batchMillis: number;
  /** `producer.override.transaction.timeout.ms`: after which a broker aborts it. */
  readonly timeoutMillis: number;
}

export interface DictionarySettings {
  /** Whether the connector writes dictionaries into the redo (`cdc.dictionary.build.interval.ms` above 0). */
  readonly builds: boolean;
  /** Whether it writes them on another database, the primary of a standby (`cdc.dictionary.database.url`). */
  readonly elsewhere: boolean;
}

export interface KeySettings {
  /** `cdc.key.missing`: how a table without a key is handled. */
  readonly missing: "fail" | "rowid" | "none";
  /** `cdc.key.columns`, as written. */
  readonly columns: string | undefined;
}

/** Supplemental logging of the whole database: `V$DATABASE`. */
export interface SupplementalLogging {
  /** `SUPPLEMENTAL_LOG_DATA_MIN`: `YES`, `NO`, or `IMPLICIT` if another level implies it. */
  readonly minimal: string;
  readonly primaryKey: boolean;
  readonly all: boolean;
}

/** Supplemental logging of a whole PDB: `CDB_SUPPLEMENTAL_LOGGING`. */
export interface PdbLogging {
  readonly container: string;
  readonly primaryKey: boolean;
  readonly all: boolean;
}

/** A row of `CDB_LOG_GROUPS`: supplemental logging of one table. */
export interface LogGroup extends TableSeen {
  /** `ALL COLUMN LOGGING`, `PRIMARY KEY LOGGING`, `UNIQUE KEY LOGGING`, `FOREIGN KEY LOGGING`, `USER LOG GROUP`. */
  readonly type: string;
  /** Otherwise only if one of its columns is changed. */
  readonly always: boolean;
  /**
   * Whether the table's own groups that log always hold every column of its primary key; omitted for others, and if the
   * table has no such key.
   */
  readonly holdsKey?: boolean;
}

/** A column that may be a problem for mining, or that was requested by name. */
export interface ColumnOfNote extends TableSeen {
  readonly column: string;
  readonly dataType: string;
  readonly identity: boolean;
}

export interface DictionaryLog extends Pick<ArchivedLog, "thread" | "sequence" | "firstScn"> {
  readonly begins: boolean;
  readonly ends: boolean;
}

export interface InternalTopic {
  readonly name: string;
  readonly role: "ops" | "signals" | "journal" | "heartbeat";
  /** `missing` if the brokers have no such topic. */
  readonly seen: TopicSeen | "missing";
}

/** The archive of Amazon RDS, which deletes archived logs automatically. */
export interface RdsArchive {
  readonly isRds: boolean;
  /** `archivelog retention hours`; omitted elsewhere. */
  readonly hours?: bigint;
}

export interface NestedTableColumn extends TableSeen {
  readonly column: string;
}

/**
 * A table whose rows can be identified: by a primary key that is enforced, or a unique index on columns that are never
 * null.
 */
export interface KeyedTable extends TableSeen {
  readonly by: "primary key" | "unique index";
}

export interface Account {
  readonly user: string;
  /** A user of all containers, not of only one. */
  readonly common: boolean;
}

/** The privileges and roles in effect for a session in one container, however they were granted. */
export type SessionRights =
  | { readonly container: string; readonly privileges: readonly string[]; readonly roles: readonly string[] }
  | { readonly container: string; readonly problem: string; readonly remedies: readonly Advice[] };

/** A view or a package that was checked by parsing, not running, a statement that names it. */
export interface ObjectTried {
  readonly name: string;
  readonly usable: boolean;
  /** The error otherwise: `ORA-00942`. */
  readonly code?: string;
}

/** The input of a preflight's checks: the facts, and which tables would be captured. */
export interface PreflightReading {
  readonly facts: PreflightFacts;
  readonly captured: CapturedSet;
}

export function readPreflight(facts: PreflightFacts): PreflightReading {
  return { facts, captured: capturedIn(facts.settings.tables, facts.dictionary) };
}
