// Generated from facts.schema.json by npm run types. Edit the schema, not this file.

/**
 * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
 */
export type Unsigned = bigint;
/**
 * A digest, SHA-256.
 */
export type Digest = string;
export type ObservedRedoCatalogue =
  | {
      known: true;
      value: RedoCatalogue;
      source: string;
      at: Instant;
    }
  | Unknown;
/**
 * A moment in UTC.
 */
export type Instant = string;
/**
 * What the operator can do: words, or words and what is to be copied.
 */
export type Advice =
  | string
  | {
      text: string;
      command?: string;
      sql?: string;
      setting?: string;
      note?: string;
    };
export type ObservedOpenTransactionList =
  | {
      known: true;
      value: OpenTransaction[];
      source: string;
      at: Instant;
    }
  | Unknown;
export type ObservedJournaledTransactionList =
  | {
      known: true;
      value: JournaledTransaction[];
      source: string;
      at: Instant;
    }
  | Unknown;
export type ObservedBrokers =
  | {
      known: true;
      value: {
        address: string;
        clusterId: string;
      };
      source: string;
      at: Instant;
    }
  | Unknown;
export type ObservedLong =
  | {
      known: true;
      value: Signed;
      source: string;
      at: Instant;
    }
  | Unknown;
/**
 * A signed 64-bit integer: -1 is without limit.
 */
export type Signed = bigint;
export type ObservedOpsHistory =
  | {
      known: true;
      value: OpsHistory;
      source: string;
      at: Instant;
    }
  | Unknown;
/**
 * Partition 0 of the signals topic; left out where no signal decides anything.
 */
export type ObservedSignals =
  | {
      known: true;
      value: SignalsSeen;
      source: string;
      at: Instant;
    }
  | Unknown;
export type ObservedDictionary =
  | {
      known: true;
      value: Dictionary;
      source: string;
      at: Instant;
    }
  | Unknown;
export type ObservedTexts =
  | {
      known: true;
      value: string[];
      source: string;
      at: Instant;
    }
  | Unknown;
export type ObservedOtherConnectorList =
  | {
      known: true;
      value: OtherConnector[];
      source: string;
      at: Instant;
    }
  | Unknown;

/**
 * What `observe --out` writes: facts recorded where they can be seen, to be planned with elsewhere (`plan --facts`). No secrets.
 */
export interface Facts {
  apiVersion: "cdcctl/v1";
  kind: "Facts";
  formatVersion: Unsigned;
  cdcctl: string;
  /**
   * One for each document, in order.
   */
  observations: {
    of: Digest;
    facts: OffsetChangeFacts | ResnapshotFacts | CutoverFacts | ReturnFacts | VerificationFacts | RetirementFacts;
  }[];
  digest: Digest;
}
export interface OffsetChangeFacts {
  /**
   * When the observation started.
   */
  at: string;
  worker: WorkerSeen;
  connector: ConnectorSeen;
  database: {
    dbid: Unsigned;
    name: string;
    version: string;
    container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    logMode: string;
    openMode: string;
    role: string;
    currentScn: Unsigned;
    resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    zone: string;
    address: string;
  };
  redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        known: true;
        value: {
          applies: boolean;
          files: (
            | {
                file: string;
                opened: true;
              }
            | {
                file: string;
                opened: false;
                code: string;
                message: string;
              }
          )[];
        };
        source: string;
        at: Instant;
      }
    | Unknown;
  transactions: ObservedOpenTransactionList;
  journaled: ObservedJournaledTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        known: true;
        value: ScnTime[];
        source: string;
        at: Instant;
      }
    | Unknown;
  brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        known: true;
        value: TopicSeen | "missing";
        source: string;
        at: Instant;
      }
    | Unknown;
  opsHistory: ObservedOpsHistory;
  signals?: ObservedSignals;
  /**
   * When the captured tables were last defined; read where a move leads over a DDL that matters.
   */
  ddl?:
    | {
        known: true;
        value: {
          schemaTopic: string;
          tables: TableDefined[];
        };
        source: string;
        at: Instant;
      }
    | Unknown;
  kind: "OffsetChange";
  /**
   * The SCN that the position stands for.
   */
  target:
    | {
        by: "scn" | "restore" | "earliestAvailable" | "lastRecorded";
      }
    | {
        by: "timestamp";
        scn?: Unsigned;
      };
}
export interface WorkerSeen {
  url: string;
  version: string;
  clusterId: string;
}
/**
 * One of ours, with what its configuration means.
 */
export interface ConnectorSeen {
  name: string;
  connectorClass?: string;
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  status: ConnectorStatus;
  offsets: OffsetEntry[];
  /**
   * Where the configuration was read.
   */
  configOrigin: string;
  prefix: string;
  opsTopic: string;
  captureMode: "online" | "archive_only";
  miningMode: string;
  archiveDestination?: string;
  tables: TableSelection;
  valueConverter?: string;
  valueConverterSchemas?: string;
  signalsTopic: string;
}
export interface ConnectorStatus {
  state: string;
  worker: string;
  trace?: string;
  tasks: TaskStatus[];
}
export interface TaskStatus {
  id: Unsigned;
  state: string;
  worker: string;
  trace?: string;
}
/**
 * One element of `GET /connectors/{name}/offsets`, exactly as read: it is written back with the very same partition.
 */
export interface OffsetEntry {
  partition: {
    [k: string]: unknown | undefined;
  };
  /**
   * Null in a PATCH removes the partition's offset.
   */
  offset: {
    [k: string]: unknown | undefined;
  } | null;
}
/**
 * Which tables the connector captures, as its configuration says it.
 */
export interface TableSelection {
  /**
   * `cdc.database.pdbs`; empty: a database without containers, or one PDB that is mined from inside.
   */
  pdbs: string[];
  /**
   * `cdc.tables.include`, `cdc.tables.exclude`: comma-separated Java patterns over whole names.
   */
  include?: string;
  exclude?: string;
  caseSensitive: boolean;
}
/**
 * One read of the catalogue: the four views that say what redo there is.
 */
export interface RedoCatalogue {
  threads: RedoThread[];
  destinations: ArchiveDestination[];
  archived: ArchivedLog[];
  online: OnlineLog[];
}
/**
 * A row of `V$THREAD`.
 */
export interface RedoThread {
  thread: Unsigned;
  /**
   * `PUBLIC`, `PRIVATE`, `DISABLED`.
   */
  enabled: string;
  status: string;
  sequence: Unsigned;
  enableScn: Unsigned;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  disableScn?: bigint;
}
/**
 * A row of `V$ARCHIVE_DEST_STATUS`.
 */
export interface ArchiveDestination {
  id: Unsigned;
  name: string;
  status: string;
  type: string;
}
/**
 * A row of `V$ARCHIVED_LOG`.
 */
export interface ArchivedLog {
  thread: Unsigned;
  sequence: Unsigned;
  firstScn: Unsigned;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  nextScn: bigint;
  /**
   * Undefined if the catalogue no longer has a name.
   */
  name?: string;
  /**
   * `A` available, `D` deleted, `U` unavailable, `X` expired.
   */
  status: string;
  deleted: boolean;
  destination: Unsigned;
  standby: boolean;
  resetlogsScn: Unsigned;
  bytes: Unsigned;
  firstTime?: Instant;
  nextTime?: Instant;
}
/**
 * A row of `V$LOG` with one readable member of `V$LOGFILE`.
 */
export interface OnlineLog {
  thread: Unsigned;
  sequence: Unsigned;
  firstScn: Unsigned;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  nextScn?: bigint;
  /**
   * `CURRENT`, `ACTIVE`, `INACTIVE`, …
   */
  status: string;
  archived: boolean;
  /**
   * Undefined if no member can be read.
   */
  member?: string;
  bytes: Unsigned;
}
/**
 * What could not be seen, and why.
 */
export interface Unknown {
  known: false;
  why: string;
  remedies?: Advice[];
  source: string;
}
/**
 * A row of `GV$TRANSACTION`.
 */
export interface OpenTransaction {
  xid: Xid;
  startScn: Unsigned;
  startedAt?: Instant;
  user?: string;
  clientId?: string;
}
/**
 * A transaction id: undo segment, slot, sequence; with the container it belongs to where that is known.
 */
export interface Xid {
  container?: Unsigned;
  usn: Unsigned;
  slot: Unsigned;
  sqn: Unsigned;
}
/**
 * A transaction of which the journal holds chunks.
 */
export interface JournaledTransaction {
  xid: string;
  container?: Unsigned;
  firstScn: Unsigned;
  user?: string;
  clientId?: string;
  /**
   * Generation and redo of each chunk; absent in facts of earlier versions.
   */
  chunks?: {
    generation: Unsigned;
    firstScn: Unsigned;
    lastScn: Unsigned;
  }[];
}
export interface ScnTime {
  scn: Unsigned;
  at?: Instant;
}
export interface TopicSeen {
  name: string;
  partitions: Unsigned;
  replicas: Unsigned;
  /**
   * `delete`, `compact`, `compact,delete`; unknown where describing configurations is not allowed.
   */
  cleanupPolicy:
    | {
        known: true;
        value: string;
        source: string;
        at: Instant;
      }
    | Unknown;
  minInsyncReplicas: ObservedLong;
  /**
   * How many replicas of each partition are in sync with its leader, itself included; by the partition's number.
   */
  inSyncReplicas: Unsigned[];
  /**
   * How the broker takes the time that a producer gives a record.
   */
  timestamps:
    | {
        known: true;
        value: TimestampRule;
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * Largest batch of records that the topic takes, bytes (`max.message.bytes`).
   */
  maxMessageBytes:
    | {
        known: true;
        value: Signed;
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * `retention.ms`: a record is kept so long; -1 without end.
   */
  retentionMillis:
    | {
        known: true;
        value: Signed;
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * `retention.bytes`: a partition keeps so many bytes of its latest records, give or take a segment; -1 without end.
   */
  retentionBytes:
    | {
        known: true;
        value: Signed;
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * Whether this login may write; unknown if the protocol does not report it.
   */
  mayWrite:
    | {
        known: true;
        value: boolean;
        source: string;
        at: Instant;
      }
    | Unknown;
}
export interface TimestampRule {
  /**
   * `CreateTime`: the producer's clock, within the limits. `LogAppendTime`: the broker's, whatever the producer says.
   */
  type: string;
  /**
   * A signed 64-bit integer: -1 is without limit.
   */
  beforeMaxMillis?: bigint;
  /**
   * A signed 64-bit integer: -1 is without limit.
   */
  afterMaxMillis?: bigint;
}
export interface OpsHistory {
  /**
   * The changes recorded in the topic, of every connector that writes to it: those of a partition in the order of its log, in which those of one connector follow each other (their key is its topic prefix).
   */
  events: RecordedEvent[];
  /**
   * The connector's answers to signals, whoever wrote them.
   */
  answers: SignalAck[];
  /**
   * Whether the topic was read from its beginning to its end.
   */
  whole: boolean;
  /**
   * Up to here each partition was read: the offset after the last one that was read.
   */
  readTo: {
    partition: Unsigned;
    offset: Unsigned;
  }[];
  /**
   * A moment in UTC.
   */
  clusterNow?: string;
}
/**
 * An event as it stands in its topic.
 */
export interface RecordedEvent {
  /**
   * A moment in UTC.
   */
  at: string;
  server: string;
  details: OffsetsSetDetails;
  record: RecordInLog;
}
/**
 * Every value is text in the record; `undefined` details are left out. Lists of names are written by `listDetail`.
 */
export interface OffsetsSetDetails {
  connector: string;
  command: string;
  reason: string;
  operator: string;
  /**
   * Left out where an offset is removed.
   */
  direction?: string;
  /**
   * An SCN in decimal, or `none`.
   */
  previous_resume_scn: string;
  new_resume_scn: string;
  outcome: "applying" | "applied" | "failed";
  forgotten_released?: string;
  deliver_again?: string;
  /**
   * What is removed from the journal or schema topic before the move, as JSON text.
   */
  removed_records?: string;
  error?: string;
  /**
   * Of a resnapshot: what is gone (`CODE message`), the tables snapshotted again, the signal that asks for it,
   */
  gap?: string;
  tables?: string;
  signal_id?: string;
  /**
   * and the captured tables that are not among them, where the operator asserts that they had no changes.
   */
  unlisted_tables?: string;
  /**
   * Digest over the evidence that was shown for those.
   */
  evidence?: string;
  /**
   * Digest of the intent.
   */
  intent?: string;
  /**
   * Of the form that cdcctl gives; one of any other form is left out when a record is read: it is shown, compared and pasted.
   */
  run?: string;
  decision?: string;
  ticket?: string;
  /**
   * Who took the run over from the topic, from another machine: written before anything is sent from there.
   */
  taken_over?: string;
  /**
   * `operator`: the workers reported no time, so `at` is by the clock of the operator's machine.
   */
  clock?: string;
  /**
   * The stored offset before and after, as JSON text; what recovery from the topic alone goes by.
   */
  previous_offset?: string;
  new_offset?: string;
  [k: string]: string | "applying" | "applied" | "failed" | undefined;
}
/**
 * Within a partition the offset says what came first, whatever clocks say.
 */
export interface RecordInLog {
  partition: Unsigned;
  offset: Unsigned;
  time: Instant;
  /**
   * Whose clock the time is of.
   */
  stampedBy: "producer" | "broker";
}
/**
 * The connector's answer to a signal. `unknown`: a kind of signal that it does not know.
 */
export interface SignalAck {
  id: string;
  outcome: string;
  message: string;
}
export interface SignalsSeen {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  end: bigint;
  /**
   * The signals to the connector that its stored offset has not handled yet, oldest first.
   */
  unread: {
    offset: Unsigned;
    id: string;
    type: string;
    tables: string[];
  }[];
  /**
   * Where the topic is missing: whether this login may create it; left out if unknown.
   */
  mayCreate?: boolean;
}
/**
 * When a captured table was last defined.
 */
export interface TableDefined {
  table: string;
  /**
   * A moment in UTC.
   */
  lastDdl?: string;
  /**
   * Its name in the schema topic; null: the topic has no layout of it. Absent where the topic could not be read.
   */
  layout?: string | null;
}
/**
 * Everything a resnapshot is decided by, as it was seen; a plain value without secrets.
 */
export interface ResnapshotFacts {
  /**
   * A moment in UTC.
   */
  at: string;
  worker: WorkerSeen;
  connector: ConnectorSeen;
  database: {
    dbid: Unsigned;
    name: string;
    version: string;
    container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    logMode: string;
    openMode: string;
    role: string;
    currentScn: Unsigned;
    resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    zone: string;
    address: string;
  };
  redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        known: true;
        value: {
          applies: boolean;
          files: (
            | {
                file: string;
                opened: true;
              }
            | {
                file: string;
                opened: false;
                code: string;
                message: string;
              }
          )[];
        };
        source: string;
        at: Instant;
      }
    | Unknown;
  transactions: ObservedOpenTransactionList;
  journaled: ObservedJournaledTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        known: true;
        value: ScnTime[];
        source: string;
        at: Instant;
      }
    | Unknown;
  brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        known: true;
        value: TopicSeen | "missing";
        source: string;
        at: Instant;
      }
    | Unknown;
  opsHistory: ObservedOpsHistory;
  signals?: ObservedSignals;
  /**
   * When the captured tables were last defined; read where a move leads over a DDL that matters.
   */
  ddl?:
    | {
        known: true;
        value: {
          schemaTopic: string;
          tables: TableDefined[];
        };
        source: string;
        at: Instant;
      }
    | Unknown;
  kind: "Resnapshot";
  /**
   * `missing` when the brokers know no such topic.
   */
  signalsTopic:
    | {
        known: true;
        value: TopicSeen | "missing";
        source: string;
        at: Instant;
      }
    | Unknown;
  dictionary: ObservedDictionary;
  /**
   * Of every table in the dictionary; read only if redo is gone.
   */
  activity:
    | {
        known: true;
        value: TableActivity[];
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * Of the unlisted tables, where the plan file asks for it.
   */
  rowScns:
    | {
        known: true;
        value: RowScn[];
        source: string;
        at: Instant;
      }
    | Unknown;
}
/**
 * What the dictionary has of tables that a connector could capture: neither Oracle's own, nor temporary, nested or overflow tables.
 */
export interface Dictionary {
  containers: ContainerSeen[];
  tables: TableSeen[];
  /**
   * Names of the containers, of those asked for, whose dictionary answered: it has the user SYS. A `CDB_` view silently omits what failed in a container.
   */
  answering: string[];
}
/**
 * A row of `V$CONTAINERS`: one that this login sees. A closed one (`MOUNTED`) shows none of its tables.
 */
export interface ContainerSeen {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  id?: bigint;
  name: string;
  /**
   * `READ WRITE`, `READ ONLY`, `MOUNTED`, `MIGRATE`; with ` RESTRICTED` after it, it shows none of its tables to the root either.
   */
  openMode: string;
}
/**
 * A table in the dictionary, by its very name.
 */
export interface TableSeen {
  container: string;
  owner: string;
  name: string;
}
/**
 * What the dictionary shows of changes to a table. Evidence, not proof: modifications are counted since statistics were gathered last, and written down late.
 */
export interface TableActivity {
  container: string;
  owner: string;
  name: string;
  /**
   * A moment in UTC.
   */
  lastDdl?: string;
  modifications?: TableModifications;
  /**
   * A moment in UTC.
   */
  analyzed?: string;
}
/**
 * `CDB_TAB_MODIFICATIONS`; undefined where it has no row for the table.
 */
export interface TableModifications {
  inserts: Unsigned;
  updates: Unsigned;
  deletes: Unsigned;
  truncated: boolean;
  /**
   * A moment in UTC.
   */
  at?: string;
}
/**
 * `MAX(ORA_ROWSCN)` of a table: the latest change to a row that it still has.
 */
export interface RowScn {
  container: string;
  owner: string;
  name: string;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  scn?: bigint;
  /**
   * Why it could not be read.
   */
  problem?: string;
}
export interface CutoverFacts {
  /**
   * A moment in UTC.
   */
  at: string;
  worker: WorkerSeen;
  database: {
    dbid: Unsigned;
    name: string;
    version: string;
    container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    logMode: string;
    openMode: string;
    role: string;
    currentScn: Unsigned;
    resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    zone: string;
    address: string;
  };
  brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        known: true;
        value: TopicSeen | "missing";
        source: string;
        at: Instant;
      }
    | Unknown;
  opsHistory: ObservedOpsHistory;
  kind: "Migration";
  next?: DeployedConnector;
  settings: NewSettingsSeen;
  redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        known: true;
        value: {
          applies: boolean;
          files: (
            | {
                file: string;
                opened: true;
              }
            | {
                file: string;
                opened: false;
                code: string;
                message: string;
              }
          )[];
        };
        source: string;
        at: Instant;
      }
    | Unknown;
  transactions: ObservedOpenTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        known: true;
        value: ScnTime[];
        source: string;
        at: Instant;
      }
    | Unknown;
  legacy: DeployedConnector1;
  openBefore?: TransactionsSeen;
  phase: "cutover";
  translation: Translation;
  /**
   * Settings with only the mask: their values are not given.
   */
  lacking: string[];
  /**
   * Whether the workers have the new connector's class.
   */
  installed:
    | {
        known: true;
        value: boolean;
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * Classes on the workers that can be builds of the connector; empty where they could not be listed.
   */
  builds: string[];
  /**
   * What a worker finds wrong with the new configuration.
   */
  problems:
    | {
        known: true;
        value: SettingProblem[];
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * Topics that still have records of the new prefix; absent in facts of earlier versions.
   */
  leftRecords?:
    | {
        known: true;
        value: string[];
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * Names of all topics.
   */
  topics:
    | {
        known: true;
        value: string[];
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * The other connectors of the cluster.
   */
  others:
    | {
        known: true;
        value: OtherConnector[];
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * The latest phase between the two that was carried out, as far as this machine knows.
   */
  latest:
    | {
        known: true;
        value?: PhaseKnown;
        source: string;
        at: Instant;
      }
    | Unknown;
}
/**
 * The new connector; undefined where the workers have none of its name.
 */
export interface DeployedConnector {
  name: string;
  connectorClass?: string;
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  status: ConnectorStatus;
  offsets: OffsetEntry[];
}
/**
 * Its settings: from its configuration where it is there, else from the one it would be created with.
 */
export interface NewSettingsSeen {
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  /**
   * Where the configuration was read.
   */
  configOrigin: string;
  prefix: string;
  opsTopic: string;
  captureMode: "online" | "archive_only";
  miningMode: string;
  archiveDestination?: string;
  tables: TableSelection;
  valueConverter?: string;
  valueConverterSchemas?: string;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector1 {
  name: string;
  connectorClass?: string;
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  status: ConnectorStatus;
  offsets: OffsetEntry[];
}
/**
 * The open transactions as a cutover recorded them before it stopped the legacy connector; undefined where none did.
 */
export interface TransactionsSeen {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  from: bigint;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  to: bigint;
  open: TransactionBefore[];
}
export interface TransactionBefore {
  xid: Xid;
  startScn: Unsigned;
  user?: string;
}
export interface Translation {
  name: string;
  /**
   * This connector's configuration; literal secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  /**
   * Every property of the source, once, in its order.
   */
  properties: (
    | {
        name: string;
        fate: "mapped";
        target: string;
        value: string;
      }
    | {
        name: string;
        fate: "changed";
        target: string;
        value: string;
        reason: string;
      }
    | {
        name: string;
        fate: "dropped";
        reason: string;
      }
    | {
        name: string;
        fate: "manual";
        value: string;
        instruction: string;
      }
  )[];
  /**
   * Settings that no property of the source led to, and why they are there.
   */
  added: {
    target: string;
    value: string;
    reason: string;
  }[];
  /**
   * What to do before the connector is created, or to watch afterwards.
   */
  followUps: string[];
}
/**
 * A worker's problem with one setting.
 */
export interface SettingProblem {
  setting: string;
  errors: string[];
}
/**
 * Another connector, as far as a migration is concerned with it.
 */
export interface OtherConnector {
  name: string;
  connectorClass?: string;
  /**
   * `cdc.topic.prefix`.
   */
  prefix?: string;
  /**
   * Of a legacy connector: where it keeps its licence.
   */
  licenceTopic?: string;
  writes?: LegacyWrites;
}
/**
 * Of a legacy connector: what its topics are called.
 */
export interface LegacyWrites {
  connector: string;
  /**
   * `table.topic.name.template`; blank: none but the redo log topic.
   */
  tables: string;
  /**
   * `lob.topic.name.template`; blank: none.
   */
  lobs: string;
  /**
   * `redo.log.topic.name`.
   */
  redo: string;
  /**
   * What it may call its database: the PDB, with the SID before it or not; the SID or service.
   */
  databases: string[];
  /**
   * `table.inclusion.regex` and `.exclusion.regex`; undefined: not set.
   */
  include?: string;
  exclude?: string;
  /**
   * The transformations by which its records may go anywhere.
   */
  reroutings: string[];
}
/**
 * A phase that changed something and succeeded, in a journal of this machine.
 */
export interface PhaseKnown {
  run: string;
  at: Instant;
  phase: "cutover" | "verify" | "rollback" | "retire";
  decision: string;
}
/**
 * Rollback to the legacy connector.
 */
export interface ReturnFacts {
  /**
   * A moment in UTC.
   */
  at: string;
  worker: WorkerSeen;
  database: {
    dbid: Unsigned;
    name: string;
    version: string;
    container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    logMode: string;
    openMode: string;
    role: string;
    currentScn: Unsigned;
    resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    zone: string;
    address: string;
  };
  brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        known: true;
        value: TopicSeen | "missing";
        source: string;
        at: Instant;
      }
    | Unknown;
  opsHistory: ObservedOpsHistory;
  kind: "Migration";
  next?: DeployedConnector2;
  settings: NewSettingsSeen1;
  redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        known: true;
        value: {
          applies: boolean;
          files: (
            | {
                file: string;
                opened: true;
              }
            | {
                file: string;
                opened: false;
                code: string;
                message: string;
              }
          )[];
        };
        source: string;
        at: Instant;
      }
    | Unknown;
  transactions: ObservedOpenTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        known: true;
        value: ScnTime[];
        source: string;
        at: Instant;
      }
    | Unknown;
  legacy: DeployedConnector1;
  openBefore?: TransactionsSeen1;
  phase: "rollback";
  topics: ObservedTexts;
  /**
   * Read only if topics are to be deleted; the other connectors too.
   */
  dictionary:
    | {
        known: true;
        value: Dictionary;
        source: string;
        at: Instant;
      }
    | Unknown;
  others: ObservedOtherConnectorList;
  /**
   * The latest cutover between the two that this machine knows of.
   */
  cutover:
    | {
        known: true;
        value?: CutoverKnown;
        source: string;
        at: Instant;
      }
    | Unknown;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector2 {
  name: string;
  connectorClass?: string;
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  status: ConnectorStatus;
  offsets: OffsetEntry[];
}
/**
 * Its settings: from its configuration where it is there, else from the one it would be created with.
 */
export interface NewSettingsSeen1 {
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  /**
   * Where the configuration was read.
   */
  configOrigin: string;
  prefix: string;
  opsTopic: string;
  captureMode: "online" | "archive_only";
  miningMode: string;
  archiveDestination?: string;
  tables: TableSelection;
  valueConverter?: string;
  valueConverterSchemas?: string;
}
/**
 * The open transactions as a cutover recorded them before it stopped the legacy connector; undefined where none did.
 */
export interface TransactionsSeen1 {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  from: bigint;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  to: bigint;
  open: TransactionBefore[];
}
/**
 * A cutover in a journal of this machine.
 */
export interface CutoverKnown {
  run: string;
  at: Instant;
  /**
   * The legacy connector's, as it stopped with them.
   */
  offsets: OffsetEntry[];
}
export interface VerificationFacts {
  /**
   * A moment in UTC.
   */
  at: string;
  worker: WorkerSeen;
  database: {
    dbid: Unsigned;
    name: string;
    version: string;
    container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    logMode: string;
    openMode: string;
    role: string;
    currentScn: Unsigned;
    resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    zone: string;
    address: string;
  };
  brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        known: true;
        value: TopicSeen | "missing";
        source: string;
        at: Instant;
      }
    | Unknown;
  opsHistory: ObservedOpsHistory;
  kind: "Migration";
  next?: DeployedConnector3;
  settings: NewSettingsSeen2;
  phase: "verify";
  dictionary: ObservedDictionary;
  /**
   * Names of all topics.
   */
  topics:
    | {
        known: true;
        value: string[];
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * The topics to be read, by name; `missing` when the brokers know no such topic.
   */
  read:
    | {
        known: true;
        value: {
          [k: string]: TopicSeen | "missing" | undefined;
        };
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * What a retirement of these connectors has deleted, as far as this machine knows.
   */
  retired:
    | {
        known: true;
        value: RetiredKnown;
        source: string;
        at: Instant;
      }
    | Unknown;
  spark?: SparkSeen;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector3 {
  name: string;
  connectorClass?: string;
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  status: ConnectorStatus;
  offsets: OffsetEntry[];
}
/**
 * Its settings: from its configuration where it is there, else from the one it would be created with.
 */
export interface NewSettingsSeen2 {
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  /**
   * Where the configuration was read.
   */
  configOrigin: string;
  prefix: string;
  opsTopic: string;
  captureMode: "online" | "archive_only";
  miningMode: string;
  archiveDestination?: string;
  tables: TableSelection;
  valueConverter?: string;
  valueConverterSchemas?: string;
}
/**
 * Legacy topics that are gone by a retirement, and what is proven without them.
 */
export interface RetiredKnown {
  topics: {
    topic: string;
    run: string;
    at: Instant;
  }[];
  /**
   * Tables of which evidence that passed, known to a journal here, shows that the new topic alone holds every key.
   */
  complete: string[];
}
/**
 * How the context submits a verification to Apache Spark; only where the plan file asks for that.
 */
export interface SparkSeen {
  /**
   * Missing where Connect is reached by no context.
   */
  context?: string;
  /**
   * Of its submit command, the program alone. Missing where the context has none.
   */
  submit?: string;
  /**
   * The command has the driver run on the cluster, where nobody here sees its progress and results.
   */
  onCluster: boolean;
}
export interface RetirementFacts {
  /**
   * A moment in UTC.
   */
  at: string;
  worker: WorkerSeen;
  database: {
    dbid: Unsigned;
    name: string;
    version: string;
    container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    logMode: string;
    openMode: string;
    role: string;
    currentScn: Unsigned;
    resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    zone: string;
    address: string;
  };
  brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        known: true;
        value: TopicSeen | "missing";
        source: string;
        at: Instant;
      }
    | Unknown;
  opsHistory: ObservedOpsHistory;
  kind: "Migration";
  next?: DeployedConnector4;
  settings: NewSettingsSeen3;
  phase: "retire";
  legacy?: DeployedConnector5;
  dictionary: ObservedDictionary;
  topics: ObservedTexts;
  others: ObservedOtherConnectorList;
  /**
   * Of the topics that would be deleted.
   */
  groups:
    | {
        known: true;
        value: ConsumerGroupSeen[];
        source: string;
        at: Instant;
      }
    | Unknown;
  evidence:
    | {
        known: true;
        value: EvidenceKnown;
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * The latest cutover between the two that this machine knows of: what was verified before it says nothing of it.
   */
  cutover:
    | {
        known: true;
        value?: CutoverKnown;
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * The verifications of these connectors that this machine knows of, oldest first.
   */
  verifications:
    | {
        known: true;
        value: VerificationKnown[];
        source: string;
        at: Instant;
      }
    | Unknown;
  /**
   * What the ops topic shows of the new connector since the verification that wrote the evidence; none where no journal here knows that one.
   */
  recordedSince:
    | {
        known: true;
        value: RecordedEvent[];
        source: string;
        at: Instant;
      }
    | Unknown;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector4 {
  name: string;
  connectorClass?: string;
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  status: ConnectorStatus;
  offsets: OffsetEntry[];
}
/**
 * Its settings: from its configuration where it is there, else from the one it would be created with.
 */
export interface NewSettingsSeen3 {
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  /**
   * Where the configuration was read.
   */
  configOrigin: string;
  prefix: string;
  opsTopic: string;
  captureMode: "online" | "archive_only";
  miningMode: string;
  archiveDestination?: string;
  tables: TableSelection;
  valueConverter?: string;
  valueConverterSchemas?: string;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector5 {
  name: string;
  connectorClass?: string;
  /**
   * Secrets are `********`.
   */
  config: {
    [k: string]: string | undefined;
  };
  status: ConnectorStatus;
  offsets: OffsetEntry[];
}
/**
 * A consumer group, seen from the topics that it was asked about.
 */
export interface ConsumerGroupSeen {
  group: string;
  /**
   * As the broker reports it: `Stable`, `Empty`, `PreparingRebalance`, …
   */
  state: string;
  /**
   * Topics (of those asked for) that its members are assigned to now: it is active on them.
   */
  active: string[];
  /**
   * Topics (of those asked for) that it has committed offsets for.
   */
  committed: string[];
  /**
   * Why the broker does not report what its members read: then it may be active on any of the topics.
   */
  unclear?: string;
}
/**
 * A valid evidence file: its own digest matches.
 */
export interface EvidenceKnown {
  file: string;
  digest: string;
  connector: string;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  checkScn: bigint;
  tables: {
    table: string;
    outcome: "pass" | "fail" | "inconclusive";
    /**
     * The legacy connector's topic that was read; undefined where none was.
     */
    legacyTopic?: string;
    /**
     * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
     */
    byLegacy: bigint;
    /**
     * Columns that were not compared, each with the reason: `UPDATED_AT (named by --ignore-column)`.
     */
    leftOut: string[];
  }[];
}
/**
 * A verification in a journal of this machine.
 */
export interface VerificationKnown {
  run: string;
  at: Instant;
  passed: boolean;
  digest: string;
  found?: ConnectorsFound;
}
/**
 * The connectors before anything was read. Undefined in a journal of an earlier version.
 */
export interface ConnectorsFound {
  /**
   * The new connector's, secrets masked.
   */
  configuration: {
    [k: string]: string | undefined;
  };
  offsets: OffsetEntry[];
  /**
   * Undefined where the workers had no legacy connector of the name.
   */
  legacyOffsets?: OffsetEntry[];
  opsTopic: string;
  /**
   * Up to here the ops topic could be read. Empty where it was not there.
   */
  opsTopicEnds: {
    partition: Unsigned;
    offset: Unsigned;
  }[];
}
