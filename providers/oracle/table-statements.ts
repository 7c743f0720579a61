import type { TableSeen } from "../../schemas/generated/shared.ts";
import type { DictionaryColumn, TableRead } from "../../schemas/generated/verification-job.ts";

/**
 * The statements that read a table as it was at an SCN. Names are quoted as they are in the dictionary; every column is
 * selected through the alias `t`, because a name after ORDER BY would otherwise refer to the select list. Source: SQL
 * Language Reference ("Flashback Query", "Format Models", "ROWNUM").
 */

/**
 * Large objects of at most this many characters (of a CLOB, as Oracle counts them) or bytes are fetched with the row;
 * longer ones are read one by one.
 */
export const LONGEST_WITH_ROW = 16_384;

/**
 * The settings by which numbers, and the order of texts, are the same in every session: ORDER BY follows NLS_SORT, but
 * `>` follows it only if NLS_COMP requires it.
 */
export const SETTLE_NLS =
  "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,' NLS_SORT = BINARY NLS_COMP = BINARY NLS_CALENDAR = 'GREGORIAN'";

const SECONDS = `'SYYYY-MM-DD"T"HH24:MI:SS'`;
const NANOS = `'SYYYY-MM-DD"T"HH24:MI:SS.FF9'`;
const NANOS_UTC = `'SYYYY-MM-DD"T"HH24:MI:SS.FF9"Z"'`;

interface TypeRule {
  /**
   * The expression that returns the exact value: types that the driver would convert to a Date are returned as text.
   */
  readonly read: (column: string) => string;
  /** The expression of a bind with the result of `read`; undefined for a type that no key has. */
  readonly bound?: (bind: string) => string;
  /** Whether the value is returned whole only up to a length, together with its length. */
  readonly large?: true;
  readonly national?: true;
}

const asItIs = (value: string): string => value;
const plain: TypeRule = { read: asItIs, bound: asItIs };
const national: TypeRule = { ...plain, national: true };
const large: TypeRule = {
  read: (column) => `CASE WHEN DBMS_LOB.GETLENGTH(${column}) <= ${LONGEST_WITH_ROW} THEN ${column} END`,
  large: true,
};
const instant: TypeRule = {
  read: (column) => `TO_CHAR(SYS_EXTRACT_UTC(${column}), ${NANOS_UTC})`,
  bound: (bind) => `FROM_TZ(TO_TIMESTAMP(${bind}, ${NANOS_UTC}), '+00:00')`,
};

/** @param to the function that converts a bind of the text */
const formatted = (format: string, to: string): TypeRule => ({
  read: (column) => `TO_CHAR(${column}, ${format})`,
  bound: (bind) => `${to}(${bind}, ${format})`,
});
const interval = (to: string): TypeRule => ({
  read: (column) => `TO_CHAR(${column})`,
  bound: (bind) => `${to}(${bind})`,
});

/** Rules by `DATA_TYPE` without its digits. Other types are read unchanged, and are never part of a key. */
const TYPES: Readonly<Record<string, TypeRule>> = {
  NUMBER: { read: asItIs, bound: (bind) => `TO_NUMBER(${bind})` },
  FLOAT: { read: asItIs, bound: (bind) => `TO_NUMBER(${bind})` },
  BINARY_FLOAT: { read: asItIs, bound: (bind) => `TO_BINARY_FLOAT(${bind})` },
  BINARY_DOUBLE: { read: asItIs, bound: (bind) => `TO_BINARY_DOUBLE(${bind})` },
  DATE: formatted(SECONDS, "TO_DATE"),
  TIMESTAMP: formatted(NANOS, "TO_TIMESTAMP"),
  "TIMESTAMP WITH TIME ZONE": instant,
  "TIMESTAMP WITH LOCAL TIME ZONE": instant,
  "INTERVAL DAY TO SECOND": interval("TO_DSINTERVAL"),
  "INTERVAL YEAR TO MONTH": interval("TO_YMINTERVAL"),
  RAW: { read: asItIs, bound: (bind) => `HEXTORAW(${bind})` },
  CHAR: plain,
  VARCHAR: plain,
  VARCHAR2: plain,
  NCHAR: national,
  NVARCHAR2: national,
  CLOB: large,
  NCLOB: large,
  BLOB: large,
};

function ruleOf({ dataType }: DictionaryColumn): TypeRule {
  return TYPES[dataType.replace(/\(\d+\)/g, "")] ?? { read: asItIs };
}

export function isLarge(column: DictionaryColumn): boolean {
  return ruleOf(column).large === true;
}

export function isNational(column: DictionaryColumn): boolean {
  return ruleOf(column).national === true;
}

/** Whether rows can be selected by this key: every column has a type that can be bound. */
export function canBeBound(key: readonly DictionaryColumn[]): boolean {
  return key.length > 0 && key.every((column) => ruleOf(column).bound !== undefined);
}

/** The select list of a statement about rows, with the position of each value. */
export interface SelectList {
  readonly text: string;
  /** Position of the value of each requested column. */
  readonly values: readonly number[];
  /** Position of the length of a large object; undefined for other types. */
  readonly lengths: readonly (number | undefined)[];
  readonly key: readonly number[];
  /** Position of the ROWID, if rows are identified by it. */
  readonly rowid: number | undefined;
}

/** @param byRowid whether a row may have to be found again without a key */
export function selectList(
  columns: readonly DictionaryColumn[],
  key: readonly DictionaryColumn[],
  byRowid: boolean,
): SelectList {
  const items: string[] = [];
  const add = (expression: string): number => items.push(`${expression} AS C${items.length + 1}`) - 1;
  const placeOf = new Map<string, number>();
  const values = columns.map((column) => {
    const place = add(ruleOf(column).read(named(column)));
    placeOf.set(column.name, place);
    return place;
  });
  const lengths = columns.map((column) => (isLarge(column) ? add(`DBMS_LOB.GETLENGTH(${named(column)})`) : undefined));
  const keyPlaces = key.map((column) => placeOf.get(column.name) ?? add(ruleOf(column).read(named(column))));
  const rowid = byRowid ? add("ROWIDTOCHAR(t.ROWID)") : undefined;
  return { text: items.join(", "), values, lengths, key: keyPlaces, rowid };
}

/**
 * All rows of a table without a key, in no order: one query, fetched in parts. Undo must reach back to the SCN in any
 * case: dividing a read into short ones only shortens the single calls.
 *
 * Bind `:scn`.
 */
export function allRows(table: TableSeen, list: SelectList): string {
  return `SELECT ${list.text}\n  FROM ${source(table)}`;
}

/**
 * The next rows in the order of the key, at most `:most`, after the key in `:a1`, `:a2`, …: those with equal values in
 * its first `equal` columns and a greater value in the next. Each is one range of the key's index; an OR over the
 * columns would read the whole index for every batch.
 *
 * Binds: `:scn`, `:most`, `:a1` to `:a<equal + 1>` (none if `equal` is undefined: from the beginning), `:u1`, … if
 * there is an upper end.
 */
export function nextRows(read: TableRead, list: SelectList, equal: number | undefined, hasEnd: boolean): string {
  const { key, table } = read;
  const conditions = [...(equal === undefined ? [] : after(key, equal)), ...(hasEnd ? upTo(key) : [])];
  const where = conditions.length === 0 ? "" : `\n   WHERE ${conditions.join("\n     AND ")}`;
  return `SELECT * FROM (
  SELECT ${list.text}
    FROM ${source(table)}${where}
   ORDER BY ${key.map(named).join(", ")}
) WHERE ROWNUM <= :most`;
}

function after(key: readonly DictionaryColumn[], equal: number): string[] {
  return key
    .slice(0, equal + 1)
    .map((column, at) => `${named(column)} ${at < equal ? "=" : ">"} ${ruleOf(column).bound?.(`:a${at + 1}`)}`);
}

function upTo(key: readonly DictionaryColumn[]): string[] {
  const bound = (at: number) => ruleOf(key[at] as DictionaryColumn).bound?.(`:u${at + 1}`);
  const [first] = key;
  if (first === undefined) return [];
  const least = (at: number): string => {
    const column = key[at] as DictionaryColumn;
    if (at === key.length - 1) return `${named(column)} <= ${bound(at)}`;
    return `(${named(column)} < ${bound(at)} OR (${named(column)} = ${bound(at)} AND ${least(at + 1)}))`;
  };
  // The first condition alone ends the range of the index.
  return key.length === 1 ? [least(0)] : [`${named(first)} <= ${bound(0)}`, least(0)];
}

/**
 * Every n-th key, in order, at which a table can be divided. An index is read, not the table. Binds `:scn`, `:step`.
 */
export function everyNthKey({ table, key }: TableRead): string {
  const list = selectList([], key, false);
  const names = list.key.map((place) => `C${place + 1}`).join(", ");
  return `SELECT ${names} FROM (
  SELECT ${names}, ROWNUM AS N FROM (
    SELECT ${list.text}
      FROM ${source(table)}
     ORDER BY ${key.map(named).join(", ")}
  )
) WHERE MOD(N, TO_NUMBER(:step)) = 0`;
}

/**
 * One large object of one row, found by its key (binds `:k1`, …) or, without one, by its ROWID (bind `:k1`). Bind
 * `:scn`.
 */
export function largeObject(table: TableSeen, column: DictionaryColumn, key: readonly DictionaryColumn[]): string {
  const conditions =
    key.length === 0
      ? ["t.ROWID = CHARTOROWID(:k1)"]
      : key.map((one, at) => `${named(one)} = ${ruleOf(one).bound?.(`:k${at + 1}`)}`);
  return `SELECT ${named(column)} AS C1\n  FROM ${source(table)}\n WHERE ${conditions.join(" AND ")}`;
}

function source({ owner, name }: TableSeen): string {
  return `${quoted(owner)}.${quoted(name)} AS OF SCN TO_NUMBER(:scn) t`;
}

function named({ name }: DictionaryColumn): string {
  return `t.${quoted(name)}`;
}

/** Oracle does not allow a double quote or a null byte in a name. */
function quoted(name: string): string {
  if (/["\0]/.test(name)) throw new Error(`${name} is not a valid Oracle name`);
  return `"${name}"`;
}
