import { CallFailed } from "../../core/errors.ts";
import type { ColumnDefault, LayoutColumn, TableKey, TableLayout } from "../../core/facts/tables/layout.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import { goTo } from "./containers.ts";
import { required } from "./read-rows.ts";
import type { Row, Session } from "./session.ts";
import { DEFAULTS_OF_TABLE, SESSION } from "./statements.ts";
import { textBinds } from "./table-query.ts";

/** Rows of the dictionary about one table, columns in the order of the select lists in `statements.ts`. */
interface LayoutRows {
  readonly columns: readonly Row[];
  /** Or why they can't be read. */
  readonly defaults: readonly Row[] | string;
  readonly primaryKey: readonly Row[];
  readonly uniqueIndexes: readonly Row[];
  readonly size: readonly Row[];
}

/** Whether a column that is read has a default, so that the defaults have to be read. */
export function hasDefaults(columns: readonly Row[]): boolean {
  return columns.some((row) => columnOf(row) !== undefined && hasDefault(row));
}

/** Whether a column has a default. That of a virtual column is its expression, which does not count. */
function hasDefault(row: Row): boolean {
  return row[5] !== "YES" && row[8] !== null && row[8] !== undefined && row[8] !== "0";
}

/** @returns undefined for a table without columns: it does not exist, or is not visible to this login */
export function layoutOf(table: TableSeen, { columns: found, defaults, primaryKey, uniqueIndexes, size }: LayoutRows) {
  const columns = found.flatMap((row): LayoutColumn[] => {
    const column = columnOf(row);
    if (column === undefined) return [];
    return [hasDefault(row) ? { ...column, byDefault: defaultOf(column.name, defaults) } : column];
  });
  if (columns.length === 0) return undefined;
  const [measured] = size;
  const layout: TableLayout = {
    ...table,
    columns,
    key: primaryKeyOf(primaryKey) ?? uniqueKeyOf(uniqueIndexes, columns),
    rows: bigintOf(measured?.[0]),
    rowBytes: bigintOf(measured?.[1]),
  };
  return layout;
}

/**
 * Returns a column of the table; undefined for one that Oracle added for itself (a function-based index, an object's
 * attributes, a column set unused).
 */
function columnOf(row: Row): LayoutColumn | undefined {
  const value = required(row, "CDB_TAB_COLS");
  const hidden = value(6) === "YES";
  if (hidden && (value(7) === "NO" || /^SYS_(?:C|NC|STU)[0-9_$:]+/.test(value(0)))) return undefined;
  return {
    name: value(0),
    dataType: value(1),
    precision: numberOf(row[2]),
    scale: numberOf(row[3]),
    nullable: value(4) === "Y",
    virtual: value(5) === "YES",
    hidden,
  };
}

function defaultOf(name: string, defaults: LayoutRows["defaults"]): ColumnDefault {
  if (typeof defaults === "string") return { unread: defaults };
  const text = defaults.find((row) => row[0] === name)?.[1];
  return text === null || text === undefined ? { unread: "DBA_TAB_COLS does not show it" } : { text };
}

function primaryKeyOf(rows: readonly Row[]): TableKey | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const name = required(first, "CDB_CONSTRAINTS")(0);
  return { is: "primary key", name, columns: rows.map((row) => required(row, "CDB_CONS_COLUMNS")(1)) };
}

/**
 * Returns the first index, by name, whose columns are all columns of the table that are never null: otherwise a row
 * without a key could exist twice.
 */
function uniqueKeyOf(rows: readonly Row[], columns: readonly LayoutColumn[]): TableKey | undefined {
  const settled = new Set(columns.filter(({ nullable }) => !nullable).map(({ name }) => name));
  const indexes = new Map<string, { readonly name: string; readonly columns: string[] }>();
  for (const row of rows) {
    const value = required(row, "CDB_INDEXES");
    const id = JSON.stringify([value(0), value(1)]);
    const known = indexes.get(id) ?? { name: value(1), columns: [] };
    known.columns.push(value(2));
    indexes.set(id, known);
  }
  const found = [...indexes.values()].find((index) => index.columns.every((name) => settled.has(name)));
  return found && { is: "unique index", name: found.name, columns: found.columns };
}

function numberOf(text: string | null | undefined): number | undefined {
  return text === null || text === undefined ? undefined : Number(text);
}

function bigintOf(text: string | null | undefined): bigint | undefined {
  return text === null || text === undefined ? undefined : BigInt(text);
}

/**
 * Reads the defaults of the columns of a table.
 *
 * @param session used for nothing else: it switches to the table's container
 * @returns why they can't be read, if the database refuses: only records older than a column depend on them
 */
export async function readDefaults(
  session: Session,
  { container, owner, name }: TableSeen,
): Promise<readonly Row[] | string> {
  try {
    const [here] = await session.query(SESSION);
    if (here?.[0] !== container) await session.run(goTo(container), () => ({}));
    return await session.query(DEFAULTS_OF_TABLE, (driver) => textBinds(driver, { owner, table_name: name }));
  } catch (error) {
    if (!(error instanceof CallFailed) || error.code === undefined || error.kind === "lost") throw error;
    return error.message;
  }
}
