import type { ColumnOfNote, KeyedTable } from "../facts/preflight.ts";
import { keyColumnsIn } from "../facts/tables/key-columns.ts";
import { byTable, type CapturedTable } from "../facts/tables/tables.ts";
import { quoted } from "../values/table-name.ts";
import { fail, fine, type Item } from "./check.ts";
import { allCaptured, type CheckOfTables, ofCaptured, overTables } from "./tables.ts";

/** Rule: reference: Oracle, "Preflight rules": a key, else `cdc.key.missing` applies. */
export const noKey: CheckOfTables<"keys" | "columns" | "settings"> = {
  code: "TAB106",
  title: "Captured tables without a key",
  problem: "With cdc.key.missing=fail, the default, the task fails at the first such table.",
  remedy:
    "Name columns that identify a row in cdc.key.columns (OWNER.TABLE:COL1,COL2); give the table a primary key; or " +
    "set cdc.key.missing to rowid or none.",
  grade: "refusal",

  run(_intent, reading) {
    const { missing, columns } = reading.facts.settings.keys;
    return overTables(reading, ["keys", "columns"], (tables, known) => {
      const found = keylessTables(tables, known, columns).map(({ table: { fullName }, notThere }): Item => {
        if (notThere.length === 0) return { name: fullName };
        return { name: fullName, seen: `cdc.key.columns names ${notThere.join(", ")}, which it does not have` };
      });
      // A wrong key is not a missing key: it fails whatever the setting is.
      const failing = missing === "fail" ? found : found.filter(({ seen }) => seen !== undefined);
      if (failing.length > 0)
        return fail(
          `${ofCaptured(failing, tables)}: ${
            failing.every(({ seen }) => seen !== undefined)
              ? "cdc.key.columns names columns that do not exist"
              : `no key, and cdc.key.missing is ${missing}`
          }`,
          { items: failing },
        );
      return found.length === 0
        ? fine(`${allCaptured(tables)}: rows have a key`)
        : fine(`cdc.key.missing=${missing} decides how tables without a key are handled`);
    });
  },
};

const FOLLOWS = {
  rowid: "their records are keyed by ROWID, which changes when a row moves",
  none: "their records have no key, and a compacted topic refuses them",
} as const;

export const keylessBySetting: CheckOfTables<"keys" | "columns" | "settings"> = {
  code: "TAB107",
  title: "Captured tables use the fallback in cdc.key.missing",
  problem: "A ROWID changes when a row moves, and consumers can't distinguish records without a key.",
  remedy: "Name columns that identify a row in cdc.key.columns (OWNER.TABLE:COL1,COL2), if consumers need a key.",
  grade: "advisory",

  run(_intent, reading) {
    const { missing, columns } = reading.facts.settings.keys;
    return overTables(reading, ["keys", "columns"], (tables, known) => {
      const found = keylessTables(tables, known, columns)
        .filter(({ notThere }) => notThere.length === 0)
        .map(({ table }) => ({ name: table.fullName }));
      if (found.length === 0) return fine("cdc.key.missing does not apply to any captured table");
      if (missing === "fail") return fine("cdc.key.missing is fail: see TAB106 for tables without a key");
      return fail(`${ofCaptured(found, tables)}: no key, and cdc.key.missing is ${missing}: ${FOLLOWS[missing]}`, {
        items: found,
      });
    });
  },
};

/**
 * A snapshot reads a table without a key in ranges of ROWID: a row that moves meanwhile is read twice, or not at all.
 *
 * Rule: the connector's own preflight, DOC-7.
 */
export const keylessRowsMove: CheckOfTables<"keys" | "columns" | "moving" | "settings"> = {
  code: "TAB109",
  title: "Rows of tables without a key may move",
  problem: "A row that moves while a snapshot runs is read twice or missed; keyed by ROWID, its key changes.",
  remedy: "Disable row movement, or name columns that identify a row in cdc.key.columns (OWNER.TABLE:COL1,COL2).",
  grade: "advisory",

  run(_intent, reading) {
    return overTables(reading, ["keys", "columns", "moving"], (tables, known) => {
      const movingOf = byTable(known.moving);
      const found = keylessTables(tables, known, reading.facts.settings.keys.columns)
        .filter(({ table }) => movingOf(table).length > 0)
        .map(
          ({ table }): Item => ({
            name: table.fullName,
            sql: `ALTER TABLE ${quoted(table.owner)}.${quoted(table.name)} DISABLE ROW MOVEMENT;`,
          }),
        );
      if (found.length === 0) return fine("no captured table without a key has row movement enabled");
      return fail(`${ofCaptured(found, tables)}: no key, and ROW MOVEMENT enabled`, { items: found });
    });
  },
};

/** A table without a usable key, and the columns that `cdc.key.columns` names and the table does not have. */
interface Keyless {
  readonly table: CapturedTable;
  readonly notThere: readonly string[];
}

/**
 * The captured tables without a usable key: `cdc.key.columns` names columns that the table does not have, or names
 * none, and the table has neither a primary key nor a unique index on NOT NULL columns. The setting takes precedence
 * over the table's own key.
 *
 * Rule: reference: Oracle, "Preflight rules".
 */
function keylessTables(
  tables: readonly CapturedTable[],
  known: { readonly keys: readonly KeyedTable[]; readonly columns: readonly ColumnOfNote[] },
  setting: string | undefined,
): readonly Keyless[] {
  const keysOf = byTable(known.keys);
  const columnsOf = byTable(known.columns);
  const named = keyColumnsIn(setting);
  return tables.flatMap((table) => {
    const wanted = named(table);
    if (wanted === undefined) return keysOf(table).length > 0 ? [] : [{ table, notThere: [] }];
    const there = new Set(columnsOf(table).map(({ column }) => column.toUpperCase()));
    const notThere = wanted.filter((name) => !there.has(name));
    return notThere.length === 0 ? [] : [{ table, notThere }];
  });
}
