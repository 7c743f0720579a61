import type { DeployedConnector } from "../facts/connector-facts.ts";
import { traceLine } from "./trace-line.ts";

/** How a connector and its tasks stand: `orders-cdc is RUNNING; its task 0 is FAILED: …`. */
export function standingOf({ name, status }: Pick<DeployedConnector, "name" | "status">): string {
  const tasks = status.tasks.filter(({ state }) => state !== "RUNNING");
  return [
    `${name} is ${status.state}${traceLine(status.trace)}`,
    ...tasks.map(({ id, state, trace }) => `its task ${id} is ${state}${traceLine(trace)}`),
    ...(status.state === "RUNNING" && status.tasks.length === 0 ? ["it has no task"] : []),
  ].join("; ");
}
