import { type Check, fail, fine, type Item } from "./check.ts";
import { allCaptured, ofCaptured, overTables } from "./preflight-tables.ts";
import { addLogging, inTheirPdbs, loggingFacts, loggingOf } from "./table-logging.ts";

/** Rule: reference: Oracle, "Preflight rules": absent on a captured table, it blocks. */
export const noSupplementalLogging: Check<"Preflight"> = {
  code: "TAB102",
  title: "Captured tables without supplemental logging",
  problem:
    "Redo holds only the columns that an update changed: the row that it belongs to, and the rest of it, are not in any log.",
  remedy: "Run the statements in each table's own PDB. What was changed before is not logged afterwards.",
  grade: "refusal",

  run(_intent, reading) {
    return overTables(reading, loggingFacts(reading), (tables, known) => {
      const logging = loggingOf(known);
      const concerned = tables.filter((table) => logging(table).logged === "nothing");
      const found = concerned.map((table): Item => {
        const { groups } = logging(table);
        const types = [...new Set(groups.map(({ type }) => type))];
        return {
          name: table.fullName,
          ...(types.length === 0 ? {} : { seen: `only ${types.join(", ")}, where such a column is changed` }),
          ...addLogging(table),
        };
      });
      if (found.length === 0) return fine(`${allCaptured(tables)}: supplemental logging is on`);
      return fail({
        seen: `${ofCaptured(found, tables)}: no supplemental logging`,
        items: found,
        remedies: inTheirPdbs(noSupplementalLogging.remedy, concerned, reading.facts.settings.tables.pdbs),
      });
    });
  },
};
