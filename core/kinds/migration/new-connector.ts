import type { Translation } from "../../../schemas/generated/shared.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector/connector.ts";
import { legacyKindOf } from "../../legacy/legacy-kind.ts";
import { notTheLegacyOne } from "../../legacy/takeover.ts";
import { translate } from "../../legacy/translation.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { World } from "../../ports/world.ts";
import type { Config } from "../../values/config.ts";
import { connectorNamed, noConnector } from "../connector/observe.ts";
import type { NewConfiguration, Sources } from "../kind.ts";
import { installedVersion } from "./debezium/installed-version.ts";

/** The setting whose value comes from the takeover. */
export const START_SCN = "cdc.start.scn";

/**
 * Translates the legacy connector's configuration to the new connector's, with the names in the intent.
 *
 * @throws Refusal `LEG001` for a connector of another class: no login is used for another connector that a plan file
 * names
 */
export function translationFor(
  { from, to }: MigrationIntent,
  legacy: ConnectorDescription,
  { connectorClass, installed }: Pick<Sources, "connectorClass"> & { readonly installed?: string | undefined },
): Translation {
  const { name, config } = legacy;
  const problem = notTheLegacyOne({ name, connectorClass: config["connector.class"], config });
  if (problem !== undefined) throw new Refusal(problem.code, problem.seen, problem.remedies);
  const is = legacyKindOf(config)?.kind;
  if (from.kind !== undefined && is !== from.kind)
    throw new Refusal("LEG001", `${name} is a ${config["connector.class"]}, and the plan file calls it ${from.kind}`, [
      { text: "Correct", setting: `spec.from.kind: ${is}` },
    ]);
  const { topicPrefix, topics } = to;
  return translate(from.connector, config, {
    name: to.name,
    topicPrefix,
    topics,
    version: from.version,
    installed,
    connectorClass,
  });
}

/**
 * The configuration that the new connector is created with, except its start: the translation, completed with the
 * operator's file and the plan file's settings. It never takes a snapshot, because it starts at the takeover's SCN.
 *
 * Rule: specification, "Takeover rules", 6.
 */
export async function configurationFor(
  { to }: Pick<MigrationIntent, "to">,
  translation: Translation,
  { completed, connectorClass }: Pick<Sources, "completed" | "connectorClass">,
): Promise<NewConfiguration> {
  const set = {
    ...to.config,
    ...(to.topicPrefix === undefined ? {} : { "cdc.topic.prefix": to.topicPrefix }),
    "cdc.snapshot.mode": "none",
    ...(connectorClass === undefined ? {} : { "connector.class": connectorClass }),
  };
  const { body, settings } = await completed(to, translation.config, set);
  const { [START_SCN]: _start, name: _name, ...rest } = body;
  return { body: rest, settings };
}

/**
 * The same, from the legacy connector's current configuration.
 *
 * @throws CallFailed if the workers have no legacy connector of that name
 */
export async function newConfiguration(
  intent: MigrationIntent,
  { connect }: Pick<World, "connect">,
  sources: Sources,
): Promise<Config> {
  return (await translated(intent, await connectorNamed(intent.from.connector, connect), connect, sources)).body;
}

async function translated(intent: MigrationIntent, legacy: ConnectorDescription, connect: ConnectPort, of: Sources) {
  const installed = await installedVersion(legacy.config, connect);
  return configurationFor(intent, translationFor(intent, legacy, { ...of, installed }), of);
}

/**
 * The new connector's settings: from its own configuration if it exists, otherwise from the one that it would be
 * created with.
 *
 * @throws CallFailed if neither connector exists
 */
export async function settingsOfNew(intent: MigrationIntent, { connect }: Pick<World, "connect">, sources: Sources) {
  const next = await connect.connector(intent.to.name);
  if (next !== undefined) {
    return { config: next.config, settings: await sources.deployed(next) };
  }
  const legacy = await connect.connector(intent.from.connector);
  if (legacy === undefined) throw await noConnector(intent.to.name, connect);
  const { body, settings } = await translated(intent, legacy, connect, sources);
  return { config: body, settings };
}
