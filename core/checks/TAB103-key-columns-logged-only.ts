import { allColumnsLogged } from "../facts/database/needed-grants.ts";
import { type Check, fail, fine, type Item } from "./check.ts";
import { ofCaptured, overTables } from "./preflight-tables.ts";
import { inTheirPdbs, loggingFacts, loggingOf, unclearLogging } from "./table-logging.ts";

/** Rule: reference: Oracle, "Preflight rules": with the primary key only, it warns. */
export const keyColumnsLoggedOnly: Check<"Preflight"> = {
  code: "TAB103",
  title: "Captured tables that log their key columns only",
  problem: "An update delivers its key and the columns that it changed; for the others there is only the placeholder.",
  remedy: "Run the statements in each table's own PDB, if consumers need whole rows.",
  grade: "advisory",

  run(_intent, reading) {
    return overTables(reading, loggingFacts(reading), (tables, known) => {
      const logging = loggingOf(known);
      const concerned = tables.filter((table) => logging(table).logged === "key columns");
      const found = concerned.map((table): Item => {
        const { groups } = logging(table);
        const own = groups.some(({ always, type }) => always && type === "USER LOG GROUP");
        return {
          name: table.fullName,
          ...(own ? { seen: "columns of a log group of its own" } : {}),
          sql: allColumnsLogged(table.owner, table.name),
        };
      });
      if (found.length === 0)
        return (
          unclearLogging(tables, logging, keyColumnsLoggedOnly.remedy) ??
          fine("no captured table logs its key columns only")
        );
      return fail({
        seen: `${ofCaptured(found, tables)}: key columns are logged only`,
        items: found,
        remedies: inTheirPdbs(keyColumnsLoggedOnly.remedy, concerned, reading.facts.settings.tables.pdbs),
      });
    });
  },
};
