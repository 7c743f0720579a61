// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector

import type { DeployedConnector, NewSettingsSeen } from "../../../schemas/generated/facts.ts";
import type { RemovedRecords } from "../../../schemas/generated/plan.ts";
import { topicName } from "../../document/connector-settings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { isNamed } from "../../facts/database/database.ts";
import { tableFinder } from "../../facts/tables/finder.ts";
import type { CapturedTable } from "../../facts/tables/tables.ts";
import { legalInTopic, topicNames, topicNaming } from "../../facts/tables/topic-names.ts";
import {
  DEFAULT_REDO_TEMPLATE,
  DEFAULT_TABLE_TEMPLATE,
  databaseNames,
  fitsOf,
  inAnyCase,
  type LegacyTopic,
  LICENCE_TOPIC,
  legacySetting,
  licenceTopicOf,
} from "../../legacy/written-topics.ts";
import { type Config, settingOf } from "../../values/config.ts";

/**
 * The existing topics of the legacy connector: those of its tables, its redo log topic, and its licence topic if
 * requested. None is guessed: a topic is listed if the plan file names it, or if its own template gives no other one
 * that exists for the table. If the plan file names a table's topic, no other is searched for.
 *
 * Rule: specification, "Start, verification and rollback"; reference: legacy properties.
 *
 * @param there names of all topics
 */
export function legacyTopics(
  intent: Pick<MigrationIntent, "from" | "verify" | "deleteLicenceTopic">,
  { config }: Pick<DeployedConnector, "config">,
  captured: readonly CapturedTable[],
  there: readonly string[],
): readonly LegacyTopic[] {
  const { connector } = intent.from;
  const find = tableFinder(captured);
  const named = Object.entries(intent.verify?.legacyTopics ?? {}).map(([written, topic]): LegacyTopic => {
    const [table, ...others] = find(written);
    return { topic, what: `changes of ${written}`, table: others.length === 0 ? table : undefined };
  });
  const settled = new Set(named.map(({ table }) => table));
  const exists = new Set(there);
  const wanted: readonly LegacyTopic[] = [
    ...named,
    ...captured.flatMap((table) => {
      const [topic, ...others] = settled.has(table)
        ? []
        : new Set(candidates(table, connector, config).filter((one) => exists.has(one)));
      // Names that differ in their case are not all its own.
      if (topic === undefined || others.length > 0) return [];
      return [{ topic, what: `changes of ${table.fullName}`, table }];
    }),
    ...redoTopics(connector, config).map((topic) => ({ topic, what: "redo log topic", table: undefined })),
    ...(intent.deleteLicenceTopic ? [{ topic: licenceTopicOf(config), what: LICENCE_TOPIC, table: undefined }] : []),
  ];
  const first = new Map<string, LegacyTopic>();
  for (const one of wanted) if (exists.has(one.topic) && !first.has(one.topic)) first.set(one.topic, one);
  return [...first.values()];
}

/** A variable that the legacy connector does not have for LOB columns, or a reference that only the worker resolves. */
const NOT_OF_LOBS = /\$\{(?!(?:fullyQualifiedTableName|(?:database|schema|table|column|connector)Name)\})/;

/** Whether the topics of a template for LOB columns can be told. */
export function isLobTemplate(template: string): boolean {
  return !NOT_OF_LOBS.test(template);
}

/**
 * The existing topics of LOB columns of captured tables, from the legacy connector's template. They are kept: a
 * retirement deletes the topics of the tables, and these may hold the only copy of the LOBs.
 *
 * Rule: specification, "Start, verification and rollback", retirement; reference: legacy properties,
 * `lob.topic.name.template`.
 */
export function lobTopics(
  connector: string,
  config: Config,
  captured: readonly CapturedTable[],
  there: readonly string[],
): readonly string[] {
  const template = settingOf(config, "lob.topic.name.template") ?? "";
  if (template === "") return [];
  const leads = (topic: string): boolean =>
    captured.some((table) =>
      databaseNames(config).some((databaseName) => {
        const of = { databaseName, schemaName: table.owner, tableName: table.name, connectorName: connector };
        return fitsOf(template, topic, of).length > 0;
      }),
    );
  return there.filter(leads).sort();
}

/**
 * Names that the topic of a table may have; none for a table in another PDB, none if only a redo log topic was written,
 * and none if a transformation may have routed the records elsewhere: the topic with the template's name may belong to
 * another application.
 */
function candidates(table: CapturedTable, connector: string, config: Config): readonly string[] {
  const template = config["table.topic.name.template"]?.trim() ?? DEFAULT_TABLE_TEMPLATE;
  const pdb = legacySetting(config, "pdb.name");
  if (
    template === "" ||
    reroutings(config).length > 0 ||
    (pdb !== undefined && pdb.toUpperCase() !== table.container.toUpperCase())
  )
    return [];
  return databaseNames(config)
    .flatMap(inAnyCase)
    .map((database) =>
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
  const template = settingOf(config, "redo.log.topic.name") ?? DEFAULT_REDO_TEMPLATE;
  // It belongs to the whole database: with the connector's name in it, the SID can't mean another one.
  const sid = template.includes("${connectorName}") ? legacySetting(config, "sid") : undefined;
  const databases = [...databaseNames(config), ...(sid === undefined ? [] : [sid])];
  return databases
    .flatMap(inAnyCase)
    .map((database) => filled(template, { databaseName: database, connectorName: connector }));
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  const topic = template.replaceAll(/\$\{([^}]*)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? all) : all,
  );
  return topic.includes("${") ? topic : legalInTopic(topic);
}

/** The inputs that determine the names of the new connector's topics. */
export interface TopicsOf {
  readonly settings: Pick<NewSettingsSeen, "tables" | "config" | "prefix" | "opsTopic">;
  readonly database: { readonly name: string };
}

/** Settings that name one of the connector's internal topics. */
const OWN = ["cdc.ops.topic", "cdc.signals.topic", "cdc.txjournal.topic", "cdc.schema.topic", "cdc.heartbeat.topic"];

/** Which topics the new connector writes to; unknown if the names of its tables' topics are unknown. */
type NewTopics =
  | { readonly known: true; readonly has: (topic: string) => boolean }
  | { readonly known: false; readonly why: string };

/**
 * The topics that the new connector writes to, judged by name: those of captured tables, those that the plan file names
 * for them, and its internal ones, which are below `PREFIX.cdc.` unless a setting changes that. A name that merely
 * begins with the prefix proves nothing: another connector's prefix may begin the same.
 */
export function newTopics(
  { verify }: Pick<MigrationIntent, "verify">,
  of: TopicsOf,
  captured: readonly CapturedTable[],
): NewTopics {
  const { prefix, config, opsTopic } = of.settings;
  const named = topicNames(topicNaming(of.settings, of.database));
  // The PDB's name is the database's; a setting may have it in another case.
  const spelled = ({ container }: CapturedTable) => of.settings.tables.pdbs.filter((pdb) => isNamed(container, pdb));
  if (!named.known) return named;
  const names = new Set([
    ...captured.flatMap((table) =>
      [table.container, ...spelled(table)].map((container) => named.topicOf({ ...table, container })),
    ),
    ...Object.values(verify?.topics ?? {}),
    ...OWN.flatMap((setting) => config[setting]?.trim().replaceAll("${prefix}", () => prefix) ?? []),
    opsTopic,
  ]);
  return { known: true, has: (topic) => names.has(topic) || topic.startsWith(`${prefix}.cdc.`) };
}

/**
 * Everything that a connector keeps in its journal and schema topics, which outlives its offset. A start without an
 * offset reads both.
 *
 * Rule: reference: connector rules, "Journal and generations".
 */
export function keptRecords({ config, prefix }: Pick<NewSettingsSeen, "config" | "prefix">): readonly RemovedRecords[] {
  return [
    { topic: topicName(config, prefix, "cdc.txjournal.topic", ".cdc.txjournal"), of: "journal" },
    { topic: topicName(config, prefix, "cdc.schema.topic", ".cdc.schema"), of: "schema" },
  ];
}
