import { UsageError } from "../errors.ts";
import type { PluginDescription } from "../facts/connector/connector.ts";
import { type Config, settingOf } from "../values/config.ts";
import type { Advice } from "../values/remedy.ts";
import { truncate } from "../values/truncate.ts";

export const LEGACY_CLASS = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";
export const DEBEZIUM_CLASS = "io.debezium.connector.oracle.OracleConnector";

export const LEGACY_CLASSES: readonly string[] = [LEGACY_CLASS, DEBEZIUM_CLASS];

/** Class of the connector as its reference documents it. Builds under another class exist. */
export const CONNECTOR_CLASS = "sh.oso.connect.oracle.OracleCdcSourceConnector";

const SIMPLE_NAME = CONNECTOR_CLASS.slice(CONNECTOR_CLASS.lastIndexOf(".") + 1);

/**
 * Checks a class that an operator names in place of the documented one (`--connector-class`, `connectorClass` of a
 * context).
 *
 * @throws UsageError for a text that is not a Java class name, and for the legacy connector's class
 */
export function checkConnectorClass(text: string): string {
  const name = text.trim();
  if (!/^[\p{L}_$][\p{L}\d_$]*(\.[\p{L}_$][\p{L}\d_$]*)*$/u.test(name) || name.length > 500)
    throw new UsageError(
      `${JSON.stringify(truncate(text, 100))} is not a Java class name`,
      `Write it as GET /connector-plugins lists it, such as ${CONNECTOR_CLASS}.`,
    );
  if (LEGACY_CLASSES.includes(name))
    throw new UsageError(`${name} is a legacy connector's class`, "Name the class of the connector to migrate to.");
  return name;
}

/**
 * Whether a class is one of the connector's: the documented one, the one that the operator names, or another build
 * under its simple name. A login goes to the hosts of no other connector.
 *
 * @param named by `--connector-class` or the context
 */
export function isConnectorClass(className: string, named: string | undefined): boolean {
  if (LEGACY_CLASSES.includes(className)) return false;
  return className === named || className === SIMPLE_NAME || className.endsWith(`.${SIMPLE_NAME}`);
}

/** What a connector is by its class. @param named as `isConnectorClass` takes it */
export function kindOfClass(config: Config, named: string | undefined): "cdc" | "legacy" | "other" {
  const className = settingOf(config, "connector.class") ?? "";
  if (LEGACY_CLASSES.includes(className)) return "legacy";
  return isConnectorClass(className, named) ? "cdc" : "other";
}

/** Names that Connect takes for either class (Kafka Connect, `PluginUtils.simpleName` and `prunedName`). */
const ALIASES = [SIMPLE_NAME, SIMPLE_NAME.replace(/Connector$/, "")];

/**
 * Whether a class says nothing of which connector it is, the new one or Confluent's, which have the same simple name:
 * an alias, another build's class, or a reference that only the worker resolves. The new connector's settings tell
 * them apart.
 */
export function isAlias(className: string): boolean {
  return ALIASES.includes(className) || className.endsWith(`.${SIMPLE_NAME}`) || className.includes("${");
}

export function hasOwnSettings(config: Config): boolean {
  return Object.keys(config).some((name) => name.startsWith("cdc."));
}

/**
 * Classes among the workers' plugins that can be builds of the connector: those with its simple name, except the legacy
 * connector's.
 */
export function buildsAmong(plugins: readonly PluginDescription[]): readonly string[] {
  return plugins.map(({ className }) => className).filter((name) => isConnectorClass(name, undefined));
}

interface ClassNotInstalled {
  /** What is missing, to follow the name of a worker or "the workers". */
  readonly seen: string;
  readonly remedies: readonly Advice[];
}

/**
 * What to report when the workers do not list the class that a configuration names: whether they have the documented
 * class instead, or another build.
 *
 * @param builds as `buildsAmong` returns them
 */
export function classMissing(wanted: string, builds: readonly string[]): ClassNotInstalled {
  if (wanted !== CONNECTOR_CLASS && builds.includes(CONNECTOR_CLASS))
    return {
      seen: `no ${wanted}, but ${CONNECTOR_CLASS}`,
      remedies: ["Remove --connector-class, connectorClass and connector.class to use the installed class."],
    };
  return {
    seen: wanted === CONNECTOR_CLASS ? `no ${wanted}` : `neither ${wanted} nor ${CONNECTOR_CLASS}`,
    remedies: builds
      .filter((name) => name !== wanted)
      .map((name) => ({
        text: `If ${name} is your build of the connector, name it`,
        setting: `--connector-class ${name}`,
        note: "(or connectorClass of the context)",
      })),
  };
}
