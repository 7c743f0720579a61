import type { ConnectorSeen, NewSettingsSeen } from "../../../schemas/generated/facts.ts";
import { CallFailed, orUndefined } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector/connector.ts";
import { workerSeen } from "../../facts/connector/connector.ts";
import type { BoundSettings, ConnectorSettings } from "../../facts/connector/settings.ts";
import { withRedactedTraces } from "../../facts/connector/traces.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import { decodeOffset, type OffsetEntry, type StoredOffset, sameOffset } from "../../facts/offset/stored-offset.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import { redactConfiguration, redactSetting } from "../../redaction/redact.ts";
import type { Config } from "../../values/config.ts";
import { nearest, orMeant } from "../../values/nearest.ts";
import { workersFlag } from "../../values/shell-word.ts";
import type { Facts } from "../facts.ts";
import { refuseOtherProgram } from "./foreign-class.ts";

/**
 * Where the connector's configuration comes from: the worker's copy, or a file given instead (`--config`).
 *
 * Rejects with Refusal `CON301` for a connector of another class: see `foreign-class.ts`.
 */
export type SettingsOf = (
  description: ConnectorDescription,
) => Promise<BoundSettings & { readonly config: Readonly<Record<string, string>> }>;

export interface Observation<F extends Facts = Facts> {
  readonly facts: F;
  readonly settings: BoundSettings;
  readonly kafka: KafkaPort;
  readonly oracle: OraclePort;
}

/** A connector as its workers show it, and the ports to the systems that it reads and writes. */
interface ConnectorInspection extends Omit<Observation, "facts"> {
  readonly seen: Pick<ConnectorFacts, "at" | "worker" | "connector">;
  readonly stored: StoredOffset | undefined;
}

/**
 * Reads the connector itself: its worker, configuration, state and stored offset.
 *
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function inspectConnector(
  name: string,
  world: World,
  settingsOf: SettingsOf,
): Promise<ConnectorInspection> {
  const observedAt = world.clock.now();
  const [worker, description, status, offsets] = await Promise.all([
    world.connect.worker(),
    world.connect.connector(name),
    world.connect.status(name),
    offsetsIfAny(name, world.connect),
  ]);
  if (description === undefined || status === undefined) throw await noConnector(name, world.connect);
  refuseOtherProgram(description, offsets);
  const settings = await settingsOf(description);
  const connector: ConnectorSeen = {
    name,
    connectorClass: redactSetting("connector.class", description.config["connector.class"]),
    ...settingsSeen(settings.config, settings),
    signalsTopic: settings.signalsTopic,
    // Checked again: a configuration file may contain what the worker's copy only refers to.
    status: withRedactedTraces(status, settings.config),
    offsets,
  };
  return {
    seen: { at: observedAt, worker: workerSeen(world.connect, worker), connector },
    stored: soleOffset(connector),
    settings,
    kafka: world.kafka(settings),
    oracle: world.oracle(settings),
  };
}

function soleOffset({ offsets, prefix }: ConnectorSeen): StoredOffset | undefined {
  const mine = offsets.find(({ partition }) => sameOffset(partition, { server: prefix }))?.offset;
  const decoded = mine === undefined || mine === null ? undefined : decodeOffset(mine);
  return decoded?.ok ? decoded.offset : undefined;
}

/** @throws CallFailed `missing`, where the workers have no such connector */
export async function connectorNamed(name: string, connect: ConnectPort): Promise<ConnectorDescription> {
  const description = await connect.connector(name);
  if (description === undefined) throw await noConnector(name, connect);
  return description;
}

/** What the workers store of a connector; nothing, where they have no such connector. */
export async function offsetsIfAny(name: string, connect: ConnectPort): Promise<readonly OffsetEntry[]> {
  return (await orUndefined(connect.offsets(name), "missing")) ?? [];
}

/** The error for a required connector that does not exist, with the name that may have been meant. */
export async function noConnector(name: string, connect: ConnectPort): Promise<CallFailed> {
  const { url: connectUrl, context } = connect;
  const others = (await connect.connectors().catch(() => [])).filter((other) => other !== name);
  return new CallFailed("connect", "missing", {
    message: `the workers at ${connectUrl} have no connector ${name}${orMeant(nearest(name, others))}`,
    remedy: { text: "List the connectors", command: `cdcctl connectors list ${workersFlag({ context, connectUrl })}` },
  });
}

/** The settings of a new connector that a plan shows and checks use. */
export function settingsSeen(config: Config, settings: ConnectorSettings): NewSettingsSeen {
  return {
    config: redactConfiguration(config),
    configOrigin: settings.origin,
    prefix: settings.prefix,
    opsTopic: settings.opsTopic,
    captureMode: settings.captureMode,
    miningMode: redactSetting("cdc.mining.mode", settings.miningMode),
    archiveDestination: redactSetting("cdc.archive.destination", settings.archiveDestination),
    tables: settings.tables,
    valueConverter: redactSetting("value.converter", settings.valueConverter),
    valueConverterSchemas: redactSetting("value.converter.schemas.enable", settings.valueConverterSchemas),
  };
}
