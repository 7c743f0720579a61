import { Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector/connector.ts";
import { isConnectorClass, LEGACY_CLASS } from "../../legacy/connector-class.ts";
import { redactSetting } from "../../redaction/redact.ts";

/**
 * Refuses what is not the CDC source connector, before anything in its configuration is used: whoever may name a
 * connector, in a plan file, would else choose by it which login goes where.
 *
 * @param named the class that the operator names (`--connector-class`, a context)
 * @throws Refusal `CON301`
 */
export function refuseForeignClass(description: ConnectorDescription, named: string | undefined): void {
  const { name, config } = description;
  const connectorClass = config["connector.class"]?.trim() || undefined;
  // What was deleted has no class any more; what is known of it are the names of its topics.
  if (Object.keys(config).every((setting) => /^cdc\.(?:topic|ops)\./.test(setting))) return;
  refuseOtherProgram(description);
  if (connectorClass === undefined || !isConnectorClass(connectorClass, named))
    throw refusal(name, connectorClass, "no login is used for it", true);
}

/** Refuses a connector without any `cdc.` setting: there is nothing to observe it by. @throws Refusal `CON301` */
export function refuseOtherProgram({ name, config }: ConnectorDescription): void {
  if (Object.keys(config).some((setting) => setting.startsWith("cdc."))) return;
  const connectorClass = config["connector.class"]?.trim() || undefined;
  throw refusal(name, connectorClass, "its configuration has no cdc.* settings");
}

/** @param configured it has settings of the connector, so that it may be a build of it that nobody named */
function refusal(name: string, connectorClass: string | undefined, why: string, configured = false): Refusal {
  // What is no class's name may be anything, a secret too.
  const shown = redactSetting("connector.class", connectorClass);
  const seen = `${name} is a ${shown ?? "connector without a class"}, not the CDC source connector: ${why}`;
  if (connectorClass === LEGACY_CLASS || (!configured && connectorClass?.endsWith("OracleCdcSourceConnector")))
    return new Refusal("CON301", seen, ["Its offsets have another form; name the connector that took over from it."]);
  return new Refusal("CON301", seen, [
    "Check target.connector.",
    ...(!configured || connectorClass === undefined || shown !== connectorClass
      ? []
      : [`If that is your build of the connector, set connectorClass in the context to ${connectorClass}.`]),
  ]);
}
