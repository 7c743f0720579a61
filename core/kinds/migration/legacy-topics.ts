// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector
import type { MigrationIntent } from "../../document/intent.ts";
import { type CapturedTable, capturedTables } from "../../facts/captured-tables.ts";
import type { LegacySeen } from "../../facts/legacy-facts.ts";
import type { NewSettingsSeen } from "../../facts/migration-facts.ts";
import type { Dictionary } from "../../facts/tables.ts";
import { licenceTopicOf } from "./other-connectors.ts";

/** A topic that only the legacy connector writes to, and what it is to it. */
export interface LegacyTopic {
  readonly topic: string;
  readonly what: string;
}

/**
 * The topics of the legacy connector that are there: those of its tables, its redo log topic, and its licence topic where that is asked for. None
 * is guessed: a topic is listed when the plan file names it, or the legacy connector's own template leads to it and it is there.
 *
 * Rule: specification, "Start, verification and rollback"; reference: legacy properties.
 */
export function legacyTopics(
  intent: MigrationIntent,
  { config }: LegacySeen,
  { tables: selection }: Pick<NewSettingsSeen, "tables">,
  dictionary: Dictionary,
  there: readonly string[],
): readonly LegacyTopic[] {
  const captured = capturedTables(selection, dictionary);
  const exists = new Set(there);
  const wanted: LegacyTopic[] = [
    ...Object.entries(intent.verify?.legacyTopics ?? {}).map(([table, topic]) => ({
      topic,
      what: `changes of ${table}`,
    })),
    ...(captured.known ? captured.tables : []).flatMap((table) =>
      candidates(table, intent.from.connector, config).map((topic) => ({
        topic,
        what: `changes of ${table.fullName}`,
      })),
    ),
    ...redoTopics(intent.from.connector, config).map((topic) => ({ topic, what: "redo log topic" })),
    ...(intent.deleteLicenceTopic ? [{ topic: licenceTopicOf(config), what: "licence topic" }] : []),
  ];
  const first = new Map<string, LegacyTopic>();
  for (const one of wanted) if (exists.has(one.topic) && !first.has(one.topic)) first.set(one.topic, one);
  return [...first.values()];
}

type Config = Readonly<Record<string, string>>;

function setting(config: Config, name: string): string | undefined {
  const value = (config[`srcdb.${name}`] ?? config[`oracle.${name}`])?.trim();
  return value === undefined || value === "" ? undefined : value;
}

/** What the legacy connector calls its database: with a PDB, its SID before it or not. */
function databaseNames(config: Config): readonly string[] {
  const sid = setting(config, "sid");
  const pdb = setting(config, "pdb.name");
  if (pdb === undefined) return sid === undefined ? [] : [sid];
  return sid === undefined ? [pdb] : [pdb, `${sid}.${pdb}`, sid];
}

function candidates(table: CapturedTable, connector: string, config: Config): readonly string[] {
  const template = config["table.topic.name.template"]?.trim() || "${fullyQualifiedTableName}";
  return databaseNames(config).map((database) =>
    filled(template, {
      databaseName: database,
      schemaName: table.owner,
      tableName: table.name,
      fullyQualifiedTableName: `${database}.${table.owner}.${table.name}`,
      connectorName: connector,
    }),
  );
}

function redoTopics(connector: string, config: Config): readonly string[] {
  const template = config["redo.log.topic.name"]?.trim() || "${connectorName}-${databaseName}-redo-log";
  return databaseNames(config).map((database) =>
    filled(template, { databaseName: database, connectorName: connector }),
  );
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\$\{([^}]*)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? all) : all,
  );
}
