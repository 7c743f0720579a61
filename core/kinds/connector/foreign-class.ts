import { Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector.ts";
import { isConnectorClass, LEGACY_CLASS } from "../../legacy/connector-class.ts";

/**
 * Refuses what is not the CDC source connector, before anything in its configuration is used: whoever may name a connector, in a plan file, would else
 * choose by it which login goes where.
 *
 * @param named the class that the operator names (`--connector-class`, a context)
 * @throws Refusal `CON301`
 */
export function refuseForeignClass(description: ConnectorDescription, named: string | undefined): void {
  const { name, config } = description;
  const connectorClass = config["connector.class"]?.trim() || undefined;
  // What was deleted has no class any more; what is known of it are the names of its topics.
  if (connectorClass === undefined && Object.keys(config).every((setting) => /^cdc\.(?:topic|ops)\./.test(setting)))
    return;
  refuseOtherProgram(description);
  if (connectorClass === undefined || !isConnectorClass(connectorClass, named))
    throw refusal(
      `${name} is a ${connectorClass ?? "connector without a class"}, not the CDC source connector: no login is used for it`,
      connectorClass,
    );
}

/** A connector without any `cdc.` setting is another program's: there is nothing to observe it by. @throws Refusal `CON301` */
export function refuseOtherProgram({ name, config }: ConnectorDescription): void {
  if (Object.keys(config).some((setting) => setting.startsWith("cdc."))) return;
  const connectorClass = config["connector.class"]?.trim() || undefined;
  throw refusal(
    `${name} is a ${connectorClass ?? "connector without a class"}, not the CDC source connector: its configuration has no cdc.* settings`,
    connectorClass,
  );
}

function refusal(seen: string, connectorClass: string | undefined): Refusal {
  if (connectorClass === LEGACY_CLASS || connectorClass?.includes("OracleCdcSourceConnector"))
    return new Refusal("CON301", seen, ["Its offsets have another form; name the connector that took over from it."]);
  return new Refusal("CON301", seen, [
    "Check target.connector.",
    ...(connectorClass === undefined
      ? []
      : [`If that is your build of the connector, set connectorClass in the context to ${connectorClass}.`]),
  ]);
}
