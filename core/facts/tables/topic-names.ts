// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector

import type { TableSeen } from "../../../schemas/generated/shared.ts";
import { type Config, settingOf } from "../../values/config.ts";

export interface TopicNaming {
  /** `cdc.topic.template`; undefined: the connector's default. */
  readonly template: string | undefined;
  readonly prefix: string;
  /** `cdc.database.pdbs`; none: tables of a database without containers. */
  readonly pdbs: readonly string[];
  /** `${database}`: `V$DATABASE.NAME`. */
  readonly database: string;
}

/** Unknown if the template has an unknown variable: topics are read or deleted by name, so none is guessed. */
export type TopicNames =
  | { readonly known: true; readonly topicOf: (table: TableSeen) => string }
  | { readonly known: false; readonly why: string };

/** Derives how a connector names the topics of its tables from its configuration. */
export function topicNaming(
  settings: { readonly config: Config; readonly prefix: string; readonly tables: { readonly pdbs: readonly string[] } },
  database: { readonly name: string },
): TopicNaming {
  const { config, prefix, tables } = settings;
  return { template: settingOf(config, "cdc.topic.template"), prefix, pdbs: tables.pdbs, database: database.name };
}

/** Characters of a topic's name at most: a longer one is cut off. */
export const LONGEST_TOPIC = 249;

/** A name as it stands in that of a topic: with `_` in place of each character that Kafka does not allow. */
export function legalInTopic(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._-]/gu, "_");
}

/**
 * The topics that the changes of tables are written to.
 *
 * Rule: reference: wire formats, "Topic names".
 */
export function topicNames(naming: TopicNaming): TopicNames {
  const template = templateOf(naming);
  const values = ({ container, owner, name }: TableSeen): Readonly<Record<string, string>> => ({
    prefix: naming.prefix,
    schema: owner,
    table: name,
    database: naming.database,
    ...(naming.pdbs.length > 0 ? { pdb: container } : {}),
  });
  const variables = values({ container: "", owner: "", name: "" });
  const stranger = [...template.matchAll(VARIABLE)].find(([, name = ""]) => !Object.hasOwn(variables, name));
  if (stranger !== undefined)
    return { known: false, why: `cdc.topic.template ${template} has the unknown variable ${stranger[0]}` };
  return {
    known: true,
    topicOf: (table) => {
      const of = values(table);
      return legalInTopic(template.replace(VARIABLE, (_, name: string) => of[name] ?? ""))
        .replace(/\.{2,}/g, ".")
        .replace(/^\.+/, "")
        .slice(0, LONGEST_TOPIC);
    },
  };
}

const VARIABLE = /\$\{([^}]*)\}/g;

/** Whether two tables can share one topic: then the `source` of a record names its table. */
export function canShareTopic(naming: Pick<TopicNaming, "template" | "pdbs">): boolean {
  const template = templateOf(naming);
  const telling = ["${schema}", "${table}", ...(naming.pdbs.length > 1 ? ["${pdb}"] : [])];
  return !telling.every((variable) => template.includes(variable));
}

function templateOf({ template, pdbs }: Pick<TopicNaming, "template" | "pdbs">): string {
  return template ?? (pdbs.length > 0 ? "${prefix}.${pdb}.${schema}.${table}" : "${prefix}.${schema}.${table}");
}
