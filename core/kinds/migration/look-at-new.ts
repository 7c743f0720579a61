import { CallFailed } from "../../errors.ts";
import type { LegacySeen } from "../../facts/legacy-facts.ts";
import { allOrFirst } from "../../facts/observer.ts";
import type { ConnectPort } from "../../ports.ts";
import { maskConfiguration } from "../../values/secret.ts";

/**
 * A connector that may not be there. What is stored under the name of one that is not there can't be seen: Connect knows no offsets without
 * their connector.
 */
export async function lookAtNew(name: string, connect: ConnectPort): Promise<LegacySeen | undefined> {
  const [description, status] = await allOrFirst(connect.connector(name), connect.status(name));
  if (description === undefined || status === undefined) return undefined;
  const offsets = await connect
    .offsets(name)
    .catch((failure: unknown) =>
      failure instanceof CallFailed && failure.kind === "missing" ? [] : Promise.reject(failure),
    );
  const { config } = description;
  return { name, connectorClass: config["connector.class"], config: maskConfiguration(config), status, offsets };
}
