import type { TableSeen } from "../../schemas/generated/shared.ts";
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
