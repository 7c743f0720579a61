import { type Check, fail, fine } from "./check.ts";
import { keyFacts, keylessTables } from "./keyless-tables.ts";
import { ofCaptured, overTables } from "./preflight-tables.ts";

const FOLLOWS = {
  rowid: "their records are keyed by ROWID, which changes when a row moves",
  none: "their records have no key, and a compacted topic refuses them",
} as const;

export const keylessBySetting: Check<"Preflight"> = {
  code: "TAB107",
  title: "Captured tables are keyed as cdc.key.missing says",
  problem: "A ROWID changes when a row moves, and records without a key can't be told apart by consumers.",
  remedy: "Name columns that tell the rows apart in cdc.key.columns (OWNER.TABLE:COL1,COL2), if consumers need a key.",
  grade: "advisory",

  run(_intent, reading) {
    const { missing, columns } = reading.facts.settings.keys;
    return overTables(reading, keyFacts(reading), (tables, known) => {
      const found = keylessTables(tables, known, columns)
        .filter(({ notThere }) => notThere.length === 0)
        .map(({ table }) => ({ name: table.fullName }));
      if (found.length === 0) return fine("no captured table needs what cdc.key.missing says");
      if (missing === "fail") return fine("cdc.key.missing is fail: tables without a key are TAB106's");
      return fail({
        seen: `${ofCaptured(found, tables)}: no key, and cdc.key.missing is ${missing}: ${FOLLOWS[missing]}`,
        items: found,
      });
    });
  },
};
