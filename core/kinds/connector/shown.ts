import type { Finding } from "../../checks/finding.ts";
import type { ConnectorStatus } from "../../facts/connector/connector.ts";
import type { ConnectorFacts, ConnectorSeen } from "../../facts/connector-facts.ts";
import type { ConnectorShown, PlanOutcome, PlanWorld } from "../../plan/plan.ts";

/** What a plan shows of the world around its connectors. @param at where the one with the ops topic keeps its records */
export function worldShown(
  { worker, database }: Pick<ConnectorFacts, "worker" | "database">,
  at: Pick<PlanWorld, "opsTopic" | "opsFormat" | "prefix">,
): PlanWorld {
  const { name, version, address, dbid, resetlogsScn, currentScn, zone } = database;
  return {
    connectUrl: worker.url,
    connectVersion: worker.version,
    clusterId: worker.clusterId,
    database: { name, version, address, dbid, resetlogsScn, currentScn, zone },
    opsTopic: at.opsTopic,
    opsFormat: at.opsFormat,
    prefix: at.prefix,
  };
}

export function connectorShown({
  name,
  connectorClass,
  status,
}: Pick<ConnectorSeen, "name" | "connectorClass" | "status">): ConnectorShown {
  return { name, connectorClass, ...standing(status) };
}

/** Whether a plan is good to be applied, by what its checks found. */
export function readiness(findings: readonly Pick<Finding, "effect">[]): PlanOutcome {
  return { state: findings.some(({ effect }) => effect === "blocks") ? "blocked" : "ready" };
}

/** How a connector and its tasks stand. */
function standing(status: ConnectorStatus): Omit<ConnectorShown, "name" | "connectorClass"> {
  return {
    state: status.state,
    worker: status.worker,
    tasks: status.tasks.map(({ id, state, worker }) => ({ id, state, worker })),
    ...failedWith(status),
  };
}

/** Of a trace no more than the code: the rest is shown by CON303. */
function failedWith({ state, trace, tasks }: ConnectorStatus): Pick<ConnectorShown, "failedWith"> {
  const traces = [{ state, trace }, ...tasks].flatMap((one) => (one.state === "FAILED" ? [one.trace ?? ""] : []));
  const code = /\bCDC-\d{4}\b/.exec(traces.join("\n"))?.[0];
  return code === undefined ? {} : { failedWith: code };
}
