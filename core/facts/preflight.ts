import type { Advice } from "../values/remedy.ts";
import type { ConnectorSettings } from "./connector/settings.ts";
import type { DatabaseSeen } from "./database/database.ts";
import type { Observed } from "./observed.ts";
import type { TopicSeen } from "./ops/topic.ts";
import type { ArchiveDestination, ArchivedLog, OnlineLog, RedoThread } from "./redo/redo.ts";
import type { ContainerSeen, Dictionary, TableSeen } from "./tables/tables.ts";

/**
 * What `doctor check` looks at before a connector is started. Each fact stands alone: what can't be seen of one does
 * not hide another.
 */
export interface PreflightFacts {
  readonly settings: PreflightSettings;
  /** Whether the login was turned away because the database requires native network encryption. */
  readonly encryptionRequired: Observed<boolean>;
  readonly database: Observed<DatabaseSeen>;
  readonly logging: Observed<SupplementalLogging>;
  readonly threads: Observed<readonly RedoThread[]>;
  readonly destinations: Observed<readonly ArchiveDestination[]>;
  readonly account: Observed<Account>;
  /** In the container connected to, then in each captured PDB that is open. */
  readonly rights: Observed<readonly SessionRights[]>;
  readonly usable: Observed<readonly ObjectTried[]>;
  readonly containers: Observed<readonly ContainerSeen[]>;
  readonly dictionary: Observed<Dictionary>;
  /** Of the captured PDBs; none in a database without containers. */
  readonly pdbLogging: Observed<readonly PdbLogging[]>;
  readonly logGroups: Observed<readonly LogGroup[]>;
  readonly columns: Observed<readonly ColumnOfNote[]>;
  readonly nestedTables: Observed<readonly NestedTableColumn[]>;
  readonly keys: Observed<readonly KeyedTable[]>;
  /** Tables whose rows may move (`ROW_MOVEMENT`). */
  readonly moving: Observed<readonly TableSeen[]>;
  /** Names of the PDBs that open by themselves when the instance starts; none in a database without containers. */
  readonly savedStates: Observed<readonly string[]>;
  /** Everything that the catalogue of archived logs holds. */
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
  /** Whether the login may create topics of any name; undefined: the brokers tell no rights. */
  readonly mayCreateTopics: Observed<boolean | undefined>;
  /** The lowest `transaction.max.timeout.ms` of the brokers; not asked for where nothing writes in transactions. */
  readonly maxTransactionMillis: Observed<bigint>;
  /**
   * Whether the worker that was asked runs with `exactly.once.source.support=enabled`; not asked for where nothing
   * requires it.
   */
  readonly exactlyOnceSource: Observed<boolean>;
}

/** What of the connector's configuration decides what the database has to be like. */
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
  /** `cdc.lob.mode`; undefined: not set, and `skip`. */
  readonly lobMode: LobMode | undefined;
  /** What Avro is asked to write; undefined where no converter of the configuration is Avro's. */
  readonly avro: AvroSettings | undefined;
  /** `oracle.net.TCP_KEEPIDLE` of the connection properties, seconds; undefined: not set. */
  readonly keepIdle: bigint | undefined;
  readonly dictionary: DictionarySettings;
  /** Undefined where records are not written in transactions that the connector bounds. */
  readonly exactlyOnce: ExactlyOnceSettings | undefined;
  /** How long the connector may stand still, milliseconds (`--max-downtime`). */
  readonly maxDowntime: number;
  /** `cdc.txjournal.threshold.ms`: open transactions are mined again from so far before the position. */
  readonly journalThreshold: number;
}

export type LobMode = "skip" | "inline" | "reselect";

export interface AvroSettings {
  /** `key.converter` or `value.converter`, or both. */
  readonly settings: readonly string[];
  /** Whether `cdc.field.name.adjustment.mode` makes names of columns fit. */
  readonly fieldsAdjusted: boolean;
  /** Whether `cdc.schema.name.adjustment.mode` makes names of tables fit. */
  readonly schemasAdjusted: boolean;
}

export interface ExactlyOnceSettings {
  /** `exactly.once.support=required`, or `transaction.boundary=connector`. */
  readonly by: string;
  /** `cdc.eos.batch.max.ms`: so long the connector keeps a transaction open. */
  readonly batchMillis: number;
  /** `producer.override.transaction.timeout.ms`: after so long a broker aborts it. */
  readonly timeoutMillis: number;
}

export interface DictionarySettings {
  /** Whether the connector writes dictionaries into the redo (`cdc.dictionary.build.interval.ms` above 0). */
  readonly builds: boolean;
  /** Whether it writes them at another database, the primary of a standby (`cdc.dictionary.database.url`). */
  readonly elsewhere: boolean;
}

export interface KeySettings {
  /** `cdc.key.missing`: what becomes of a table without a key. */
  readonly missing: "fail" | "rowid" | "none";
  /** `cdc.key.columns`, as it is written. */
  readonly columns: string | undefined;
}

/** Supplemental logging of the whole database: `V$DATABASE`. */
export interface SupplementalLogging {
  /** `SUPPLEMENTAL_LOG_DATA_MIN`: `YES`, `NO`, or `IMPLICIT` where another level implies it. */
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
  /** Otherwise only where one of its columns is changed. */
  readonly always: boolean;
  /**
   * Whether the table's own groups that log always hold every column of its primary key; left out of others, and where
   * it has no such key.
   */
  readonly holdsKey?: boolean;
}

/** A column that a miner could stumble over, or that was asked for by name. */
export interface ColumnOfNote extends TableSeen {
  readonly column: string;
  readonly dataType: string;
  readonly identity: boolean;
}

/** An archived log in which a dictionary build begins or ends. */
export interface DictionaryLog extends Pick<ArchivedLog, "thread" | "sequence" | "firstScn"> {
  readonly begins: boolean;
  readonly ends: boolean;
}

/** A topic that the connector keeps for itself. */
export interface InternalTopic {
  readonly name: string;
  readonly role: "ops" | "signals" | "journal" | "heartbeat";
  /** `missing` when the brokers know no such topic. */
  readonly seen: TopicSeen | "missing";
}

/** Amazon RDS, which deletes archived logs by itself. */
export interface RdsArchive {
  readonly isRds: boolean;
  /** `archivelog retention hours`; left out elsewhere. */
  readonly hours?: bigint;
}

export interface NestedTableColumn extends TableSeen {
  readonly column: string;
}

/**
 * A table whose rows can be told apart: by a primary key that is enforced, or a unique index on columns that are never
 * null.
 */
export interface KeyedTable extends TableSeen {
  readonly by: "primary key" | "unique index";
}

/** Who the session is. */
export interface Account {
  readonly user: string;
  /** Of all containers, and not of one alone. */
  readonly common: boolean;
}

/**
 * What a session may do in one container: privileges and roles as they are in effect there, however they were granted.
 */
export type SessionRights =
  | { readonly container: string; readonly privileges: readonly string[]; readonly roles: readonly string[] }
  | { readonly container: string; readonly problem: string; readonly remedies: readonly Advice[] };

/** A view or a package that was tried: a statement that names it was parsed, and not run. */
export interface ObjectTried {
  readonly name: string;
  readonly usable: boolean;
  /** Where it is not: `ORA-00942`. */
  readonly code?: string;
}
