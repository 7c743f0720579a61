import { Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector/connector.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { hasOwnSettings, isConnectorClass } from "../../legacy/connector-class.ts";
import { possibleLegacy, refuseOther } from "../../legacy/legacy-kind.ts";
import { redactSetting } from "../../redaction/redact.ts";
import { type Config, settingOf } from "../../values/config.ts";

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
    throw refusal(name, config, "cdcctl uses no login for it");
}

/** Refuses a connector without any `cdc.` setting: it can't be observed. @throws Refusal `CON301` */
export function refuseOtherProgram({ name, config }: ConnectorDescription, offsets?: readonly OffsetEntry[]): void {
  refuseOther(name, config, offsets);
  if (hasOwnSettings(config)) return;
  throw refusal(name, config, "its configuration has no cdc.* settings");
}

function refusal(name: string, config: Config, why: string): Refusal {
  const connectorClass = settingOf(config, "connector.class");
  // A value that is not a valid class name may be anything, even a secret.
  const shown = redactSetting("connector.class", connectorClass);
  const seen = `${name} is a ${shown ?? "connector without a class"}, not the CDC source connector: ${why}`;
  const legacy = possibleLegacy(config);
  if (legacy !== undefined) return new Refusal("CON301", seen, legacy.remedies);
  const mayBeBuild = hasOwnSettings(config) && connectorClass !== undefined && shown === connectorClass;
  const check = "Check `target.connector`.";
  const build = `If this is your build of the connector, set connectorClass in the context to ${connectorClass}.`;
  return new Refusal("CON301", seen, mayBeBuild ? [check, build] : [check]);
}
