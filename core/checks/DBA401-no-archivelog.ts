import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/** In NOARCHIVELOG mode redo is overwritten after a few switches. */
export const noArchivelog: Check<ConnectorKind | "Cutover"> = {
  code: "DBA401",
  title: "The database is in NOARCHIVELOG mode",
  problem: "Redo is overwritten within a few log switches; the connector will soon stand before a gap.",
  remedy: "Restart the database mounted and run ALTER DATABASE ARCHIVELOG.",
  grade: "acceptable",

  run(_intent, { facts: { database } }) {
    return database.logMode === "NOARCHIVELOG"
      ? fail({ seen: `${database.name} is in ${database.logMode} mode` })
      : pass;
  },
};
