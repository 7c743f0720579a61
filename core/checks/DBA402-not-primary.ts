import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, fine, unknown } from "./check.ts";
import { databaseIn } from "./database.ts";
import { settingsIn } from "./settings.ts";

/** Online capture mines a primary that is open read write; a standby's catalogue and current SCN lag behind. */
export const notPrimary: Check<ConnectorKind | "Cutover" | "Preflight"> = {
  code: "DBA402",
  title: "The database is not a primary open for writing",
  problem:
    "A standby has no online redo of its own and its current SCN lags: what is checked here may not hold for the " +
    "primary.",
  remedy: "Connect the connector to the primary, or capture with cdc.capture.mode=archive_only.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const database = databaseIn(facts);
    if (settingsIn(facts).captureMode !== "online")
      return fine("cdc.capture.mode=archive_only: it need not be a primary open for writing");
    if (!database.known) return unknown(database.why, database.remedy);
    const { name, role, openMode } = database.value;
    const seen = `${name} is a ${role}, open ${openMode}`;
    return role === "PRIMARY" && openMode === "READ WRITE" ? fine(seen) : fail({ seen });
  },
};
