import { type Check, fail, fine, type Item } from "./check.ts";
import { keyFacts, keylessTables } from "./keyless-tables.ts";
import { allCaptured, ofCaptured, overTables } from "./preflight-tables.ts";

/** Rule: reference: Oracle, "Preflight rules": a key, else what `cdc.key.missing` says. */
export const noKey: Check<"Preflight"> = {
  code: "TAB106",
  title: "Captured tables without a key",
  problem: "With cdc.key.missing=fail, the default, the task fails at the first such table.",
  remedy:
    "Name columns that tell the rows apart in cdc.key.columns (OWNER.TABLE:COL1,COL2); give the table a primary " +
    "key; or set cdc.key.missing to rowid or none.",
  grade: "refusal",

  run(_intent, reading) {
    const { missing, columns } = reading.facts.settings.keys;
    return overTables(reading, keyFacts(reading), (tables, known) => {
      const found = keylessTables(tables, known, columns).map(({ table: { fullName }, notThere }): Item => {
        if (notThere.length === 0) return { name: fullName };
        return { name: fullName, seen: `cdc.key.columns names ${notThere.join(", ")}, which it has not` };
      });
      // A key that is named wrongly is no key that is missing: that fails whatever the setting says.
      const failing = missing === "fail" ? found : found.filter(({ seen }) => seen !== undefined);
      if (failing.length > 0)
        return fail({
          seen: `${ofCaptured(failing, tables)}: ${
            failing.every(({ seen }) => seen !== undefined)
              ? "cdc.key.columns names columns that do not exist"
              : `no key, and cdc.key.missing is ${missing}`
          }`,
          items: failing,
        });
      return found.length === 0
        ? fine(`${allCaptured(tables)}: rows have a key`)
        : fine(`cdc.key.missing=${missing} says what becomes of tables without a key`);
    });
  },
};
