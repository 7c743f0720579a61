/** Tables that somebody owns, as a query sees them: now, or AS OF an SCN. */

import { type Cell, type RowVersion, rowsAt, type TableRows } from "../table-rows.ts";
import { OraError } from "./ora-error.ts";
import { type Moment, parseMoment } from "./sql/moment.ts";
import type { NamedShape, Relation } from "./sql/scope.ts";
import { compare, type SqlValue } from "./sql/values.ts";
import type { ColumnType } from "./values.ts";
import type { ColumnRow, OracleWorld, TableRow } from "./world.ts";

const ROWID: NamedShape = { name: "ROWID", type: "VARCHAR2", size: 18 };

/**
 * @param name `OWNER.TABLE`
 * @returns undefined for a table that is not in this container, has no data, or may not be read
 * @throws OraError 01031, 01555, 08181, 01466, and what the table itself fails with
 */
export function tableNamed(
  world: OracleWorld,
  container: string,
  name: string,
  asOfScn: bigint | undefined,
): Relation | undefined {
  const table = world.tables.find(
    (one) => `${one.owner}.${one.name}` === name && (one.pdb ?? world.database.name) === container,
  );
  if (table?.rows === undefined || world.denied.has("SELECT ANY TABLE")) return undefined;
  if (table.unreadable !== undefined) throw new OraError(table.unreadable.code, table.unreadable.text);
  const scn = asOfScn ?? world.currentScn();
  if (asOfScn !== undefined) refuse(world, table.rows, scn);
  return relationOf(table, table.rows, scn);
}

function refuse({ denied, currentScn }: OracleWorld, rows: TableRows, scn: bigint): void {
  if (denied.has("FLASHBACK ANY TABLE")) throw new OraError(1031, "insufficient privileges");
  if (scn > currentScn()) throw new OraError(8181, "specified number is not a valid system change number");
  if (scn < rows.definedAt) throw new OraError(1466, "unable to read data - table definition has changed");
  if (scn < rows.undoFrom)
    throw new OraError(1555, 'snapshot too old: rollback segment number 7 with name "_SYSSMU7_1" too small');
}

interface Ordered {
  readonly scn: bigint;
  readonly changes: number;
  readonly relation: Relation;
}

/** Batches of one read ask for the same again and again. */
const LAST_ASKED = new WeakMap<TableRows, Ordered>();

function relationOf({ columns }: TableRow, rows: TableRows, scn: bigint): Relation {
  const last = LAST_ASKED.get(rows);
  if (last?.scn === scn && last.changes === rows.changes) return last.relation;
  const relation = orderedRelation(columns, rows, scn);
  LAST_ASKED.set(rows, { scn, changes: rows.changes, relation });
  return relation;
}

function orderedRelation(columns: readonly ColumnRow[], rows: TableRows, scn: bigint): Relation {
  const shown = columns.flatMap((column, at) => (column.hidden === "by Oracle" ? [] : [{ column, at }]));
  const readers = shown.map(({ column }) => readerOf(column));
  const rowOf = ({ values, rowid }: RowVersion): readonly SqlValue[] => [
    ...shown.map(({ at }, place) => readers[place]?.(values[at] ?? null) ?? null),
    rowidText(rowid),
  ];
  const key = rows.key.map((at) => shown.findIndex((one) => one.at === at));
  const ordered = rowsAt(rows, scn)
    .map((version) => ({ version, key: keyOf(version) }))
    .sort((a, b) => compareKeys(a.key, b.key, key.length));

  function keyOf({ values }: RowVersion): readonly SqlValue[] {
    return rows.key.map((at, place) => readers[key[place] as number]?.(values[at] ?? null) ?? null);
  }

  /** The first place from which on the first columns are at or above (or all above) those given. */
  function placeOf(wanted: readonly SqlValue[], above: boolean): number {
    let [low, high] = [0, ordered.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compareKeys(ordered[middle]?.key ?? [], wanted, wanted.length);
      if (order < 0 || (above && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function* between(from: number, to: number): Generator<readonly SqlValue[]> {
    for (let at = from; at < to; at++) {
      const one = ordered[at];
      if (one !== undefined) yield rowOf(one.version);
    }
  }

  const all = { [Symbol.iterator]: () => between(0, ordered.length) };
  const names = [...shown.map(({ column }) => shapeOf(column)), ROWID];
  if (key.length === 0) return { columns: names, rows: all };
  return {
    columns: names,
    rows: all,
    index: {
      columns: key,
      rows: (equal, above, upTo) => ({
        [Symbol.iterator]: () =>
          between(
            above === undefined ? placeOf(equal, false) : placeOf([...equal, above], true),
            upTo !== undefined
              ? placeOf([...equal, upTo], true)
              : equal.length === 0
                ? ordered.length
                : placeOf(equal, true),
          ),
      }),
    },
  };
}

function compareKeys(left: readonly SqlValue[], right: readonly SqlValue[], count: number): number {
  for (let at = 0; at < count; at++) {
    const order = compare(left[at] ?? null, right[at] ?? null) ?? 0;
    if (order !== 0) return order;
  }
  return 0;
}

/** 18 characters; the last six digits are the row's number. */
function rowidText(number: number): string {
  return `AAAR3sAAEAAAA${String(number).padStart(5, "0")}`;
}

interface TypeRule {
  readonly type: ColumnType;
  readonly size?: number;
  readonly read: (cell: Cell) => SqlValue;
}

const text: TypeRule = { type: "VARCHAR2", size: 4000, read: (cell) => (cell === "" ? null : plain(cell)) };
const zoned: TypeRule = { type: "TIMESTAMP_TZ", read: momentReader("TIMESTAMP_TZ") };
const bytes = (cell: Cell): SqlValue => (cell instanceof Uint8Array ? Buffer.from(cell) : plain(cell));

/** By `DATA_TYPE`, its digits taken off. */
const TYPES: Readonly<Record<string, TypeRule>> = {
  NUMBER: { type: "NUMBER", read: decimal },
  FLOAT: { type: "NUMBER", read: decimal },
  BINARY_FLOAT: { type: "BINARY_FLOAT", read: binary },
  BINARY_DOUBLE: { type: "BINARY_DOUBLE", read: binary },
  DATE: { type: "DATE", read: momentReader("DATE") },
  TIMESTAMP: { type: "TIMESTAMP", read: momentReader("TIMESTAMP") },
  "TIMESTAMP WITH TIME ZONE": zoned,
  "TIMESTAMP WITH LOCAL TIME ZONE": zoned,
  "INTERVAL DAY TO SECOND": text,
  "INTERVAL YEAR TO MONTH": text,
  RAW: { type: "RAW", size: 2000, read: bytes },
  CLOB: { type: "CLOB", read: plain },
  NCLOB: { type: "CLOB", read: plain },
  BLOB: { type: "BLOB", read: bytes },
};

function ruleOf({ dataType }: ColumnRow): TypeRule {
  return TYPES[dataType.replace(/\(\d+\)/g, "")] ?? text;
}

function shapeOf(column: ColumnRow): NamedShape {
  const { type, size } = ruleOf(column);
  return { name: column.name, type, ...(size === undefined ? {} : { size }) };
}

function readerOf(column: ColumnRow): (cell: Cell) => SqlValue {
  const { read } = ruleOf(column);
  return (cell) => (cell === null ? null : read(cell));
}

function plain(cell: Cell): SqlValue {
  return cell instanceof Uint8Array ? Buffer.from(cell) : cell;
}

function decimal(cell: Cell): SqlValue {
  const digits = String(cell);
  return /^-?\d+$/.test(digits) ? BigInt(digits) : { digits };
}

function binary(cell: Cell): SqlValue {
  return Number(cell);
}

function momentReader(is: Moment["is"]): (cell: Cell) => SqlValue {
  return (cell) => {
    const written = String(cell).replace("T", " ");
    const fraction = /\.\d+/.test(written) ? ".FF" : "";
    const zone = is === "TIMESTAMP_TZ" ? "TZH:TZM" : "";
    return parseMoment(written, `YYYY-MM-DD HH24:MI:SS${fraction}${zone}`, is, 0);
  };
}
