import { createHash } from "node:crypto";
import { CallFailed } from "../../core/errors.ts";
import type { OracleValue } from "../../core/ports/oracle.ts";
import type { DictionaryColumn, KeyRange, TableRead } from "../../schemas/generated/verification-job.ts";
import { goTo } from "./containers.ts";
import { fromDriver } from "./damaged-answer.ts";
import type { DriverLob } from "./driver.ts";
import type { Session } from "./session.ts";
import { SESSION } from "./statements.ts";
import { allOf, type DriverRow, fetching, keyBinds, keyOf, keyText, scnBind, textBind } from "./table-query.ts";
import {
  allRows,
  canBeBound,
  everyNthKey,
  isLarge,
  LONGEST_WITH_ROW,
  largeObject,
  nextRows,
  SETTLE_NLS,
  type SelectList,
  selectList,
} from "./table-statements.ts";

const ROWS_A_FETCH = 1000;
/** Large objects are fetched with their rows, so fewer rows are fetched at once. */
const ROWS_WITH_LARGE = 100;
/**
 * Reads the rows of a range, in batches. In the order of the key, each batch is a query of its own, which is repeated
 * over a new connection if the first is lost.
 *
 * @param open returns a session that is used for nothing else; it is closed here
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
    // There may be many more rows than in the statistics.
    const every = Math.ceil((ends.length + 1) / most);
    return rangesBetween(ends.filter((_, at) => (at + 1) % every === 0));
  } catch (error) {
    // The index is too long to be read in one call: then the table is read from beginning to end.
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

/**
 * Opens a session in the table's container, with the formats of numbers and the sort order that the statements assume.
 */
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
  /** How many columns of the key equal those of `last`; undefined: from the beginning. */
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
      // One more than the result can have: fewer rows than requested are the end, so no further call is needed to find
      // it.
      fetching(driver, Math.min(most + 1, ROWS_A_FETCH)),
    ),
  );
}

/** A part of a large object: characters, or bytes. */
const PART = 65_536;

/**
 * Returns the values of the requested columns, row by row. A large object above some size is read part by part, and
 * only its length and digest are kept.
 */
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
    for (const [index, place] of list.values.entries()) {
      const column = read.columns[index] as DictionaryColumn;
      const lengthAt = list.lengths[index];
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
  // BINARY_FLOAT and BINARY_DOUBLE are doubles, which JavaScript prints with the digits that distinguish them.
  if (typeof value === "number") return String(value);
  throw new CallFailed("oracle", "unsupported", {
    message: `column ${column?.name} of type ${column?.dataType} can't be read as text or bytes`,
    remedy: "Leave the column out (--ignore-column).",
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
  return session.use(sql, async (connection, driver, answered) => {
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
        throw new CallFailed("oracle", "protocol", {
          message: `${session.doing.address}: column ${column.name} of a row that was read a moment ago is gone`,
        });
      return await digested(lob, answered);
    } finally {
      await resultSet?.close();
    }
  });
}

async function digested(lob: DriverLob, answered: () => void): Promise<OracleValue> {
  const hash = createHash("sha256");
  let length = 0;
  let half = "";
  for (let offset = 1; offset <= lob.length; offset += PART) {
    const part = await fromDriver(lob.getData(offset, PART));
    answered();
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
