import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

const HEALTHY = new Set(["RUNNING", "PAUSED", "STOPPED"]);

/** A failed connector or task is a reason to move an offset, not an obstacle: it is stopped like any other. */
export const connectorNotHealthy: Check<ConnectorKind> = {
  code: "CON303",
  title: "The connector or its task is not healthy",
  problem: "What made it fail may make it fail again after the change.",
  remedy:
    "Read the trace: CDC-2001 and CDC-2002 are about missing redo, CDC-7001 about released orphans (spec.forgetReleased).",
  grade: "advisory",

  run(_intent, { facts: { connector } }) {
    const { state, trace, tasks } = connector.status;
    const ill = [
      ...(HEALTHY.has(state) ? [] : [`the connector is ${state}${firstLine(trace)}`]),
      ...tasks
        .filter((task) => !HEALTHY.has(task.state))
        .map((task) => `task ${task.id} is ${task.state}${firstLine(task.trace)}`),
    ];
    return ill.length === 0 ? pass : fail({ seen: ill.join("; ") });
  },
};

function firstLine(trace: string | undefined): string {
  const line = trace?.split("\n", 1)[0]?.slice(0, 300);
  return line === undefined || line === "" ? "" : `: ${line}`;
}
