import { createHash } from "node:crypto";
import { CallFailed } from "../../core/errors.ts";
import type { OracleValue } from "../../core/ports/oracle.ts";
import type { DictionaryColumn, TableRead } from "../../schemas/generated/verification-job.ts";
import { fromDriver } from "./damaged-answer.ts";
import type { DriverLob } from "./driver.ts";
import type { Session } from "./session.ts";
import { type DriverRow, keyBinds, keyOf, keyText, scnBind, textBind } from "./table-query.ts";
import { LONGEST_WITH_ROW, largeObject, type SelectList } from "./table-statements.ts";

/** A part of a large object: characters, or bytes. */
const PART = 65_536;

/**
 * Returns the values of the requested columns, row by row. A large object above some size is read part by part, and
 * only its length and digest are kept.
 */
export async function valuesOf(
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
  // BINARY_FLOAT and BINARY_DOUBLE are doubles, which JavaScript prints with the digits that distinguish them.
  if (typeof value === "number") return String(value);
  throw new CallFailed("oracle", "unsupported", {
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
