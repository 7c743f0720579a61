/**
 * The rows of a table of the loopback database over time: a query AS OF an SCN sees the versions of that time. Filled
 * by scenarios and tests while clients are connected.
 */

/**
 * A value as the table holds it: NUMBER, BINARY_FLOAT and BINARY_DOUBLE as decimal text (`NaN`, `Infinity`), DATE and
 * TIMESTAMP as `2026-11-20 18:30:00.123456`, with an offset at the end (`+01:00`) for those with a time zone, intervals
 * as `+02 03:04:05.123456` and `+01-06`, RAW and BLOB as bytes, texts and CLOBs unchanged.
 */
export type Cell = string | Uint8Array | null;

/** One version of a row. */
export interface RowVersion {
  readonly rowid: number;
  /** SCN of the commit that created it. */
  readonly from: bigint;
  /** SCN of the commit that ended it (exclusive); undefined while it is current. */
  to: bigint | undefined;
  /** Values in the order of the table's columns. */
  readonly values: readonly Cell[];
}

export interface TableRows {
  /** Positions of the columns that identify a row; none: all of them. */
  readonly key: readonly number[];
  readonly versions: RowVersion[];
  /** Rises with every change. */
  changes: number;
  /** The last version of every key. */
  readonly latest: Map<string, RowVersion>;
  /** The earliest SCN that undo covers; earlier: ORA-01555. */
  undoFrom: bigint;
  /** The SCN of the last DDL; earlier: ORA-01466. */
  definedAt: bigint;
}

/** Rows computed on demand, for a table that is too large for memory. They exist at every SCN. */
export interface GeneratedRows {
  /** Positions of the columns that define the order of the rows. */
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
 * Deletes the row with this key. @param key values of the key's columns, in order; without a key, of all columns:
 * deletes one of the equal rows
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

/** Truncates the table. This is DDL: no query reaches back before it. */
export function truncateRows(rows: TableRows, scn: bigint): void {
  for (const version of rows.versions) if (version.to === undefined) version.to = scn;
  rows.definedAt = scn;
  rows.changes++;
}

/** Returns the rows as of `scn`. */
export function rowsAt({ versions }: TableRows, scn: bigint): readonly RowVersion[] {
  return versions.filter(({ from, to }) => from <= scn && (to === undefined || to > scn));
}

function keyOf({ key, versions }: TableRows, values: readonly Cell[]): string {
  // Equal rows are separate rows if there is no key.
  return key.length === 0 ? `row ${versions.length}` : textOf(key.map((at) => values[at] ?? null));
}

function textOf(values: readonly Cell[]): string {
  return JSON.stringify(values.map((value) => (value instanceof Uint8Array ? [...value] : value)));
}
