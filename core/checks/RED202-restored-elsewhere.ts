import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/** Copies restored under another destination close no gap: the connector reads its own destination only. */
export const restoredElsewhere: Check<ConnectorKind | "Cutover"> = {
  code: "RED202",
  title: "Missing logs are listed under another destination",
  problem: "The connector reads its own archive destination only, so these copies are of no use to it.",
  remedy:
    "Restore them to the connector's destination (RMAN: SET ARCHIVELOG DESTINATION), or set cdc.archive.destination.",
  grade: "advisory",

  run(_intent, reading) {
    const { redo } = "takeover" in reading ? reading.takeover : reading;
    if (redo === undefined) return pass;
    if (!redo.known) return unknown(`the redo can't be seen: ${redo.why}`, redo.remedy);
    if (redo.value.restoredElsewhere.length === 0) return pass;
    const copies = redo.value.restoredElsewhere;
    const named = copies
      .slice(0, 5)
      .map(
        ({ thread, sequence, destination }) => `thread ${thread} sequence ${sequence} under destination ${destination}`,
      );
    return fail({ seen: `${named.join(", ")}${copies.length > 5 ? ` and ${copies.length - 5} more` : ""}` });
  },
};
