import { isRunning } from "../facts/connector/connector.ts";
import { type Check, fail, pass } from "./check.ts";
import { standingOf } from "./standing.ts";

/** One that stands still can have passed the check SCN before; otherwise it is waited for in vain. */
export const newConnectorNotRunning: Check<"Verification"> = {
  code: "MIG208",
  title: "The new connector is not RUNNING",
  problem: "It does not pass the check SCN unless it has passed it already: the verification would wait in vain.",
  remedy: "Resume it, or restart its task.",
  grade: "advisory",

  run(_intent, { facts: { next } }) {
    return next === undefined || isRunning(next.status) ? pass : fail({ seen: standingOf(next) });
  },
};
