/**
 * What is in a table of the loopback database, over time: a query AS OF an SCN sees the versions of its rows that were
 * there then. Filled by scenarios and tests while clients are connected.
 */

/**
 * A value as the table holds it: NUMBER, BINARY_FLOAT and BINARY_DOUBLE as decimal text (`NaN`, `Infinity`), DATE and
 * TIMESTAMP as `2026-11-20 18:30:00.123456`, with an offset at the end (`+01:00`) for those with a time zone, intervals
 * as `+02 03:04:05.123456` and `+01-06`, RAW and BLOB as bytes, texts and CLOBs as they are.
 */
export type Cell = string | Uint8Array | null;

/** One row while it was so. */
export interface RowVersion {
  readonly rowid: number;
  /** SCN of the commit that brought it. */
  readonly from: bigint;
  /** SCN of the commit that ended it (exclusive); undefined while it is there. */
  to: bigint | undefined;
  /** In the order of the table's columns. */
  readonly values: readonly Cell[];
}

export interface TableRows {
  /** Places of the columns by which a row is told from the others; none: all of them. */
  readonly key: readonly number[];
  readonly versions: RowVersion[];
  /** Rises with every change. */
  changes: number;
  /** The last version of every key. */
  readonly latest: Map<string, RowVersion>;
  /** An earlier SCN can't be reached any more: ORA-01555. */
  undoFrom: bigint;
  /** The table was defined anew: an earlier SCN is ORA-01466. */
  definedAt: bigint;
}

/** Rows that are worked out whenever somebody asks: a table too big to be held. They have always been there. */
export interface GeneratedRows {
  /** Places of the columns by whose order the rows are numbered. */
  readonly key: readonly number[];
  readonly count: number;
  /** The values of a row, by its number from 0, in the order of the table's columns. */
  valuesAt(number: number): readonly Cell[];
}

/** @param key places of the key's columns */
export function tableRows(key: readonly number[]): TableRows {
  return { key, versions: [], changes: 0, latest: new Map(), undoFrom: 0n, definedAt: 0n };
}

/** Inserts a row, or changes the one with its key, as a transaction that committed at `scn` did; SCNs never go back. */
export function putRow(rows: TableRows, scn: bigint, values: readonly Cell[]): void {
  const key = keyOf(rows, values);
  const known = rows.latest.get(key);
  const isThere = known !== undefined && known.to === undefined;
  if (isThere) known.to = scn;
  const version: RowVersion = {
    rowid: isThere ? known.rowid : rows.versions.length,
    from: scn,
    to: undefined,
    values,
  };
  rows.versions.push(version);
  rows.changes++;
  rows.latest.set(key, version);
}

/**
 * Deletes the row with this key. @param key values of the key's columns, in its order; without key, of all columns: one
 * of the rows like it
 */
export function removeRow(rows: TableRows, scn: bigint, key: readonly Cell[]): void {
  const text = textOf(key);
  const known =
    rows.key.length > 0
      ? rows.latest.get(text)
      : rows.versions.find(({ to, values }) => to === undefined && textOf(values) === text);
  if (known === undefined || known.to !== undefined) throw new RangeError(`there is no row ${text}`);
  known.to = scn;
  rows.changes++;
}

/** Empties the table. It is a definition too: no query reaches back before it. */
export function truncateRows(rows: TableRows, scn: bigint): void {
  for (const version of rows.versions) if (version.to === undefined) version.to = scn;
  rows.definedAt = scn;
  rows.changes++;
}

/** The rows that were there when `scn` was current. */
export function rowsAt({ versions }: TableRows, scn: bigint): readonly RowVersion[] {
  return versions.filter(({ from, to }) => from <= scn && (to === undefined || to > scn));
}

function keyOf({ key, versions }: TableRows, values: readonly Cell[]): string {
  // Without a key, rows of the same values are rows of their own.
  return key.length === 0 ? `row ${versions.length}` : textOf(key.map((at) => values[at] ?? null));
}

function textOf(values: readonly Cell[]): string {
  return JSON.stringify(values.map((value) => (value instanceof Uint8Array ? [...value] : value)));
}
