// Generated from facts.schema.json by npm run types. Edit the schema, not this file.
import type { Advice } from "../../core/values/remedy.ts";
import type { ComparedCounts } from "../../schemas/generated/shared.ts";
import type { Digest } from "../../core/values/digest.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { MigrationPhase } from "../../schemas/generated/shared.ts";
import type { Observed } from "../../core/facts/observed.ts";
import type { OffsetEntry } from "../../schemas/generated/shared.ts";
import type { Outcome } from "../../schemas/generated/shared.ts";
import type { Scn } from "../../core/values/scn.ts";
import type { SettingProblem } from "../../schemas/generated/shared.ts";
import type { TableModifications } from "../../schemas/generated/shared.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import type { Translation } from "../../schemas/generated/shared.ts";
import type { Xid } from "../../core/values/xid.ts";

export type ObservedRedoCatalogue = Observed<RedoCatalogue>;
export type ObservedProbes = Observed<{
        readonly applies: boolean;
        readonly files: readonly LogProbe[];
      }>;
export type ObservedOpenTransactionList = Observed<readonly OpenTransaction[]>;
export type ObservedScnTimeList = Observed<readonly ScnTime[]>;
export type ObservedTopic = Observed<TopicSeen | "missing">;
export type ObservedLong = Observed<bigint>;
export type ObservedFlag = Observed<boolean>;
/**
 * Partition 0 of the signals topic; left out where no signal decides anything.
 */
export type ObservedSignals = Observed<SignalsSeen>;
export type ObservedDictionary = Observed<Dictionary>;
export type ObservedTexts = Observed<readonly string[]>;
export type ObservedOtherConnectorList = Observed<readonly OtherConnector[]>;
export type ObservedCutoverKnown = Observed<CutoverKnown | undefined>;
export type ObservedEvidence = Observed<EvidenceKnown>;
export type LogProbe =
  | {
      readonly file: string;
      readonly opened: true;
    }
  | {
      readonly file: string;
      readonly opened: false;
      readonly code: string;
      readonly message: string;
    };

/**
 * What `observe --out` writes: facts recorded where they can be seen, to be planned with elsewhere (`plan --facts`). No secrets.
 */
export interface Facts {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Facts";
  readonly formatVersion: bigint;
  /**
   * SHA-256 over the canonical JSON (RFC 8785) of the document without this member.
   */
  readonly digest: Digest;
  readonly cdcctl: string;
  /**
   * One for each document, in order.
   */
  readonly observations: readonly {
    readonly of: Digest;
    readonly facts: OffsetChangeFacts | ResnapshotFacts | CutoverFacts | ReturnFacts | VerificationFacts | RetirementFacts;
  }[];
}
/**
 * Everything an offset change is decided by, as observed; a plain value without secrets.
 */
export interface OffsetChangeFacts {
  /**
   * When the observation began.
   */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly database: Database;
  readonly brokers: Observed<{
          readonly address: string;
          readonly clusterId: string;
        }>;
  /**
   * `missing`: the brokers have none.
   */
  readonly opsTopic: ObservedTopic;
  readonly opsHistory: Observed<OpsHistory>;
  readonly connector: ConnectorSeen;
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` if the task itself adds no files (`cdc.mining.mode=range`).
   */
  readonly probes: ObservedProbes;
  readonly transactions: ObservedOpenTransactionList;
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  /**
   * When the SCNs that are shown were current.
   */
  readonly times: ObservedScnTimeList;
  /**
   * Omitted where no signal decides anything.
   */
  readonly signals?: ObservedSignals | undefined;
  /**
   * When the captured tables were last defined: read where a move leads over a DDL that matters. Omitted in facts from versions that did not read it.
   */
  readonly ddl?: Observed<Definitions> | undefined;
  readonly kind: "OffsetChange";
  /**
   * The SCN that the position resolves to.
   */
  readonly target:
    | {
        readonly by: "scn" | "restore" | "earliestAvailable" | "lastRecorded";
      }
    | {
        readonly by: "timestamp";
        readonly scn?: Scn | undefined;
      };
}
export interface WorkerSeen {
  readonly url: string;
  /**
   * The context's other workers, if any.
   */
  readonly otherUrls?: readonly string[] | undefined;
  readonly version: string;
  readonly clusterId: string;
}
/**
 * One reading of `V$DATABASE`, `V$INSTANCE` and the session.
 */
export interface Database {
  readonly dbid: bigint;
  readonly name: string;
  readonly version: string;
  readonly container: boolean;
  /**
   * `CDB$ROOT`, a PDB, or a database that is not a container.
   */
  readonly connectedTo: string;
  /**
   * `ARCHIVELOG`, `NOARCHIVELOG`.
   */
  readonly logMode: string;
  readonly openMode: string;
  readonly role: string;
  readonly currentScn: Scn;
  readonly resetlogsScn: Scn;
  /**
   * The server's operating system zone, `SYSTIMESTAMP`'s: `+01:00`.
   */
  readonly zone: string;
  readonly address: string;
}
/**
 * A CDC connector, with the meaning of its configuration.
 */
export interface ConnectorSeen {
  /**
   * Secrets are `********`.
   */
  readonly config: {
    readonly [k: string]: string;
  };
  /**
   * Where the configuration was read.
   */
  readonly configOrigin: string;
  /**
   * `cdc.topic.prefix`: prefix of every topic, `server` of the offset partition and of every key.
   */
  readonly prefix: string;
  readonly opsTopic: string;
  readonly captureMode: "online" | "archive_only";
  /**
   * `range`: inside one PDB, where the task adds no files.
   */
  readonly miningMode: string;
  /**
   * `cdc.archive.destination`, by name; undefined: the lowest valid local one.
   */
  readonly archiveDestination?: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter?: string | undefined;
  readonly valueConverterSchemas?: string | undefined;
  readonly name: string;
  readonly connectorClass?: string | undefined;
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
  readonly signalsTopic: string;
}
export interface ConnectorStatus {
  /**
   * `RUNNING`, `PAUSED`, `FAILED`, `UNASSIGNED`, `RESTARTING`, `STOPPED` (connector only), or a state of a later Connect.
   */
  readonly state: string;
  readonly worker: string;
  readonly trace?: string | undefined;
  readonly tasks: readonly TaskStatus[];
}
export interface TaskStatus {
  readonly id: bigint;
  readonly state: string;
  readonly worker: string;
  readonly trace?: string | undefined;
}
/**
 * Which tables the connector captures, according to its configuration.
 */
export interface TableSelection {
  /**
   * `cdc.database.pdbs`; empty: a database without containers, or one PDB that is mined from inside.
   */
  readonly pdbs: readonly string[];
  /**
   * `cdc.tables.include`, `cdc.tables.exclude`: comma-separated Java patterns over whole names.
   */
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  readonly caseSensitive: boolean;
}
/**
 * One read of the catalogue: the four views that describe the redo.
 */
export interface RedoCatalogue {
  readonly threads: readonly RedoThread[];
  readonly destinations: readonly ArchiveDestination[];
  readonly archived: readonly ArchivedLog[];
  readonly online: readonly OnlineLog[];
}
/**
 * A row of `V$THREAD`.
 */
export interface RedoThread {
  readonly thread: bigint;
  /**
   * `PUBLIC`, `PRIVATE`, `DISABLED`.
   */
  readonly enabled: string;
  readonly status: string;
  readonly sequence: bigint;
  readonly enableScn: Scn;
  /**
   * Undefined (0 in the view): never disabled.
   */
  readonly disableScn?: Scn | undefined;
}
/**
 * A row of `V$ARCHIVE_DEST_STATUS`.
 */
export interface ArchiveDestination {
  readonly id: bigint;
  readonly name: string;
  readonly status: string;
  readonly type: string;
}
/**
 * A row of `V$ARCHIVED_LOG`.
 */
export interface ArchivedLog {
  readonly thread: bigint;
  readonly sequence: bigint;
  readonly firstScn: Scn;
  /**
   * Exclusive.
   */
  readonly nextScn: Scn;
  /**
   * Undefined if the catalogue no longer has a name.
   */
  readonly name?: string | undefined;
  /**
   * `A` available, `D` deleted, `U` unavailable, `X` expired.
   */
  readonly status: string;
  readonly deleted: boolean;
  readonly destination: bigint;
  readonly standby: boolean;
  readonly resetlogsScn: Scn;
  readonly bytes: bigint;
  readonly firstTime?: Instant | undefined;
  readonly nextTime?: Instant | undefined;
}
/**
 * A row of `V$LOG` with one readable member of `V$LOGFILE`.
 */
export interface OnlineLog {
  readonly thread: bigint;
  readonly sequence: bigint;
  readonly firstScn: Scn;
  /**
   * Exclusive; undefined for the current log.
   */
  readonly nextScn?: Scn | undefined;
  /**
   * `CURRENT`, `ACTIVE`, `INACTIVE`, …
   */
  readonly status: string;
  readonly archived: boolean;
  /**
   * Undefined if no member can be read.
   */
  readonly member?: string | undefined;
  readonly bytes: bigint;
}
/**
 * A row of `GV$TRANSACTION`.
 */
export interface OpenTransaction {
  readonly xid: Xid;
  readonly startScn: Scn;
  readonly startedAt?: Instant | undefined;
  readonly user?: string | undefined;
  readonly clientId?: string | undefined;
}
/**
 * A transaction with chunks in the journal.
 */
export interface JournaledTransaction {
  readonly xid: string;
  readonly container?: bigint | undefined;
  readonly firstScn: Scn;
  readonly user?: string | undefined;
  readonly clientId?: string | undefined;
  /**
   * Left out by earlier versions.
   */
  readonly chunks?: readonly {
    readonly generation: bigint;
    readonly firstScn: Scn;
    readonly lastScn: Scn;
  }[] | undefined;
}
export interface ScnTime {
  readonly scn: Scn;
  readonly at?: Instant | undefined;
}
export interface TopicSeen {
  readonly name: string;
  readonly partitions: bigint;
  readonly replicas: bigint;
  /**
   * `delete`, `compact`, `compact,delete`; unknown where describing configurations is not allowed.
   */
  readonly cleanupPolicy: Observed<string>;
  readonly minInsyncReplicas: ObservedLong;
  /**
   * How many replicas of each partition are in sync with its leader, itself included; by the partition's number.
   */
  readonly inSyncReplicas: readonly bigint[];
  /**
   * How the broker handles the time that a producer sets in a record.
   */
  readonly timestamps: Observed<TimestampRule>;
  /**
   * Largest batch of records that the topic accepts, bytes (`max.message.bytes`).
   */
  readonly maxMessageBytes: ObservedLong;
  /**
   * `retention.ms`; -1: forever.
   */
  readonly retentionMillis: ObservedLong;
  /**
   * `retention.bytes`: how many bytes of its latest records a partition keeps, give or take a segment; -1: no limit.
   */
  readonly retentionBytes: ObservedLong;
  /**
   * Whether this login may write, if that shows.
   */
  readonly mayWrite: ObservedFlag;
}
export interface TimestampRule {
  /**
   * `CreateTime`: the producer's clock, within the limits. `LogAppendTime`: the broker's, whatever the producer set.
   */
  readonly type: string;
  /**
   * The limit for a record's time before the broker's clock, milliseconds; undefined: no limit.
   */
  readonly beforeMaxMillis?: bigint | undefined;
  /**
   * The limit after it.
   */
  readonly afterMaxMillis?: bigint | undefined;
}
/**
 * Partition 0 of the signals topic.
 */
export interface SignalsSeen {
  /**
   * Offset of the next record.
   */
  readonly end: bigint;
  /**
   * The signals to the connector that its stored offset has not handled yet, oldest first.
   */
  readonly unread: readonly SignalSeen[];
  /**
   * Where the topic is missing: whether this login may create it; omitted if the brokers report no permissions.
   */
  readonly mayCreate?: boolean | undefined;
}
export interface OpsHistory {
  /**
   * The recorded changes of every connector that writes to the topic: those of a partition in the order of its log, in which those of one connector follow each other (their key is its topic prefix).
   */
  readonly events: readonly RecordedEvent[];
  /**
   * The answers to signals, of any connector.
   */
  readonly answers: readonly SignalAck[];
  /**
   * Whether the topic was read from its beginning to its end.
   */
  readonly whole: boolean;
  /**
   * How far each partition was read: the offset after the last one read.
   */
  readonly readTo: readonly PartitionEnd[];
  /**
   * The workers' time when it was read; undefined if they did not report it. Ages use it, never this machine's clock.
   */
  readonly clusterNow?: Instant | undefined;
}
/**
 * An event with its place in the topic.
 */
export interface RecordedEvent {
  /**
   * When it was written.
   */
  readonly at: Instant;
  readonly server: string;
  readonly details: OffsetsSetDetails;
  readonly record: RecordInLog;
}
/**
 * Every value is text in the record; `undefined` details are omitted. Lists of names are written by `listDetail`.
 */
export interface OffsetsSetDetails {
  readonly connector: string;
  readonly command: string;
  readonly reason: string;
  /**
   * Self-asserted.
   */
  readonly operator: string;
  /**
   * Omitted if an offset is removed.
   */
  readonly direction?: string | undefined;
  /**
   * An SCN in decimal, or `none`.
   */
  readonly previous_resume_scn: string;
  readonly new_resume_scn: string;
  readonly outcome: "applying" | "applied" | "failed";
  readonly forgotten_released?: string | undefined;
  /**
   * `true`: the new offset names no acknowledged commit, so that what was delivered is delivered again.
   */
  readonly deliver_again?: string | undefined;
  /**
   * `false` where the connector did not run before the change; absent where it did, and in events of earlier versions.
   */
  readonly ran_before?: string | undefined;
  /**
   * What is removed from the journal or schema topic before the move, as JSON text: `RemovedRecords`.
   */
  readonly removed_records?: string | undefined;
  readonly error?: string | undefined;
  /**
   * For a resnapshot: what is missing (`CODE message`), the tables snapshotted again, the signal that asks for it,
   */
  readonly gap?: string | undefined;
  readonly tables?: string | undefined;
  readonly signal_id?: string | undefined;
  /**
   * and the captured tables that are not among them, if the operator asserts that they had no changes.
   */
  readonly unlisted_tables?: string | undefined;
  /**
   * Digest over the evidence that was shown for those.
   */
  readonly evidence?: string | undefined;
  /**
   * Digest of the intent.
   */
  readonly intent?: string | undefined;
  /**
   * In cdcctl's own format; any other is omitted when a record is read, because run ids are shown, compared and pasted.
   */
  readonly run?: string | undefined;
  readonly decision?: string | undefined;
  /**
   * The ticket in the plan file.
   */
  readonly ticket?: string | undefined;
  /**
   * Who approved the run, comma-separated.
   */
  readonly approved_by?: string | undefined;
  /**
   * Digest over the approvals in the run's journal.
   */
  readonly approvals?: string | undefined;
  /**
   * Who took the run over from the topic, from another machine: written before anything is sent from there.
   */
  readonly taken_over?: string | undefined;
  /**
   * `operator`: the workers reported no time, so `at` is from the clock of the operator's machine.
   */
  readonly clock?: string | undefined;
  /**
   * The stored offset before and after, as JSON text; what recovery from the topic alone goes by.
   */
  readonly previous_offset?: string | undefined;
  readonly new_offset?: string | undefined;
}
/**
 * Within a partition the offset decides what came first, whatever the clocks show.
 */
export interface RecordInLog {
  readonly partition: bigint;
  readonly offset: bigint;
  readonly time: Instant;
  /**
   * Whose clock set the time.
   */
  readonly stampedBy: "producer" | "broker";
}
/**
 * The connector's answer to a signal. `unknown`: a kind of signal that it does not know.
 */
export interface SignalAck {
  readonly id: string;
  readonly outcome: string;
  readonly message: string;
}
/**
 * Everything a resnapshot is decided by, as observed; a plain value without secrets.
 */
export interface ResnapshotFacts {
  /**
   * When the observation began.
   */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly database: Database;
  readonly brokers: Observed<{
          readonly address: string;
          readonly clusterId: string;
        }>;
  /**
   * `missing`: the brokers have none.
   */
  readonly opsTopic: ObservedTopic;
  readonly opsHistory: Observed<OpsHistory>;
  readonly connector: ConnectorSeen;
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` if the task itself adds no files (`cdc.mining.mode=range`).
   */
  readonly probes: ObservedProbes;
  readonly transactions: ObservedOpenTransactionList;
  readonly journaled: Observed<readonly JournaledTransaction[]>;
  /**
   * When the SCNs that are shown were current.
   */
  readonly times: ObservedScnTimeList;
  /**
   * Omitted where no signal decides anything.
   */
  readonly signals?: ObservedSignals | undefined;
  /**
   * When the captured tables were last defined: read where a move leads over a DDL that matters. Omitted in facts from versions that did not read it.
   */
  readonly ddl?: Observed<Definitions> | undefined;
  readonly kind: "Resnapshot";
  /**
   * `missing`: the brokers have none.
   */
  readonly signalsTopic: ObservedTopic;
  readonly dictionary: ObservedDictionary;
  /**
   * Activity of every table in the dictionary; read only if redo is missing.
   */
  readonly activity: Observed<readonly TableActivity[]>;
  /**
   * Row SCNs of the unlisted tables, if the plan file requests them.
   */
  readonly rowScns: Observed<readonly RowScn[]>;
}
/**
 * The dictionary's tables that a connector could capture: neither Oracle's own, nor temporary, nested or overflow tables.
 */
export interface Dictionary {
  readonly containers: readonly ContainerSeen[];
  readonly tables: readonly TableSeen[];
  /**
   * Names of the requested containers whose dictionary answered: it has the user SYS. A `CDB_` view silently omits what failed in a container.
   */
  readonly answering: readonly string[];
}
/**
 * A row of `V$CONTAINERS`: a container that this login sees. A closed one (`MOUNTED`) shows none of its tables.
 */
export interface ContainerSeen {
  /**
   * `CON_ID`, by which other views name it. Omitted in facts from versions that did not read it.
   */
  readonly id?: bigint | undefined;
  readonly name: string;
  /**
   * `READ WRITE`, `READ ONLY`, `MOUNTED`, `MIGRATE`; with ` RESTRICTED` after it, it shows none of its tables to the root either.
   */
  readonly openMode: string;
}
/**
 * What the dictionary shows about changes to a table. Evidence, not proof: modifications are counted since statistics were last gathered, and recorded late.
 */
export interface TableActivity {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
  /**
   * `LAST_DDL_TIME`.
   */
  readonly lastDdl?: Instant | undefined;
  /**
   * `CDB_TAB_MODIFICATIONS`; undefined if it has no row for the table.
   */
  readonly modifications?: TableModifications | undefined;
  /**
   * `LAST_ANALYZED`: when statistics were last gathered, which resets the modification counts.
   */
  readonly analyzed?: Instant | undefined;
}
/**
 * `MAX(ORA_ROWSCN)` of a table: the latest change to a row that it still has.
 */
export interface RowScn {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
  /**
   * Undefined without rows, or if unreadable.
   */
  readonly scn?: Scn | undefined;
  /**
   * Why it could not be read.
   */
  readonly problem?: string | undefined;
}
export interface CutoverFacts {
  /**
   * When the observation began.
   */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly database: Database;
  readonly brokers: Observed<{
          readonly address: string;
          readonly clusterId: string;
        }>;
  /**
   * `missing`: the brokers have none.
   */
  readonly opsTopic: ObservedTopic;
  readonly opsHistory: Observed<OpsHistory>;
  readonly kind: "Migration";
  /**
   * The new connector, if the workers have it.
   */
  readonly next?: DeployedConnector | undefined;
  /**
   * Its settings: from its configuration if it exists, otherwise from the one it would be created with.
   */
  readonly settings: NewSettingsSeen;
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  readonly probes: ObservedProbes;
  readonly transactions: ObservedOpenTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  readonly times: ObservedScnTimeList;
  readonly legacy: DeployedConnector;
  /**
   * The open transactions as a cutover recorded them before it stopped the legacy connector; undefined if none did.
   */
  readonly openBefore?: TransactionsSeen | undefined;
  readonly phase: "cutover";
  readonly translation: Translation;
  /**
   * Where the plan file names one.
   */
  readonly audit?: ObservedEvidence | undefined;
  /**
   * Settings known only by their mask.
   */
  readonly lacking: readonly string[];
  /**
   * Whether the workers have the new class.
   */
  readonly installed: ObservedFlag;
  /**
   * Classes on the workers that can be builds of the connector; empty if they could not be listed.
   */
  readonly builds: readonly string[];
  /**
   * What a worker finds wrong with the new configuration.
   */
  readonly problems: Observed<readonly SettingProblem[]>;
  /**
   * Left out by earlier versions.
   */
  readonly dictionary?: ObservedDictionary | undefined;
  /**
   * Topics that still have records of the new prefix; undefined in facts of earlier versions.
   */
  readonly leftRecords?: ObservedTexts | undefined;
  /**
   * The signals topic from its beginning, where the new connector starts to read it; undefined in facts of earlier versions.
   */
  readonly signals?: ObservedSignals | undefined;
  /**
   * Names of all topics.
   */
  readonly topics: ObservedTexts;
  /**
   * Others of the cluster.
   */
  readonly others: ObservedOtherConnectorList;
  /**
   * The latest phase between the two connectors that was carried out, as known on this machine.
   */
  readonly latest: Observed<PhaseKnown | undefined>;
}
/**
 * A connector as its workers show it, of whatever class.
 */
export interface DeployedConnector {
  readonly name: string;
  readonly connectorClass?: string | undefined;
  /**
   * Version of its class, where its translation depends on it.
   */
  readonly version?: string | undefined;
  /**
   * Secrets are `********`.
   */
  readonly config: {
    readonly [k: string]: string;
  };
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
}
/**
 * Settings of the new connector, secrets masked.
 */
export interface NewSettingsSeen {
  /**
   * Secrets are `********`.
   */
  readonly config: {
    readonly [k: string]: string;
  };
  /**
   * Where the configuration was read.
   */
  readonly configOrigin: string;
  /**
   * `cdc.topic.prefix`: prefix of every topic, `server` of the offset partition and of every key.
   */
  readonly prefix: string;
  readonly opsTopic: string;
  readonly captureMode: "online" | "archive_only";
  /**
   * `range`: inside one PDB, where the task adds no files.
   */
  readonly miningMode: string;
  /**
   * `cdc.archive.destination`, by name; undefined: the lowest valid local one.
   */
  readonly archiveDestination?: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter?: string | undefined;
  readonly valueConverterSchemas?: string | undefined;
}
/**
 * One reading of the open transactions.
 */
export interface TransactionsSeen {
  /**
   * The SCN before the reading: a transaction that began at or below it and has not ended is included.
   */
  readonly from: Scn;
  /**
   * The SCN after the reading: a transaction that ended above it is included, unless it began above `from`.
   */
  readonly to: Scn;
  readonly open: readonly RecordedTransaction[];
}
export interface RecordedTransaction {
  readonly xid: Xid;
  readonly startScn: Scn;
  readonly user?: string | undefined;
}
/**
 * Another connector, as far as it matters to a migration.
 */
export interface OtherConnector {
  readonly name: string;
  readonly connectorClass?: string | undefined;
  /**
   * `cdc.topic.prefix`.
   */
  readonly prefix?: string | undefined;
  /**
   * For a legacy connector: the topic with its licence.
   */
  readonly licenceTopic?: string | undefined;
  /**
   * For a legacy connector: the names of its topics.
   */
  readonly writes?: LegacyWrites | undefined;
  /**
   * The other topics that its settings name, the new connector's template among them; `${prefix}` is filled in.
   */
  readonly templates?: readonly string[] | undefined;
  /**
   * Transformations that route to any topic.
   */
  readonly reroutings?: readonly string[] | undefined;
}
/**
 * The settings that determine the topics to which a legacy connector writes its tables, LOB columns and redo. A plain value without the rest of its configuration.
 */
export interface LegacyWrites {
  readonly connector: string;
  /**
   * `table.topic.name.template`; blank: only the redo log topic.
   */
  readonly tables: string;
  /**
   * `lob.topic.name.template`; blank: none.
   */
  readonly lobs: string;
  /**
   * `redo.log.topic.name`.
   */
  readonly redo: string;
  /**
   * The names that it may use for its database: the PDB, with or without the SID before it; the SID or service.
   */
  readonly databases: readonly string[];
  /**
   * `table.inclusion.regex` and `.exclusion.regex`, if set.
   */
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  /**
   * Transformations that route to any topic.
   */
  readonly reroutings: readonly string[];
}
/**
 * A phase that changed something and succeeded, in a journal of this machine.
 */
export interface PhaseKnown {
  readonly run: string;
  readonly at: Instant;
  readonly phase: MigrationPhase;
  readonly decision: string;
}
/**
 * The facts that the rollback of a cutover is decided by.
 */
export interface ReturnFacts {
  /**
   * When the observation began.
   */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly database: Database;
  readonly brokers: Observed<{
          readonly address: string;
          readonly clusterId: string;
        }>;
  /**
   * `missing`: the brokers have none.
   */
  readonly opsTopic: ObservedTopic;
  readonly opsHistory: Observed<OpsHistory>;
  readonly kind: "Migration";
  /**
   * The new connector, if the workers have it.
   */
  readonly next?: DeployedConnector | undefined;
  /**
   * Its settings: from its configuration if it exists, otherwise from the one it would be created with.
   */
  readonly settings: NewSettingsSeen;
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  readonly probes: ObservedProbes;
  readonly transactions: ObservedOpenTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  readonly times: ObservedScnTimeList;
  readonly legacy: DeployedConnector;
  /**
   * The open transactions as a cutover recorded them before it stopped the legacy connector; undefined if none did.
   */
  readonly openBefore?: TransactionsSeen | undefined;
  readonly phase: "rollback";
  readonly topics: ObservedTexts;
  /**
   * Read only if topics are to be deleted; the same holds for the other connectors.
   */
  readonly dictionary: ObservedDictionary;
  readonly others: ObservedOtherConnectorList;
  /**
   * The latest known on this machine.
   */
  readonly cutover: ObservedCutoverKnown;
}
/**
 * A cutover in a journal of this machine.
 */
export interface CutoverKnown {
  readonly run: string;
  readonly at: Instant;
  /**
   * As the legacy one stopped.
   */
  readonly offsets: readonly OffsetEntry[];
}
export interface VerificationFacts {
  /**
   * When the observation began.
   */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly database: Database;
  readonly brokers: Observed<{
          readonly address: string;
          readonly clusterId: string;
        }>;
  /**
   * `missing`: the brokers have none.
   */
  readonly opsTopic: ObservedTopic;
  readonly opsHistory: Observed<OpsHistory>;
  readonly kind: "Migration";
  /**
   * The new connector, if the workers have it.
   */
  readonly next?: DeployedConnector | undefined;
  /**
   * Its settings: from its configuration if it exists, otherwise from the one it would be created with.
   */
  readonly settings: NewSettingsSeen;
  readonly phase: "verify";
  readonly dictionary: ObservedDictionary;
  /**
   * Names of all topics.
   */
  readonly topics: ObservedTexts;
  /**
   * The topics to be read, by name; `missing` when the brokers know no such topic.
   */
  readonly read: Observed<{
          readonly [k: string]: TopicSeen | "missing";
        }>;
  /**
   * What a retirement of these connectors has deleted, as far as this machine knows.
   */
  readonly retired: Observed<RetiredKnown>;
  /**
   * Undefined where this process reads and compares.
   */
  readonly spark?: SparkSeen | undefined;
}
/**
 * How the context submits a verification to Apache Spark: where the plan file asks for that.
 */
export interface SparkSeen {
  /**
   * Undefined: Connect is reached by no context, and workers have none to resolve their logins by.
   */
  readonly context?: string | undefined;
  /**
   * Program of its submit command, alone: options may hold a secret. Undefined where the context has none.
   */
  readonly submit?: string | undefined;
  /**
   * The command has the driver run on the cluster, where nobody here sees its progress and results.
   */
  readonly onCluster: boolean;
}
/**
 * Legacy topics deleted by a retirement, and what is proven without them.
 */
export interface RetiredKnown {
  readonly topics: readonly {
    readonly topic: string;
    readonly run: string;
    readonly at: Instant;
  }[];
  /**
   * Tables of which evidence that passed, known to a journal here, shows that the new topic holds every key by itself.
   */
  readonly complete: readonly string[];
}
export interface RetirementFacts {
  /**
   * When the observation began.
   */
  readonly at: Instant;
  readonly worker: WorkerSeen;
  readonly database: Database;
  readonly brokers: Observed<{
          readonly address: string;
          readonly clusterId: string;
        }>;
  /**
   * `missing`: the brokers have none.
   */
  readonly opsTopic: ObservedTopic;
  readonly opsHistory: Observed<OpsHistory>;
  readonly kind: "Migration";
  /**
   * The new connector, if the workers have it.
   */
  readonly next?: DeployedConnector | undefined;
  /**
   * Its settings: from its configuration if it exists, otherwise from the one it would be created with.
   */
  readonly settings: NewSettingsSeen;
  readonly phase: "retire";
  /**
   * If the workers have one so named.
   */
  readonly legacy?: DeployedConnector | undefined;
  readonly dictionary: ObservedDictionary;
  readonly topics: ObservedTexts;
  readonly others: ObservedOtherConnectorList;
  /**
   * The consumer groups of the topics that would be deleted.
   */
  readonly groups: Observed<readonly ConsumerGroupSeen[]>;
  readonly evidence: ObservedEvidence;
  /**
   * The latest cutover between the two connectors known on this machine; earlier verifications prove nothing about it.
   */
  readonly cutover: ObservedCutoverKnown;
  /**
   * The verifications of these connectors known on this machine, oldest first.
   */
  readonly verifications: Observed<readonly VerificationKnown[]>;
  /**
   * The new connector's records in the ops topic since the verification that wrote the evidence; empty if no local journal has that verification.
   */
  readonly recordedSince: Observed<readonly RecordedEvent[]>;
}
/**
 * A consumer group, with respect to the requested topics.
 */
export interface ConsumerGroupSeen {
  readonly group: string;
  /**
   * As the broker says: `Stable`, `Empty`, `PreparingRebalance`, …
   */
  readonly state: string;
  /**
   * Topics (of those requested) that its members are assigned to now: it is active on them.
   */
  readonly active: readonly string[];
  /**
   * Topics that it has committed offsets for.
   */
  readonly committed: readonly string[];
  /**
   * Why the broker does not show what its members read: then it may be active on any of the topics.
   */
  readonly unclear?: string | undefined;
}
/**
 * A valid evidence file: its own digest matches.
 */
export interface EvidenceKnown {
  readonly file: string;
  readonly digest: string;
  readonly connector: string;
  /**
   * When it was written, in UTC.
   */
  readonly writtenAt?: string | undefined;
  /**
   * Database of an audit.
   */
  readonly auditedDbid?: string | undefined;
  /**
   * Left out by earlier versions.
   */
  readonly counts?: ComparedCounts | undefined;
  /**
   * The SCN as of which tables are compared; the file proves nothing about later changes.
   */
  readonly checkScn: Scn;
  readonly tables: readonly {
    readonly table: string;
    readonly outcome: Outcome;
    /**
     * The legacy connector's topic, where one was read.
     */
    readonly legacyTopic?: string | undefined;
    /**
     * Keys of the legacy topic alone.
     */
    readonly byLegacy: bigint;
    /**
     * Columns that were not compared, each with the reason: `UPDATED_AT (named by --ignore-column)`.
     */
    readonly leftOut: readonly string[];
  }[];
}
/**
 * A verification in a journal of this machine.
 */
export interface VerificationKnown {
  readonly run: string;
  readonly at: Instant;
  readonly passed: boolean;
  readonly digest: string;
  /**
   * The connectors before anything was read. Undefined in a journal of an earlier version.
   */
  readonly found?: ConnectorsFound | undefined;
}
/**
 * The new connector and the legacy one, as a basis to detect later changes.
 */
export interface ConnectorsFound {
  /**
   * The new one's, secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly offsets: readonly OffsetEntry[];
  /**
   * Undefined if the workers had no legacy connector of that name.
   */
  readonly legacyOffsets?: readonly OffsetEntry[] | undefined;
  readonly opsTopic: string;
  /**
   * The readable ends of the ops topic. Empty if it did not exist.
   */
  readonly opsTopicEnds: readonly PartitionEnd[];
}
/**
 * When a captured table was last defined.
 */
export interface TableDefined {
  /**
   * As the connector names it.
   */
  readonly table: string;
  /**
   * `LAST_DDL_TIME`, which grants change too; undefined if the dictionary has none.
   */
  readonly lastDdl?: Instant | undefined;
  /**
   * Its name in the schema topic; null: the topic has no layout of it. Omitted if the topic could not be read.
   */
  readonly layout?: string | null | undefined;
}
/**
 * What could not be seen, and why.
 */
export interface Unknown {
  readonly known: false;
  readonly why: string;
  readonly remedies?: readonly Advice[] | undefined;
  readonly source: string;
}
/**
 * When the captured tables were last defined, and which layouts the task would compare with the dictionary.
 */
export interface Definitions {
  /**
   * `cdc.schema.topic`
   */
  readonly schemaTopic: string;
  readonly tables: readonly TableDefined[];
}
/**
 * A signal as the task reads it; type `""`: not JSON, or without one.
 */
export interface SignalSeen {
  readonly offset: bigint;
  readonly id: string;
  readonly type: string;
  readonly tables: readonly string[];
}
export interface PartitionEnd {
  readonly partition: bigint;
  readonly offset: bigint;
}
