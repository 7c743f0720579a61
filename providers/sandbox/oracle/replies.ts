/**
 * The server's replies: parameters, descriptions of columns, rows, OUT binds, and the status or error that ends every
 * call.
 */
import { type Cursor, hasWideScale, type Shape } from "./execute-request.ts";
import { addLob, type Lobs, writeLob } from "./lobs.ts";
import type { Pair } from "./logon.ts";
import type { Agreement } from "./negotiation.ts";
import type { Done } from "./options.ts";
import { OraError } from "./ora-error.ts";
import { bindNames } from "./sql-text.ts";
import { type Column, declaredType, encodeValue, isLongType, typeOnWire, type Value } from "./values.ts";
import { Writer } from "./wire.ts";

const MESSAGE = { error: 4, rowHeader: 6, rowData: 7, parameter: 8, status: 9, ioVector: 11, describe: 16 } as const;
const UTF8 = 873;
const DIRECTION = { out: 16, in: 32, inOut: 48 } as const;

/** The context of the end of a call. */
export interface CallContext {
  readonly agreement: Agreement;
  readonly transactionOpen: boolean;
  /** Sequence number of the call; ojdbc attributes an error with a different number to another call. */
  readonly sequence: number;
}

/** Key-value pairs, in the logon. */
export function parameters(pairs: readonly Pair[]): Buffer {
  const writer = new Writer().u8(MESSAGE.parameter).ub(pairs.length);
  for (const [key, value, flag] of pairs) writer.keyValue(key, value, flag ?? 0);
  return writer.done();
}

/** Ends ping, commit, rollback, logoff. */
export function status(call: CallContext): Buffer {
  return new Writer()
    .u8(MESSAGE.status)
    .ub(call.transactionOpen ? 2 : 0, 0)
    .done();
}

export interface CallEnd {
  /** 0: success. 1403: success without further rows. */
  readonly code?: number;
  readonly message?: string;
  readonly cursor?: number;
  readonly rowCount?: number;
  readonly offset?: number;
}

export const NO_MORE_ROWS = { code: 1403, message: "ORA-01403: no data found" } as const;

/** Ends a call, successful or not. */
export function callEnd(call: CallContext, end: CallEnd = {}): Buffer {
  const { code = 0, message = "", cursor = 0, rowCount = 0, offset = 0 } = end;
  const writer = new Writer()
    .u8(MESSAGE.error)
    .ub(call.transactionOpen ? 2 : 0, 0, rowCount, code > 65_535 ? 0 : code)
    .ub(0, 0) // errors in array elements
    .ub(cursor, offset)
    .u8(0, 0, 0, 0, 0, 0) // statement type, fatal, flags, cursor options, UPI, warning
    .ub(0, 0) // row id
    .u8(0)
    .ub(0, 0)
    .ub(0) // error of the operating system
    .u8(0, call.sequence)
    .ub(0, 0)
    .ub(0, 0, 0, 0) // logical row id; batch errors: codes, offsets, messages
    .ub(code, rowCount);
  if (call.agreement.version >= 14) writer.ub(0, 0);
  if (code !== 0) writer.lenBytes(Buffer.from(message));
  return writer.done();
}

export function describe(writer: Writer, columns: readonly Column[], agreement: Agreement): void {
  const { version } = agreement;
  const rowSize = columns.reduce((sum, column) => sum + (column.size ?? 22), 0);
  writer.u8(MESSAGE.describe).lenBytes(null).ub(rowSize, columns.length);
  if (columns.length > 0) writer.u8(0x51);
  for (const [i, column] of columns.entries()) {
    const onWire = typeOnWire(column.type);
    const size = onWire.size ?? column.size ?? 4000;
    const scale = column.scale ?? defaultScale(column);
    const name = Buffer.from(column.name);
    writer.u8(onWire.number, 0x80, column.precision ?? 0);
    if (hasWideScale(agreement, onWire.number)) writer.ub(scale);
    else writer.u8(scale);
    writer.ub(size, 0, 0, 0, 0, onWire.text ? UTF8 : 0);
    writer.u8(onWire.text ? 1 : 0).ub(onWire.text ? size || 4000 : 0);
    if (version >= 8) writer.ub(0);
    writer.u8(column.nullable === false ? 0 : 1, name.length);
    writer
      .sizedText(column.name)
      .sizedText("")
      .sizedText("")
      .ub(i + 1, 0);
    if (version >= 17) writer.ub(0, 0); // domain
    if (version >= 20) writer.ub(0); // annotations
    if (version >= 24) writer.ub(0).u8(0, 0); // vector
  }
  writer.ub(0, 0, 0, 0, 0, 0);
}

/** -127: a plain NUMBER. */
function defaultScale(column: Column): number {
  if (column.type === "NUMBER") return -127;
  return column.type.startsWith("TIMESTAMP") ? 6 : 0;
}

/** Returns the writers of a cursor's rows: one function for each column. */
export function rowWriters(
  writer: Writer,
  cursor: Cursor,
  lobs: Lobs,
): readonly ((value: Value | undefined) => void)[] {
  return (cursor.columns ?? []).map((column, i) => columnWriter(writer, column, cursor, cursor.defines?.[i], lobs));
}

function columnWriter(
  writer: Writer,
  column: Column,
  cursor: Cursor,
  define: Shape | undefined,
  lobs: Lobs,
): (value: Value | undefined) => void {
  const { type } = column;
  const lob = type === "CLOB" || type === "BLOB";
  if (type === "LONG" || (lob && define !== undefined && isLongType(define.type)))
    return (value) => writer.lenBytes(encodeValue(type, value)).u8(0, 0);
  if (lob)
    return (value) => {
      if (value === null || value === undefined) {
        writer.u8(0);
        return;
      }
      const id = addLob(lobs, Buffer.isBuffer(value) ? value : String(value));
      cursor.lobs.push(id);
      writeLob(writer, lobs, id, { lengths: define?.lengths ?? false, prefetch: define?.prefetch ?? 0 });
    };
  if (type === "VARCHAR2" || type === "CHAR")
    return (value) => (value === null || value === undefined ? writer.u8(0) : writer.text(String(value)));
  return (value) => writer.lenBytes(encodeValue(type, value));
}

export function rowHeader(writer: Writer, columns: number, rows: number): void {
  writer.u8(MESSAGE.rowHeader, 0).ub(columns, 0, rows, 0, 0, 0);
}

export function rowData(writer: Writer): void {
  writer.u8(MESSAGE.rowData);
}

/**
 * Writes the OUT binds of a PL/SQL block, one set for each iteration.
 *
 * @returns which binds are OUT only: their values are not sent when the cursor is executed again
 * @throws OraError 06502 or 06513 if a value exceeds the space of the client
 */
export function outBinds(
  writer: Writer,
  cursor: Cursor,
  outs: readonly NonNullable<Done["out"]>[],
  sentValues: readonly boolean[],
): readonly boolean[] {
  const names = bindNames(cursor.sql);
  const isOut = cursor.binds.map((_, i) => outs.some((out) => (names[i] ?? "") in out));
  writer.u8(MESSAGE.ioVector, 0).ub(isOut.length % 256, Math.trunc(isOut.length / 256), 1, 0, 0, 0);
  for (const [i, out] of isOut.entries())
    writer.u8(!out ? DIRECTION.in : sentValues[i] === true ? DIRECTION.inOut : DIRECTION.out);
  for (const out of outs) {
    rowData(writer);
    for (const [i, shape] of cursor.binds.entries())
      if (isOut[i] === true) writeOutBind(writer, shape, out[names[i] ?? ""] ?? null);
  }
  return isOut.map((out, i) => out && sentValues[i] !== true);
}

function writeOutBind(writer: Writer, shape: Shape, value: Value | readonly Value[]): void {
  const type = declaredType(shape.type);
  const write = (one: Value) => {
    const bytes = encodeValue(type, one);
    if (type === "VARCHAR2" && bytes !== null && bytes.length > shape.maxSize)
      throw new OraError(6502, "PL/SQL: numeric or value error: character string buffer too small");
    writer.lenBytes(bytes).ub(0);
  };
  if (shape.maxElements === undefined) {
    if (Array.isArray(value)) throw new OraError(6550, "PLS-00418: array bind type must match PL/SQL table row type");
    write(value as Value);
    return;
  }
  const values = (Array.isArray(value) ? value : [value]) as readonly Value[];
  if (values.length > shape.maxElements)
    throw new OraError(6513, "PL/SQL: index for PL/SQL table out of range for host language array");
  writer.ub(values.length);
  for (const one of values) write(one);
}
