import { type Check, fail, pass } from "./check.ts";

/**
 * The verification waits until its stored position has passed the check SCN.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const newConnectorMissing: Check<"Verification"> = {
  code: "MIG202",
  title: "The new connector is not there",
  problem: "Without its stored position nobody can tell that it has delivered everything up to the check SCN.",
  remedy: "Carry out the cutover first (`phase: cutover`), or check `spec.to.name`.",
  grade: "refusal",

  run({ to }, { facts: { next, worker } }) {
    return next === undefined
      ? fail({ seen: `the workers at ${worker.url} have no connector ${to.name}`, at: "spec.to.name" })
      : pass;
  },
};
