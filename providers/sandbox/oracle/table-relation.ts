/** Tables of users, as a query sees them: now, or AS OF an SCN. */

import { type Cell, type GeneratedRows, rowsAt, type TableRows } from "../table-rows.ts";
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
 * @throws OraError 01031, 01555, 08181, 01466, and the error of the table itself
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
  if (world.denied.has("SELECT ANY TABLE")) return undefined;
  if (table?.rows === undefined && table?.generated === undefined) return undefined;
  if (table.unreadable !== undefined) throw new OraError(table.unreadable.code, table.unreadable.text);
  const scn = asOfScn ?? world.currentScn();
  if (asOfScn !== undefined) refuse(world, scn);
  if (table.rows === undefined) return table.generated && generatedRelation(table, table.generated);
  if (asOfScn !== undefined) refuseBefore(table.rows, scn);
  return relationOf(table, table.rows, scn);
}

function refuse({ denied, currentScn }: OracleWorld, scn: bigint): void {
  if (denied.has("FLASHBACK ANY TABLE")) throw new OraError(1031, "insufficient privileges");
  if (scn > currentScn()) throw new OraError(8181, "specified number is not a valid system change number");
}

function refuseBefore(rows: TableRows, scn: bigint): void {
  if (scn < rows.definedAt) throw new OraError(1466, "unable to read data - table definition has changed");
  if (scn < rows.undoFrom)
    throw new OraError(1555, 'snapshot too old: rollback segment number 7 with name "_SYSSMU7_1" too small');
}

interface Ordered {
  readonly scn: bigint;
  readonly changes: number;
  readonly relation: Relation;
}

/** The last result: batches of one read request it repeatedly. */
const LAST_ASKED = new WeakMap<TableRows, Ordered>();

function relationOf({ columns }: TableRow, rows: TableRows, scn: bigint): Relation {
  const last = LAST_ASKED.get(rows);
  if (last?.scn === scn && last.changes === rows.changes) return last.relation;
  const read = columnReaders(columns);
  const ordered = rowsAt(rows, scn)
    .map((version) => ({ version, key: read.key(rows.key, version.values) }))
    .sort((a, b) => compareKeys(a.key, b.key, rows.key.length));
  const relation = orderedRelation(read, rows.key, {
    count: ordered.length,
    keyAt: (at) => ordered[at]?.key ?? [],
    rowAt: (at, places) => {
      const { version } = ordered[at] as (typeof ordered)[number];
      return read.row(version.values, version.rowid, places);
    },
  });
  LAST_ASKED.set(rows, { scn, changes: rows.changes, relation });
  return relation;
}

const GENERATED = new WeakMap<GeneratedRows, Relation>();

function generatedRelation({ columns }: TableRow, rows: GeneratedRows): Relation {
  const known = GENERATED.get(rows);
  if (known !== undefined) return known;
  const read = columnReaders(columns);
  const relation = orderedRelation(read, rows.key, {
    count: rows.count,
    keyAt: (at) => read.key(rows.key, rows.valuesAt(at)),
    rowAt: (at, places) => read.row(rows.valuesAt(at), at, places),
  });
  GENERATED.set(rows, relation);
  return relation;
}

interface ColumnReaders {
  readonly names: readonly NamedShape[];
  /** Position of a column of the table in a result row. */
  placeOf(column: number): number;
  key(columns: readonly number[], values: readonly Cell[]): readonly SqlValue[];
  /** @param places undefined: all of them */
  row(values: readonly Cell[], rowid: number, places: ReadonlySet<number> | undefined): readonly SqlValue[];
}

function columnReaders(columns: readonly ColumnRow[]): ColumnReaders {
  const shown = columns.flatMap((column, at) =>
    column.hidden === "by Oracle" ? [] : [{ at, column, read: readerOf(column) }],
  );
  const placeOf = (column: number): number => shown.findIndex(({ at }) => at === column);
  return {
    names: [...shown.map(({ column }) => shapeOf(column)), ROWID],
    placeOf,
    key: (places, values) => places.map((at) => shown[placeOf(at)]?.read(values[at] ?? null) ?? null),
    row: (values, rowid, places) => {
      const row: SqlValue[] = new Array(shown.length + 1).fill(null);
      for (const place of places ?? row.keys()) {
        const one = shown[place];
        row[place] = one === undefined ? rowidText(rowid) : one.read(values[one.at] ?? null);
      }
      return row;
    },
  };
}

/** Rows by their number, in the order of the key. */
interface OrderedRows {
  readonly count: number;
  keyAt(at: number): readonly SqlValue[];
  rowAt(at: number, places: ReadonlySet<number> | undefined): readonly SqlValue[];
}

function orderedRelation(
  read: ColumnReaders,
  keyColumns: readonly number[],
  rows: OrderedRows,
  places?: ReadonlySet<number>,
): Relation {
  const key = keyColumns.map(read.placeOf);

  /** The first position whose leading columns are at or above (or all above) the given values. */
  function placeOf(wanted: readonly SqlValue[], above: boolean): number {
    let [low, high] = [0, rows.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compareKeys(rows.keyAt(middle), wanted, wanted.length);
      if (order < 0 || (above && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function* between(from: number, to: number): Generator<readonly SqlValue[]> {
    for (let at = from; at < to; at++) yield rows.rowAt(at, places);
  }

  const all = { [Symbol.iterator]: () => between(0, rows.count) };
  const only = (wanted: ReadonlySet<number>) => orderedRelation(read, keyColumns, rows, wanted);
  if (key.length === 0) return { columns: read.names, rows: all, only };
  return {
    columns: read.names,
    rows: all,
    only,
    index: {
      columns: key,
      rows: (equal, above, upTo) => ({
        [Symbol.iterator]: () =>
          between(
            above === undefined ? placeOf(equal, false) : placeOf([...equal, above], true),
            upTo !== undefined
              ? placeOf([...equal, upTo], true)
              : equal.length === 0
                ? rows.count
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

/** Rules by `DATA_TYPE` without its digits. */
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

/** Size of the cache of moments: the rows of a big table repeat the same ones. */
const MOST_MOMENTS = 10_000;

function momentReader(is: Moment["is"]): (cell: Cell) => SqlValue {
  const known = new Map<string, SqlValue>();
  return (cell) => {
    const text = String(cell);
    let moment = known.get(text);
    if (moment !== undefined) return moment;
    if (known.size >= MOST_MOMENTS) known.clear();
    moment = parsed(text);
    known.set(text, moment);
    return moment;
  };

  function parsed(text: string): SqlValue {
    const written = text.replace("T", " ");
    const fraction = /\.\d+/.test(written) ? ".FF" : "";
    const zone = is === "TIMESTAMP_TZ" ? "TZH:TZM" : "";
    return parseMoment(written, `YYYY-MM-DD HH24:MI:SS${fraction}${zone}`, is, 0);
  }
}
