import { Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector/connector.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { hasOwnSettings, isConnectorClass, LEGACY_CLASS } from "../../legacy/connector-class.ts";
import { refuseOther } from "../../legacy/debezium/foreign-connectors.ts";
import { redactSetting } from "../../redaction/redact.ts";
import { settingOf } from "../../values/config.ts";

/**
 * Refuses a connector that is not the CDC source connector, before its configuration is used. Otherwise the author of a
 * plan file could choose which login is sent where.
 *
 * @param named the class that the operator names (`--connector-class`, a context)
 * @throws Refusal `CON301`
 */
export function refuseForeignClass(description: ConnectorDescription, named: string | undefined): void {
  const { name, config } = description;
  const connectorClass = settingOf(config, "connector.class");
  // A deleted connector no longer has a class; only the names of its topics are known.
  if (Object.keys(config).every((setting) => /^cdc\.(?:topic|ops)\./.test(setting))) return;
  refuseOtherProgram(description);
  if (connectorClass === undefined || !isConnectorClass(connectorClass, named))
    throw refusal(name, connectorClass, "cdcctl uses no login for it", true);
}

/** Refuses a connector without any `cdc.` setting: it can't be observed. @throws Refusal `CON301` */
export function refuseOtherProgram({ name, config }: ConnectorDescription, offsets?: readonly OffsetEntry[]): void {
  refuseOther(name, config, offsets);
  if (hasOwnSettings(config)) return;
  const connectorClass = settingOf(config, "connector.class");
  throw refusal(name, connectorClass, "its configuration has no cdc.* settings");
}

/** @param configured it has settings of the connector, so it may be an unnamed build of it */
function refusal(name: string, connectorClass: string | undefined, why: string, configured = false): Refusal {
  // A value that is not a valid class name may be anything, even a secret.
  const shown = redactSetting("connector.class", connectorClass);
  const seen = `${name} is a ${shown ?? "connector without a class"}, not the CDC source connector: ${why}`;
  if (connectorClass === LEGACY_CLASS || (!configured && connectorClass?.endsWith("OracleCdcSourceConnector")))
    return new Refusal("CON301", seen, ["Name the connector that took over from it: its offsets have another form."]);
  return new Refusal("CON301", seen, [
    "Check `target.connector`.",
    ...(!configured || connectorClass === undefined || shown !== connectorClass
      ? []
      : [`If this is your build of the connector, set connectorClass in the context to ${connectorClass}.`]),
  ]);
}
