import { CallFailed } from "../../errors.ts";
import type { DeployedConnector } from "../../facts/connector-facts.ts";
import { allOrFirst } from "../../facts/observer.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import { redactConfiguration, redactSetting } from "../../redaction/redact.ts";

/**
 * A connector as its workers show it; undefined where they have none of the name. What is stored under the name of one
 * that is not there can't be seen: Connect knows no offsets without their connector.
 *
 * @throws CallFailed also for one without a status: it is there, and taken for missing it would be created, or the
 * other one started beside it
 */
export async function lookAtDeployed(name: string, connect: ConnectPort): Promise<DeployedConnector | undefined> {
  const [description, status] = await allOrFirst(connect.connector(name), connect.status(name));
  if (description === undefined) return undefined;
  if (status === undefined)
    throw new CallFailed({
      system: "connect",
      kind: "missing",
      message: `the workers at ${connect.url} don't say what ${name} does: it has no status`,
      remedy: "It may just have been created; try again.",
    });
  const offsets = await connect
    .offsets(name)
    .catch((failure: unknown) =>
      failure instanceof CallFailed && failure.kind === "missing" ? [] : Promise.reject(failure),
    );
  const { config } = description;
  return {
    name,
    connectorClass: redactSetting("connector.class", config["connector.class"]),
    config: redactConfiguration(config),
    status,
    offsets,
  };
}
