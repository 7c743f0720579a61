import type { DictionaryColumn } from "../../schemas/generated/verification-job.ts";
import type { BindDefinition, Binds, Driver, DriverConnection } from "./driver.ts";
import { isNational, type SelectList } from "./table-statements.ts";

export type DriverRow = readonly unknown[];

/** An upper limit of the longest key that Oracle can index, in bytes. */
const KEY_BYTES = 8000;
/** No name has more. */
const TEXT_BYTES = 512;

/** Reads all rows of a query, fetch by fetch. @param answered is called after each answer of the database */
export async function allOf<Row extends DriverRow>(
  connection: DriverConnection,
  sql: string,
  binds: Binds,
  options: ReturnType<typeof fetching>,
  answered: () => void = () => undefined,
): Promise<Row[]> {
  const { resultSet } = await connection.execute(sql, binds, options);
  if (resultSet === undefined) throw new Error("a query returned no result set");
  answered();
  const rows: Row[] = [];
  try {
    for (;;) {
      const some = (await resultSet.getRows(options.fetchArraySize)) as readonly Row[];
      answered();
      for (const row of some) rows.push(row);
      if (some.length < options.fetchArraySize) return rows;
    }
  } finally {
    await resultSet.close();
  }
}

/** Options of a query: NUMBER as text, never as a double; large objects with their rows. */
export function fetching(driver: Driver, rows: number) {
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

export function scnBind(driver: Driver, scn: bigint): Binds {
  return { scn: textBind(driver, String(scn)) };
}

export function textBind({ BIND_IN, STRING }: Driver, val: string, maxSize = KEY_BYTES): BindDefinition {
  return { dir: BIND_IN, type: STRING, val, maxSize };
}

/** Binds of texts that name objects, SCNs or times, by name. */
export function textBinds(driver: Driver, texts: Readonly<Record<string, string>>): Binds {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textBind(driver, text, TEXT_BYTES)]));
}

/**
 * Binds a key as `a1`, `a2`, …. National text is bound as such: otherwise it would lose characters that the database's
 * own character set does not have.
 */
export function keyBinds(
  driver: Driver,
  letter: string,
  key: readonly DictionaryColumn[],
  values: readonly string[],
): Binds {
  return Object.fromEntries(
    key.map((column, at) => {
      const bind = textBind(driver, values[at] ?? "");
      return [`${letter}${at + 1}`, isNational(column) ? { ...bind, type: driver.DB_TYPE_NVARCHAR } : bind];
    }),
  );
}

/** Returns the values by which the key of a row is bound. */
export function keyOf(row: DriverRow | undefined, list: SelectList): readonly string[] | undefined {
  return row && list.key.map((place) => keyText(row[place]));
}

export function keyText(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("hex").toUpperCase() : String(value);
}
