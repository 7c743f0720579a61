import type { Instant } from "../../values/instant.ts";
import { grouped } from "../../values/lists.ts";
import type { Advice } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";

/** A row of `V$CONTAINERS`: a container that this login sees. A closed one (`MOUNTED`) shows none of its tables. */
export interface ContainerSeen {
  /** `CON_ID`, by which other views name it. Omitted in facts from versions that did not read it. */
  readonly id?: bigint;
  readonly name: string;
  /**
   * `READ WRITE`, `READ ONLY`, `MOUNTED`, `MIGRATE`; with ` RESTRICTED` after it, it shows none of its tables to the
   * root either.
   */
  readonly openMode: string;
}

/** A table in the dictionary, by its exact name. */
export interface TableSeen {
  readonly container: string;
  readonly owner: string;
  readonly name: string;
}

/**
 * The dictionary's tables that a connector could capture: neither Oracle's own, nor temporary, nested or overflow
 * tables.
 */
export interface Dictionary {
  readonly containers: readonly ContainerSeen[];
  readonly tables: readonly TableSeen[];
  /**
   * Names of the requested containers whose dictionary answered: it has the user SYS. A `CDB_` view silently omits what
   * failed in a container.
   */
  readonly answering: readonly string[];
}

/** When a table was last defined. */
export interface TableDdl extends TableSeen {
  /** `LAST_DDL_TIME`. */
  readonly lastDdl: Instant | undefined;
}

/**
 * What the dictionary shows about changes to a table. Evidence, not proof: modifications are counted since statistics
 * were last gathered, and recorded late.
 */
export interface TableActivity extends TableDdl {
  /** `CDB_TAB_MODIFICATIONS`; undefined if it has no row for the table. */
  readonly modifications: TableModifications | undefined;
  /** `LAST_ANALYZED`: when statistics were last gathered, which resets the modification counts. */
  readonly analyzed: Instant | undefined;
}

export interface TableModifications {
  readonly inserts: bigint;
  readonly updates: bigint;
  readonly deletes: bigint;
  readonly truncated: boolean;
  /** When they were last recorded. */
  readonly at: Instant | undefined;
}

/** `MAX(ORA_ROWSCN)` of a table: the latest change to a row that it still has. */
export interface RowScn extends TableSeen {
  /** Undefined for a table without rows, and if it could not be read. */
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

/**
 * Unknown if cdcctl can't evaluate a pattern exactly, or a container does not show its tables: nothing is guessed then.
 */
export type CapturedSet =
  | { readonly known: true; readonly tables: readonly CapturedTable[] }
  | { readonly known: false; readonly why: string; readonly remedies: readonly Advice[] };

/** Which tables the connector captures, according to its configuration. */
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

/** Oracle names never contain a NUL. */
function idOf({ container, owner, name }: TableSeen): string {
  return `${container}\0${owner}\0${name}`;
}
