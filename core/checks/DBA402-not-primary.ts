import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";
import { settingsIn } from "./settings.ts";

/** Online capture mines a primary that is open read write; a standby's catalogue and current SCN lag behind. */
export const notPrimary: Check<ConnectorKind | "Cutover"> = {
  code: "DBA402",
  title: "The database is not a primary open for writing",
  problem:
    "A standby has no online redo of its own and its current SCN lags: what is checked here may not hold for the primary.",
  remedy: "Connect the connector to the primary, or capture with cdc.capture.mode=archive_only.",
  grade: "acceptable",

  run(_intent, { facts }) {
    const { database } = facts;
    if (
      settingsIn(facts).captureMode !== "online" ||
      (database.role === "PRIMARY" && database.openMode === "READ WRITE")
    )
      return pass;
    return fail({ seen: `${database.name} is a ${database.role}, open ${database.openMode}` });
  },
};
