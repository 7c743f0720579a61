import type { OtherConnector } from "../../facts/migration-facts.ts";
import { allOrFirst } from "../../facts/observer.ts";
import type { ConnectPort } from "../../ports.ts";

const LEGACY_CLASS = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";
/** `confluent.topic`, where the legacy connector keeps its licence. */
const LICENCE_TOPIC = "_confluent-command";

/** Whether a class is the legacy connector's. */
export function isLegacyClass(connectorClass: string | undefined): boolean {
  return connectorClass === LEGACY_CLASS;
}

/** The licence topic of a legacy connector's configuration (reference: legacy properties). */
export function licenceTopicOf(config: Readonly<Record<string, string>>): string {
  const set = config["confluent.topic"]?.trim();
  return set === undefined || set === "" ? LICENCE_TOPIC : set;
}

/** Every other connector of the cluster. One that is deleted meanwhile is left out. */
export async function otherConnectors(
  connect: ConnectPort,
  own: readonly string[],
): Promise<readonly OtherConnector[]> {
  const names = (await connect.connectors()).filter((name) => !own.includes(name)).sort();
  const descriptions = await allOrFirst(...names.map((name) => connect.connector(name)));
  return descriptions.flatMap((description): OtherConnector[] => {
    if (description === undefined) return [];
    const { name, config } = description;
    const connectorClass = config["connector.class"];
    return [
      {
        name,
        connectorClass,
        prefix: config["cdc.topic.prefix"],
        licenceTopic: isLegacyClass(connectorClass) ? licenceTopicOf(config) : undefined,
      },
    ];
  });
}
