/** Runs a request: passes the statement to the handler, keeps the cursor, and writes rows or OUT binds. */
import type { Cursor, ExecuteRequest } from "./execute-request.ts";
import type { Lobs } from "./lobs.ts";
import type { Bind, Done, Fault, Handler, Rows, Session } from "./options.ts";
import { OraError } from "./ora-error.ts";
import {
  type CallContext,
  callEnd,
  describe,
  NO_MORE_ROWS,
  outBinds,
  rowData,
  rowHeader,
  rowWriters,
} from "./replies.ts";
import { blankLiterals, isQuery } from "./sql-text.ts";
import { BadWire, Writer } from "./wire.ts";

/** The state of a connection between calls. */
export interface Execution {
  readonly cursors: Map<number, Cursor>;
  readonly lobs: Lobs;
  readonly handler: Handler;
  readonly beforeStatement: ((sql: string) => Fault | undefined) | undefined;
  nextCursor: number;
  transactionOpen: boolean;
  /** Cancels the running call; undefined without one. */
  cancel: (() => void) | undefined;
}

const MAX_CURSORS = 5000;
/**
 * node-oracledb treats fewer rows than requested as the end, so a reply that is too long is an error, never a short
 * batch.
 */
const MAX_REPLY = 128 << 20;
const CANCELLED = Symbol("cancelled");

/** @returns the reply, or the effect on the connection; errors of the statement are replies. */
export async function runRequest(
  request: ExecuteRequest,
  execution: Execution,
  session: Session,
  call: () => CallContext,
): Promise<Buffer | "cancelled" | "disconnect" | "freeze"> {
  const cursor = openCursor(request, execution);
  try {
    const fault = request.execute ? execution.beforeStatement?.(cursor.sql) : undefined;
    if (fault === "disconnect" || fault === "freeze") return fault;
    if (fault === "hang") await cancellable(execution, new Promise<never>(() => {}));
    return await reply(request, cursor, execution, session, call);
  } catch (error) {
    if (error === CANCELLED) return "cancelled";
    if (error instanceof BadWire) throw error;
    const { code, message, offset } =
      error instanceof OraError
        ? error
        : new OraError(600, `internal error code, arguments: [${error instanceof Error ? error.stack : error}]`);
    return callEnd(call(), { code, message, offset, cursor: cursor.id });
  }
}

function openCursor(request: ExecuteRequest, execution: Execution): Cursor {
  const known = execution.cursors.get(request.cursor);
  const cursor = known ?? newCursor(execution);
  if (request.sql !== undefined && request.sql !== cursor.sql) {
    cursor.sql = request.sql;
    cursor.columns = undefined;
    cursor.defines = undefined;
    cursor.rows = undefined;
    cursor.out = [];
  }
  if (request.defines !== undefined) cursor.defines = request.defines;
  if (request.binds !== undefined && request.binds !== cursor.binds) {
    cursor.binds = request.binds;
    cursor.out = [];
  }
  return cursor;
}

function newCursor(execution: Execution): Cursor {
  if (execution.cursors.size >= MAX_CURSORS) throw new BadWire("too many cursors");
  const cursor: Cursor = {
    id: execution.nextCursor++,
    sql: "",
    binds: [],
    out: [],
    columns: undefined,
    defines: undefined,
    rows: undefined,
    ahead: undefined,
    lobs: [],
  };
  execution.cursors.set(cursor.id, cursor);
  return cursor;
}

async function cancellable<T>(execution: Execution, work: T | Promise<T>): Promise<T> {
  const cancelled = new Promise<never>((_, reject) => {
    execution.cancel = () => reject(CANCELLED);
  });
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    execution.cancel = undefined;
  }
}

async function reply(
  request: ExecuteRequest,
  cursor: Cursor,
  execution: Execution,
  session: Session,
  call: () => CallContext,
): Promise<Buffer> {
  const writer = new Writer(1024);
  const ended = (rowCount = 0) => writer.raw(callEnd(call(), { cursor: cursor.id, rowCount })).done();
  if (request.parseOnly && !isQuery(cursor.sql)) return ended();
  if (request.execute || request.parseOnly) {
    const rowCount = await execute(writer, request, cursor, execution, session, call);
    if (rowCount !== undefined) return ended(rowCount);
  }
  if (!request.fetch || request.parseOnly || mustDefineFirst(request, cursor)) return ended();
  if (cursor.columns === undefined) throw new OraError(1002, "fetch out of sequence");
  const { rows, last } = writeRows(writer, request, cursor, execution.lobs);
  if (!last) return ended(rows);
  return writer.raw(callEnd(call(), { ...NO_MORE_ROWS, cursor: cursor.id, rowCount: rows })).done();
}

/**
 * LOB columns are never returned by the first execute, and LONG columns only if requested: the client fetches them with
 * a define.
 */
function mustDefineFirst(request: ExecuteRequest, cursor: Cursor): boolean {
  return (
    request.execute &&
    cursor.defines === undefined &&
    (cursor.columns ?? []).some(
      ({ type }) => type === "CLOB" || type === "BLOB" || (type === "LONG" && !request.longsToo),
    )
  );
}

/** @returns rows touched; undefined for a query, whose rows are still to be written */
async function execute(
  writer: Writer,
  request: ExecuteRequest,
  cursor: Cursor,
  execution: Execution,
  session: Session,
  call: () => CallContext,
): Promise<number | undefined> {
  const iterations: readonly (readonly Bind[])[] = request.iterations.length > 0 ? request.iterations : [[]];
  const results: (Rows | Done)[] = [];
  for (const binds of iterations)
    results.push(await cancellable(execution, Promise.resolve(execution.handler(cursor.sql, binds, session))));
  for (const lob of cursor.lobs) execution.lobs.byId.delete(lob);
  cursor.lobs = [];
  const lastResult = results.at(-1);
  if (lastResult !== undefined && "columns" in lastResult) {
    cursor.columns = lastResult.columns;
    cursor.rows = lastResult.rows[Symbol.iterator]();
    cursor.ahead = undefined;
    if (request.describe || request.parseOnly) describe(writer, cursor.columns, call().agreement);
    return undefined;
  }
  const done = results as readonly Done[];
  minimalTransaction(cursor.sql, request.commit, execution);
  const outs = done.flatMap(({ out }) => (out === undefined ? [] : [out]));
  if (outs.length > 0 && cursor.binds.length > 0)
    cursor.out = outBinds(writer, cursor, outs, (request.iterations[0] ?? []).map(hasValue));
  return done.reduce((sum, { rowCount = 0 }) => sum + rowCount, 0);
}

function hasValue(bind: Bind): boolean {
  return Array.isArray(bind.value) ? bind.value.length > 0 : bind.value !== null;
}

/** DML opens a transaction; DDL and a commit end it. */
function minimalTransaction(sql: string, commit: boolean, execution: Execution): void {
  const text = blankLiterals(sql);
  if (/^\s*(insert|update|delete|merge)\b/i.test(text)) execution.transactionOpen = true;
  if (commit || /^\s*(alter\s+(?!session)|create|drop|grant|truncate)\b/i.test(text)) execution.transactionOpen = false;
}

function writeRows(
  writer: Writer,
  request: ExecuteRequest,
  cursor: Cursor,
  lobs: Lobs,
): { readonly rows: number; readonly last: boolean } {
  const { rows: source } = cursor;
  if (source === undefined) return { rows: 0, last: true };
  rowHeader(writer, cursor.columns?.length ?? 0, request.rows);
  const columns = rowWriters(writer, cursor, lobs);
  let rows = 0;
  let next = cursor.ahead ?? source.next();
  while (rows < request.rows && next.done !== true) {
    if (writer.length > MAX_REPLY)
      throw new OraError(
        4030,
        `out of process memory when trying to allocate ${writer.length} bytes (fetch fewer rows at a time)`,
      );
    rowData(writer);
    for (const [i, write] of columns.entries()) write(next.value[i]);
    rows++;
    next = source.next();
  }
  const last = next.done === true;
  cursor.ahead = last ? undefined : next;
  if (last) cursor.rows = undefined;
  return { rows, last };
}
