import type { ConnectorStatus } from "../../facts/connector/connector.ts";
import type { ConnectorShown, PlanWorld } from "../../plan/plan.ts";
import type { ConnectorReading } from "./reading.ts";

/** What a plan shows of the world around a connector. */
export function worldShown({ facts, opsFormat }: ConnectorReading): PlanWorld {
  const { worker, connector, database } = facts;
  return {
    connectUrl: worker.url,
    connectVersion: worker.version,
    clusterId: worker.clusterId,
    database: {
      name: database.name,
      version: database.version,
      address: database.address,
      dbid: database.dbid,
      resetlogsScn: database.resetlogsScn,
      currentScn: database.currentScn,
      zone: database.zone,
    },
    opsTopic: connector.opsTopic,
    opsFormat,
    prefix: connector.prefix,
  };
}

export function connectorShown({ facts: { connector } }: ConnectorReading): ConnectorShown {
  return { name: connector.name, connectorClass: connector.connectorClass, ...standing(connector.status) };
}

/** How a connector and its tasks stand. */
export function standing(status: ConnectorStatus): Omit<ConnectorShown, "name" | "connectorClass"> {
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
