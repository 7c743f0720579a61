import type {
  ArchiveDestination,
  ArchivedLog,
  ContainerSeen,
  Dictionary,
  LogProbe,
  OnlineLog,
  OpenTransaction,
  RedoThread,
  RowScn,
  ScnTime,
  TableActivity,
} from "../../schemas/generated/facts.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import type { KeyRange, TableRead } from "../../schemas/generated/verification-job.ts";
import type { DatabaseSeen } from "../facts/database/database.ts";
import type {
  Account,
  ColumnOfNote,
  DictionaryLog,
  KeyedTable,
  LogGroup,
  NestedTableColumn,
  ObjectTried,
  PdbLogging,
  RdsArchive,
  SessionRights,
  SupplementalLogging,
} from "../facts/preflight.ts";
import type { MinedRows, RedoRange } from "../facts/redo/redo.ts";
import type { TableLayout } from "../facts/tables/layout.ts";
import type { TableDdl } from "../facts/tables/tables.ts";
import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";

/** A value read from the table: text, bytes, or the length (in canonical bytes) and SHA-256 of a large value. */
export type OracleValue = null | string | Uint8Array | LargeValue;

interface LargeValue {
  /** The length in bytes: of a BLOB, or of a CLOB as UTF-8. Greater than `LONGEST_INLINE`. */
  readonly length: number;
  readonly sha256: Uint8Array;
}

/**
 * The source database. Where a grant is missing the error names the view and the GRANT that is needed. SCNs and times:
 * times are UTC instants, converted in SQL from the server's zone.
 */
export interface OraclePort extends PreflightReads {
  /** `host:port/service` as shown to people. */
  readonly address: string;
  database(): Promise<DatabaseSeen>;
  threads(): Promise<readonly RedoThread[]>;
  destinations(): Promise<readonly ArchiveDestination[]>;
  /**
   * Every row of `V$ARCHIVED_LOG` that ends above `from` (`NEXT_CHANGE# > from`), all destinations and incarnations.
   */
  archivedLogs(from: Scn): Promise<readonly ArchivedLog[]>;
  /**
   * Online logs. While a log switch is under way, the newest that is listed may end at or below an SCN that was current
   * already: then it is asked again, for a second or two at most.
   *
   * @param current an SCN that was current before the call; left out: one look
   */
  onlineLogs(current?: Scn): Promise<readonly OnlineLog[]>;
  /** Transactions of the containers that this login sees in the root, and of no other. */
  openTransactions(): Promise<readonly OpenTransaction[]>;
  /** The containers that this login sees: from the root those of its CONTAINER_DATA, in a PDB that one. */
  containers(): Promise<readonly ContainerSeen[]>;
  /**
   * When each SCN was current; `at` is undefined where Oracle no longer (or not yet) knows. One round trip for any
   * number.
   */
  timesOf(scns: readonly Scn[]): Promise<readonly ScnTime[]>;
  /** The SCN at an instant, rounded down; undefined outside what the database remembers. */
  scnAt(instant: Instant): Promise<Scn | undefined>;
  /**
   * Adds every file to a LogMiner session that is never started, in a database session of its own, as the task would; a
   * file that fails is tried once more. At most `files / 500 + 3` round trips. In the order of `files`.
   */
  probeLogs(files: readonly string[]): Promise<readonly LogProbe[]>;
  /**
   * Mines a range with LogMiner, by the dictionary as it is now, in a session of its own, and counts the rows. The
   * database reads and decodes all of it.
   *
   * @param millis what each call may take, the whole query among them
   * @throws CallFailed `timeout`; where a file can't be opened, its name
   */
  mineRows(range: RedoRange, millis: number): Promise<readonly MinedRows[]>;
  /**
   * The containers that this login sees, the tables in those named, and which of them answer. One query each, however
   * many tables there are.
   *
   * @param pdbs without any: of the container connected to
   */
  dictionary(pdbs: readonly string[]): Promise<Dictionary>;
  /**
   * What the dictionary tells of changes to the tables of the same containers. One query each for DDL, modifications
   * and statistics.
   */
  activity(pdbs: readonly string[]): Promise<readonly TableActivity[]>;
  /** The DDL of that alone, which fewer privileges show. */
  lastDdl(pdbs: readonly string[]): Promise<readonly TableDdl[]>;
  /**
   * `MAX(ORA_ROWSCN)` of each, in the order of `tables`; it may scan them whole. A table that can't be read has its
   * `problem`.
   */
  rowScns(tables: readonly TableSeen[]): Promise<readonly RowScn[]>;
  /** Columns and key of a table, by its very name; undefined where this login sees no such table. */
  layout(table: TableSeen): Promise<TableLayout | undefined>;
  /**
   * Divides a table, as it was at the SCN, into at most so many ranges of about equal size; undefined is the whole of
   * it, where it has no key or its size is not known.
   *
   * @param rows how many the table has, about
   * @throws the reason of `stop`, as soon as it is aborted
   */
  ranges(read: TableRead, rows: bigint, most: number, stop?: AbortSignal): Promise<readonly (KeyRange | undefined)[]>;
  /**
   * Reads the rows of a range as they were at the SCN, in batches, each a query of its own in the order of the key;
   * without key, all in one query. In a session of its own, so that several ranges may be read at the same time. Values
   * are exact: none passes through a double but BINARY_FLOAT and BINARY_DOUBLE, which are doubles. Of a large object
   * above some size only length and SHA-256 are kept.
   *
   * @throws CallFailed with code `ORA-01555`, `ORA-08181`, `ORA-01466` or `ORA-22924` where the SCN can't be reached
   * (any more)
   */
  rowsAsOf(
    read: TableRead,
    range: KeyRange | undefined,
    batch: number,
  ): AsyncIterable<readonly (readonly OracleValue[])[]>;
  close(): Promise<void>;
}

/**
 * What a preflight looks at besides, of the source database. Of tables it asks as `dictionary` does: one query for all
 * of them, of the PDBs named, or without any of the container connected to.
 */
export interface PreflightReads {
  account(): Promise<Account>;
  /**
   * Privileges and roles in effect, in the container connected to and in each of the PDBs, in a session of its own. A
   * PDB that can't be gone into has its `problem`.
   */
  rights(pdbs: readonly string[]): Promise<readonly SessionRights[]>;
  /**
   * Whether this login may use them: statements that name them are parsed, and not run. One round trip, in the order of
   * `names`.
   */
  tryObjects(names: readonly string[]): Promise<readonly ObjectTried[]>;
  supplementalLogging(): Promise<SupplementalLogging>;
  /** @param pdbs at least one */
  pdbLogging(pdbs: readonly string[]): Promise<readonly PdbLogging[]>;
  /** Up to three queries. */
  logGroups(pdbs: readonly string[]): Promise<readonly LogGroup[]>;
  /**
   * Columns that no miner reads (their type, or a name of more than 30 characters), LOB, XMLTYPE and LONG columns,
   * those whose names Avro can't write, and those of the names asked for.
   *
   * @param names in capitals
   */
  columnsOfNote(pdbs: readonly string[], names: readonly string[]): Promise<readonly ColumnOfNote[]>;
  nestedTables(pdbs: readonly string[]): Promise<readonly NestedTableColumn[]>;
  /** Two queries. */
  keyedTables(pdbs: readonly string[]): Promise<readonly KeyedTable[]>;
  /** Tables with `ROW MOVEMENT` enabled. */
  movingTables(pdbs: readonly string[]): Promise<readonly TableSeen[]>;
  /** Names of the PDBs whose state is saved as open. */
  savedStates(): Promise<readonly string[]>;
  /** Archived logs in which a dictionary build begins or ends, in order of SCN. */
  dictionaryLogs(): Promise<readonly DictionaryLog[]>;
  /** Seconds. */
  undoRetention(): Promise<bigint>;
  /** How many fixed tables have statistics. */
  fixedStatistics(): Promise<bigint>;
  /** Two queries on Amazon RDS, one elsewhere. */
  rdsArchive(): Promise<RdsArchive>;
}
