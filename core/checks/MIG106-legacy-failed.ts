import { hasFailed } from "../facts/connector/connector.ts";
import { type Check, fail, pass } from "./check.ts";
import { traceLine } from "./trace-line.ts";

/** It is stopped like any other, and its stored position is what counts. */
export const legacyFailed: Check<"Cutover"> = {
  code: "MIG106",
  title: "The legacy connector or its task has failed",
  problem: "It delivers nothing since; what made it fail may make the new connector fail too.",
  remedy: "Read the trace: missing redo, a right or a table may be missing for the new connector as well.",
  grade: "advisory",

  run(_intent, { facts: { legacy } }) {
    const { name, status } = legacy;
    if (!hasFailed(status)) return pass;
    const tasks = status.tasks.filter(({ state }) => state === "FAILED");
    return fail({
      seen: [
        ...(status.state === "FAILED" ? [`${name} has FAILED${traceLine(status.trace)}`] : []),
        ...tasks.map(({ id, trace }) => `task ${id} of ${name} has FAILED${traceLine(trace)}`),
      ].join("; "),
    });
  },
};
