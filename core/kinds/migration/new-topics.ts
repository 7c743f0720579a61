// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector

import type { MigrationIntent } from "../../document/intent.ts";
import type { NewSettingsSeen } from "../../facts/migration-facts.ts";
import type { CapturedTable } from "../../facts/tables/tables.ts";
import { topicNames, topicNaming } from "../../facts/tables/topic-names.ts";

/** What the names of the new connector's topics follow from. */
export interface TopicsOf {
  readonly settings: Pick<NewSettingsSeen, "tables" | "config" | "prefix" | "opsTopic">;
  readonly database: { readonly name: string };
}

/** Settings that name a topic of the connector's own. */
const OWN = ["cdc.ops.topic", "cdc.signals.topic", "cdc.txjournal.topic", "cdc.heartbeat.topic"];

/** Which topics the new connector writes to; unknown where it can't be told what those of its tables are called. */
type NewTopics =
  | { readonly known: true; readonly has: (topic: string) => boolean }
  | { readonly known: false; readonly why: string };

/**
 * The topics that the new connector writes to, as far as names tell: those of captured tables, those that the plan file
 * names for them, and its own, which lie below `PREFIX.cdc.` unless a setting says otherwise. That a name merely begins
 * with the prefix says nothing: another connector's prefix may as well.
 */
export function newTopics(
  { verify }: Pick<MigrationIntent, "verify">,
  of: TopicsOf,
  captured: readonly CapturedTable[],
): NewTopics {
  const { prefix, config, opsTopic } = of.settings;
  const named = topicNames(topicNaming(of.settings, of.database));
  if (!named.known) return named;
  const names = new Set([
    ...captured.map(named.topicOf),
    ...Object.values(verify?.topics ?? {}),
    ...OWN.flatMap((setting) => config[setting]?.trim().replaceAll("${prefix}", () => prefix) ?? []),
    opsTopic,
  ]);
  return { known: true, has: (topic) => names.has(topic) || topic.startsWith(`${prefix}.cdc.`) };
}
