import type { TableSeen } from "../../../schemas/generated/shared.ts";
import type { DictionaryColumn } from "../../../schemas/generated/verification-job.ts";

/** A table as the dictionary of its container describes it. */
export interface TableLayout extends TableSeen {
  /** Columns in the table's order; hidden columns added by Oracle are omitted. */
  readonly columns: readonly LayoutColumn[];
  /**
   * The primary key, else the first unique index (by name) on columns that are NOT NULL; undefined if there is neither.
   */
  readonly key: TableKey | undefined;
  /** `NUM_ROWS`: the number of rows when statistics were last gathered. */
  readonly rows: bigint | undefined;
  /** `AVG_ROW_LEN`, bytes, without large objects stored elsewhere. */
  readonly rowBytes: bigint | undefined;
}

export interface LayoutColumn extends DictionaryColumn {
  readonly nullable: boolean;
  /** Virtual: computed when read, so no redo has it, and no connector can deliver it. */
  readonly virtual: boolean;
  /** Made invisible by its owner: `SELECT *` omits it. */
  readonly hidden: boolean;
  readonly byDefault?: ColumnDefault;
}

/** The text of a column's current DEFAULT (`DATA_DEFAULT`), or why it can't be read. */
export type ColumnDefault = { readonly text: string } | { readonly unread: string };

export interface TableKey {
  readonly is: "primary key" | "unique index";
  /** The name of the constraint or the index. */
  readonly name: string;
  readonly columns: readonly string[];
}
