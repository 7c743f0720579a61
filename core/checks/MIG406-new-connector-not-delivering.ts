import { isRunning } from "../facts/connector/connector.ts";
import { type Check, fail, pass } from "./check.ts";
import { standingOf } from "./standing.ts";

/** After a retirement there is no way back, so what is left has to work. */
export const newConnectorNotDelivering: Check<"Retirement"> = {
  code: "MIG406",
  title: "The new connector is not there, or not RUNNING",
  problem: "With the legacy connector deleted nobody would deliver changes, and the way back would be gone.",
  remedy: "See to it that connector and task are RUNNING first; check `spec.to.name`.",
  grade: "refusal",

  run({ to }, { facts: { next, worker } }) {
    if (next === undefined)
      return fail({ seen: `the workers at ${worker.url} have no connector ${to.name}`, at: "spec.to.name" });
    return isRunning(next.status) ? pass : fail({ seen: standingOf(next) });
  },
};
