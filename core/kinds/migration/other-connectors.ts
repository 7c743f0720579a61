import type { OtherConnector } from "../../facts/migration-facts.ts";
import { allOrFirst } from "../../facts/observer.ts";
import { LEGACY_CLASS } from "../../legacy/connector-class.ts";
import { legacyWrites, licenceTopicOf } from "../../legacy/written-topics.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import { redactSetting } from "../../redaction/redact.ts";

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
        connectorClass: redactSetting("connector.class", connectorClass),
        prefix: config["cdc.topic.prefix"],
        ...(connectorClass === LEGACY_CLASS
          ? { licenceTopic: licenceTopicOf(config), writes: legacyWrites(name, config) }
          : { licenceTopic: undefined, writes: undefined }),
      },
    ];
  });
}
