import type { TableSeen } from "./tables.ts";

/** A table as the dictionary of its container describes it. */
export interface TableLayout extends TableSeen {
  /** In the table's order; those that Oracle added for itself are left out. */
  readonly columns: readonly LayoutColumn[];
  /**
   * The primary key, else the first unique index (by name) on columns that are NOT NULL; undefined where there is
   * neither.
   */
  readonly key: TableKey | undefined;
  /** `NUM_ROWS`: how many rows there were when statistics were gathered last. */
  readonly rows: bigint | undefined;
  /** `AVG_ROW_LEN`, bytes, large objects stored elsewhere left out. */
  readonly rowBytes: bigint | undefined;
}

/** A column as `CDB_TAB_COLS` describes it. */
export interface DictionaryColumn {
  readonly name: string;
  /** `NUMBER`, `TIMESTAMP(6) WITH TIME ZONE`. */
  readonly dataType: string;
  readonly precision: number | undefined;
  readonly scale: number | undefined;
}

export interface LayoutColumn extends DictionaryColumn {
  readonly nullable: boolean;
  /** Worked out when it is read: no redo has it, and no connector can deliver it. */
  readonly virtual: boolean;
  /** Made invisible by its owner: `SELECT *` leaves it out. */
  readonly hidden: boolean;
  /** Left out where it has none. */
  readonly byDefault?: ColumnDefault;
}

/** What a column's DEFAULT says now, as it was written (`DATA_DEFAULT`), or why that can't be read. */
export type ColumnDefault = { readonly text: string } | { readonly unread: string };

export interface TableKey {
  readonly is: "primary key" | "unique index";
  /** Of the constraint, or the index. */
  readonly name: string;
  /** Names of its columns, in its order. */
  readonly columns: readonly string[];
}

/**
 * A part of a table, by its key in key order. Values are Oracle's text of the key's columns, as `OraclePort.ranges`
 * gave them.
 */
export interface KeyRange {
  /** Exclusive; undefined: from the first key. */
  readonly after: readonly string[] | undefined;
  /** Inclusive; undefined: to the last key. */
  readonly upTo: readonly string[] | undefined;
}

/** What is to be read of a table. */
export interface TableRead {
  readonly table: TableSeen;
  /** In the order in which their values are wanted. */
  readonly columns: readonly DictionaryColumn[];
  /** Columns of the key, in its order; none: the rows come in no order, and there is one range. */
  readonly key: readonly DictionaryColumn[];
  readonly scn: bigint;
}
