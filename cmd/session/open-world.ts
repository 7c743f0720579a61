import { connectorSettings, withBrokers } from "../../core/document/connector-settings.ts";
import type { Target } from "../../core/document/intent.ts";
import type { ConnectorDescription } from "../../core/facts/connector.ts";
import type { SettingsOf } from "../../core/kinds/connector/observe.ts";
import type { KafkaPort, OraclePort, World } from "../../core/ports.ts";
import { openConnect } from "../../providers/connect/connect.ts";
import { readClientProperties, readConnectorConfig } from "../../providers/contexts/connector-config.ts";
import { openContexts } from "../../providers/contexts/contexts.ts";
import { type Access, decideAccess, refuseLocalFiles } from "../../providers/contexts/trust.ts";
import { openKafka } from "../../providers/kafka/open-kafka.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import type { Host } from "../host.ts";
import { systemClock } from "./clock.ts";
import { homeOf } from "./home.ts";
import { openState } from "./state-place.ts";

export interface WorldFlags {
  readonly contexts?: string | undefined;
  readonly "connect-url"?: string | undefined;
  readonly config?: string | undefined;
  readonly "bootstrap-servers"?: string | undefined;
  readonly "command-config"?: string | undefined;
  readonly state?: string | undefined;
}

export type OpenWorld = World & { readonly settingsOf: SettingsOf };

/**
 * Joins the ports for one target: who is asked, with whose credentials. Nothing is connected before it is asked for.
 *
 * @throws UsageError where nobody says where Connect is, or what the flags name can't be used
 */
export async function openWorld(target: Target, flags: WorldFlags, host: Host): Promise<OpenWorld> {
  const contexts = await openContexts({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
  for (const warning of target.context === undefined ? [] : contexts.warnings)
    host.stderr.write(`warning: ${warning}\n`);
  const access = await decideAccess(
    target,
    {
      connectUrl: flags["connect-url"],
      config: flags.config,
      commandConfig: flags["command-config"],
      bootstrapServers: flags["bootstrap-servers"],
    },
    contexts,
  );
  const limits = host.patience?.connect;
  const connect = openConnect({
    ...access.connect,
    environment: host.env,
    clock: systemClock,
    ...(limits === undefined ? {} : { limits }),
  });
  const kafkas: KafkaPort[] = [];
  const oracles: OraclePort[] = [];
  return {
    connect,
    kafka(settings) {
      const kafka = openKafka(settings.brokers, host.patience?.kafka);
      kafkas.push(kafka);
      return kafka;
    },
    oracle(settings) {
      const oracle = openOracle(settings.database);
      for (const note of oracle.notes) host.stderr.write(`note: ${note}\n`);
      oracles.push(oracle);
      return oracle;
    },
    state: openState(flags, host),
    clock: systemClock,
    settingsOf: (description) => settingsOf(description, access, host),
    async close() {
      await Promise.allSettled([
        connect.close(),
        ...kafkas.map((kafka) => kafka.close()),
        ...oracles.map((oracle) => oracle.close()),
      ]);
    },
  };
}

/** The connector's settings: from the worker's copy, or from the file that stands in for it; the operator's brokers go before both. */
async function settingsOf(description: ConnectorDescription, access: Access, host: Host): ReturnType<SettingsOf> {
  const { configuration, commandConfig, bootstrapServers } = access;
  const [config, origin] =
    configuration.from === "worker"
      ? [description.config, `GET /connectors/${description.name}`]
      : [
          (await readConnectorConfig(configuration.path, { resolveReferences: true, env: host.env })).config,
          configuration.path,
        ];
  refuseLocalFiles(config, access);
  const properties =
    commandConfig === undefined ? undefined : await readClientProperties(commandConfig, { env: host.env });
  return { ...withBrokers(connectorSettings(config, origin), { bootstrapServers, properties }), config };
}
