import { closing } from "../../core/change/holding.ts";
import { completedBy, completedWhole, givesAccess, keptFromPlanFile } from "../../core/document/access-settings.ts";
import { connectorSettings, strangeSettings, withBrokers } from "../../core/document/connector-settings.ts";
import type { MigrationIntent, Target } from "../../core/document/intent.ts";
import { UsageError } from "../../core/errors.ts";
import type { ConnectorDescription } from "../../core/facts/connector/connector.ts";
import type {
  BoundSettings,
  BrokerSettings,
  ConnectorSettings,
  DatabaseSettings,
} from "../../core/facts/connector/settings.ts";
import { refuseForeignClass } from "../../core/kinds/connector/foreign-class.ts";
import type { SettingsOf } from "../../core/kinds/connector/observe.ts";
import type { NewConfiguration, Sources } from "../../core/kinds/kind.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import type { JmxPort } from "../../core/ports/jmx.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { World } from "../../core/ports/world.ts";
import { type Redactor, redactor } from "../../core/redaction/redactor.ts";
import type { Config } from "../../core/values/config.ts";
import { openConnect } from "../../providers/connect/connect.ts";
import { readClientProperties, readConnectorConfig, warnOfIgnored } from "../../providers/contexts/connector-config.ts";
import { openContexts } from "../../providers/contexts/contexts.ts";
import { decideJmx, metricsLogin } from "../../providers/contexts/jmx-trust.ts";
import { programOf, usesClusterMode } from "../../providers/contexts/spark-section.ts";
import { type Warn, warnOfKeyFile } from "../../providers/contexts/text-file.ts";
import {
  type Access,
  type AccessFlags,
  bindAllCredentials,
  decideAccess,
  type Source,
  workerOf,
} from "../../providers/contexts/trust.ts";
import { openExporter } from "../../providers/jmx/open-exporter.ts";
import { openJmx } from "../../providers/jmx/open-jmx.ts";
import { openKafka } from "../../providers/kafka/open-kafka.ts";
import { openOracle } from "../../providers/oracle/oracle-port.ts";
import type { Host } from "../host.ts";
import type { connectorClassOption, Flags, jmxOption, stateOption, worldOptions } from "../options/common.ts";
import { warningsTo, writeLine } from "../screen.ts";
import { systemClock } from "./clock.ts";
import { readEvidenceFile } from "./evidence-file.ts";
import { homeOf, openState } from "./places.ts";
import { refuseUnsafeEnvironment } from "./safe-environment.ts";
import type { Share } from "./shared-systems.ts";
import type { Logins } from "./time-limits.ts";
import { timeLimits } from "./time-limits.ts";
import { traced, tracedRequests } from "./tracing.ts";

export type WorldFlags = Partial<
  Flags<typeof worldOptions & typeof jmxOption & typeof stateOption & typeof connectorClassOption>
>;

export type OpenWorld = World &
  AsyncDisposable & {
    readonly settingsOf: SettingsOf;
    /** Each worker of the context's `connect.urls` alone. */
    workers(): readonly ConnectPort[];
    readonly sources: Sources;
    /**
     * The task's metrics from the JMX exporter of its worker, by the URL given by the operator. Connects on the first
     * call.
     *
     * @throws UsageError for an invalid URL
     */
    metrics(url: string): JmxPort;
    /** The new connector's class named by the operator; undefined: the documented one. */
    readonly connectorClass: string | undefined;
    /** The operator's file that replaces the worker's copy. */
    readonly configurationFile: string | undefined;
    /** The context used to reach Connect; undefined without one. */
    readonly context: string | undefined;
    /** How the context submits verifications to Apache Spark; undefined where it does not say. */
    readonly spark: Access["spark"];
    /** The owner of the configurations of `settingsOf`. */
    configurationOf(): Promise<Source>;
    /** The logins of two ports of this world, for threads that open the same connections. */
    loginsOf(kafka: KafkaPort, oracle: OraclePort): Logins | undefined;
  };

/** The target of a command without a plan file, from its flags. */
export function typedTarget(connector: string, flags: Pick<WorldFlags, "context" | "connect-url">): Target {
  return {
    context: flags.context,
    connectUrl: flags.context === undefined ? flags["connect-url"] : undefined,
    connector,
  };
}

/** The flags by which it is decided who is asked, and with whose credentials. */
export function accessFlags(flags: WorldFlags): AccessFlags {
  return {
    context: flags.context,
    connectUrl: flags["connect-url"],
    config: flags.config,
    commandConfig: flags["command-config"],
    bootstrapServers: flags["bootstrap-servers"],
    connectorClass: flags["connector-class"],
  };
}

/**
 * How long to wait for workers that have not answered yet. `a worker that restarts`: as long as a restart takes, for
 * commands that apply a change during rolling restarts. A typed URL may be wrong, which is always reported soon.
 */
export type Patience = "fail soon" | "a worker that restarts";

/**
 * Opens the ports for one target, with their credentials. Each connects on first use.
 *
 * @param share for contexts, brokers and databases shared by several documents
 * @throws UsageError when no Connect URL is known, or a flag cannot be used
 */
export async function openWorld(
  target: Target,
  flags: WorldFlags,
  host: Host,
  patience: Patience = "fail soon",
  share?: Share,
): Promise<OpenWorld> {
  refuseUnsafeEnvironment(host.env);
  const warn = share?.warn ?? warningsTo(host);
  const open = () => openContexts({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/", warn });
  const contexts = await (share?.contexts(open) ?? open());
  const typedJmx = flags["jmx-url"];
  const usesContext = (flags.context ?? target.context) !== undefined;
  for (const warning of usesContext || typedJmx !== undefined ? contexts.warnings : []) warn(warning);
  const access = await decideAccess(target, accessFlags(flags), contexts);
  const jmxAccess = typedJmx === undefined ? undefined : await decideJmx(typedJmx, host.env, contexts, access.context);
  const restarts = patience === "a worker that restarts" && flags["connect-url"] === undefined;
  const limits = timeLimits(flags.timeout, host.patience, restarts);
  const files: Files = { env: host.env, warn };
  const secrets = redactor();
  const requested = tracedRequests(host);
  const options = {
    ...access.connect,
    context: access.context,
    redact: secrets.redact,
    environment: host.env,
    clock: systemClock,
    limits: limits.connect,
    ...(requested && { requested }),
  };
  const connect = traced(host, "connect", openConnect(options));
  const workers: ConnectPort[] = [];
  const kafkas = new Map<KafkaPort, BrokerSettings>();
  const oracles = new Map<OraclePort, DatabaseSettings>();
  const jmxs: JmxPort[] = [];
  const sealed = async (
    description: ConnectorDescription,
    options?: { readonly partial: boolean },
  ): ReturnType<SettingsOf> => {
    // Must precede anything that may fail because of it.
    secrets.add(description.config);
    const settings = await settingsOf(description, access, files, options);
    secrets.add(settings.config);
    return settings;
  };
  const sealedWhole: SettingsOf = (description) => sealed(description);
  return closing<World & Omit<OpenWorld, keyof AsyncDisposable>>({
    connect,
    kafka(settings) {
      demandBrokers(settings, target, access);
      const open = () => traced(host, "kafka", openKafka(settings.brokers, limits.kafka));
      const kafka = share?.kafka(settings.brokers, open) ?? open();
      kafkas.set(kafka, settings.brokers);
      return kafka;
    },
    oracle(settings) {
      const open = () => {
        const connection = traced(host, "oracle", openOracle(settings.database, limits.oracle));
        for (const note of connection.notes) writeLine(host.stderr, `note: ${note}`);
        return connection;
      };
      const oracle = share?.oracle(settings.database, open) ?? open();
      oracles.set(oracle, settings.database);
      return oracle;
    },
    workers() {
      for (const url of [options.url, ...(options.otherUrls ?? [])])
        workers.push(traced(host, "connect", openConnect({ ...options, url, otherUrls: [] })));
      return workers;
    },
    jmx(url) {
      const jmx = traced(host, "jmx", openJmx({ url, ...(url === typedJmx ? jmxAccess : {}), ...limits.jmx }));
      jmxs.push(jmx);
      return jmx;
    },
    metrics(url) {
      const login = metricsLogin(host.env);
      const exporter = traced(
        host,
        "metrics",
        openExporter({ url, ...limits.jmx, environment: host.env, ...(login && { login }) }),
      );
      jmxs.push(exporter);
      return exporter;
    },
    loginsOf(kafka, oracle) {
      const [brokers, database] = [kafkas.get(kafka), oracles.get(oracle)];
      return brokers === undefined || database === undefined ? undefined : { brokers, database, limits };
    },
    redact: secrets.redact,
    state: openState(flags, host),
    clock: systemClock,
    settingsOf: sealedWhole,
    configurationFile: access.configuration.from === "file" ? access.configuration.path : undefined,
    context: access.context,
    spark: access.spark,
    configurationOf: () => configurationOf(access, files),
    connectorClass: access.connectorClass,
    sources: {
      ...sourcesOf(access),
      settingsOf: sealedWhole,
      deployed: (description) => sealed(description, { partial: true }),
      completed: (to, translated, set) => completed(to, translated, set, access, files, secrets),
    },
    async close() {
      await Promise.allSettled([
        ...[connect, ...workers].map((one) => one.close()),
        ...[...kafkas.keys()].map((kafka) => kafka.close()),
        ...[...oracles.keys()].map((oracle) => oracle.close()),
        ...jmxs.map((jmx) => jmx.close()),
      ]);
    },
  });
}

/** Whose the configuration is that brokers and database are reached by. */
async function configurationOf(access: Access, files: Files): Promise<Source> {
  const { configuration } = access;
  if (configuration.from === "worker") return workerOf(access);
  if (configuration.completes !== true) return "the operator's file";
  const { config } = await readConnectorConfig(configuration.path, { ...files, resolveReferences: false });
  return ownerOf(config, access);
}

/** What the operator's files say besides the connectors' settings. */
function sourcesOf({ connectorClass, context, spark }: Access): Pick<Sources, "connectorClass" | "spark" | "evidence"> {
  const { submit } = spark ?? {};
  return {
    connectorClass,
    spark: { context, submit: programOf(submit), onCluster: usesClusterMode(submit) },
    evidence: readEvidenceFile,
  };
}

/** @throws UsageError naming the connector, where its brokers were looked up, and how to name them */
function demandBrokers(
  { brokers: { bootstrapServers, properties }, origin }: Pick<ConnectorSettings, "brokers" | "origin">,
  { connector }: Target,
  { context }: Access,
): void {
  const named = bootstrapServers ?? properties["bootstrap.servers"]?.open() ?? "";
  if (named.replaceAll(",", "").trim() !== "") return;
  throw new UsageError({
    file: origin,
    message: `no brokers are given for ${connector}: cdc.stream.bootstrap.servers is not set`,
    remedy:
      "Set it there, set brokers.bootstrapServers of " +
      `${context === undefined ? "a context" : `the context ${context}`} (--context; ` +
      " --contexts or CDCCTL_CONTEXTS name the contexts file), or give --bootstrap-servers " +
      "HOST:PORT,HOST:PORT.",
  });
}

/** Reads the operator's files. */
type Files = Pick<Host, "env"> & { readonly warn: Warn };

/**
 * The configuration of a new connector: the translated one, completed by the operator's file. The workers receive it
 * with references; resolved values are for internal use.
 *
 * @throws UsageError when the file's logins would go to a worker that only the plan file names, or to a host that is
 * not in the file
 */
async function completed(
  to: MigrationIntent["to"],
  translated: Config,
  set: Config,
  access: Access,
  files: Files,
  secrets: Redactor,
): Promise<NewConfiguration> {
  const { configuration, chosenBy } = access;
  if (configuration.from === "worker") {
    const body = { ...translated, ...set };
    const config = withoutMasked(body);
    secrets.add(config);
    return {
      body,
      settings: await bound(connectorSettings(config, "the translated configuration"), access, workerOf(access), files),
    };
  }
  if (chosenBy === "plan file")
    throw new UsageError(
      "--config holds logins, which would be sent to a worker that only the plan file names",
      "Pass --connect-url with the same URL, or use a context: then the worker is trusted.",
    );
  const { path } = configuration;
  const own = async (resolveReferences: boolean): Promise<Config> =>
    (await readConnectorConfig(path, { ...files, resolveReferences })).config;
  const resolved = await own(true);
  keptFromPlanFile(resolved, to, path);
  const config = withoutMasked({ ...completedWhole(translated, resolved, path), ...set });
  secrets.add(config);
  return {
    body: { ...completedWhole(translated, await own(false), path), ...set },
    settings: await bound(connectorSettings(config, path), access, ownerOf(resolved, access), files),
  };
}

/** Drops masked values: a login with the mask as its password would only bring the account closer to being locked. */
function withoutMasked(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !value.includes("********")));
}

/**
 * Adds the operator's brokers, and binds the logins to the hosts in the settings. @param from owner of the
 * configuration
 */
async function bound(settings: ConnectorSettings, access: Access, from: Source, files: Files): Promise<BoundSettings> {
  const { commandConfig, bootstrapServers } = access;
  const properties = commandConfig === undefined ? undefined : await readClientProperties(commandConfig.path, files);
  const keyStore = (properties ?? settings.brokers.properties)["ssl.keystore.location"]?.open().trim() ?? "";
  if (keyStore !== "" && from !== "a worker named by the plan file") await warnOfKeyFile(keyStore, files.warn);
  warnOfIgnored(settings.origin, Object.keys(properties === undefined ? settings.brokers.properties : {}), files.warn);
  return bindAllCredentials(
    withBrokers(settings, { bootstrapServers: bootstrapServers?.servers, properties }),
    access,
    from,
  );
}

/**
 * The connector's settings: from the worker's copy, or from the file that replaces it; the operator's brokers take
 * precedence over both. Undefined for other connector classes.
 *
 * @param partial whether a file may be an incomplete configuration, as written for the migration's cutover
 */
async function settingsOf(
  description: ConnectorDescription,
  access: Access,
  files: Files,
  { partial = false }: { readonly partial?: boolean } = {},
): ReturnType<SettingsOf> {
  refuseForeignClass(description, access.connectorClass);
  const { configuration } = access;
  if (configuration.from === "worker") {
    const { config } = description;
    const origin = `GET /connectors/${description.name}`;
    return { ...(await bound(connectorSettings(config, origin), access, workerOf(access), files)), config };
  }
  const { path } = configuration;
  const { config: own, name } = await readConnectorConfig(path, { ...files, resolveReferences: true });
  const completes = configuration.completes === true || (partial && !Object.hasOwn(own, "cdc.topic.prefix"));
  const config = completes ? completedBy(description.config, own, path) : own;
  const settings = connectorSettings(config, path);
  const strange = strangeSettings({ name: name ?? own["name"], settings }, description);
  if (strange.length > 0)
    throw new UsageError({
      file: path,
      message: `this is not the configuration of ${description.name}: ${strange.join("; ")}`,
      remedy: "Pass --config with the file of this connector, or omit it to use the worker's copy.",
    });
  return {
    ...(await bound(settings, access, completes ? ownerOf(own, access) : "the operator's file", files)),
    config,
  };
}

/** Who says how database and brokers are reached: the operator's file, or the worker's copy that it completes. */
function ownerOf(own: Config, access: Access): Source {
  return givesAccess(own) ? "the operator's file" : workerOf(access);
}
