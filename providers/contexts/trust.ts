import type { Target } from "../../core/document/intent.ts";
import { shown } from "../../core/document/printable.ts";
import { UsageError } from "../../core/errors.ts";
import { checkConnectorClass } from "../../core/legacy/connector-class.ts";
import { type ConnectAccess, type Contexts, isSameUrl } from "./contexts.ts";

/** What the operator typed. */
export interface AccessFlags {
  readonly connectUrl?: string | undefined;
  readonly config?: string | undefined;
  readonly commandConfig?: string | undefined;
  readonly bootstrapServers?: string | undefined;
  readonly connectorClass?: string | undefined;
}

/** Where everything is, and which credentials go there. */
export interface Access {
  /** Name of the context that Connect's credentials come from. */
  readonly context: string | undefined;
  readonly connect: ConnectAccess;
  /** The connector's configuration. References in the file are resolved; those in the worker's copy never are. */
  readonly configuration: { readonly from: "worker" } | { readonly from: "file"; readonly path: string };
  /** Undefined: as the configuration says (`cdc.stream.*`). */
  readonly bootstrapServers: string | undefined;
  /** Path of the client properties file that replaces the configuration's own. References in it are resolved. */
  readonly commandConfig: string | undefined;
  /** The new connector's class, by the flag, else by the context that Connect's credentials come from; undefined: the documented one. */
  readonly connectorClass: string | undefined;
  /** Who named the workers. What a worker of the plan file's choice says may not lead to files of this machine. */
  readonly chosenBy: "operator" | "plan file";
}

/**
 * Decides who gets credentials. A plan file can be changed, in a pull request, by somebody who may not see the secrets; so nothing that it says may
 * lead a secret to a host of its choosing. The contexts file and the command line are the operator's.
 *
 * - The plan file (or the command line) names a context: URL, credentials, brokers and the connector's configuration come from
 *   the contexts file, each of the flags going before it.
 * - `connectUrl` in the plan file: no credentials of any context, not even of one with the same URL.
 * - `--connect-url`: typed by the operator. Where it is the URL of one context, that context's credentials for Connect go there, and nothing
 *   else of it is used but the class of the connector's build.
 * - `--config` and `--command-config` are given on the command line only, and so are files whose references may be resolved.
 * - Credentials of `--command-config` go to brokers that the operator named: by `--bootstrap-servers`, in `--config`, in the contexts file,
 *   or that a worker names which the operator named. Not to those that a worker of a plan file's `connectUrl` names: that worker
 *   may be anybody's.
 * - A context's client properties are bound to the context's brokers: with `--bootstrap-servers` they are not used.
 * - The worker's own copy of a configuration is trusted with the literal passwords in it, for the hosts in it. Files of this machine (key
 *   stores, wallets) that it names are used only when the operator named the worker: see `refuseLocalFiles`.
 *
 * @throws UsageError where plan file and flags contradict each other, nobody says where Connect is, or the rules forbid the combination
 */
export async function decideAccess(target: Target, flags: AccessFlags, contexts: Contexts): Promise<Access> {
  const { connector } = target;
  const typedClass = flags.connectorClass === undefined ? undefined : checkConnectorClass(flags.connectorClass);
  if (target.context !== undefined) {
    if (target.connectUrl !== undefined || flags.connectUrl !== undefined)
      throw new UsageError(
        `both the context "${shown(target.context)}" and a URL say where Connect is`,
        "give one of them: a context brings its own URL",
      );
    const context = await contexts.resolve(target.context);
    return {
      context: target.context,
      connect: context.connect,
      configuration: configuration(flags.config ?? context.configurations.get(connector)),
      bootstrapServers: flags.bootstrapServers ?? context.bootstrapServers,
      commandConfig: flags.commandConfig ?? (flags.bootstrapServers === undefined ? context.commandConfig : undefined),
      connectorClass: typedClass ?? context.connectorClass,
      chosenBy: "operator",
    };
  }

  const url = flags.connectUrl ?? target.connectUrl;
  if (url === undefined)
    throw new UsageError(
      `nothing says where the Connect of "${shown(connector)}" is`,
      "add target.context (a name of the contexts file) or target.connectUrl to the plan file, or give --connect-url",
    );
  if (
    flags.connectUrl !== undefined &&
    target.connectUrl !== undefined &&
    !isSameUrl(flags.connectUrl, target.connectUrl)
  )
    throw new UsageError(
      `--connect-url and the target's connectUrl differ: ${shown(withoutLogin(flags.connectUrl), 200)} and ${shown(withoutLogin(target.connectUrl), 200)}`,
      "leave out --connect-url, or take connectUrl out of the plan file",
    );
  const operatorSaysBrokers = flags.bootstrapServers !== undefined || flags.config !== undefined;
  if (flags.connectUrl === undefined && flags.commandConfig !== undefined && !operatorSaysBrokers)
    throw new UsageError(
      "--command-config holds credentials, and the brokers they would go to are named by the worker at the plan file's connectUrl",
      "give --bootstrap-servers or --config too, or --connect-url with the same URL, or use a context",
    );
  const known = flags.connectUrl === undefined ? undefined : contexts.nameOfUrl(flags.connectUrl);
  const context = known === undefined ? undefined : await contexts.resolve(known);
  return {
    context: known,
    connect: context?.connect ?? { url },
    configuration: configuration(flags.config),
    bootstrapServers: flags.bootstrapServers,
    commandConfig: flags.commandConfig,
    connectorClass: typedClass ?? context?.connectorClass,
    chosenBy: flags.connectUrl === undefined ? "plan file" : "operator",
  };
}

function configuration(path: string | undefined): Access["configuration"] {
  return path === undefined ? { from: "worker" } : { from: "file", path };
}

function withoutLogin(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//********@");
}

const LOCAL_FILE = /(?:\.location|wallet_location)$/;

/**
 * A worker that only the plan file names may be anybody's: it must not make cdcctl log in to its hosts with key stores or wallets of this machine.
 *
 * @throws UsageError naming the setting
 */
export function refuseLocalFiles(
  config: Readonly<Record<string, string>>,
  { chosenBy, configuration: { from } }: Access,
): void {
  if (chosenBy === "operator" || from === "file") return;
  const named = Object.keys(config).find(
    (name) => name.startsWith("cdc.") && LOCAL_FILE.test(name) && (config[name] ?? "").trim() !== "",
  );
  if (named === undefined) return;
  throw new UsageError(
    `${shown(named)} names a file of this machine, and the worker that says so is one that only the plan file names`,
    "give --connect-url with the same URL, or use a context: then the worker is yours",
  );
}
