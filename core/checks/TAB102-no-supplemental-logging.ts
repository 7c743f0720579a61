import { allColumnsLogged } from "../facts/database/needed-grants.ts";
import { type Check, fail, fine, type Item } from "./check.ts";
import { allCaptured, ofCaptured, overTables } from "./preflight-tables.ts";
import { inTheirPdbs, loggingFacts, loggingOf, unclearLogging } from "./table-logging.ts";

/** Rule: reference: Oracle, "Preflight rules": absent on a captured table, it blocks. */
export const noSupplementalLogging: Check<"Preflight"> = {
  code: "TAB102",
  title: "Captured tables without supplemental logging",
  problem:
    "Redo holds only the columns that an update changed: the row that it belongs to, and the rest of it, are not " +
    "in any log.",
  remedy: "Run the statements in each table's own PDB. What was changed before is not logged afterwards.",
  grade: "refusal",

  run(_intent, reading) {
    return overTables(reading, loggingFacts(reading), (tables, known) => {
      const logging = loggingOf(known);
      const concerned = tables.filter((table) => logging(table).logged === "nothing");
      const found = concerned.map((table): Item => {
        const { groups } = logging(table);
        const now = [...new Set(groups.filter(({ always }) => !always).map(({ type }) => type))];
        const seen = [
          ...(groups.some(({ holdsKey }) => holdsKey === false)
            ? ["a log group of its own, without the whole key"]
            : []),
          ...(now.length === 0 ? [] : [`only ${now.join(", ")}, where such a column is changed`]),
        ];
        return {
          name: table.fullName,
          ...(seen.length === 0 ? {} : { seen: seen.join("; ") }),
          sql: allColumnsLogged(table.owner, table.name),
        };
      });
      if (found.length === 0)
        return (
          unclearLogging(tables, logging, noSupplementalLogging.remedy) ??
          fine(`${allCaptured(tables)}: supplemental logging is on`)
        );
      return fail({
        seen: `${ofCaptured(found, tables)}: no supplemental logging`,
        items: found,
        remedies: inTheirPdbs(noSupplementalLogging.remedy, concerned, reading.facts.settings.tables.pdbs),
      });
    });
  },
};
