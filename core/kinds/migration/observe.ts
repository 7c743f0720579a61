import type { DeployedConnector, OtherConnector } from "../../../schemas/generated/facts.ts";
import type { SettingProblem } from "../../../schemas/generated/shared.ts";
import { CallFailed } from "../../errors.ts";
import { workerSeen } from "../../facts/connector/connector.ts";
import type { ConnectorSettings } from "../../facts/connector/settings.ts";
import type { LegacyFacts } from "../../facts/connector-facts.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import type { MiningSettings } from "../../facts/redo/from.ts";
import { firstMined } from "../../facts/redo/from.ts";
import { hasOwnSettings } from "../../legacy/connector-class.ts";
import { positionRulesOf, possibleLegacy } from "../../legacy/legacy-kind.ts";
import { namedTopics } from "../../legacy/written-topics.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { World } from "../../ports/world.ts";
import { isSecretName, redactConfiguration, redactSetting } from "../../redaction/redact.ts";
import { redactAnswer } from "../../redaction/redactor.ts";
import type { Scn } from "../../values/scn.ts";
import { inspectRedo } from "../connector/inspect-position.ts";
import { noConnector, offsetsIfAny } from "../connector/observe.ts";
import { installedVersion } from "./debezium/installed-version.ts";

type LegacyConnectorFacts = Pick<LegacyFacts, "at" | "worker" | "legacy">;

/**
 * The legacy connector as its workers show it. A takeover reads it first, so that no SCN of its offsets can be later
 * than the database's own.
 *
 * @throws CallFailed also if they have none of that name
 */
export async function inspectLegacyConnector(
  name: string,
  { connect, clock }: Pick<World, "connect" | "clock">,
): Promise<LegacyConnectorFacts> {
  const at = clock.now();
  const [worker, legacy] = await allOrFirst(connect.worker(), inspectDeployed(name, connect));
  if (legacy === undefined) throw await noConnector(name, connect);
  return { at, worker: workerSeen(connect, worker), legacy };
}

/**
 * Inspects the database from the lowest SCN of the stored offsets on, or from the start of the oldest open transaction,
 * where the new connector begins to mine; for offsets that are not a position, only the database itself.
 *
 * @param oracle the database as the new connector will mine it
 */
export async function inspectItsRedo(
  { legacy }: Pick<LegacyConnectorFacts, "legacy">,
  {
    leaveOut,
    startScn,
    settings,
    alsoTimesOf = [],
  }: {
    readonly leaveOut: readonly string[];
    readonly startScn?: Scn | undefined;
    readonly settings: MiningSettings & Pick<ConnectorSettings, "tables">;
    readonly alsoTimesOf?: readonly (Scn | undefined)[];
  },
  { clock }: Pick<World, "clock">,
  oracle: OraclePort,
): Promise<Omit<LegacyFacts, keyof LegacyConnectorFacts>> {
  const read = positionRulesOf(legacy).read(legacy.offsets, leaveOut);
  const stored = read.ok ? read.offsets : undefined;
  const from = stored === undefined ? undefined : (startScn ?? stored.startScn);
  const mined = (open: LegacyFacts["transactions"]): Scn | undefined =>
    from === undefined || !open.known ? from : firstMined(from, open.value);
  const { examined: _, ...inspected } = await inspectRedo(
    oracle,
    settings,
    {
      lowest: async (open) => mined(await open) ?? 0n,
      position: ({ database, transactions }) => ({
        from: from !== undefined && from > database.resetlogsScn ? mined(transactions) : undefined,
        shown: [...(stored?.partitions.flatMap(({ scn, commitScn }) => [scn, commitScn]) ?? []), ...alsoTimesOf],
      }),
    },
    observerAt(clock),
  );
  return inspected;
}

/**
 * A connector as its workers show it; undefined if they have none of that name. Offsets stored under the name of a
 * missing connector can't be read: Connect does not show offsets without their connector.
 *
 * @throws CallFailed also for one without a status: it exists, and if it counted as missing it would be created, or the
 * other one started beside it
 */
export async function inspectDeployed(name: string, connect: ConnectPort): Promise<DeployedConnector | undefined> {
  const [description, status] = await allOrFirst(connect.connector(name), connect.status(name));
  if (description === undefined) return undefined;
  if (status === undefined)
    throw new CallFailed("connect", "missing", {
      message: `the workers at ${connect.url} report no status for ${name}`,
      remedy: "It may just have been created; try again.",
    });
  const offsets = await offsetsIfAny(name, connect);
  const { config } = description;
  const version = await installedVersion(config, connect);
  return {
    name,
    connectorClass: redactSetting("connector.class", config["connector.class"]),
    ...(version === undefined ? {} : { version }),
    config: redactConfiguration(config),
    status,
    offsets,
  };
}

/** Every other connector of the cluster. Connectors deleted meanwhile are left out. */
export async function otherConnectors(
  connect: ConnectPort,
  own: readonly string[],
): Promise<readonly OtherConnector[]> {
  const names = (await connect.connectors()).filter((name) => !own.includes(name)).sort();
  const descriptions = await allOrFirst(...names.map((name) => connect.connector(name)));
  return descriptions.flatMap((description): OtherConnector[] => {
    if (description === undefined) return [];
    const { name, config } = description;
    const { templates, reroutings } = namedTopics(config);
    const legacy = possibleLegacy(config)?.topics;
    const isOurs = legacy !== undefined || hasOwnSettings(config);
    return [
      {
        name,
        connectorClass: redactSetting("connector.class", config["connector.class"]),
        prefix: config["cdc.topic.prefix"],
        licenceTopic: legacy?.licenceTopic?.(config),
        writes: legacy?.writes?.(name, config),
        // Nearly every connector has transformations: those of strangers would keep all topics everywhere.
        ...(isOurs ? { templates, reroutings } : templates.length > 0 && { templates }),
      },
    ];
  });
}

/**
 * What a worker finds wrong with a configuration, with text that repeats a secret redacted. The value behind a
 * reference is unknown here, so nothing is repeated for a secret setting that holds a reference.
 */
export function redactProblems(
  problems: readonly SettingProblem[],
  config: Readonly<Record<string, string>>,
): readonly SettingProblem[] {
  return problems.map(({ setting, errors }) => {
    const hidden = isSecretName(setting) && (config[setting] ?? "").includes("${");
    return {
      setting,
      errors: errors.map((error) =>
        hidden
          ? "redacted, because the worker's message may contain the secret: see its log"
          : redactAnswer(error, config),
      ),
    };
  });
}
