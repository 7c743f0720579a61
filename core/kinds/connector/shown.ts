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
  return {
    name: connector.name,
    connectorClass: connector.connectorClass,
    state: connector.status.state,
    worker: connector.status.worker,
    tasks: connector.status.tasks.map(({ id, state, worker }) => ({ id, state, worker })),
  };
}
