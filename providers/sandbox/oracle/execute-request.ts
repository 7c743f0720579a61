/**
 * Requests that run statements or fetch from them: execute (94), re-execute (78, 4), fetch (5). They are only read
 * here, not run.
 */
import { type Lobs, lobValue } from "./lobs.ts";
import type { Agreement } from "./negotiation.ts";
import type { Bind } from "./options.ts";
import { bindNames, isPlsql, isQuery } from "./sql-text.ts";
import { type Column, decodeValue, isLongType, type Value } from "./values.ts";
import { BadWire, type Reader } from "./wire.ts";

/** A client's description of a bind, or of a column that it requests in another type (a define). */
export interface Shape {
  readonly type: number;
  readonly maxSize: number;
  /** Elements of a PL/SQL table; undefined for a single value. */
  readonly maxElements: number | undefined;
  /** The client does not send its value. */
  readonly outOnly: boolean;
  /** LOBs: lengths precede the locator. */
  readonly lengths: boolean;
  /** LOBs: characters or bytes sent with the locator. */
  readonly prefetch: number;
}

export interface Cursor {
  readonly id: number;
  sql: string;
  binds: readonly Shape[];
  /** Binds that were reported to the client as OUT only, so it no longer sends their values. */
  out: readonly boolean[];
  columns: readonly Column[] | undefined;
  defines: readonly Shape[] | undefined;
  rows: Iterator<readonly (Value | undefined)[]> | undefined;
  /** The row read ahead, to detect the end. */
  ahead: IteratorResult<readonly (Value | undefined)[]> | undefined;
  lobs: number[];
}

export interface ExecuteRequest {
  /** 0: a new cursor. */
  readonly cursor: number;
  /** Undefined: the cursor's own. */
  readonly sql: string | undefined;
  readonly binds: readonly Shape[] | undefined;
  readonly defines: readonly Shape[] | undefined;
  /** Values of the binds, one list for each iteration. */
  readonly iterations: readonly (readonly Bind[])[];
  readonly rows: number;
  readonly describe: boolean;
  readonly execute: boolean;
  readonly fetch: boolean;
  /** Whether rows were requested explicitly, so that LONG columns may be included. */
  readonly longsToo: boolean;
  readonly commit: boolean;
  /** Describe only; the statement must not run. */
  readonly parseOnly: boolean;
}

/** The context that reading a request depends on. */
export interface ReadingContext {
  readonly agreement: Agreement;
  readonly cursors: ReadonlyMap<number, Cursor>;
  readonly lobs: Lobs;
  /** Reads a text whose length was announced before. */
  text(reader: Reader, length: number): string;
}

const OPTION = {
  parse: 0x1,
  define: 0x10,
  execute: 0x20,
  fetch: 0x40,
  commit: 0x100,
  describeOnly: 0x20000,
} as const;

const MAX_SQL = 1 << 26;
const MAX_BINDS = 65_535;
const MAX_ELEMENTS = 1_000_000;
/** Longest value of a SQL bind that is sent in place; longer ones follow the others. */
const MAX_IN_PLACE = 32_767;
const ROW_DATA = 7;

/** Types whose scale go-ora and ojdbc send as `ub`. */
const WIDE_SCALE: readonly number[] = [2, 180, 181, 183, 187, 188, 190, 231, 232];

export function hasWideScale(agreement: Agreement, type: number): boolean {
  return agreement.wideScale && WIDE_SCALE.includes(type);
}

export function readExecute(reader: Reader, context: ReadingContext): ExecuteRequest {
  const { agreement } = context;
  const options = reader.ub();
  const cursorId = reader.ub();
  reader.uint8();
  const sqlLength = reader.count(MAX_SQL);
  skipFields(reader, "u8 ub u8 u8 ub");
  const prefetchRows = reader.ub();
  skipFields(reader, "ub u8");
  const bindCount = reader.count(MAX_BINDS);
  skipFields(reader, "u8 u8 u8 u8 u8 u8");
  const defineCount = reader.count(MAX_BINDS);
  skipFields(reader, "ub u8 u8 u8 ub u8 ub ub u8 ub u8");
  if (agreement.version >= 8) skipFields(reader, "u8 ub u8 ub u8");
  if (agreement.version >= 9) skipFields(reader, "u8 ub");
  const sql = sqlLength > 0 ? context.text(reader, sqlLength) : undefined;
  const details = Array.from({ length: 13 }, () => reader.ub());
  const [, iterationCount = 0, , , , , , queryFlag] = details;

  const cursor = context.cursors.get(cursorId);
  const text = sql ?? cursor?.sql ?? "";
  const query = queryFlag === 1 || isQuery(text);
  const parseOnly = (options & OPTION.describeOnly) !== 0;
  const defines = options & OPTION.define ? readShapes(reader, defineCount, agreement) : undefined;
  const sentBinds = defines === undefined && bindCount > 0 ? readShapes(reader, bindCount, agreement) : undefined;
  const binds = sentBinds ?? (cursor !== undefined && sql === undefined ? cursor.binds : []);
  const noValues = binds.length === 0 || defines !== undefined || parseOnly || (bindCount === 0 && reader.left === 0);
  const iterations = noValues ? 0 : query ? 1 : Math.max(1, iterationCount);
  return {
    cursor: cursorId,
    sql,
    binds: defines === undefined ? binds : undefined,
    defines,
    iterations: readIterations(reader, context, text, binds, iterations, []),
    rows: prefetchRows || (query ? iterationCount : 0),
    describe: (options & OPTION.parse) !== 0,
    execute: (options & OPTION.execute) !== 0,
    fetch: (options & OPTION.fetch) !== 0 || (query && (options & OPTION.execute) !== 0 && prefetchRows > 0),
    longsToo: (options & OPTION.fetch) !== 0,
    commit: (options & OPTION.commit) !== 0,
    parseOnly,
  };
}

/** @returns undefined if the client names an unknown cursor */
export function readReexecute(reader: Reader, context: ReadingContext, andFetch: boolean): ExecuteRequest | undefined {
  const cursorId = reader.ub();
  const count = reader.ub();
  reader.ub();
  const commit = (reader.ub() & 1) !== 0;
  const cursor = context.cursors.get(cursorId);
  if (cursor === undefined) {
    reader.skipAll();
    return undefined;
  }
  const iterations = cursor.binds.length === 0 ? 0 : andFetch ? 1 : Math.max(1, count);
  return {
    cursor: cursorId,
    sql: undefined,
    binds: undefined,
    defines: undefined,
    iterations: readIterations(reader, context, cursor.sql, cursor.binds, iterations, cursor.out),
    rows: count,
    describe: false,
    execute: true,
    fetch: andFetch,
    longsToo: false,
    commit,
    parseOnly: false,
  };
}

export function readFetch(reader: Reader, context: ReadingContext): ExecuteRequest | undefined {
  const cursorId = reader.ub();
  const rows = reader.ub();
  if (!context.cursors.has(cursorId)) return undefined;
  return {
    cursor: cursorId,
    sql: undefined,
    binds: undefined,
    defines: undefined,
    iterations: [],
    rows,
    describe: false,
    execute: false,
    fetch: true,
    longsToo: true,
    commit: false,
    parseOnly: false,
  };
}

/** Skips fields that are not used, by their kinds. */
function skipFields(reader: Reader, kinds: string): void {
  for (const kind of kinds.split(" ")) {
    if (kind === "u8") reader.uint8();
    else reader.ub();
  }
}

function readShapes(reader: Reader, count: number, agreement: Agreement): readonly Shape[] {
  return Array.from({ length: count }, () => {
    const type = reader.uint8();
    const flags = reader.uint8();
    reader.uint8();
    if (hasWideScale(agreement, type)) reader.ub();
    else reader.uint8();
    const maxSize = reader.ub();
    const maxElements = reader.ub();
    const contents = reader.ub();
    if (reader.ub() > 0) reader.lenBytes();
    skipFields(reader, "ub ub u8");
    const prefetch = reader.ub();
    if (agreement.version >= 8) reader.ub();
    return {
      type,
      maxSize,
      maxElements: flags & 0x40 && maxElements > 0 ? maxElements : undefined,
      outOnly: (flags & 0x80) !== 0,
      lengths: (contents & 0x2000000) !== 0,
      prefetch,
    };
  });
}

/**
 * Counts the iterations instead of reading to the packet's end: an array of rows can end a packet on a row's boundary.
 */
function readIterations(
  reader: Reader,
  context: ReadingContext,
  sql: string,
  shapes: readonly Shape[],
  count: number,
  knownOut: readonly boolean[],
): readonly (readonly Bind[])[] {
  if (count === 0) return [];
  const names = bindNames(sql);
  const valueless = (): Bind[] =>
    shapes.map((shape, i) => ({
      name: names[i] ?? String(i + 1),
      type: shape.type,
      maxSize: shape.maxSize,
      maxElements: shape.maxElements,
      value: null,
    }));
  const sent = shapes.map((shape, i) => !shape.outOnly && knownOut[i] !== true);
  if (!sent.includes(true)) {
    // a single ROW_DATA byte may follow nevertheless, with nulls for binds that are not OUT
    if (reader.left > 0 && reader.peek() === ROW_DATA) {
      reader.uint8();
      for (const shape of shapes) if (!shape.outOnly) reader.lenBytes();
    }
    return [valueless()];
  }
  const plsql = isPlsql(sql);
  const comesLast = (shape: Shape) => !plsql && (isLongType(shape.type) || shape.maxSize > MAX_IN_PLACE);
  const iterations: Bind[][] = [];
  for (let i = 0; i < count; i++) {
    if (reader.uint8() !== ROW_DATA) throw new BadWire("ROW_DATA expected");
    const row = valueless();
    for (const last of [false, true])
      for (const [at, shape] of shapes.entries()) {
        const bind = row[at];
        if (bind !== undefined && sent[at] === true && comesLast(shape) === last)
          row[at] = { ...bind, value: readBind(reader, shape, context.lobs) };
      }
    iterations.push(row);
  }
  return iterations;
}

function readBind(reader: Reader, shape: Shape, lobs: Lobs): Value | readonly Value[] {
  if (shape.maxElements === undefined) return readValue(reader, shape, lobs);
  const values: Value[] = [];
  for (let count = reader.count(MAX_ELEMENTS); count > 0; count--) values.push(readValue(reader, shape, lobs));
  return values;
}

const CLOB = 112;
const BLOB = 113;
const REF_CURSOR = 102;

function readValue(reader: Reader, shape: Shape, lobs: Lobs): Value {
  if (shape.type === CLOB || shape.type === BLOB) return reader.ub() === 0 ? null : lobValue(lobs, reader.lenBytes());
  if (shape.type === REF_CURSOR) {
    skipFields(reader, "ub ub");
    return null;
  }
  const bytes = reader.lenBytes();
  return bytes === null ? null : decodeValue(shape.type, bytes);
}
