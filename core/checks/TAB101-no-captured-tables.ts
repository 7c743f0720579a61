import { type Check, fail, fine, unknown } from "./check.ts";

export const noCapturedTables: Check<"Preflight"> = {
  code: "TAB101",
  title: "No table is captured",
  problem: "The connector starts and delivers nothing: no table that this login sees fits its patterns.",
  remedy:
    "Compare cdc.tables.include and cdc.tables.exclude with the names: they have to match PDB.SCHEMA.TABLE whole.",
  grade: "refusal",

  run(_intent, { captured, facts: { settings } }) {
    if (!captured.known) return unknown(captured.why, captured.remedies[0]);
    const { length } = captured.tables;
    if (length > 0) return fine(`${length} captured ${length === 1 ? "table" : "tables"}`);
    return fail({
      seen: `none of the tables that this login sees matches cdc.tables.include: ${settings.tables.include ?? ""}`,
    });
  },
};
