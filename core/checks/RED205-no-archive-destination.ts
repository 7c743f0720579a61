import { destinationOf } from "../facts/redo/logs.ts";
import { type Check, fail, fine, unknown } from "./check.ts";

const MEND =
  "Mend the destination, or let cdc.archive.destination name a valid local one. What is wrong with it:  SELECT " +
  "DEST_NAME, STATUS, ERROR FROM V$ARCHIVE_DEST;";

/** The connector reads the archived logs of one destination: the one that is named, or the lowest valid local one. */
export const noArchiveDestination: Check<"Preflight"> = {
  code: "RED205",
  title: "No valid local archive destination",
  problem:
    "The connector reads archived logs from one valid local destination; without it the task finds no archived redo.",
  remedy:
    "Mend the destination (V$ARCHIVE_DEST.ERROR says what is wrong), or let cdc.archive.destination name a valid " +
    "local one.",
  grade: "refusal",

  run(_intent, { facts: { destinations, settings } }) {
    if (!destinations.known) return unknown(destinations.why, destinations.remedy);
    const wanted = settings.archiveDestination;
    const found = destinationOf(destinations.value, wanted);
    if (found !== undefined)
      return fine(
        `archived logs are read from ${found.name}${wanted === undefined ? ", the lowest valid local one" : ""}`,
      );
    const used = destinations.value.filter(({ status }) => status !== "INACTIVE");
    const listed =
      used.length === 0
        ? "no destination is in use"
        : used.map(({ name, status, type }) => `${name} is ${status}, ${type}`).join("; ");
    return fail({
      remedies: [MEND],
      seen:
        wanted === undefined
          ? `no archive destination is valid and local: ${listed}`
          : `cdc.archive.destination is ${wanted}, which is not a valid local one: ${listed}`,
    });
  },
};
