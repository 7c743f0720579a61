import { type Check, fail, pass } from "./check.ts";

/**
 * The database has not reached the SCN yet, so there is nothing to mine from it.
 *
 * Rule: specification, `offsets set`, rule 1.
 */
export const scnAboveCurrent: Check<"OffsetChange"> = {
  code: "OFF101",
  title: "The SCN lies above the database's current SCN",
  problem: "The database has not reached that SCN: the task would find no redo to start from.",
  remedy: "Give an SCN at or below the current one.",
  grade: "refusal",

  run(_intent, { target, facts: { database } }) {
    if (!target.pinned || target.scn <= database.currentScn) return pass;
    return fail({
      seen: `${target.scn} is above the current SCN of ${database.name}, which is ${database.currentScn}`,
      at: "spec.scn",
    });
  },
};
