import { dirname } from "node:path";
import { shown } from "../../core/document/printable.ts";
import type { YamlNode } from "../../core/document/tree.ts";
import { readYaml } from "../../core/document/yaml-tree.ts";
import { type Problem, UsageError } from "../../core/errors.ts";
import { propertyEntries } from "../../core/values/java-properties.ts";
import { isDecimal, isObject, type Json, type JsonObject, parseJson } from "../../core/values/json.ts";
import { type Secret, secret } from "../../core/values/secret.ts";
import { noClientSettings } from "../kafka/client-properties.ts";
import { holdsReference, resolveReferences } from "./references.ts";
import { readTextFile, type TextFile, type Warn, warnOfSettings } from "./text-file.ts";

export interface ConnectorConfig {
  readonly config: Readonly<Record<string, string>>;
  /** The connector's name, if the file contains it. */
  readonly name: string | undefined;
  /**
   * Setting → why its reference could not be resolved. Only references that are used must resolve; the value keeps the
   * reference.
   */
  readonly unresolved: Readonly<Record<string, string>>;
}

interface ReadOptions {
  /** True only for files that the operator named on the command line or in the contexts file: see `trust.ts`. */
  readonly resolveReferences: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives a warning about a file with secrets that others can read. */
  readonly warn?: Warn;
  /** Reads numbers and booleans as text, as a worker does. */
  readonly scalars?: boolean;
}

/**
 * Reads a connector's configuration: JSON as a create body, as `GET /connectors/{name}` answers it, or as a flat map;
 * a Java properties file; or a `KafkaConnector` of Strimzi's, in YAML or JSON. Content that begins with a brace is
 * JSON, whatever the file's name.
 *
 * @throws UsageError with file and line; it never shows a value
 */
export async function readConnectorConfig(path: string, options: ReadOptions): Promise<ConnectorConfig> {
  const { text, mode } = await readConnectorText(path);
  const written = await parseConnectorConfig(text, path, { ...options, resolveReferences: false });
  warnOfSettings({ path, mode }, written.config, options.warn);
  return options.resolveReferences ? parseConnectorConfig(text, path, options) : written;
}

/** Reads the file's text without parsing it. @throws UsageError naming the file */
export function readConnectorText(path: string): Promise<TextFile> {
  return readTextFile(path, "the connector configuration");
}

/**
 * Parses the text of a configuration that has already been read. @param path of the file, for messages and for
 * references that start from its folder
 */
export async function parseConnectorConfig(text: string, path: string, options: ReadOptions): Promise<ConnectorConfig> {
  const bare = text.replace(/^\uFEFF/, "").trim();
  if (bare === "") throw notOne("is empty", path);
  const looksJson = /^[{[]/.test(bare);
  const isResource = !looksJson && RESOURCE.every((like) => like.test(bare));
  const other = looksJson || isResource ? undefined : FOREIGN_FORMS.find(({ looks }) => looks.test(bare));
  if (other !== undefined) throw notOne(`looks like ${other.what}`, path);
  const { config, name } = isResource
    ? fromJson(resourceIn(text, path), text, path, options.scalars === true)
    : looksJson || path.toLowerCase().endsWith(".json")
      ? fromJson(parsed(text.replace(/^\uFEFF/, ""), path), text, path, options.scalars === true)
      : { config: uniqueProperties(text, path), name: undefined };
  if (Object.keys(config).length === 0) throw notOne("has no settings", path);
  if (!options.resolveReferences) return { config, name, unresolved: {} };
  return { name, ...(await resolveAll(config, { env: options.env, folder: dirname(path) })) };
}

/**
 * Reads a Java client properties file (`--command-config`, or `brokers.commandConfig` of a context) and resolves the
 * references in it.
 *
 * @throws UsageError with file and line; it never shows a value
 */
export async function readClientProperties(
  path: string,
  { env, warn }: Pick<ReadOptions, "env" | "warn">,
): Promise<Readonly<Record<string, Secret>>> {
  const { text, mode } = await readTextFile(path, "the client properties file", { latin1: true });
  const properties = uniqueProperties(text, path);
  warnOfIgnored(path, Object.keys(properties), warn);
  warnOfSettings({ path, mode }, properties, warn);
  const { config, unresolved } = await resolveAll(properties, { env, folder: dirname(path) });
  const problems = Object.entries(unresolved).map(([setting, why]): Problem => {
    const line = propertyEntries(text, path).find(({ key }) => key === setting)?.line;
    return {
      message: `${shown(setting)}: ${why}`,
      remedy: "Set the value that the reference names, or fix the reference.",
      file: path,
      ...(line === undefined ? {} : { line }),
    };
  });
  if (problems.length > 0) throw new UsageError(problems);
  return Object.fromEntries(Object.entries(config).map(([setting, value]) => [setting, secret(value)]));
}

/** Warns of properties that look like those of a login or of trust, and that no client has: a mistyped one is lost. */
export function warnOfIgnored(origin: string, names: readonly string[], warn: Warn | undefined): void {
  const ignored = noClientSettings(names).map((name) => shown(name));
  if (ignored.length > 0)
    warn?.(`${origin}: ignored unknown client properties (the Java client ignores them too): ${ignored.join(", ")}`);
}

/** The YAML of a Kubernetes resource. */
const RESOURCE = [/^apiVersion\s*:/m, /^kind\s*:/m];

/** What Java would read as properties, and damage. */
const FOREIGN_FORMS: readonly { readonly looks: RegExp; readonly what: string }[] = [
  { looks: /^</, what: "HTML or XML" },
  { looks: /^(?:---|%YAML|- )|^[^\s#!=:]+[ \t]*:[ \t]*\r?\n[ \t]+\S/m, what: "YAML, but no KafkaConnector" },
];

const FORMS =
  'Write JSON ({"name": …, "config": {…}}, or the settings alone), a Java properties file, or the YAML of one ' +
  "KafkaConnector.";

function notOne(why: string, path: string): UsageError {
  return new UsageError({ message: `the connector configuration ${why}`, remedy: FORMS, file: path, line: 1 });
}

/** The one resource in a file of YAML. Scalars are texts, as they are written. */
function resourceIn(text: string, path: string): Json {
  const { documents, problems } = readYaml(text, path);
  if (problems.length > 0) throw new UsageError(problems);
  const [resource] = documents;
  if (resource === undefined || documents.length > 1)
    throw notOne(`holds ${documents.length} documents of YAML, not one`, path);
  const plain = (node: YamlNode): Json => {
    if (node.form === "map") return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
    if (node.form === "list") return node.items.map(plain);
    return node.value === null || typeof node.value === "string" ? node.value : node.source;
  };
  return plain(resource);
}

/**
 * The create body of a `KafkaConnector`: class and number of tasks are members of their own there, not settings.
 *
 * Rule: Strimzi, "KafkaConnectorSpec schema reference".
 */
function bodyOf(resource: JsonObject, path: string): JsonObject {
  const { kind } = resource;
  if (kind !== "KafkaConnector")
    throw notOne(`is a resource of kind ${shown(String(kind))}, not a KafkaConnector`, path);
  const [metadata, spec] = [resource["metadata"] ?? {}, resource["spec"] ?? {}];
  if (!isObject(metadata) || !isObject(spec)) throw notOne("has metadata or a spec that is not an object", path);
  const { class: connectorClass = null, tasksMax = null, config = {} } = spec;
  if (!isObject(config)) throw notOne(`has ${kindOf(config)} as its spec.config`, path);
  const tasks = tasksMax === null ? null : String(tasksMax);
  return {
    name: metadata["name"] ?? null,
    config: { "connector.class": connectorClass, "tasks.max": tasks, ...config },
  };
}

async function resolveAll(
  config: Readonly<Record<string, string>>,
  sources: { readonly env: ReadOptions["env"]; readonly folder: string },
): Promise<{ readonly config: Record<string, string>; readonly unresolved: Record<string, string> }> {
  const resolved: [string, string][] = [];
  const unresolved: [string, string][] = [];
  for (const [setting, value] of Object.entries(config)) {
    const { text, failures } = holdsReference(value)
      ? await resolveReferences(value, sources)
      : { text: value, failures: [] };
    resolved.push([setting, failures.length === 0 ? text : value]);
    if (failures.length > 0) unresolved.push([setting, failures.join("; ")]);
  }
  return { config: Object.fromEntries(resolved), unresolved: Object.fromEntries(unresolved) };
}

/** Java silently uses the last of equal keys; here the operator more likely missed the first. */
function uniqueProperties(text: string, path: string): Record<string, string> {
  const lines = new Map<string, number>();
  const problems: Problem[] = [];
  const entries = propertyEntries(text, path);
  for (const { key, line } of entries) {
    const first = lines.get(key);
    if (first === undefined) lines.set(key, line);
    else
      problems.push({
        message: `${shown(key)} is given twice, first in line ${first}`,
        remedy: "Keep one of the two.",
        file: path,
        line,
      });
  }
  if (problems.length > 0) throw new UsageError(problems);
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

function fromJson(
  json: Json,
  text: string,
  path: string,
  scalars: boolean,
): { readonly config: Record<string, string>; readonly name: string | undefined } {
  if (!isObject(json)) throw notOne(`is ${kindOf(json)}, not a JSON object`, path);
  const isResource = ["apiVersion", "kind"].every((one) => typeof json[one] === "string");
  const { config, name } = isResource ? bodyOf(json, path) : singleConnector(json, path);
  if (config === undefined) return { config: settings(json, text, path, scalars), name: undefined };
  if (!isObject(config))
    throw new UsageError({
      message: `"config" is ${kindOf(config)}, not an object with the settings`,
      remedy: FORMS,
      file: path,
      ...lineOf(text, "config"),
    });
  // A typo such as "conifg" leaves no wrapper, and then values that are not strings; an extra key next to it is
  // harmless.
  return { config: settings(config, text, path, scalars), name: typeof name === "string" ? name : undefined };
}

/** The connector of a `GET /connectors?expand=info`; the document itself where it is not such an answer. */
function singleConnector(json: JsonObject, path: string): JsonObject {
  const infos = Object.values(json).map((one) => (isObject(one) && isObject(one["info"]) ? one["info"] : undefined));
  const [first] = infos;
  if (first === undefined || infos.includes(undefined)) return json;
  if (infos.length === 1) return first;
  const names = Object.keys(json).slice(0, 5);
  throw new UsageError({
    message: `it holds ${infos.length} connectors: ${names.map((name) => shown(name)).join(", ")}`,
    remedy: "Write the info of one of them to a file.",
    file: path,
  });
}

function parsed(text: string, path: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message, position } = syntaxFault(error.message);
    const before = position === undefined ? undefined : text.slice(0, position).split("\n");
    throw new UsageError({
      message: `the connector configuration is not valid JSON: ${message}`,
      remedy: "Fix the JSON, or write a Java properties file.",
      file: path,
      ...(before === undefined ? {} : { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }),
    });
  }
}

/** The parser's messages quote the text near the error, which may be a password, so only the kind of error is shown. */
function syntaxFault(text: string): { readonly message: string; readonly position: number | undefined } {
  const at = /at position (\d+)/.exec(text)?.[1];
  const duplicate = /^Duplicate key '(.*)' encountered/s.exec(text)?.[1];
  const kind = FAULTS.find((known) => text.startsWith(known)) ?? "unknown syntax error";
  return {
    message: duplicate === undefined ? kind.toLowerCase() : `"${shown(duplicate)}" is given twice`,
    position: at === undefined ? undefined : Number(at),
  };
}

const FAULTS = (
  "Comma ',' expected after value; Colon ':' expected after property name; JSON value expected; Array item expected; " +
  "Array item or end of array ']' expected; Expected end of input; Invalid number; End of string '\"' expected; " +
  "Quoted object key expected; Quoted object key or end of object '}' expected; Object value expected after ':'; " +
  "Invalid character; Invalid escape character; Invalid unicode character; the JSON is nested too deeply"
).split("; ");

function settings(json: JsonObject, text: string, path: string, scalars: boolean): Record<string, string> {
  const problems: Problem[] = [];
  const entries = Object.entries(json).flatMap(([setting, value]): [string, string][] => {
    if (typeof value === "string") return [[setting, value]];
    // Kafka Connect takes it likewise as not set.
    if (value === null) return [];
    if (scalars && (typeof value === "boolean" || typeof value === "bigint" || isDecimal(value)))
      return [[setting, String(value)]];
    problems.push({
      message: `${shown(setting)} is ${kindOf(value)}; the values of a connector configuration are strings`,
      remedy: isObject(value) || Array.isArray(value) ? FORMS : "Put quotes around the value.",
      file: path,
      ...lineOf(text, setting),
    });
    return [];
  });
  if (problems.length > 0) throw new UsageError(problems);
  return Object.fromEntries(entries);
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  if (typeof value === "boolean") return "true or false";
  return typeof value === "bigint" || isDecimal(value) ? "a number" : "an object";
}

function lineOf(text: string, key: string): { readonly line?: number } {
  const at = text.indexOf(JSON.stringify(key));
  return at < 0 ? {} : { line: text.slice(0, at).split("\n").length };
}
