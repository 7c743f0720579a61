// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector

import type { LegacyWrites, OtherConnector } from "../../schemas/generated/facts.ts";
import { reroutings } from "../facts/connector/plugins.ts";
import type { CapturedTable } from "../facts/tables/tables.ts";
import { LONGEST_TOPIC, legalInTopic } from "../facts/tables/topic-names.ts";
import { compilePatterns, isBad } from "../patterns/pattern-list.ts";
import { type Config, settingOf } from "../values/config.ts";

/** A topic that only the legacy connector writes to, and its role. */
export interface LegacyTopic {
  readonly topic: string;
  readonly what: string;
  /** The table whose changes it holds; undefined if it holds those of no captured table. */
  readonly table: CapturedTable | undefined;
}

/** Topics of the legacy connector that another connector writes to, or may write to. */
export interface SharedTopics {
  readonly connector: string;
  readonly topics: readonly string[];
  /** Its transformations that may route records anywhere; empty if its names lead to the topics. */
  readonly through: readonly string[];
}

export const LICENCE_TOPIC = "licence topic";

export const DEFAULT_TABLE_TEMPLATE = "${fullyQualifiedTableName}";
export const DEFAULT_REDO_TEMPLATE = "${connectorName}-${databaseName}-redo-log";

/** Rule: reference: legacy properties. */
export function legacyWrites(connector: string, config: Config): LegacyWrites {
  return {
    connector,
    tables: config["table.topic.name.template"]?.trim() ?? DEFAULT_TABLE_TEMPLATE,
    lobs: settingOf(config, "lob.topic.name.template") ?? "",
    redo: settingOf(config, "redo.log.topic.name") ?? DEFAULT_REDO_TEMPLATE,
    databases: databaseNames(config),
    include: text(config["table.inclusion.regex"]),
    exclude: text(config["table.exclusion.regex"]),
    reroutings: reroutings(config).map(({ name }) => name),
  };
}

/** Settings that name topics to which a connector may write, except those of `LegacyWrites` and the licence topic. */
const NAMES_TOPICS =
  /^(?!confluent\.topic$|redo\.log\.topic\.name$)(?:(?:.+\.)?topic(?:\.name)?|cdc\.(?:.+\.)?topic\.template)$/;
/** The settings of Debezium's connectors and JDBC sources that say what their topics begin with. */
const PREFIXES = ["topic.prefix", "database.server.name"];

/** The topics that a connector's settings name, besides its `cdc.topic.prefix` and those of `LegacyWrites`. */
export function namedTopics(config: Config): Required<Pick<OtherConnector, "templates" | "reroutings">> {
  const prefix = settingOf(config, "cdc.topic.prefix") ?? "";
  const named = Object.keys(config).filter((name) => NAMES_TOPICS.test(name));
  const below = PREFIXES.flatMap((name) => settingOf(config, name) ?? []);
  return {
    templates: [
      ...named.sort().flatMap((name) => text(config[name]?.replaceAll("${prefix}", () => prefix)) ?? []),
      ...below.map((beginning) => `${beginning}\${name}`),
    ],
    reroutings: reroutings(config).map(({ name }) => name),
  };
}

/**
 * The legacy connector's names for the database of its tables: a PDB, with or without the SID before it. The SID alone
 * is then the root's.
 */
export function databaseNames(config: Config): readonly string[] {
  const pdb = legacySetting(config, "pdb.name");
  const instance = legacySetting(config, "sid") ?? legacySetting(config, "service.name");
  if (pdb === undefined) return instance === undefined ? [] : [instance];
  return instance === undefined ? [pdb] : [pdb, `${instance}.${pdb}`];
}

/** A setting of the database, in either spelling. */
export function legacySetting(config: Config, name: string): string | undefined {
  return text(config[`srcdb.${name}`] ?? config[`oracle.${name}`]);
}

const isReference = (name: string): boolean => name.includes("${");

/** A name of a database as it may stand in topics and patterns: settings have it in any case. */
export function inAnyCase(name: string): readonly string[] {
  return [...new Set([name, name.toUpperCase(), name.toLowerCase()])];
}

/**
 * Whether another connector may write to a topic, judged by name: true unless it certainly does not. A reference that
 * only the worker resolves may resolve to any name, and a transformation may produce any.
 */
export function mayWriteTo({
  prefix,
  writes,
  templates = [],
  reroutings: through = [],
}: Pick<OtherConnector, "prefix" | "writes" | "templates" | "reroutings">): (topic: string) => boolean {
  if (through.length > 0 || (writes?.reroutings.length ?? 0) > 0) return () => true;
  const below = prefix?.trim() ?? "";
  const all = below === "" ? templates : [`${below}.\${name}`, ...templates];
  const byTable = writes === undefined ? () => false : writtenByLegacy(writes);
  return (topic) => all.some((template) => gives(template, topic)) || byTable(topic);
}

/** Whether a template of the new connector may produce a topic. It has no PDB in a database without containers. */
function gives(template: string, topic: string): boolean {
  // A longer name is cut off.
  if (topic.length === LONGEST_TOPIC) return true;
  return [template, template.replaceAll("${pdb}", "")]
    .map((one) => one.replaceAll(/\.{2,}/g, ".").replace(/^\.+/, ""))
    .some((one) => fitsOf(one, topic, {}).length > 0);
}

function writtenByLegacy(writes: LegacyWrites): (topic: string) => boolean {
  const captured = capturing(writes);
  return (topic) =>
    fitsAny(writes, writes.redo, topic).length > 0 ||
    [writes.tables, writes.lobs].some(
      (template) => template !== "" && fitsAny(writes, template, topic).some((fit) => fit === "many" || captured(fit)),
    );
}

/** The database's name is any of those that it may have; the redo log topic may also be named after the SID alone. */
function fitsAny({ connector, databases }: LegacyWrites, template: string, topic: string): readonly (Fit | "many")[] {
  const known = { connectorName: connector };
  const sids = databases.flatMap((name) => name.split(".")[0] ?? []);
  const names =
    databases.length === 0 || databases.some(isReference)
      ? [known]
      : [...new Set([...databases, ...sids])].map((databaseName) => ({ ...known, databaseName }));
  return names.flatMap((one): readonly (Fit | "many")[] => {
    const fits = fitsOf(template, topic, one);
    return fits === "many" ? [fits] : fits;
  });
}

/** Whether a table that a template would need may be captured; a table not named may be any. */
function capturing({ databases, include, exclude }: LegacyWrites): (fit: Fit) => boolean {
  const compiled = (pattern: string | undefined, topics: "some" | "all") =>
    pattern === undefined || isReference(pattern) ? undefined : compilePatterns([pattern], true, topics);
  const [included, excluded] = [compiled(include, "some"), compiled(exclude, "all")];
  return ({ databaseName = [], schemaName, tableName }) => {
    if (schemaName === undefined || tableName === undefined) return true;
    const names = [...databases.filter((name) => !isReference(name)), databaseName]
      .flat()
      .flatMap(inAnyCase)
      .map((database) => legalInTopic(`${database}.${schemaName}.${tableName}`));
    if (names.length === 0) return true;
    const surely = (patterns: typeof included, matched: "yes" | "no") =>
      patterns !== undefined && !isBad(patterns) && names.every((name) => patterns.matches(name).matched === matched);
    return !surely(included, "no") && !surely(excluded, "yes");
  };
}

function text(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === "" ? undefined : trimmed;
}

/** The topic in which a legacy connector keeps its licence: `confluent.topic` (reference: legacy properties). */
export function licenceTopicOf(config: Config): string {
  return settingOf(config, "confluent.topic") ?? "_confluent-command";
}

/** The values of a template's variables that produce a topic, by variable name. */
export type Fit = Readonly<Record<string, string>>;

/** More unknown variables leave too many ways to split a name. */
const MOST_OPEN = 3;

/**
 * Every way in which a template of the legacy connector produces a topic. Names may contain the text between the
 * variables, so there can be several; they are as they stand in the topic.
 *
 * @param known values of variables, the database's in any case; the others may be anything but empty
 * @returns `"many"` if there are too many open variables to enumerate
 */
export function fitsOf(template: string, topic: string, known: Fit): readonly Fit[] | "many" {
  const parts = partsOf(
    template.replaceAll("${fullyQualifiedTableName}", "${databaseName}.${schemaName}.${tableName}"),
  );
  const open = new Set(
    parts.flatMap(({ variable }) => (variable === undefined || Object.hasOwn(known, variable) ? [] : [variable])),
  );
  if (open.size > MOST_OPEN) return "many";
  const fits: Fit[] = [];
  const go = (at: number, from: number, names: Fit): void => {
    const part = parts[at];
    if (part === undefined) {
      if (from === topic.length) fits.push(names);
      return;
    }
    const { variable } = part;
    if (variable !== undefined && !Object.hasOwn(names, variable)) {
      for (let end = from + 1; end <= topic.length; end++)
        go(at + 1, end, { ...names, [variable]: topic.slice(from, end) });
      return;
    }
    const text = variable === undefined ? part.text : (names[variable] ?? "");
    const cased = variable === "databaseName" ? inAnyCase(text) : [text];
    for (const one of new Set(cased.map(legalInTopic)))
      if (topic.startsWith(one, from)) go(at + 1, from + one.length, names);
  };
  go(0, 0, known);
  return fits;
}

interface Part {
  readonly text: string;
  readonly variable: string | undefined;
}

function partsOf(template: string): readonly Part[] {
  return template
    .split(/(\$\{[^}]*\})/)
    .filter((text) => text !== "")
    .map((text) => ({ text, variable: /^\$\{([^}]*)\}$/.exec(text)?.[1] }));
}
