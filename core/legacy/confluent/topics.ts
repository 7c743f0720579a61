// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector

import type { LegacyWrites } from "../../../schemas/generated/facts.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { isNamed } from "../../facts/database/database.ts";
import { legalInTopic } from "../../facts/tables/topic-names.ts";
import { type Config, settingOf } from "../../values/config.ts";
import { mayWriteTo } from "../other-writers.ts";
import { fitsOf, inAnyCase, namedTopics, type TopicRules } from "../written-topics.ts";

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

  /** Rule: reference: legacy properties, `confluent.topic`. */
  licenceTopic: (config) => settingOf(config, "confluent.topic") ?? "_confluent-command",

  writes: legacyWrites,

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
