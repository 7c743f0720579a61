import { type ConnectorKind, isOfFlags } from "../document/intent.ts";
import { curlLine } from "../values/shell-word.ts";
import { type Check, fail, pass } from "./check.ts";
import { traceLine } from "./trace-line.ts";

const HEALTHY = new Set(["RUNNING", "PAUSED", "STOPPED"]);

/** A failed connector or task is a reason to move an offset, not an obstacle: it is stopped like any other. */
export const connectorNotHealthy: Check<ConnectorKind> = {
  code: "CON303",
  title: "The connector or its task is not healthy",
  problem: "What made it fail may make it fail again after the change.",
  remedy: readTheTrace("spec.forgetReleased"),
  grade: "advisory",

  run(intent, reading) {
    const { name, status } = reading.facts.connector;
    const { state, trace, tasks } = status;
    const ill = [
      ...(HEALTHY.has(state) ? [] : [`the connector is ${state}${traceLine(trace)}`]),
      ...tasks
        .filter((task) => !HEALTHY.has(task.state))
        .map((task) => `task ${task.id} is ${task.state}${traceLine(task.trace)}`),
    ];
    if (ill.length === 0) return pass;
    const stoppedForRedo = [trace, ...tasks.map((task) => task.trace)].some((text) =>
      /\bCDC-200[12]\b/.test(text ?? ""),
    );
    const restored = "way" in reading && reading.way === "signal" && stoppedForRedo;
    return fail({
      seen: ill.join("; "),
      ...(restored
        ? { remedies: [startAgain(reading.facts.worker.url, name)] }
        : intent.kind === "Resnapshot" && stoppedForRedo
          ? // The plan is about just that.
            { remedies: [] }
          : isOfFlags(intent.origin)
            ? { remedies: [readTheTrace("--forget-released")] }
            : {}),
    });
  },
};

/** @param forget what takes ids out of the ledger */
function readTheTrace(forget: string): string {
  return `Read the trace: CDC-2001 and CDC-2002 are about missing redo, CDC-7001 about released orphans (${forget}).`;
}

/** It stopped for redo that has come back since: nothing has to be skipped, and nothing snapshotted. */
function startAgain(url: string, connector: string): string {
  return (
    "All redo is there by now, so it can simply be started again, and loses nothing:  " +
    `${curlLine("POST", url, connector, "/restart?includeTasks=true&onlyFailed=true")}`
  );
}
