import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, fine, unknown } from "./check.ts";
import { databaseIn } from "./database.ts";

const TURN_ON =
  "Turn it on, as SYS, after SHUTDOWN IMMEDIATE and STARTUP MOUNT, and open the database again:  ALTER DATABASE " +
  "ARCHIVELOG;";

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
    if (logMode === "NOARCHIVELOG") return fail({ seen, remedies: [TURN_ON] });
    if (logMode === "ARCHIVELOG") return fine(seen);
    // A plan moves within the redo that there is. A connector to come lives on what will be archived: nobody knows
    // whether somebody does it.
    if (logMode === "MANUAL" && !("known" in facts.database)) return fine(seen);
    return unknown(
      logMode === "MANUAL"
        ? `${seen}: logs are archived when somebody does it`
        : `${name} is in a log mode that is not known here: ${logMode === "" ? "an empty one" : logMode}`,
      "Have logs archived automatically, with the database mounted:  ALTER DATABASE ARCHIVELOG;",
    );
  },
};
