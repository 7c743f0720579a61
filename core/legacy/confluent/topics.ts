// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector

import type { LegacyWrites, OtherConnector } from "../../../schemas/generated/facts.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { isNamed } from "../../facts/database/database.ts";
import { legalInTopic } from "../../facts/tables/topic-names.ts";
import { compilePatterns, isBad } from "../../patterns/pattern-list.ts";
import { type Config, settingOf } from "../../values/config.ts";
import { type Fit, fitsOf, gives, inAnyCase, isReference, namedTopics, type TopicRules } from "../written-topics.ts";

const DEFAULT_TABLE_TEMPLATE = "${fullyQualifiedTableName}";
const DEFAULT_REDO_TEMPLATE = "${connectorName}-${databaseName}-redo-log";

/** Rule: reference: legacy properties. */
export function legacyWrites(connector: string, config: Config): LegacyWrites {
  return {
    connector,
    tables: config["table.topic.name.template"]?.trim() ?? DEFAULT_TABLE_TEMPLATE,
    lobs: settingOf(config, "lob.topic.name.template") ?? "",
    redo: settingOf(config, "redo.log.topic.name") ?? DEFAULT_REDO_TEMPLATE,
    databases: databaseNames(config),
    include: settingOf(config, "table.inclusion.regex"),
    exclude: settingOf(config, "table.exclusion.regex"),
    reroutings: reroutings(config).map(({ name }) => name),
  };
}

/**
 * The legacy connector's names for the database of its tables: a PDB, with or without the SID before it. The SID alone
 * is then the root's.
 */
function databaseNames(config: Config): readonly string[] {
  const pdb = legacySetting(config, "pdb.name");
  const instance = legacySetting(config, "sid") ?? legacySetting(config, "service.name");
  if (pdb === undefined) return instance === undefined ? [] : [instance];
  return instance === undefined ? [pdb] : [pdb, `${instance}.${pdb}`];
}

/** A setting of the database, in either spelling. */
function legacySetting(config: Config, name: string): string | undefined {
  return (config[`srcdb.${name}`] ?? config[`oracle.${name}`])?.trim() || undefined;
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

/** The topic in which a legacy connector keeps its licence: `confluent.topic` (reference: legacy properties). */
export function licenceTopicOf(config: Config): string {
  return settingOf(config, "confluent.topic") ?? "_confluent-command";
}

/** A variable that the legacy connector does not have for LOB columns, or a reference that only the worker resolves. */
const NOT_OF_LOBS = /\$\{(?!(?:fullyQualifiedTableName|(?:database|schema|table|column|connector)Name)\})/;

function filled(template: string, values: Readonly<Record<string, string>>): string {
  const topic = template.replaceAll(/\$\{([^}]*)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? all) : all,
  );
  return topic.includes("${") ? topic : legalInTopic(topic);
}

export const CONFLUENT_TOPICS: TopicRules = {
  ofTable({ name: connectorName, config }, { container, owner: schemaName, name: tableName }) {
    const template = config["table.topic.name.template"]?.trim() ?? DEFAULT_TABLE_TEMPLATE;
    const pdb = legacySetting(config, "pdb.name");
    // A blank template has only a redo log topic written. A table in another PDB has none, and after a transformation
    // the topic with the template's name may belong to another application.
    if (template === "" || reroutings(config).length > 0 || (pdb !== undefined && !isNamed(container, pdb))) return [];
    return databaseNames(config)
      .flatMap(inAnyCase)
      .map((databaseName) => {
        const fullyQualifiedTableName = `${databaseName}.${schemaName}.${tableName}`;
        return filled(template, { databaseName, schemaName, tableName, fullyQualifiedTableName, connectorName });
      });
  },

  deletedToo({ name: connectorName, config }) {
    const template = settingOf(config, "redo.log.topic.name") ?? DEFAULT_REDO_TEMPLATE;
    // It belongs to the whole database: with the connector's name in it, the SID can't mean another one.
    const sid = template.includes("${connectorName}") ? (legacySetting(config, "sid") ?? []) : [];
    return [databaseNames(config), sid]
      .flat(2)
      .flatMap(inAnyCase)
      .map((databaseName) => ({ topic: filled(template, { databaseName, connectorName }), what: "redo log topic" }));
  },

  licenceTopic: licenceTopicOf,

  /** A retirement deletes the topics of the tables, and these may hold the only copy of the LOBs. */
  lobTopics({ name: connectorName, config }, tables, there) {
    const template = settingOf(config, "lob.topic.name.template");
    if (template === undefined) return undefined;
    if (NOT_OF_LOBS.test(template)) return `lob.topic.name.template is ${template}`;
    const values = databaseNames(config).flatMap((databaseName) =>
      tables.map(({ owner, name }) => ({ databaseName, schemaName: owner, tableName: name, connectorName })),
    );
    return there.filter((topic) => values.some((of) => fitsOf(template, topic, of).length > 0)).sort();
  },

  mayWriteTo: ({ name, config }) =>
    mayWriteTo({ prefix: undefined, writes: legacyWrites(name, config), ...namedTopics(config) }),
  notKept: "its records have another format, which consumers of the new ones can't read in one stream with them",
};
