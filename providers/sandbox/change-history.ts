/**
 * The history of one table, as recorded in its redo. Everything that a sandbox shows of the table is derived from it:
 * its rows as of an SCN, the records that the legacy connector delivered up to a commit, and those that the new one
 * delivers from an SCN on.
 */
import { type Cell, putRow, removeRow, type TableRows } from "./table-rows.ts";

export interface HistoryTable {
  readonly database: string;
  readonly pdb: string;
  readonly owner: string;
  readonly name: string;
  readonly columns: readonly HistoryColumn[];
  /** Positions of the key's columns. */
  readonly key: readonly number[];
}

/** A column whose type has digits: NUMBER(precision, scale), TIMESTAMP(scale); or a text. */
export type HistoryColumn =
  | { readonly name: string; readonly type: "NUMBER"; readonly precision: number; readonly scale: number }
  | { readonly name: string; readonly type: "TIMESTAMP"; readonly scale: 3 | 6 }
  | { readonly name: string; readonly type: "VARCHAR2"; readonly nullable?: boolean };

/** Cells in the order of the columns, in the forms of `table-rows.ts`. */
export type Row = readonly Cell[];

export interface RowChange {
  readonly scn: bigint;
  readonly before: Row | undefined;
  /** Undefined: the row was deleted. */
  readonly after: Row | undefined;
}

export interface Transaction {
  /** `USN.SLOT.SQN` */
  readonly xid: string;
  readonly user: string;
  readonly startScn: bigint;
  readonly commitScn: bigint;
  readonly changes: readonly RowChange[];
}

/** One action of a transaction: a complete row after the change, or the key of a deleted row. */
export type Deed = { readonly put: Row } | { readonly remove: Row };

export interface ChangeHistory {
  readonly table: HistoryTable;
  /** Transactions in the order of their commits. */
  readonly transactions: readonly Transaction[];
}

export const emptyHistory = (table: HistoryTable): ChangeHistory => ({ table, transactions: [] });

/**
 * The history with one more transaction.
 *
 * @throws RangeError for a commit before the last one, and for the deletion of a row that does not exist: the caller's
 * script is wrong
 */
export function withCommit(
  history: ChangeHistory,
  { xid, user, startScn, commitScn }: Omit<Transaction, "changes">,
  deeds: readonly Deed[],
): ChangeHistory {
  const last = history.transactions.at(-1)?.commitScn ?? 0n;
  if (commitScn <= last || startScn >= commitScn)
    throw new RangeError(`a commit at ${commitScn} of a transaction from ${startScn} on, after one at ${last}`);
  const rows = new Map(stateAt(history, commitScn));
  const changes = deeds.map((deed, i): RowChange => {
    const key = keyText(history.table, "put" in deed ? deed.put : deed.remove, "remove" in deed);
    const before = rows.get(key);
    const after = "put" in deed ? deed.put : undefined;
    if (after !== undefined) rows.set(key, after);
    else if (!rows.delete(key)) throw new RangeError(`there is no row ${key}`);
    const scn = startScn + BigInt(i);
    return { scn: scn < commitScn ? scn : commitScn, before, after };
  });
  return { ...history, transactions: [...history.transactions, { xid, user, startScn, commitScn, changes }] };
}

/** Returns the rows as of an SCN. */
export function rowsAsOf(history: ChangeHistory, scn: bigint): readonly Row[] {
  return [...stateAt(history, scn).values()];
}

/**
 * Returns transactions that committed after one SCN and up to another: those that the legacy connector delivers between
 * two commits.
 */
export function committedBetween({ transactions }: ChangeHistory, after: bigint, upTo: bigint): readonly Transaction[] {
  return transactions.filter(({ commitScn }) => commitScn > after && commitScn <= upTo);
}

/** Applies a transaction to the table of the loopback database. */
export function commitInto(rows: TableRows, table: HistoryTable, { commitScn, changes }: Transaction): void {
  for (const { before, after } of changes) {
    if (after !== undefined) putRow(rows, commitScn, after);
    else if (before !== undefined)
      removeRow(
        rows,
        commitScn,
        table.key.map((at) => before[at] ?? null),
      );
  }
}

export const keyOf = ({ key }: HistoryTable, row: Row): readonly Cell[] => key.map((at) => row[at] ?? null);

function stateAt({ table, transactions }: ChangeHistory, scn: bigint): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const { commitScn, changes } of transactions) {
    if (commitScn > scn) break;
    for (const { before, after } of changes) {
      const row = after ?? before;
      if (row === undefined) continue;
      const key = keyText(table, row, false);
      if (after === undefined) rows.delete(key);
      else rows.set(key, after);
    }
  }
  return rows;
}

function keyText(table: HistoryTable, row: Row, isKey: boolean): string {
  return JSON.stringify(isKey ? row : keyOf(table, row));
}
