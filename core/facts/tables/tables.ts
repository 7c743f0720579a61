import type { Instant } from "../../values/instant.ts";
import { grouped } from "../../values/lists.ts";
import type { Advice } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";

/** A row of `V$CONTAINERS`: one that this login sees. A closed one (`MOUNTED`) shows none of its tables. */
export interface ContainerSeen {
  /** `CON_ID`, by which other views name it. Left out in facts that were written down before it was asked for. */
  readonly id?: bigint;
  readonly name: string;
  /**
   * `READ WRITE`, `READ ONLY`, `MOUNTED`, `MIGRATE`; with ` RESTRICTED` after it, it shows none of its tables to the
   * root either.
   */
  readonly openMode: string;
}

/** A table in the dictionary, by its very name. */
export interface TableSeen {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
}

/**
 * What the dictionary has of tables that a connector could capture: neither Oracle's own, nor temporary, nested or
 * overflow tables.
 */
export interface Dictionary {
  readonly containers: readonly ContainerSeen[];
  readonly tables: readonly TableSeen[];
  /**
   * Names of the containers, of those asked for, whose dictionary answered: it has the user SYS. A `CDB_` view leaves
   * out without a word what failed in a container.
   */
  readonly answering: readonly string[];
}

/**
 * What the dictionary tells of changes to a table. Evidence, no proof: modifications are counted since statistics were
 * gathered last, and written down late.
 */
export interface TableActivity extends TableSeen {
  /** `LAST_DDL_TIME`. */
  readonly lastDdl: Instant | undefined;
  /** `CDB_TAB_MODIFICATIONS`; undefined where it has no row for the table. */
  readonly modifications: TableModifications | undefined;
  /** `LAST_ANALYZED`: when statistics were gathered last, which forgets the modifications counted before. */
  readonly analyzed: Instant | undefined;
}

export interface TableModifications {
  readonly inserts: bigint;
  readonly updates: bigint;
  readonly deletes: bigint;
  readonly truncated: boolean;
  /** When they were written down last. */
  readonly at: Instant | undefined;
}

/** `MAX(ORA_ROWSCN)` of a table: the latest change to a row that it still has. */
export interface RowScn extends TableSeen {
  /** Undefined for a table without rows, and where it could not be read. */
  readonly scn: Scn | undefined;
  /** Why it could not be read. */
  readonly problem?: string;
}

/** A table that the connector captures. */
export interface CapturedTable extends TableSeen {
  /**
   * As the connector names it, in signals and progress: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. Not
   * quoted.
   */
  readonly fullName: string;
}

/** Unknown where a pattern has no exact meaning here, or a container does not show its tables: nobody guesses then. */
export type CapturedSet =
  | { readonly known: true; readonly tables: readonly CapturedTable[] }
  | { readonly known: false; readonly why: string; readonly remedies: readonly Advice[] };

/** Which tables the connector captures, as its configuration says it. */
export interface TableSelection {
  /** `cdc.database.pdbs`; empty: a database without containers, or one PDB that is mined from inside. */
  readonly pdbs: readonly string[];
  /** `cdc.tables.include`, `cdc.tables.exclude`: comma-separated Java patterns over whole names. */
  readonly include: string | undefined;
  readonly exclude: string | undefined;
  readonly caseSensitive: boolean;
}

/** A table's rows in a list of the dictionary, by its container, owner and name. */
export function byTable<T extends TableSeen>(rows: readonly T[]): (table: TableSeen) => readonly T[] {
  const found = grouped(rows, idOf);
  return (table) => found.get(idOf(table)) ?? [];
}

/** No name of Oracle's holds a NUL. */
function idOf({ container, owner, name }: TableSeen): string {
  return `${container}\0${owner}\0${name}`;
}
