import type { Target } from "../../core/document/intent.ts";
import { shown } from "../../core/document/printable.ts";
import { UsageError } from "../../core/errors.ts";
import type {
  Bound,
  BoundSettings,
  BrokerSettings,
  ConnectorSettings,
  DatabaseSettings,
} from "../../core/facts/connector/settings.ts";
import { checkConnectorClass } from "../../core/legacy/connector-class.ts";
import { redactUserInfo } from "../../core/redaction/redact.ts";
import { localFilesOf as filesOfBrokers } from "../kafka/client-properties.ts";
import { localFilesOf as filesOfDatabase } from "../oracle/local-files.ts";
import { type ConnectAccess, type Contexts, isSameUrl, type ResolvedContext } from "./contexts.ts";

/** What the operator typed. */
export interface AccessFlags {
  readonly context?: string | undefined;
  readonly connectUrl?: string | undefined;
  readonly config?: string | undefined;
  readonly commandConfig?: string | undefined;
  readonly bootstrapServers?: string | undefined;
  readonly connectorClass?: string | undefined;
}

/** The addresses of all systems, and their credentials. */
export interface Access {
  /** Name of the context that Connect's credentials come from. */
  readonly context: string | undefined;
  readonly connect: ConnectAccess;
  /** The connector's configuration. References in the file are resolved; those in the worker's copy never are. */
  readonly configuration:
    | { readonly from: "worker" }
    /** Undefined `completes`: it replaces the worker's copy. */
    | { readonly from: "file"; readonly path: string; readonly completes?: true };
  /** Undefined: from the configuration (`cdc.stream.*`). */
  readonly bootstrapServers: { readonly servers: string; readonly namedBy: Source } | undefined;
  /** Path of the client properties file that replaces the configuration's own. References in it are resolved. */
  readonly commandConfig: { readonly path: string; readonly givenBy: Source } | undefined;
  /**
   * The new connector's class, from the flag or from the context of Connect's credentials; undefined: the documented
   * class.
   */
  readonly connectorClass: string | undefined;
  /** How the context submits verifications to Apache Spark. A plan file cannot set it. */
  readonly spark: ResolvedContext["spark"];
  /** Who named the workers. A worker named by the plan file may not refer to files of this machine. */
  readonly chosenBy: "operator" | "plan file";
}

/**
 * Decides which hosts get credentials. A plan file can be changed in a pull request by users who must not see the
 * secrets, so nothing in it may direct a secret to a host of its choice. The contexts file and the command line are the
 * operator's.
 *
 * - The plan file or the command line (`--context`) names a context: URL, credentials, brokers and the connector's
 *   configuration come from the contexts file; flags take precedence. The configuration completes the worker's copy.
 *   `--context` is accepted together with a plan file's `connectUrl` only if that is the context's own URL.
 * - `connectUrl` in the plan file: no credentials of any context, not even of one with the same URL.
 * - `--connect-url`: typed by the operator. If it is the URL of exactly one context, that context's credentials for
 *   Connect are sent there. Of the rest of that context, only the connector's class and the section for Spark are used.
 * - `--config` and `--command-config` are given on the command line only, and so are files whose references may be
 *   resolved.
 * - Credentials of `--command-config` go to brokers that the operator named: by `--bootstrap-servers`, in `--config`,
 *   in the contexts file, or that a worker names which the operator named. Not to those that a worker of a plan file's
 *   `connectUrl` names: anyone may run that worker.
 * - A context's client properties are bound to the context's brokers: with `--bootstrap-servers` they are not used.
 * - The worker's own copy of a configuration is trusted with the literal passwords in it, for the hosts in it. Files of
 *   this machine (key stores, wallets, tokens) that it names are used only when the operator named the worker: see
 *   `bindCredentials`.
 *
 * @throws UsageError where plan file and flags contradict each other, no address of Connect is given, or the rules
 * forbid the combination
 */
export async function decideAccess(target: Target, flags: AccessFlags, contexts: Contexts): Promise<Access> {
  const { connector } = target;
  const typedClass = flags.connectorClass === undefined ? undefined : checkConnectorClass(flags.connectorClass);
  const typedBrokers = brokersNamed(flags, "the command line");
  const typedProperties = propertiesGiven(flags, "the command line");
  const named = contextOf(target, flags);
  if (named !== undefined) {
    const context = await contexts.resolve(named);
    const { connectUrl } = target;
    const { url: first, otherUrls = [] } = context.connect;
    if (connectUrl !== undefined && ![first, ...otherUrls].some((own) => isSameUrl(own, connectUrl)))
      throw new UsageError(
        `the context "${shown(named)}" is for ${shown(context.connect.url, 200)}, and the target's connectUrl is ` +
          shown(redactUserInfo(connectUrl), 200),
        "Name the context with that URL, or omit --context.",
      );
    return {
      context: named,
      connect: context.connect,
      configuration: configuration(flags.config, context.configurations.get(connector)),
      bootstrapServers: typedBrokers ?? brokersNamed(context, "the contexts file"),
      commandConfig:
        typedProperties ?? (typedBrokers === undefined ? propertiesGiven(context, "the contexts file") : undefined),
      connectorClass: typedClass ?? context.connectorClass,
      spark: context.spark,
      chosenBy: "operator",
    };
  }

  const url = flags.connectUrl ?? target.connectUrl;
  if (url === undefined) throw nowhere(connector, contexts);
  if (
    flags.connectUrl !== undefined &&
    target.connectUrl !== undefined &&
    !isSameUrl(flags.connectUrl, target.connectUrl)
  )
    throw new UsageError(
      `--connect-url and the target's connectUrl differ: ${shown(redactUserInfo(flags.connectUrl), 200)} and ` +
        `${shown(redactUserInfo(target.connectUrl), 200)}`,
      "omit --connect-url, or remove connectUrl from the plan file",
    );
  const operatorNamesBrokers = flags.bootstrapServers !== undefined || flags.config !== undefined;
  if (flags.connectUrl === undefined && flags.commandConfig !== undefined && !operatorNamesBrokers)
    throw new UsageError(
      "--command-config contains credentials, and the brokers that would receive them are named by the worker " +
        "at the plan file's connectUrl",
      "also pass --bootstrap-servers or --config, or --connect-url with the same URL, or use a context",
    );
  const known = flags.connectUrl === undefined ? undefined : contexts.nameOfUrl(flags.connectUrl);
  const context = known === undefined ? undefined : await contexts.resolve(known);
  return {
    context: known,
    connect: context?.connect ?? { url },
    configuration: configuration(flags.config),
    bootstrapServers: typedBrokers,
    commandConfig: typedProperties,
    connectorClass: typedClass ?? context?.connectorClass,
    spark: context?.spark,
    chosenBy: flags.connectUrl === undefined ? "plan file" : "operator",
  };
}

/** The context by which Connect is reached. @throws UsageError if several sources give its address */
function contextOf(target: Target, flags: AccessFlags): string | undefined {
  const named = flags.context ?? target.context;
  if (named === undefined) return undefined;
  if (flags.connectUrl !== undefined || (target.context !== undefined && target.connectUrl !== undefined))
    throw new UsageError(
      `both the context "${shown(named)}" and a URL give the address of Connect`,
      "Use one of them: a context has its own URL.",
    );
  if (target.context !== undefined && target.context !== named)
    throw new UsageError(
      `--context "${shown(named)}" and the context "${shown(target.context)}" of the target differ`,
      "Omit --context, or name the same one.",
    );
  return named;
}

function nowhere(connector: string, { names, path }: Contexts): UsageError {
  const has = names.length === 0 ? "" : `; ${path} has ${names.map((name) => shown(name)).join(", ")}`;
  return new UsageError(
    connector === ""
      ? "no address of Kafka Connect is given"
      : `no address of Kafka Connect is given for "${shown(connector)}"`,
    "Give --context NAME (connect.url of a context in the contexts file, which --contexts or CDCCTL_CONTEXTS " +
      `name${has}) ` +
      "or --connect-url URL; a plan file may also name them: target.context or target.connectUrl.",
  );
}

function brokersNamed(
  { bootstrapServers: servers }: Pick<AccessFlags, "bootstrapServers">,
  namedBy: Source,
): Access["bootstrapServers"] {
  return servers === undefined ? undefined : { servers, namedBy };
}

function propertiesGiven(
  { commandConfig: path }: Pick<AccessFlags, "commandConfig">,
  givenBy: Source,
): Access["commandConfig"] {
  return path === undefined ? undefined : { path, givenBy };
}

/** The file that is typed replaces the worker's copy (specification, "Authentication", 1); a context's completes it. */
function configuration(typed: string | undefined, ofContext?: string): Access["configuration"] {
  if (typed !== undefined) return { from: "file", path: typed };
  return ofContext === undefined ? { from: "worker" } : { from: "file", path: ofContext, completes: true };
}

/** Who names a host, or provides a login. */
export type Source =
  | "the command line"
  | "the contexts file"
  | "the operator's file"
  | "a worker named by the operator"
  | "a worker named by the plan file";

/** A host (or several hosts of one system), and who named it. */
interface Destination {
  /** The hosts as messages show them: `db.prod:1521`, `kafka-1:9092,kafka-2:9092`. */
  readonly hosts: string;
  readonly namedBy: Source;
}

/** A login, and who provided it. `a flag for the database`: `--db-user` with `--db-password-env`. */
type Credential = Source | "a flag for the database";

/**
 * Which logins may be sent where: who provided the login, and who may name its host.
 *
 * - A worker may receive its own login; the operator may send it anywhere.
 * - `--command-config` is sent to brokers that a worker named by the operator names: the specification makes its
 *   `cdc.stream.bootstrap.servers` the default.
 * - A context's logins are bound to the context's hosts. A file's logins are bound to hosts that the operator names: in
 *   the file, on the command line, or in the context.
 */
const MAY_GO_TO: Readonly<Record<Credential, readonly Source[]>> = {
  "the command line": [
    "the command line",
    "the contexts file",
    "the operator's file",
    "a worker named by the operator",
  ],
  "a flag for the database": ["the command line", "the operator's file"],
  "the contexts file": ["the contexts file"],
  "the operator's file": ["the command line", "the contexts file", "the operator's file"],
  "a worker named by the operator": [
    "the command line",
    "the contexts file",
    "the operator's file",
    "a worker named by the operator",
  ],
  "a worker named by the plan file": ["the command line", "a worker named by the plan file"],
};

interface Binding {
  readonly to: Destination;
  readonly credential: Credential;
}

/**
 * Releases the credentials in settings for the hosts in them. Clients accept no others.
 *
 * @throws UsageError naming the host, who named it, and what to pass instead; or the setting by which a worker named by
 * the plan file refers to a file of this machine
 */
export function bindCredentials<S extends DatabaseSettings | BrokerSettings>(
  settings: S,
  { to, credential }: Binding,
): Bound<S> {
  if (!MAY_GO_TO[credential].includes(to.namedBy))
    throw new UsageError(
      `the login of ${credential} is not sent to ${shown(to.hosts, 200)}: that host is named by ${to.namedBy}`,
      REMEDIES[credential],
    );
  if (credential === "a worker named by the plan file") refuseLocalFiles(settings);
  return settings as Bound<S>;
}

const NAME_BROKERS = "Name the brokers too: --bootstrap-servers HOST:PORT, or brokers.bootstrapServers of the context.";
const REMEDIES: Readonly<Record<Credential, string>> = {
  "the command line": NAME_BROKERS,
  "the contexts file": NAME_BROKERS,
  "a flag for the database": "Also give the login's host: --db-dsn HOST:PORT/SERVICE, or your own configuration file.",
  "the operator's file": "Name the host in the same file.",
  "a worker named by the operator": "Provide the login yourself.",
  "a worker named by the plan file": "Pass --connect-url with the same URL, or use a context.",
};

/**
 * A worker named only by the plan file is untrusted: it must not make cdcctl log in to its hosts with key stores,
 * wallets or tokens of this machine.
 */
function refuseLocalFiles(settings: DatabaseSettings | BrokerSettings): void {
  const [setting] = "bootstrapServers" in settings ? filesOfBrokers(settings) : filesOfDatabase(settings);
  if (setting === undefined) return;
  throw new UsageError(
    `${shown(setting)} names ${/location$/.test(setting) ? "a file" : "files or tokens"} of this machine, and ` +
      "the worker with this setting is named only by the plan file",
    "Pass --connect-url with the same URL, or use a context: then the worker is trusted.",
  );
}

/**
 * Releases a configuration's logins for the hosts in it, or for the brokers that the operator names.
 *
 * @param from the source of the configuration
 * @throws UsageError as `bindCredentials` does
 */
export function bindAllCredentials(settings: ConnectorSettings, access: Access, from: Source): BoundSettings {
  const { bootstrapServers, commandConfig } = access;
  const { database, brokers } = settings;
  return {
    ...settings,
    database: bindCredentials(database, { to: { hosts: hostsOf(database), namedBy: from }, credential: from }),
    brokers: bindCredentials(brokers, {
      to: {
        hosts: brokers.bootstrapServers ?? "the brokers",
        namedBy: bootstrapServers?.namedBy ?? from,
      },
      credential: commandConfig?.givenBy ?? from,
    }),
  };
}

/** The source of a configuration that is not the operator's file. */
export function workerOf({ chosenBy }: Access): Source {
  return chosenBy === "operator" ? "a worker named by the operator" : "a worker named by the plan file";
}

/** The host of the database, as messages show it. */
export function hostsOf({ url, host, port }: DatabaseSettings): string {
  if (url !== undefined) return redactUserInfo(url);
  return host === undefined ? "the database" : `${host}:${port ?? "1521"}`;
}
