import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, fine, unknown } from "./check.ts";
import { databaseIn } from "./database.ts";

/** In NOARCHIVELOG mode redo is overwritten after a few switches. */
export const noArchivelog: Check<ConnectorKind | "Cutover" | "Preflight"> = {
  code: "DBA401",
  title: "The database is in NOARCHIVELOG mode",
  problem: "Redo is overwritten within a few log switches; the connector will soon stand before a gap.",
  remedy: "Restart the database mounted and run ALTER DATABASE ARCHIVELOG.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const database = databaseIn(facts);
    if (!database.known) return unknown(database.why, database.remedy);
    const { name, logMode } = database.value;
    const seen = `${name} is in ${logMode} mode`;
    return logMode === "NOARCHIVELOG" ? fail({ seen }) : fine(seen);
  },
};
