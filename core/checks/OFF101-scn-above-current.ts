import type { ConnectorKind } from "../document/intent.ts";
import { aboveCurrent, misplaced } from "../facts/offset/origin.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * The database has not reached the SCN yet, so there is nothing to mine from it. A resnapshot leaves the stored
 * position, or moves on from it: where the database has not reached that one, whether redo is missing can't be told.
 *
 * Rule: specification, `offsets set`, rule 1.
 */
export const scnAboveCurrent: Check<ConnectorKind> = {
  code: "OFF101",
  title: "The SCN lies above the database's current SCN",
  problem: "The database has not reached that SCN: the task would find no redo to start from.",
  remedy: "Give an SCN at or below the current one.",
  grade: "refusal",

  run(_intent, reading) {
    const { database, connector } = reading.facts;
    if ("target" in reading) {
      const { target } = reading;
      if (!target.pinned || target.scn <= database.currentScn) return pass;
      return fail({ seen: aboveCurrent(`${target.scn}`, database), at: "spec.scn" });
    }
    if (reading.stored.state !== "stored") return pass;
    const found = misplaced(reading.stored.offset, database, connector.name);
    return found?.code === "OFF101" ? fail({ seen: found.seen, remedies: found.remedies }) : pass;
  },
};
