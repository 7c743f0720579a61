// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import type { DeployedConnector, NewSettingsSeen } from "../../../schemas/generated/facts.ts";
import type { RemovedRecords } from "../../../schemas/generated/plan.ts";
import { topicName } from "../../document/connector-settings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { isNamed } from "../../facts/database/database.ts";
import type { CapturedTable } from "../../facts/tables/tables.ts";
import { tableFinder } from "../../facts/tables/tables.ts";
import { topicNames, topicNaming } from "../../facts/tables/topic-names.ts";
import { legacyOf } from "../../legacy/legacy-kind.ts";
import { type LegacyTopic, LICENCE_TOPIC } from "../../legacy/written-topics.ts";

/**
 * The existing topics of the legacy connector: those of its tables, those that go with them, and its licence topic if
 * requested. None is guessed: a topic is listed if the plan file names it, or if its own rules give no other one that
 * exists for the table. If the plan file names a table's topic, no other is searched for.
 *
 * Rule: specification, "Start, verification and rollback"; reference: legacy properties.
 *
 * @param there names of all topics
 */
export function legacyTopics(
  intent: Pick<MigrationIntent, "from" | "verify" | "deleteLicenceTopic">,
  deployed: Pick<DeployedConnector, "config" | "offsets">,
  captured: readonly CapturedTable[],
  there: readonly string[],
): readonly LegacyTopic[] {
  const { topics: rules, ...legacy } = legacyOf(intent, deployed);
  const find = tableFinder(captured);
  const named = Object.entries(intent.verify?.legacyTopics ?? {}).map(([written, topic]): LegacyTopic => {
    const [table, ...others] = find(written);
    return { topic, what: `changes of ${written}`, table: others.length === 0 ? table : undefined };
  });
  const settled = new Set(named.map(({ table }) => table));
  const exists = new Set(there);
  const licenceTopic = intent.deleteLicenceTopic ? rules.licenceTopic?.(legacy.config) : undefined;
  const wanted: readonly LegacyTopic[] = [
    ...named,
    ...captured.flatMap((table) => {
      const [topic, ...others] = settled.has(table)
        ? []
        : new Set(rules.ofTable(legacy, table).filter((one) => exists.has(one)));
      // Names that differ in their case are not all its own.
      if (topic === undefined || others.length > 0) return [];
      return [{ topic, what: `changes of ${table.fullName}`, table }];
    }),
    ...rules.deletedToo(legacy).map((one) => ({ ...one, table: undefined })),
    ...(licenceTopic === undefined ? [] : [{ topic: licenceTopic, what: LICENCE_TOPIC, table: undefined }]),
  ];
  const first = new Map<string, LegacyTopic>();
  for (const one of wanted) if (exists.has(one.topic) && !first.has(one.topic)) first.set(one.topic, one);
  return [...first.values()];
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
  { settings, database }: TopicsOf,
  captured: readonly CapturedTable[],
): NewTopics {
  const { prefix, config, opsTopic } = settings;
  const named = topicNames(topicNaming(settings, database));
  // The PDB's name is the database's; a setting may have it in another case.
  const spelled = ({ container }: CapturedTable) => settings.tables.pdbs.filter((pdb) => isNamed(container, pdb));
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
