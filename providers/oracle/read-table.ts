import { createHash } from "node:crypto";
import { CallFailed } from "../../core/errors.ts";
import type { DictionaryColumn, KeyRange, TableRead } from "../../core/facts/table-layout.ts";
import type { OracleValue } from "../../core/verification/canonical-values.ts";
import { goTo } from "./containers.ts";
import type { BindDefinition, Binds, Driver, DriverConnection, DriverLob } from "./driver.ts";
import type { Session } from "./session.ts";
import { SESSION } from "./statements.ts";
import {
  allRows,
  canBeBound,
  everyNthKey,
  isLarge,
  isNational,
  LONGEST_WITH_ROW,
  largeObject,
  nextRows,
  SETTLE_NLS,
  type SelectList,
  selectList,
} from "./table-statements.ts";

/** As the driver gives it. */
type DriverRow = readonly unknown[];

/** Longest key that Oracle can index, in bytes, and then some. */
const KEY_BYTES = 8000;
const ROWS_A_FETCH = 1000;
/** Large objects come with their rows, so fewer rows come at once. */
const ROWS_WITH_LARGE = 100;
/** A part of a large object: characters, or bytes. */
const PART = 65_536;

/**
 * Reads the rows of a range, in batches. In the order of the key each batch is a query of its own, asked for once more over a new connection
 * when the first is lost.
 *
 * @param open gives a session that is used for nothing else; it is closed here
 */
export async function* readRows(
  open: () => Session,
  read: TableRead,
  range: KeyRange | undefined,
  batch: number,
): AsyncGenerator<readonly (readonly OracleValue[])[]> {
  const keyed = canBeBound(read.key);
  const hasLarge = read.columns.some(isLarge);
  const list = selectList(read.columns, keyed ? read.key : [], !keyed && hasLarge);
  const most = hasLarge ? Math.min(batch, ROWS_WITH_LARGE) : batch;
  yield* keyed ? inOrder(open, read, list, range, most) : unordered(open, read, list, most);
}

async function* inOrder(
  open: () => Session,
  read: TableRead,
  list: SelectList,
  range: KeyRange | undefined,
  most: number,
): AsyncGenerator<readonly (readonly OracleValue[])[]> {
  const deepest = read.key.length - 1;
  let last = range?.after;
  let equal = last === undefined ? undefined : deepest;
  let session = await prepared(open, read);
  let again = false;
  try {
    for (;;) {
      let rows: readonly (readonly OracleValue[])[];
      let lastKey: readonly string[] | undefined;
      try {
        const found = await nextBatch(session, read, list, { last, equal, upTo: range?.upTo, most });
        rows = await valuesOf(session, read, read.key, list, found);
        lastKey = keyOf(found.at(-1), list);
      } catch (error) {
        if (again || !(error instanceof CallFailed) || error.kind !== "lost") throw error;
        again = true;
        await session.close();
        session = await prepared(open, read);
        continue;
      }
      again = false;
      if (rows.length > 0) yield rows;
      last = lastKey ?? last;
      if (rows.length === most) equal = deepest;
      else if (equal === undefined || equal === 0) return;
      else equal -= 1;
    }
  } finally {
    await session.close();
  }
}

async function* unordered(
  open: () => Session,
  read: TableRead,
  list: SelectList,
  most: number,
): AsyncGenerator<readonly (readonly OracleValue[])[]> {
  const session = await prepared(open, read);
  try {
    const sql = allRows(read.table, list);
    const cursor = await session.use(sql, (connection, driver) =>
      connection.execute(sql, scnBind(driver, read.scn), fetching(driver, most)),
    );
    for (;;) {
      const rows = await session.use(sql, async () => (await cursor.resultSet?.getRows(most)) ?? []);
      if (rows.length > 0) yield await valuesOf(session, read, [], list, rows);
      if (rows.length < most) return;
    }
  } finally {
    await session.close();
  }
}

/** Divides a table where every so-many-th key is. */
export async function keyRanges(
  open: () => Session,
  read: TableRead,
  rows: bigint,
  most: number,
): Promise<readonly (KeyRange | undefined)[]> {
  const step = rows / BigInt(Math.max(1, most)) + 1n;
  if (most < 2 || rows < BigInt(most) || !canBeBound(read.key)) return [undefined];
  const session = await prepared(open, read);
  try {
    const sql = everyNthKey(read);
    const found = await session.use(sql, (connection, driver) =>
      allOf(
        connection,
        sql,
        { ...scnBind(driver, read.scn), step: textBind(driver, String(step)) },
        fetching(driver, ROWS_A_FETCH),
      ),
    );
    const ends = found.map((row) => row.map(keyText));
    // There may be many more rows than statistics say.
    const every = Math.ceil((ends.length + 1) / most);
    return rangesBetween(ends.filter((_, at) => (at + 1) % every === 0));
  } catch (error) {
    // An index too long to be walked in one call: then the table is read from its beginning to its end.
    if (error instanceof CallFailed && error.kind === "timeout") return [undefined];
    throw error;
  } finally {
    await session.close();
  }
}

function rangesBetween(ends: readonly (readonly string[])[]): readonly (KeyRange | undefined)[] {
  if (ends.length === 0) return [undefined];
  return [undefined, ...ends].map((after, at) => ({ after, upTo: ends[at] }));
}

/** A session in the table's container, in which numbers and order are as the statements take them to be. */
async function prepared(open: () => Session, { table }: TableRead): Promise<Session> {
  const session = open();
  try {
    const [here] = await session.query(SESSION);
    if (here?.[0] !== table.container) await session.run(goTo(table.container), () => ({}));
    await session.run(SETTLE_NLS, () => ({}));
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

interface Position {
  readonly last: readonly string[] | undefined;
  /** How many columns of the key are as in `last`; undefined: from the beginning. */
  readonly equal: number | undefined;
  readonly upTo: readonly string[] | undefined;
  readonly most: number;
}

function nextBatch(
  session: Session,
  read: TableRead,
  list: SelectList,
  { last, equal, upTo, most }: Position,
): Promise<readonly DriverRow[]> {
  const sql = nextRows(read, list, equal, upTo !== undefined);
  return session.use(sql, (connection, driver) =>
    allOf(
      connection,
      sql,
      {
        ...scnBind(driver, read.scn),
        ...(equal === undefined ? {} : keyBinds(driver, "a", read.key.slice(0, equal + 1), last ?? [])),
        ...(upTo === undefined ? {} : keyBinds(driver, "u", read.key, upTo)),
        most: { dir: driver.BIND_IN, type: driver.NUMBER, val: most },
      },
      // One more than there can be: fewer rows than were asked for are the end, and no further call has to find that out.
      fetching(driver, Math.min(most + 1, ROWS_A_FETCH)),
    ),
  );
}

async function allOf(
  connection: DriverConnection,
  sql: string,
  binds: Binds,
  options: ReturnType<typeof fetching>,
): Promise<readonly DriverRow[]> {
  const { resultSet } = await connection.execute(sql, binds, options);
  if (resultSet === undefined) throw new Error("a query gave no result set");
  const rows: DriverRow[] = [];
  try {
    for (;;) {
      const some = await resultSet.getRows(options.fetchArraySize);
      for (const row of some) rows.push(row);
      if (some.length < options.fetchArraySize) return rows;
    }
  } finally {
    await resultSet.close();
  }
}

/** NUMBER as text, never as a double; large objects with their rows. */
function fetching(driver: Driver, rows: number) {
  const types = new Map([
    [driver.DB_TYPE_NUMBER, driver.STRING],
    [driver.DB_TYPE_CLOB, driver.STRING],
    [driver.DB_TYPE_NCLOB, driver.STRING],
    [driver.DB_TYPE_BLOB, driver.BUFFER],
  ]);
  return {
    resultSet: true,
    prefetchRows: rows,
    fetchArraySize: rows,
    fetchTypeHandler: ({ dbType }: { readonly dbType: unknown }) => {
      const type = types.get(dbType);
      return type === undefined ? undefined : { type };
    },
  };
}

function scnBind(driver: Driver, scn: bigint): Binds {
  return { scn: textBind(driver, String(scn)) };
}

function textBind({ BIND_IN, STRING }: Driver, val: string): BindDefinition {
  return { dir: BIND_IN, type: STRING, val, maxSize: KEY_BYTES };
}

/** `a1`, `a2`, …; a national text as one, or it would lose what the database's own character set has not. */
function keyBinds(driver: Driver, letter: string, key: readonly DictionaryColumn[], values: readonly string[]): Binds {
  return Object.fromEntries(
    key.map((column, at) => {
      const bind = textBind(driver, values[at] ?? "");
      return [`${letter}${at + 1}`, isNational(column) ? { ...bind, type: driver.DB_TYPE_NVARCHAR } : bind];
    }),
  );
}

function keyOf(row: DriverRow | undefined, list: SelectList): readonly string[] | undefined {
  return row && list.key.map((place) => keyText(row[place]));
}

function keyText(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("hex").toUpperCase() : String(value);
}

async function valuesOf(
  session: Session,
  read: TableRead,
  key: readonly DictionaryColumn[],
  list: SelectList,
  rows: readonly DriverRow[],
): Promise<readonly (readonly OracleValue[])[]> {
  const hasLarge = list.lengths.some((place) => place !== undefined);
  if (!hasLarge) return rows.map((row) => list.values.map((place, at) => plainValue(row[place], read.columns[at])));
  const found: OracleValue[][] = [];
  for (const row of rows) {
    const values: OracleValue[] = [];
    for (const [at, place] of list.values.entries()) {
      const column = read.columns[at] as DictionaryColumn;
      const lengthAt = list.lengths[at];
      const length = lengthAt === undefined ? undefined : row[lengthAt];
      if (lengthAt === undefined) values.push(plainValue(row[place], column));
      else if (length === null || length === undefined) values.push(null);
      else if (length === "0") values.push(column.dataType === "BLOB" ? new Uint8Array(0) : "");
      else if (Number(length) <= LONGEST_WITH_ROW) values.push(plainValue(row[place], column));
      else {
        const place = key.length === 0 ? [keyText(row[list.rowid as number])] : (keyOf(row, list) ?? []);
        values.push(await largeValue(session, read, column, key, place));
      }
    }
    found.push(values);
  }
  return found;
}

function plainValue(value: unknown, column: DictionaryColumn | undefined): OracleValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  // BINARY_FLOAT and BINARY_DOUBLE are doubles, which JavaScript prints with the digits that tell them apart.
  if (typeof value === "number") return String(value);
  throw new CallFailed({
    system: "oracle",
    kind: "unsupported",
    message: `column ${column?.name} of type ${column?.dataType} can't be read as text or bytes`,
    remedy: "leave the column out (--ignore-column)",
  });
}

/** Reads a large object part by part, and keeps its length and digest. */
function largeValue(
  session: Session,
  read: TableRead,
  column: DictionaryColumn,
  key: readonly DictionaryColumn[],
  place: readonly string[],
): Promise<OracleValue> {
  const sql = largeObject(read.table, column, key);
  return session.use(sql, async (connection, driver) => {
    const binds = key.length === 0 ? { k1: textBind(driver, place[0] ?? "") } : keyBinds(driver, "k", key, place);
    const { resultSet } = await connection.execute(
      sql,
      { ...scnBind(driver, read.scn), ...binds },
      { resultSet: true, prefetchRows: 1, fetchArraySize: 1 },
    );
    const [row] = (await resultSet?.getRows(1)) ?? [];
    try {
      const lob = row?.[0] as DriverLob | null | undefined;
      if (lob === null || lob === undefined)
        throw new CallFailed({
          system: "oracle",
          kind: "protocol",
          message: `${session.doing.address}: column ${column.name} of a row that was read a moment ago is gone`,
        });
      return await digested(lob);
    } finally {
      await resultSet?.close();
    }
  });
}

async function digested(lob: DriverLob): Promise<OracleValue> {
  const hash = createHash("sha256");
  let length = 0;
  let half = "";
  for (let offset = 1; offset <= lob.length; offset += PART) {
    const part = await lob.getData(offset, PART);
    if (typeof part === "string") {
      const text = half + part;
      // A part can end between the two halves of a character beyond 16 bits.
      const last = text.charCodeAt(text.length - 1);
      half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
      const bytes = Buffer.from(half === "" ? text : text.slice(0, -1), "utf8");
      hash.update(bytes);
      length += bytes.length;
    } else if (part !== null) {
      hash.update(part);
      length += part.length;
    }
  }
  return { length, sha256: hash.digest() };
}
