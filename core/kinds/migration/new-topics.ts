// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector
import type { CapturedTable } from "../../facts/captured-tables.ts";
import type { NewSettingsSeen } from "../../facts/migration-facts.ts";
import { type TopicNaming, topicOf } from "../../facts/topic-names.ts";

/** What the names of the new connector's topics follow from. */
export interface TopicsOf {
  readonly settings: Pick<NewSettingsSeen, "tables" | "config" | "prefix" | "opsTopic">;
  readonly database: { readonly name: string };
}

/** How the new connector names the topics of its tables. */
export function topicNaming({ settings: { config, prefix, tables }, database }: TopicsOf): TopicNaming {
  const template = config["cdc.topic.template"]?.trim();
  return {
    template: template === undefined || template === "" ? undefined : template,
    prefix,
    container: tables.pdbs.length > 0,
    database: database.name,
  };
}

/** Settings that name a topic of the connector's own. */
const OWN = ["cdc.ops.topic", "cdc.signals.topic", "cdc.txjournal.topic", "cdc.heartbeat.topic"];

/**
 * Whether the new connector writes to a topic, as far as names tell: that of a captured table, or one of its own, which lie below `PREFIX.cdc.`
 * unless a setting says otherwise. That a name merely begins with the prefix says nothing: another connector's prefix may as well.
 */
export function isNewTopic(of: TopicsOf, captured: readonly CapturedTable[]): (topic: string) => boolean {
  const { prefix, config, opsTopic } = of.settings;
  const naming = topicNaming(of);
  const names = new Set([
    ...captured.map((table) => topicOf(table, naming)),
    ...OWN.flatMap((setting) => config[setting]?.trim().replaceAll("${prefix}", () => prefix) ?? []),
    opsTopic,
  ]);
  return (topic) => names.has(topic) || topic.startsWith(`${prefix}.cdc.`);
}
