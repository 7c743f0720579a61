import { dirname, isAbsolute, join, resolve } from "node:path";
import { shown } from "../../core/document/printable.ts";
import { problemsOf, type Schema } from "../../core/document/schema.ts";
import { plainValue, type YamlMap, type YamlNode, type YamlScalar } from "../../core/document/tree.ts";
import { readYaml } from "../../core/document/yaml-tree.ts";
import { type Problem, UsageError } from "../../core/errors.ts";
import { checkConnectorClass } from "../../core/legacy/connector-class.ts";
import { redactUserInfo } from "../../core/redaction/redact.ts";
import { nearest } from "../../core/values/nearest.ts";
import { secret } from "../../core/values/secret.ts";
import contextsSchema from "../../schemas/contexts.schema.json" with { type: "json" };
import type {
  ApprovalsSection,
  Auth,
  ConnectSection,
  Context,
  JmxSection,
  Proxy as ProxySection,
  SparkSection,
} from "../../schemas/generated/contexts.ts";
import type { ConnectOptions } from "../connect/connect.ts";
import { demandOwn } from "../who-may-write.ts";
import { isHostOf, type JmxAccess, jmxAccess } from "./jmx-section.ts";
import { holdsReference, resolveReferences } from "./references.ts";
import { programOf, refuseLoginsIn } from "./spark-section.ts";
import { exposure, readTextFile, type Warn, warnOfKeyFile } from "./text-file.ts";

/**
 * The contexts file: the only place that binds secrets to hosts. It belongs to the operator, outside any repository.
 */
export interface Contexts {
  /** Where the file is, or would be. */
  readonly path: string;
  readonly names: readonly string[];
  /** Warnings for the operator: secrets that others can read, and who else can write the file. */
  readonly warnings: readonly string[];
  /** A context as written: references unresolved, secrets omitted. @throws UsageError as `resolve` */
  outline(name: string): ContextOutline;
  /** @throws UsageError for an unknown name, and for unresolvable references in that context */
  resolve(name: string): Promise<ResolvedContext>;
  /** Name of the only context with this URL among its own, as written; undefined if there is none or more than one. */
  nameOfUrl(url: string): string | undefined;
  /**
   * The contexts whose demands hold at a place: that of this name, and every one whose workers have, or may have, one
   * of these URLs. A plan file can't avoid them by naming a worker.
   */
  namesAt(name: string | undefined, urls: readonly string[]): Promise<readonly string[]>;
  /** Paths of a context's folders of rules. */
  policiesOf(name: string): readonly string[];
  /** Names of the contexts whose `jmx.hosts` contain this host, as written, in file order. */
  namesOfJmxHost(address: JmxHost): readonly string[];
  /** Whether `jmx.hosts` of a context contain this host. */
  isJmxHostOf(name: string, address: JmxHost): boolean;
  /** The section `jmx` of a context, and nothing else of it. @throws UsageError for unresolvable references in it */
  resolveJmx(name: string): Promise<JmxAccess>;
  /** The section `approvals` of a context, where it has one. @throws UsageError likewise */
  approvalsOf(name: string): Promise<ApprovalsSection | undefined>;
}

/** A context for display. */
export interface ContextOutline {
  readonly name: string;
  /** REST URLs of the workers, in the order in which they are asked. */
  readonly urls: readonly string[];
  /** How cdcctl logs in to Connect. */
  readonly auth: "none" | "basic" | "bearer" | "client certificate";
  readonly bootstrapServers: string | undefined;
  readonly commandConfig: string | undefined;
  readonly jmxHosts: readonly string[];
  readonly connectorClass: string | undefined;
  /** The program of `spark.submit` alone: options may hold a secret. */
  readonly sparkSubmit: string | undefined;
  /** How many approvals a change needs, and the file of those who sign: `2, by prod.allowed_signers`. */
  readonly approvals: string | undefined;
  /** Connectors with their own configuration file: name and file. */
  readonly connectors: readonly (readonly [name: string, file: string])[];
}

/** Host and port of the RMI registry of a JMX URL. */
export interface JmxHost {
  readonly host: string;
  readonly port: number;
}

/** How Connect is reached, for `openConnect`. */
export type ConnectAccess = Pick<
  ConnectOptions,
  "url" | "otherUrls" | "auth" | "proxy" | "ca" | "cert" | "key" | "passphrase"
>;

/** References resolved, paths absolute, secrets sealed. */
export interface ResolvedContext {
  readonly name: string;
  readonly connect: ConnectAccess;
  readonly bootstrapServers: string | undefined;
  /** Path of a Java client properties file, for `readClientProperties`. */
  readonly commandConfig: string | undefined;
  /** Class of the connector's build; undefined: the documented one. */
  readonly connectorClass: string | undefined;
  /** Connector → path of its configuration, for `readConnectorConfig`. */
  readonly configurations: ReadonlyMap<string, string>;
  readonly spark: SparkSection | undefined;
}

interface ContextsPlace {
  /** `--contexts` */
  readonly path?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. */
  readonly home: string;
  /** Receives warnings about key files that others can read, when a context that names them is used. */
  readonly warn?: Warn;
}

const SCHEMA: Schema = contextsSchema;

/**
 * Reads the contexts file: `--contexts`, `CDCCTL_CONTEXTS`, `$XDG_CONFIG_HOME/cdcctl/contexts.yaml`,
 * `~/.config/cdcctl/contexts.yaml`. References are resolved when a context is requested, and only that context's.
 *
 * @returns no contexts if the file does not exist in the last two places
 * @throws UsageError with all problems of the file; Refusal `STA702` if another user may write it
 */
export async function openContexts(place: ContextsPlace): Promise<Contexts> {
  const { path, isDefault } = pathOf(place);
  const others = await demandOwn([path], place.env);
  const file = await readTextFile(path, "the contexts file").catch((error: unknown) => {
    if (isDefault && error instanceof UsageError && error.message.includes("is not there")) return undefined;
    throw error;
  });
  const contexts = file === undefined ? new Map<string, YamlMap>() : readContexts(file.text, path);
  const names = [...contexts.keys()];
  const sources = { env: place.env, folder: dirname(path) };
  const known = (name: string): YamlMap => {
    const context = contexts.get(name);
    if (context === undefined) throw unknownContext(name, names, path, file !== undefined);
    return context;
  };
  return {
    path,
    names,
    warnings: file === undefined ? [] : [...others, ...warningsFor(contexts, path, file.mode)],
    outline: (name) => outlineOf(name, known(name)),
    resolve: async (name) => resolveContext(name, known(name), sources, place.warn),
    nameOfUrl(url) {
      const found = names.filter((name) => urlsIn(known(name)).some((own) => isSameUrl(own, url)));
      return found.length === 1 ? found[0] : undefined;
    },
    async namesAt(name, urls) {
      const there: string[] = [];
      for (const [own, context] of contexts)
        if (own === name || (await mayHave(context, urls, sources))) there.push(own);
      return there;
    },
    policiesOf: (name) => textsIn(child(known(name), "policies")).map((folder) => resolve(sources.folder, folder)),
    async resolveJmx(name) {
      const section = child(contexts.get(name), "jmx");
      if (section === undefined) return {};
      const tree = await withoutReferences(name, section, "jmx", sources);
      const access = jmxAccess(plainValue(tree) as JmxSection, (file) => resolve(sources.folder, file));
      if (access.tls?.keyStore !== undefined) await warnOfKeyFile(access.tls.keyStore.path, place.warn);
      return access;
    },
    async approvalsOf(name) {
      const section = child(known(name), "approvals");
      if (section === undefined) return undefined;
      return plainValue(await withoutReferences(name, section, "approvals", sources)) as ApprovalsSection;
    },
    namesOfJmxHost: (address) => names.filter((name) => isNamed(contexts.get(name), address)),
    isJmxHostOf: (name, address) => isNamed(contexts.get(name), address),
  };
}

function outlineOf(name: string, context: YamlMap): ContextOutline {
  const text = (...keys: readonly string[]): string | undefined => {
    const node = keys.reduce<YamlNode | undefined>((at, key) => child(at, key), context);
    return node?.form === "scalar" ? node.source : undefined;
  };
  const auth = child(child(context, "connect"), "auth");
  return {
    name,
    urls: urlsIn(context).map(redactUserInfo),
    auth:
      (["basic", "bearer"] as const).find((kind) => child(auth, kind) !== undefined) ??
      (text("connect", "clientCertificate") === undefined ? "none" : "client certificate"),
    bootstrapServers: text("brokers", "bootstrapServers"),
    commandConfig: text("brokers", "commandConfig"),
    jmxHosts: textsIn(child(child(context, "jmx"), "hosts")),
    connectorClass: text("connectorClass"),
    sparkSubmit: programOf(text("spark", "submit")),
    approvals: text("approvals", "required") && `${text("approvals", "required")}, by ${text("approvals", "signers")}`,
    connectors: entriesOf(child(context, "connectors")).flatMap(({ key, value }) => {
      const config = child(value, "config");
      return config?.form === "scalar" ? [[key, config.source] as const] : [];
    }),
  };
}

function isNamed(context: YamlMap | undefined, address: JmxHost): boolean {
  return textsIn(child(child(context, "jmx"), "hosts")).some((host) => isHostOf(host, address));
}

/** The URLs of a context's workers, as written. */
function urlsIn(context: YamlMap): readonly string[] {
  const connect = child(context, "connect");
  const url = child(connect, "url");
  return url?.form === "scalar" ? [url.source] : textsIn(child(connect, "urls"));
}

/** Whether a context's workers have one of these URLs; an unresolvable reference may stand for it. */
async function mayHave(context: YamlMap, urls: readonly string[], sources: ReferenceSources): Promise<boolean> {
  for (const written of urls.length === 0 ? [] : urlsIn(context)) {
    const { text, failures } = await resolveReferences(written, sources);
    if (failures.length > 0 || urls.some((url) => isSameUrl(text, url))) return true;
  }
  return false;
}

function textsIn(list: YamlNode | undefined): readonly string[] {
  return list?.form === "list" ? list.items.flatMap((one) => (one.form === "scalar" ? [one.source] : [])) : [];
}

/** Whether two URLs are equivalent; a trailing slash and a default port are ignored. */
export function isSameUrl(a: string, b: string): boolean {
  const plain = (text: string): string => (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, "");
  return plain(a) === plain(b);
}

/** Where the contexts file is, or would be. */
export function contextsPath(place: ContextsPlace): string {
  return pathOf(place).path;
}

function pathOf({ path, env, home }: ContextsPlace): { readonly path: string; readonly isDefault: boolean } {
  const named = path ?? (env["CDCCTL_CONTEXTS"] || undefined);
  if (named !== undefined) return { path: resolve(named), isDefault: false };
  const xdg = env["XDG_CONFIG_HOME"];
  // The XDG specification: a relative path is to be ignored.
  const config = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, ".config");
  return { path: join(config, "cdcctl", "contexts.yaml"), isDefault: true };
}

function readContexts(text: string, path: string): ReadonlyMap<string, YamlMap> {
  const { documents, problems: syntax } = readYaml(text, path);
  const [document, ...more] = documents;
  const problems: Problem[] = [...syntax];
  if (document !== undefined)
    for (const one of problemsOf(document, SCHEMA, { references: "left", confidential: true })) problems.push(one);
  else if (problems.length === 0)
    problems.push({
      message: "the contexts file is empty",
      remedy: { text: "See what it may hold", command: "cdcctl schema Contexts" },
      file: path,
    });
  for (const another of more)
    problems.push({
      message: "the contexts file contains a second document",
      remedy: "Put all contexts into one.",
      ...another.place,
    });
  if (problems.length > 0) throw new UsageError(problems);
  return new Map(
    entriesOf(child(document, "contexts")).flatMap(({ key, value }) =>
      value.form === "map" ? [[key, value] as const] : [],
    ),
  );
}

function unknownContext(name: string, names: readonly string[], path: string, exists: boolean): UsageError {
  const meant = nearest(name, names);
  const hint = meant === undefined ? "" : `Did you mean ${meant}? `;
  const own = names.length === 0 ? "Add it" : `Use one of ${names.map((known) => shown(known)).join(", ")}`;
  return new UsageError({
    message: exists
      ? `the contexts file has no context "${shown(name)}"`
      : `context "${shown(name)}" not found: there is no contexts file`,
    remedy: exists
      ? `${hint}${own}, or name another file (--contexts, CDCCTL_CONTEXTS).`
      : `Write ${path}, or name another one (--contexts, CDCCTL_CONTEXTS).`,
    file: path,
  });
}

const SECRETS = new Set(["password", "token", "clientKeyPassword", "keyPassword"]);

function warningsFor(contexts: ReadonlyMap<string, YamlMap>, path: string, mode: number): readonly string[] {
  const isLiteral = (node: YamlNode): boolean =>
    entriesOf(node).some(({ key, value }) =>
      value.form === "scalar" ? SECRETS.has(key) && !holdsReference(value.source) : isLiteral(value),
    );
  const warning = exposure(path, mode);
  return warning !== undefined && [...contexts.values()].some(isLiteral) ? [warning] : [];
}

interface ReferenceSources {
  readonly env: ContextsPlace["env"];
  readonly folder: string;
}

/** @throws UsageError for references that can't be resolved, and for values that can't be used */
async function withoutReferences(
  name: string,
  section: YamlNode,
  schema: "context" | "jmx" | "approvals",
  sources: ReferenceSources,
): Promise<YamlNode> {
  const problems: Problem[] = [];
  const referring = new Map<string, YamlScalar>();

  const resolved = async (node: YamlNode): Promise<YamlNode> => {
    // Who gets a login is decided by the JMX hosts as written: `isNamed`.
    if (node.form === "list" && schema === "jmx") return node;
    if (node.form === "list") return { ...node, items: await Promise.all(node.items.map(resolved)) };
    if (node.form === "map") {
      const entries = node.entries.map(async (entry) => ({ ...entry, value: await resolved(entry.value) }));
      return { ...node, entries: await Promise.all(entries) };
    }
    if (!holdsReference(node.source)) return node;
    const { text, failures } = await resolveReferences(node.source, sources);
    for (const failure of failures)
      problems.push({
        message: `context "${shown(name)}": ${failure}`,
        remedy: "Set the value that the reference names, or fix the reference.",
        ...node.place,
      });
    referring.set(`${node.place.line}:${node.place.column}`, node);
    return { ...node, value: text, source: text, quoted: true };
  };

  const tree = await resolved(section);
  if (problems.length === 0)
    for (const problem of problemsOf(
      tree,
      { ...SCHEMA.$defs?.[schema], $defs: SCHEMA.$defs ?? {} },
      { confidential: true },
    )) {
      const reference = referring.get(`${problem.line}:${problem.column}`);
      // The value of a reference may be a secret, even where none belongs.
      problems.push(
        reference === undefined
          ? problem
          : {
              ...problem,
              message: `context "${shown(name)}": the value of ${shown(reference.source)} can't be used here`,
              remedy: "Check its value.",
            },
      );
    }
  if (problems.length > 0) throw new UsageError(problems);
  return tree;
}

/**
 * Except `jmx`: its references need to resolve only if it is used. References and logins in `spark` are refused: it
 * holds command lines, which every user of the machine can read while they run.
 */
async function resolveContext(
  name: string,
  context: YamlMap,
  sources: ReferenceSources,
  warn: Warn | undefined,
): Promise<ResolvedContext> {
  const section = { ...context, entries: context.entries.filter(({ key }) => key !== "jmx") };
  refuseLoginsIn(name, child(context, "spark"));
  const tree = await withoutReferences(name, section, "context", sources);

  // The schema has found no problem, and the type is generated from the schema.
  const { connect, brokers, connectors, connectorClass, spark } = plainValue(tree) as Context;
  const pathTo = (path: string) => resolve(sources.folder, path);
  if (connect.clientKey !== undefined) await warnOfKeyFile(pathTo(connect.clientKey), warn);
  return {
    name,
    connect: await connectAccess(connect, pathTo),
    bootstrapServers: brokers?.bootstrapServers,
    commandConfig: brokers?.commandConfig === undefined ? undefined : pathTo(brokers.commandConfig),
    connectorClass: connectorClass === undefined ? undefined : checkConnectorClass(connectorClass),
    configurations: new Map(
      Object.entries(connectors ?? {}).flatMap(([connector, section]) =>
        section === undefined ? [] : [[connector, pathTo(section.config)] as const],
      ),
    ),
    spark,
  };
}

async function connectAccess(section: ConnectSection, pathTo: (path: string) => string): Promise<ConnectAccess> {
  // The schema demands one of both.
  const [url = "", ...otherUrls] = section.urls ?? [section.url ?? ""];
  const { ca, clientCertificate, clientKey, clientKeyPassword, auth, proxy } = section;
  const pem = async (path: string, what: string): Promise<string> => (await readTextFile(pathTo(path), what)).text;
  return {
    url,
    ...(otherUrls.length === 0 ? {} : { otherUrls }),
    ...(auth === undefined ? {} : { auth: authOf(auth) }),
    ...(proxy === undefined ? {} : { proxy: proxyOf(proxy) }),
    ...(ca === undefined ? {} : { ca: await pem(ca, "the file of certificate authorities (ca)") }),
    ...(clientCertificate === undefined ? {} : { cert: await pem(clientCertificate, "the client certificate") }),
    ...(clientKey === undefined ? {} : { key: secret(await pem(clientKey, "the client key")) }),
    ...(clientKeyPassword === undefined ? {} : { passphrase: secret(clientKeyPassword) }),
  };
}

function authOf({ basic, bearer }: Auth): NonNullable<ConnectAccess["auth"]> {
  if (basic !== undefined) return { kind: "basic", user: basic.user, password: secret(basic.password) };
  return { kind: "bearer", token: secret(bearer?.token ?? "") };
}

function proxyOf({ url, user, password }: ProxySection): NonNullable<ConnectAccess["proxy"]> {
  if (url === "none") return "none";
  return {
    url,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password: secret(password) }),
  };
}

function entriesOf(node: YamlNode | undefined): YamlMap["entries"] {
  return node?.form === "map" ? node.entries : [];
}

function child(node: YamlNode | undefined, key: string): YamlNode | undefined {
  return entriesOf(node).find((entry) => entry.key === key)?.value;
}
