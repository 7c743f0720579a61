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
      readonly known: true;
      readonly value: RedoCatalogue;
      readonly source: string;
      readonly at: Instant;
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
      readonly text: string;
      readonly command?: string | undefined;
      readonly sql?: string | undefined;
      readonly setting?: string | undefined;
      readonly note?: string | undefined;
    };
export type ObservedOpenTransactionList =
  | {
      readonly known: true;
      readonly value: readonly OpenTransaction[];
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
export type ObservedJournaledTransactionList =
  | {
      readonly known: true;
      readonly value: readonly JournaledTransaction[];
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
export type ObservedBrokers =
  | {
      readonly known: true;
      readonly value: {
        readonly address: string;
        readonly clusterId: string;
      };
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
export type ObservedLong =
  | {
      readonly known: true;
      readonly value: Signed;
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
/**
 * A signed 64-bit integer: -1 is without limit.
 */
export type Signed = bigint;
export type ObservedOpsHistory =
  | {
      readonly known: true;
      readonly value: OpsHistory;
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
/**
 * Partition 0 of the signals topic; left out where no signal decides anything.
 */
export type ObservedSignals =
  | {
      readonly known: true;
      readonly value: SignalsSeen;
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
export type ObservedDictionary =
  | {
      readonly known: true;
      readonly value: Dictionary;
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
export type ObservedTexts =
  | {
      readonly known: true;
      readonly value: readonly string[];
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;
export type ObservedOtherConnectorList =
  | {
      readonly known: true;
      readonly value: readonly OtherConnector[];
      readonly source: string;
      readonly at: Instant;
    }
  | Unknown;

/**
 * What `observe --out` writes: facts recorded where they can be seen, to be planned with elsewhere (`plan --facts`). No secrets.
 */
export interface Facts {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Facts";
  readonly formatVersion: Unsigned;
  readonly cdcctl: string;
  /**
   * One for each document, in order.
   */
  readonly observations: {
    readonly of: Digest;
    readonly facts: OffsetChangeFacts | ResnapshotFacts | CutoverFacts | ReturnFacts | VerificationFacts | RetirementFacts;
  }[];
  readonly digest: Digest;
}
export interface OffsetChangeFacts {
  /**
   * When the observation started.
   */
  readonly at: string;
  readonly worker: WorkerSeen;
  readonly connector: ConnectorSeen;
  readonly database: {
    readonly dbid: Unsigned;
    readonly name: string;
    readonly version: string;
    readonly container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    readonly connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    readonly logMode: string;
    readonly openMode: string;
    readonly role: string;
    readonly currentScn: Unsigned;
    readonly resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    readonly zone: string;
    readonly address: string;
  };
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        readonly known: true;
        readonly value: {
          readonly applies: boolean;
          readonly files: (
            | {
                readonly file: string;
                readonly opened: true;
              }
            | {
                readonly file: string;
                readonly opened: false;
                readonly code: string;
                readonly message: string;
              }
          )[];
        };
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly transactions: ObservedOpenTransactionList;
  readonly journaled: ObservedJournaledTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        readonly known: true;
        readonly value: readonly ScnTime[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        readonly known: true;
        readonly value: TopicSeen | "missing";
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly opsHistory: ObservedOpsHistory;
  readonly signals?: ObservedSignals | undefined;
  /**
   * When the captured tables were last defined; read where a move leads over a DDL that matters.
   */
  ddl?:
    | {
        readonly known: true;
        readonly value: {
          readonly schemaTopic: string;
          readonly tables: readonly TableDefined[];
        };
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly kind: "OffsetChange";
  /**
   * The SCN that the position stands for.
   */
  target:
    | {
        readonly by: "scn" | "restore" | "earliestAvailable" | "lastRecorded";
      }
    | {
        readonly by: "timestamp";
        readonly scn?: Unsigned | undefined;
      };
}
export interface WorkerSeen {
  readonly url: string;
  readonly version: string;
  readonly clusterId: string;
}
/**
 * One of ours, with what its configuration means.
 */
export interface ConnectorSeen {
  readonly name: string;
  readonly connectorClass?: string | undefined;
  /**
   * Secrets are `********`.
   */
  readonly config: {
    readonly [k: string]: string;
  };
  readonly status: ConnectorStatus;
  readonly offsets: readonly OffsetEntry[];
  /**
   * Where the configuration was read.
   */
  readonly configOrigin: string;
  readonly prefix: string;
  readonly opsTopic: string;
  readonly captureMode: "online" | "archive_only";
  readonly miningMode: string;
  readonly archiveDestination?: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter?: string | undefined;
  readonly valueConverterSchemas?: string | undefined;
  readonly signalsTopic: string;
}
export interface ConnectorStatus {
  readonly state: string;
  readonly worker: string;
  readonly trace?: string | undefined;
  readonly tasks: readonly TaskStatus[];
}
export interface TaskStatus {
  readonly id: Unsigned;
  readonly state: string;
  readonly worker: string;
  readonly trace?: string | undefined;
}
/**
 * One element of `GET /connectors/{name}/offsets`, exactly as read: it is written back with the very same partition.
 */
export interface OffsetEntry {
  readonly partition: {
    readonly [k: string]: unknown;
  };
  /**
   * Null in a PATCH removes the partition's offset.
   */
  readonly offset: {
    readonly [k: string]: unknown;
  } | null;
}
/**
 * Which tables the connector captures, as its configuration says it.
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
 * One read of the catalogue: the four views that say what redo there is.
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
  readonly thread: Unsigned;
  /**
   * `PUBLIC`, `PRIVATE`, `DISABLED`.
   */
  readonly enabled: string;
  readonly status: string;
  readonly sequence: Unsigned;
  readonly enableScn: Unsigned;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly disableScn?: bigint | undefined;
}
/**
 * A row of `V$ARCHIVE_DEST_STATUS`.
 */
export interface ArchiveDestination {
  readonly id: Unsigned;
  readonly name: string;
  readonly status: string;
  readonly type: string;
}
/**
 * A row of `V$ARCHIVED_LOG`.
 */
export interface ArchivedLog {
  readonly thread: Unsigned;
  readonly sequence: Unsigned;
  readonly firstScn: Unsigned;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly nextScn: bigint;
  /**
   * Undefined if the catalogue no longer has a name.
   */
  readonly name?: string | undefined;
  /**
   * `A` available, `D` deleted, `U` unavailable, `X` expired.
   */
  readonly status: string;
  readonly deleted: boolean;
  readonly destination: Unsigned;
  readonly standby: boolean;
  readonly resetlogsScn: Unsigned;
  readonly bytes: Unsigned;
  readonly firstTime?: Instant | undefined;
  readonly nextTime?: Instant | undefined;
}
/**
 * A row of `V$LOG` with one readable member of `V$LOGFILE`.
 */
export interface OnlineLog {
  readonly thread: Unsigned;
  readonly sequence: Unsigned;
  readonly firstScn: Unsigned;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly nextScn?: bigint | undefined;
  /**
   * `CURRENT`, `ACTIVE`, `INACTIVE`, …
   */
  readonly status: string;
  readonly archived: boolean;
  /**
   * Undefined if no member can be read.
   */
  readonly member?: string | undefined;
  readonly bytes: Unsigned;
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
 * A row of `GV$TRANSACTION`.
 */
export interface OpenTransaction {
  readonly xid: Xid;
  readonly startScn: Unsigned;
  readonly startedAt?: Instant | undefined;
  readonly user?: string | undefined;
  readonly clientId?: string | undefined;
}
/**
 * A transaction id: undo segment, slot, sequence; with the container it belongs to where that is known.
 */
export interface Xid {
  readonly container?: Unsigned | undefined;
  readonly usn: Unsigned;
  readonly slot: Unsigned;
  readonly sqn: Unsigned;
}
/**
 * A transaction of which the journal holds chunks.
 */
export interface JournaledTransaction {
  readonly xid: string;
  readonly container?: Unsigned | undefined;
  readonly firstScn: Unsigned;
  readonly user?: string | undefined;
  readonly clientId?: string | undefined;
  /**
   * Generation and redo of each chunk; absent in facts of earlier versions.
   */
  readonly chunks?: {
    readonly generation: Unsigned;
    readonly firstScn: Unsigned;
    readonly lastScn: Unsigned;
  }[];
}
export interface ScnTime {
  readonly scn: Unsigned;
  readonly at?: Instant | undefined;
}
export interface TopicSeen {
  readonly name: string;
  readonly partitions: Unsigned;
  readonly replicas: Unsigned;
  /**
   * `delete`, `compact`, `compact,delete`; unknown where describing configurations is not allowed.
   */
  cleanupPolicy:
    | {
        readonly known: true;
        readonly value: string;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly minInsyncReplicas: ObservedLong;
  /**
   * How many replicas of each partition are in sync with its leader, itself included; by the partition's number.
   */
  readonly inSyncReplicas: readonly Unsigned[];
  /**
   * How the broker takes the time that a producer gives a record.
   */
  timestamps:
    | {
        readonly known: true;
        readonly value: TimestampRule;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * Largest batch of records that the topic takes, bytes (`max.message.bytes`).
   */
  maxMessageBytes:
    | {
        readonly known: true;
        readonly value: Signed;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * `retention.ms`: a record is kept so long; -1 without end.
   */
  retentionMillis:
    | {
        readonly known: true;
        readonly value: Signed;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * `retention.bytes`: a partition keeps so many bytes of its latest records, give or take a segment; -1 without end.
   */
  retentionBytes:
    | {
        readonly known: true;
        readonly value: Signed;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * Whether this login may write; unknown if the protocol does not report it.
   */
  mayWrite:
    | {
        readonly known: true;
        readonly value: boolean;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
}
export interface TimestampRule {
  /**
   * `CreateTime`: the producer's clock, within the limits. `LogAppendTime`: the broker's, whatever the producer says.
   */
  readonly type: string;
  /**
   * A signed 64-bit integer: -1 is without limit.
   */
  readonly beforeMaxMillis?: bigint | undefined;
  /**
   * A signed 64-bit integer: -1 is without limit.
   */
  readonly afterMaxMillis?: bigint | undefined;
}
export interface OpsHistory {
  /**
   * The changes recorded in the topic, of every connector that writes to it: those of a partition in the order of its log, in which those of one connector follow each other (their key is its topic prefix).
   */
  readonly events: readonly RecordedEvent[];
  /**
   * The connector's answers to signals, whoever wrote them.
   */
  readonly answers: readonly SignalAck[];
  /**
   * Whether the topic was read from its beginning to its end.
   */
  readonly whole: boolean;
  /**
   * Up to here each partition was read: the offset after the last one that was read.
   */
  readonly readTo: {
    readonly partition: Unsigned;
    readonly offset: Unsigned;
  }[];
  /**
   * A moment in UTC.
   */
  readonly clusterNow?: string | undefined;
}
/**
 * An event as it stands in its topic.
 */
export interface RecordedEvent {
  /**
   * A moment in UTC.
   */
  readonly at: string;
  readonly server: string;
  readonly details: OffsetsSetDetails;
  readonly record: RecordInLog;
}
/**
 * Every value is text in the record; `undefined` details are left out. Lists of names are written by `listDetail`.
 */
export interface OffsetsSetDetails {
  readonly connector: string;
  readonly command: string;
  readonly reason: string;
  readonly operator: string;
  /**
   * Left out where an offset is removed.
   */
  readonly direction?: string | undefined;
  /**
   * An SCN in decimal, or `none`.
   */
  readonly previous_resume_scn: string;
  readonly new_resume_scn: string;
  readonly outcome: "applying" | "applied" | "failed";
  readonly forgotten_released?: string | undefined;
  readonly deliver_again?: string | undefined;
  /**
   * What is removed from the journal or schema topic before the move, as JSON text.
   */
  readonly removed_records?: string | undefined;
  readonly error?: string | undefined;
  /**
   * Of a resnapshot: what is gone (`CODE message`), the tables snapshotted again, the signal that asks for it,
   */
  readonly gap?: string | undefined;
  readonly tables?: string | undefined;
  readonly signal_id?: string | undefined;
  /**
   * and the captured tables that are not among them, where the operator asserts that they had no changes.
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
   * Of the form that cdcctl gives; one of any other form is left out when a record is read: it is shown, compared and pasted.
   */
  readonly run?: string | undefined;
  readonly decision?: string | undefined;
  readonly ticket?: string | undefined;
  /**
   * Who took the run over from the topic, from another machine: written before anything is sent from there.
   */
  readonly taken_over?: string | undefined;
  /**
   * `operator`: the workers reported no time, so `at` is by the clock of the operator's machine.
   */
  readonly clock?: string | undefined;
  /**
   * The stored offset before and after, as JSON text; what recovery from the topic alone goes by.
   */
  readonly previous_offset?: string | undefined;
  readonly new_offset?: string | undefined;
  readonly [k: string]: string | "applying" | "applied" | "failed" | undefined;
}
/**
 * Within a partition the offset says what came first, whatever clocks say.
 */
export interface RecordInLog {
  readonly partition: Unsigned;
  readonly offset: Unsigned;
  readonly time: Instant;
  /**
   * Whose clock the time is of.
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
export interface SignalsSeen {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly end: bigint;
  /**
   * The signals to the connector that its stored offset has not handled yet, oldest first.
   */
  readonly unread: {
    readonly offset: Unsigned;
    readonly id: string;
    readonly type: string;
    readonly tables: readonly string[];
  }[];
  /**
   * Where the topic is missing: whether this login may create it; left out if unknown.
   */
  readonly mayCreate?: boolean | undefined;
}
/**
 * When a captured table was last defined.
 */
export interface TableDefined {
  readonly table: string;
  /**
   * A moment in UTC.
   */
  readonly lastDdl?: string | undefined;
  /**
   * Its name in the schema topic; null: the topic has no layout of it. Absent where the topic could not be read.
   */
  readonly layout?: string | null | undefined;
}
/**
 * Everything a resnapshot is decided by, as it was seen; a plain value without secrets.
 */
export interface ResnapshotFacts {
  /**
   * A moment in UTC.
   */
  readonly at: string;
  readonly worker: WorkerSeen;
  readonly connector: ConnectorSeen;
  readonly database: {
    readonly dbid: Unsigned;
    readonly name: string;
    readonly version: string;
    readonly container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    readonly connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    readonly logMode: string;
    readonly openMode: string;
    readonly role: string;
    readonly currentScn: Unsigned;
    readonly resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    readonly zone: string;
    readonly address: string;
  };
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        readonly known: true;
        readonly value: {
          readonly applies: boolean;
          readonly files: (
            | {
                readonly file: string;
                readonly opened: true;
              }
            | {
                readonly file: string;
                readonly opened: false;
                readonly code: string;
                readonly message: string;
              }
          )[];
        };
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly transactions: ObservedOpenTransactionList;
  readonly journaled: ObservedJournaledTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        readonly known: true;
        readonly value: readonly ScnTime[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        readonly known: true;
        readonly value: TopicSeen | "missing";
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly opsHistory: ObservedOpsHistory;
  readonly signals?: ObservedSignals | undefined;
  /**
   * When the captured tables were last defined; read where a move leads over a DDL that matters.
   */
  ddl?:
    | {
        readonly known: true;
        readonly value: {
          readonly schemaTopic: string;
          readonly tables: readonly TableDefined[];
        };
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly kind: "Resnapshot";
  /**
   * `missing` when the brokers know no such topic.
   */
  signalsTopic:
    | {
        readonly known: true;
        readonly value: TopicSeen | "missing";
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly dictionary: ObservedDictionary;
  /**
   * Of every table in the dictionary; read only if redo is gone.
   */
  activity:
    | {
        readonly known: true;
        readonly value: readonly TableActivity[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * Of the unlisted tables, where the plan file asks for it.
   */
  rowScns:
    | {
        readonly known: true;
        readonly value: readonly RowScn[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
}
/**
 * What the dictionary has of tables that a connector could capture: neither Oracle's own, nor temporary, nested or overflow tables.
 */
export interface Dictionary {
  readonly containers: readonly ContainerSeen[];
  readonly tables: readonly TableSeen[];
  /**
   * Names of the containers, of those asked for, whose dictionary answered: it has the user SYS. A `CDB_` view silently omits what failed in a container.
   */
  readonly answering: readonly string[];
}
/**
 * A row of `V$CONTAINERS`: one that this login sees. A closed one (`MOUNTED`) shows none of its tables.
 */
export interface ContainerSeen {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly id?: bigint | undefined;
  readonly name: string;
  /**
   * `READ WRITE`, `READ ONLY`, `MOUNTED`, `MIGRATE`; with ` RESTRICTED` after it, it shows none of its tables to the root either.
   */
  readonly openMode: string;
}
/**
 * A table in the dictionary, by its very name.
 */
export interface TableSeen {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
}
/**
 * What the dictionary shows of changes to a table. Evidence, not proof: modifications are counted since statistics were gathered last, and written down late.
 */
export interface TableActivity {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
  /**
   * A moment in UTC.
   */
  readonly lastDdl?: string | undefined;
  readonly modifications?: TableModifications | undefined;
  /**
   * A moment in UTC.
   */
  readonly analyzed?: string | undefined;
}
/**
 * `CDB_TAB_MODIFICATIONS`; undefined where it has no row for the table.
 */
export interface TableModifications {
  readonly inserts: Unsigned;
  readonly updates: Unsigned;
  readonly deletes: Unsigned;
  readonly truncated: boolean;
  /**
   * A moment in UTC.
   */
  readonly at?: string | undefined;
}
/**
 * `MAX(ORA_ROWSCN)` of a table: the latest change to a row that it still has.
 */
export interface RowScn {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly scn?: bigint | undefined;
  /**
   * Why it could not be read.
   */
  readonly problem?: string | undefined;
}
export interface CutoverFacts {
  /**
   * A moment in UTC.
   */
  readonly at: string;
  readonly worker: WorkerSeen;
  readonly database: {
    readonly dbid: Unsigned;
    readonly name: string;
    readonly version: string;
    readonly container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    readonly connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    readonly logMode: string;
    readonly openMode: string;
    readonly role: string;
    readonly currentScn: Unsigned;
    readonly resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    readonly zone: string;
    readonly address: string;
  };
  readonly brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        readonly known: true;
        readonly value: TopicSeen | "missing";
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly opsHistory: ObservedOpsHistory;
  readonly kind: "Migration";
  readonly next?: DeployedConnector | undefined;
  readonly settings: NewSettingsSeen;
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        readonly known: true;
        readonly value: {
          readonly applies: boolean;
          readonly files: (
            | {
                readonly file: string;
                readonly opened: true;
              }
            | {
                readonly file: string;
                readonly opened: false;
                readonly code: string;
                readonly message: string;
              }
          )[];
        };
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly transactions: ObservedOpenTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        readonly known: true;
        readonly value: readonly ScnTime[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly legacy: DeployedConnector1;
  readonly openBefore?: TransactionsSeen | undefined;
  readonly phase: "cutover";
  readonly translation: Translation;
  /**
   * Settings with only the mask: their values are not given.
   */
  readonly lacking: readonly string[];
  /**
   * Whether the workers have the new connector's class.
   */
  installed:
    | {
        readonly known: true;
        readonly value: boolean;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * Classes on the workers that can be builds of the connector; empty where they could not be listed.
   */
  readonly builds: readonly string[];
  /**
   * What a worker finds wrong with the new configuration.
   */
  problems:
    | {
        readonly known: true;
        readonly value: readonly SettingProblem[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * Absent in facts of earlier versions.
   */
  dictionary?:
    | {
        readonly known: true;
        readonly value: Dictionary;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * Topics that still have records of the new prefix; absent in facts of earlier versions.
   */
  leftRecords?:
    | {
        readonly known: true;
        readonly value: readonly string[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * Names of all topics.
   */
  topics:
    | {
        readonly known: true;
        readonly value: readonly string[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * The other connectors of the cluster.
   */
  others:
    | {
        readonly known: true;
        readonly value: readonly OtherConnector[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * The latest phase between the two that was carried out, as far as this machine knows.
   */
  latest:
    | {
        readonly known: true;
        readonly value?: PhaseKnown | undefined;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
}
/**
 * The new connector; undefined where the workers have none of its name.
 */
export interface DeployedConnector {
  readonly name: string;
  readonly connectorClass?: string | undefined;
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
 * Its settings: from its configuration where it is there, else from the one it would be created with.
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
  readonly prefix: string;
  readonly opsTopic: string;
  readonly captureMode: "online" | "archive_only";
  readonly miningMode: string;
  readonly archiveDestination?: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter?: string | undefined;
  readonly valueConverterSchemas?: string | undefined;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector1 {
  readonly name: string;
  readonly connectorClass?: string | undefined;
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
 * The open transactions as a cutover recorded them before it stopped the legacy connector; undefined where none did.
 */
export interface TransactionsSeen {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly from: bigint;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly to: bigint;
  readonly open: readonly TransactionBefore[];
}
export interface TransactionBefore {
  readonly xid: Xid;
  readonly startScn: Unsigned;
  readonly user?: string | undefined;
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
  readonly properties: (
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
   * Settings that no property of the source led to, and why they are there.
   */
  readonly added: {
    readonly target: string;
    readonly value: string;
    readonly reason: string;
  }[];
  /**
   * What to do before the connector is created, or to watch afterwards.
   */
  readonly followUps: readonly string[];
}
/**
 * A worker's problem with one setting.
 */
export interface SettingProblem {
  readonly setting: string;
  readonly errors: readonly string[];
}
/**
 * Another connector, as far as a migration is concerned with it.
 */
export interface OtherConnector {
  readonly name: string;
  readonly connectorClass?: string | undefined;
  /**
   * `cdc.topic.prefix`.
   */
  readonly prefix?: string | undefined;
  /**
   * Of a legacy connector: where it keeps its licence.
   */
  readonly licenceTopic?: string | undefined;
  readonly writes?: LegacyWrites | undefined;
  /**
   * The other topics that its settings name, the new connector's template among them; `${prefix}` is filled in.
   */
  readonly templates?: readonly string[] | undefined;
  /**
   * The transformations by which its records may go anywhere.
   */
  readonly reroutings?: readonly string[] | undefined;
}
/**
 * Of a legacy connector: what its topics are called.
 */
export interface LegacyWrites {
  readonly connector: string;
  /**
   * `table.topic.name.template`; blank: none but the redo log topic.
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
   * What it may call its database: the PDB, with the SID before it or not; the SID or service.
   */
  readonly databases: readonly string[];
  /**
   * `table.inclusion.regex` and `.exclusion.regex`; undefined: not set.
   */
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  /**
   * The transformations by which its records may go anywhere.
   */
  readonly reroutings: readonly string[];
}
/**
 * A phase that changed something and succeeded, in a journal of this machine.
 */
export interface PhaseKnown {
  readonly run: string;
  readonly at: Instant;
  readonly phase: "cutover" | "verify" | "rollback" | "retire";
  readonly decision: string;
}
/**
 * Rollback to the legacy connector.
 */
export interface ReturnFacts {
  /**
   * A moment in UTC.
   */
  readonly at: string;
  readonly worker: WorkerSeen;
  readonly database: {
    readonly dbid: Unsigned;
    readonly name: string;
    readonly version: string;
    readonly container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    readonly connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    readonly logMode: string;
    readonly openMode: string;
    readonly role: string;
    readonly currentScn: Unsigned;
    readonly resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    readonly zone: string;
    readonly address: string;
  };
  readonly brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        readonly known: true;
        readonly value: TopicSeen | "missing";
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly opsHistory: ObservedOpsHistory;
  readonly kind: "Migration";
  readonly next?: DeployedConnector2 | undefined;
  readonly settings: NewSettingsSeen1;
  readonly redo: ObservedRedoCatalogue;
  /**
   * Known and `applies: false` where the task itself adds no files (`cdc.mining.mode=range`).
   */
  probes:
    | {
        readonly known: true;
        readonly value: {
          readonly applies: boolean;
          readonly files: (
            | {
                readonly file: string;
                readonly opened: true;
              }
            | {
                readonly file: string;
                readonly opened: false;
                readonly code: string;
                readonly message: string;
              }
          )[];
        };
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly transactions: ObservedOpenTransactionList;
  /**
   * When the SCNs that are shown were current.
   */
  times:
    | {
        readonly known: true;
        readonly value: readonly ScnTime[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly legacy: DeployedConnector1;
  readonly openBefore?: TransactionsSeen1 | undefined;
  readonly phase: "rollback";
  readonly topics: ObservedTexts;
  /**
   * Read only if topics are to be deleted; the other connectors too.
   */
  dictionary:
    | {
        readonly known: true;
        readonly value: Dictionary;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly others: ObservedOtherConnectorList;
  /**
   * The latest cutover between the two that this machine knows of.
   */
  cutover:
    | {
        readonly known: true;
        readonly value?: CutoverKnown | undefined;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector2 {
  readonly name: string;
  readonly connectorClass?: string | undefined;
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
 * Its settings: from its configuration where it is there, else from the one it would be created with.
 */
export interface NewSettingsSeen1 {
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
  readonly prefix: string;
  readonly opsTopic: string;
  readonly captureMode: "online" | "archive_only";
  readonly miningMode: string;
  readonly archiveDestination?: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter?: string | undefined;
  readonly valueConverterSchemas?: string | undefined;
}
/**
 * The open transactions as a cutover recorded them before it stopped the legacy connector; undefined where none did.
 */
export interface TransactionsSeen1 {
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly from: bigint;
  /**
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly to: bigint;
  readonly open: readonly TransactionBefore[];
}
/**
 * A cutover in a journal of this machine.
 */
export interface CutoverKnown {
  readonly run: string;
  readonly at: Instant;
  /**
   * The legacy connector's, as it stopped with them.
   */
  readonly offsets: readonly OffsetEntry[];
}
export interface VerificationFacts {
  /**
   * A moment in UTC.
   */
  readonly at: string;
  readonly worker: WorkerSeen;
  readonly database: {
    readonly dbid: Unsigned;
    readonly name: string;
    readonly version: string;
    readonly container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    readonly connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    readonly logMode: string;
    readonly openMode: string;
    readonly role: string;
    readonly currentScn: Unsigned;
    readonly resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    readonly zone: string;
    readonly address: string;
  };
  readonly brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        readonly known: true;
        readonly value: TopicSeen | "missing";
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly opsHistory: ObservedOpsHistory;
  readonly kind: "Migration";
  readonly next?: DeployedConnector3 | undefined;
  readonly settings: NewSettingsSeen2;
  readonly phase: "verify";
  readonly dictionary: ObservedDictionary;
  /**
   * Names of all topics.
   */
  topics:
    | {
        readonly known: true;
        readonly value: readonly string[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * The topics to be read, by name; `missing` when the brokers know no such topic.
   */
  read:
    | {
        readonly known: true;
        readonly value: {
          readonly [k: string]: TopicSeen | "missing";
        };
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * What a retirement of these connectors has deleted, as far as this machine knows.
   */
  retired:
    | {
        readonly known: true;
        readonly value: RetiredKnown;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly spark?: SparkSeen | undefined;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector3 {
  readonly name: string;
  readonly connectorClass?: string | undefined;
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
 * Its settings: from its configuration where it is there, else from the one it would be created with.
 */
export interface NewSettingsSeen2 {
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
  readonly prefix: string;
  readonly opsTopic: string;
  readonly captureMode: "online" | "archive_only";
  readonly miningMode: string;
  readonly archiveDestination?: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter?: string | undefined;
  readonly valueConverterSchemas?: string | undefined;
}
/**
 * Legacy topics that are gone by a retirement, and what is proven without them.
 */
export interface RetiredKnown {
  readonly topics: {
    readonly topic: string;
    readonly run: string;
    readonly at: Instant;
  }[];
  /**
   * Tables of which evidence that passed, known to a journal here, shows that the new topic alone holds every key.
   */
  readonly complete: readonly string[];
}
/**
 * How the context submits a verification to Apache Spark; only where the plan file asks for that.
 */
export interface SparkSeen {
  /**
   * Missing where Connect is reached by no context.
   */
  readonly context?: string | undefined;
  /**
   * Of its submit command, the program alone. Missing where the context has none.
   */
  readonly submit?: string | undefined;
  /**
   * The command has the driver run on the cluster, where nobody here sees its progress and results.
   */
  readonly onCluster: boolean;
}
export interface RetirementFacts {
  /**
   * A moment in UTC.
   */
  readonly at: string;
  readonly worker: WorkerSeen;
  readonly database: {
    readonly dbid: Unsigned;
    readonly name: string;
    readonly version: string;
    readonly container: boolean;
    /**
     * `CDB$ROOT`, a PDB's name, or the database's own name when it is no container database.
     */
    readonly connectedTo: string;
    /**
     * `ARCHIVELOG`, `NOARCHIVELOG`.
     */
    readonly logMode: string;
    readonly openMode: string;
    readonly role: string;
    readonly currentScn: Unsigned;
    readonly resetlogsScn: Unsigned;
    /**
     * The server's operating system zone, as `SYSTIMESTAMP` shows it: `+01:00`.
     */
    readonly zone: string;
    readonly address: string;
  };
  readonly brokers: ObservedBrokers;
  /**
   * `missing` when the brokers know no such topic.
   */
  opsTopic:
    | {
        readonly known: true;
        readonly value: TopicSeen | "missing";
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  readonly opsHistory: ObservedOpsHistory;
  readonly kind: "Migration";
  readonly next?: DeployedConnector4 | undefined;
  readonly settings: NewSettingsSeen3;
  readonly phase: "retire";
  readonly legacy?: DeployedConnector5 | undefined;
  readonly dictionary: ObservedDictionary;
  readonly topics: ObservedTexts;
  readonly others: ObservedOtherConnectorList;
  /**
   * Of the topics that would be deleted.
   */
  groups:
    | {
        readonly known: true;
        readonly value: readonly ConsumerGroupSeen[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  evidence:
    | {
        readonly known: true;
        readonly value: EvidenceKnown;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * The latest cutover between the two that this machine knows of: what was verified before it says nothing of it.
   */
  cutover:
    | {
        readonly known: true;
        readonly value?: CutoverKnown | undefined;
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * The verifications of these connectors that this machine knows of, oldest first.
   */
  verifications:
    | {
        readonly known: true;
        readonly value: readonly VerificationKnown[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
  /**
   * What the ops topic shows of the new connector since the verification that wrote the evidence; none where no journal here knows that one.
   */
  recordedSince:
    | {
        readonly known: true;
        readonly value: readonly RecordedEvent[];
        readonly source: string;
        readonly at: Instant;
      }
    | Unknown;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector4 {
  readonly name: string;
  readonly connectorClass?: string | undefined;
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
 * Its settings: from its configuration where it is there, else from the one it would be created with.
 */
export interface NewSettingsSeen3 {
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
  readonly prefix: string;
  readonly opsTopic: string;
  readonly captureMode: "online" | "archive_only";
  readonly miningMode: string;
  readonly archiveDestination?: string | undefined;
  readonly tables: TableSelection;
  readonly valueConverter?: string | undefined;
  readonly valueConverterSchemas?: string | undefined;
}
/**
 * A connector as its workers show it, of any class.
 */
export interface DeployedConnector5 {
  readonly name: string;
  readonly connectorClass?: string | undefined;
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
 * A consumer group, seen from the topics that it was asked about.
 */
export interface ConsumerGroupSeen {
  readonly group: string;
  /**
   * As the broker reports it: `Stable`, `Empty`, `PreparingRebalance`, …
   */
  readonly state: string;
  /**
   * Topics (of those asked for) that its members are assigned to now: it is active on them.
   */
  readonly active: readonly string[];
  /**
   * Topics (of those asked for) that it has committed offsets for.
   */
  readonly committed: readonly string[];
  /**
   * Why the broker does not report what its members read: then it may be active on any of the topics.
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
   * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
   */
  readonly checkScn: bigint;
  readonly tables: {
    readonly table: string;
    readonly outcome: "pass" | "fail" | "inconclusive";
    /**
     * The legacy connector's topic that was read; undefined where none was.
     */
    readonly legacyTopic?: string | undefined;
    /**
     * A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with.
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
  readonly found?: ConnectorsFound | undefined;
}
/**
 * The connectors before anything was read. Undefined in a journal of an earlier version.
 */
export interface ConnectorsFound {
  /**
   * The new connector's, secrets masked.
   */
  readonly configuration: {
    readonly [k: string]: string;
  };
  readonly offsets: readonly OffsetEntry[];
  /**
   * Undefined where the workers had no legacy connector of the name.
   */
  readonly legacyOffsets?: readonly OffsetEntry[] | undefined;
  readonly opsTopic: string;
  /**
   * Up to here the ops topic could be read. Empty where it was not there.
   */
  readonly opsTopicEnds: {
    readonly partition: Unsigned;
    readonly offset: Unsigned;
  }[];
}
