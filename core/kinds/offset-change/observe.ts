import type { OffsetChangeIntent } from "../../document/intent.ts";
import { CallFailed, Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import type { ConnectorSeen, OffsetChangeFacts } from "../../facts/offset-change-facts.ts";
import type { ConnectorSettings } from "../../facts/settings.ts";
import { decodeOffset, type StoredOffset, sameOffset } from "../../facts/stored-offset.ts";
import type { KafkaPort, OraclePort, World } from "../../ports.ts";
import type { Scn } from "../../values/scn.ts";
import { maskConfiguration } from "../../values/secret.ts";
import { lookAtJournal, lookAtKafka } from "./look-at-kafka.ts";
import { lookAtOracle } from "./look-at-oracle.ts";

/** Where the connector's configuration comes from: the worker's copy, or a file instead of it (`--config`). */
export type SettingsOf = (
  description: ConnectorDescription,
) => Promise<ConnectorSettings & { readonly config: Readonly<Record<string, string>> }>;

export interface Observation {
  readonly facts: OffsetChangeFacts;
  readonly settings: ConnectorSettings;
  readonly kafka: KafkaPort;
  readonly oracle: OraclePort;
}

/**
 * Looks at everything an offset change is decided by, and changes nothing. What can be asked at the same time is. A right that is missing leaves
 * a fact unknown; anything else that goes wrong ends the look.
 *
 * @throws CallFailed, UsageError, or Refusal `CON301` for a connector of another kind
 */
export async function observeOffsetChange(
  intent: OffsetChangeIntent,
  world: World,
  settingsOf: SettingsOf,
  pinned?: Scn,
): Promise<Observation> {
  const name = intent.target.connector;
  const at = world.clock.now();
  const [worker, description, status, offsets] = await Promise.all([
    world.connect.worker(),
    world.connect.connector(name),
    world.connect.status(name),
    world.connect
      .offsets(name)
      .catch((failure: unknown) =>
        failure instanceof CallFailed && failure.kind === "missing" ? [] : Promise.reject(failure),
      ),
  ]);
  if (description === undefined || status === undefined) throw noConnector(name, world.connect.url);
  refuseForeignClass(description);
  const settings = await settingsOf(description);
  const connector: ConnectorSeen = {
    name,
    connectorClass: description.config["connector.class"],
    config: maskConfiguration(settings.config),
    configOrigin: settings.origin,
    prefix: settings.prefix,
    opsTopic: settings.opsTopic,
    captureMode: settings.captureMode,
    miningMode: settings.miningMode,
    archiveDestination: settings.archiveDestination,
    valueConverter: settings.valueConverter,
    valueConverterSchemas: settings.valueConverterSchemas,
    status,
    offsets,
  };
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const observer = observerAt(world.clock);
  const stored = soleOffset(connector);
  const [fromKafka, fromOracle] = await allOrFirst(
    lookAtKafka(kafka, settings, observer),
    lookAtOracle(oracle, intent, connector, stored, observer, pinned),
  );
  const forward = fromOracle.to !== undefined && (stored === undefined || fromOracle.to > stored.resumeScn);
  const journaled = forward
    ? await lookAtJournal(kafka, settings, observer)
    : await observer(settings.journalTopic, async () => []);
  const { to: _to, ...database } = fromOracle;
  return {
    facts: {
      kind: "OffsetChange",
      at,
      worker: { url: world.connect.url, version: worker.version, clusterId: worker.clusterId },
      connector,
      ...database,
      journaled,
      ...fromKafka,
    },
    settings,
    kafka,
    oracle,
  };
}

function soleOffset({ offsets, prefix }: ConnectorSeen): StoredOffset | undefined {
  const mine = offsets.find(({ partition }) => sameOffset(partition, { server: prefix }))?.offset;
  const decoded = mine === undefined || mine === null ? undefined : decodeOffset(mine);
  return decoded?.ok ? decoded.offset : undefined;
}

function noConnector(name: string, url: string): CallFailed {
  return new CallFailed({
    system: "connect",
    kind: "missing",
    message: `the workers at ${url} have no connector ${name}`,
    remedy: `See which there are:  curl ${url}/connectors`,
  });
}

/** A connector without any `cdc.` setting is another program's: there is nothing to observe it by. */
function refuseForeignClass({ name, config }: ConnectorDescription): void {
  if (Object.keys(config).some((setting) => setting.startsWith("cdc."))) return;
  const connectorClass = config["connector.class"] ?? "connector without a class";
  throw new Refusal(
    "CON301",
    `${name} is a ${connectorClass}, not the CDC source connector: its configuration has no cdc.* settings`,
    [
      connectorClass.includes("OracleCdcSourceConnector")
        ? "Its offsets have another form; name the connector that took over from it."
        : "Check target.connector.",
    ],
  );
}
