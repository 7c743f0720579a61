// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector
import type { TableSeen } from "./tables.ts";

/** What the names of the connector's topics are made of. */
export interface TopicNaming {
  /** `cdc.topic.template`; undefined: the connector's default. */
  readonly template: string | undefined;
  readonly prefix: string;
  /** Whether tables are captured in PDBs. */
  readonly container: boolean;
  /** `${database}`. */
  readonly database: string;
}

const LONGEST = 249;

/**
 * The topic that the changes of a table are written to.
 *
 * Rule: reference: wire formats, "Topic names".
 */
export function topicOf({ container, owner, name }: TableSeen, naming: TopicNaming): string {
  const { prefix, database } = naming;
  const values: Readonly<Record<string, string>> = { prefix, pdb: container, schema: owner, table: name, database };
  const written = templateOf(naming).replaceAll(/\$\{([^}]*)\}/g, (all, variable: string) =>
    Object.hasOwn(values, variable) ? (values[variable] ?? all) : all,
  );
  return written
    .replaceAll(/[^A-Za-z0-9._-]/g, "_")
    .replaceAll(/\.{2,}/g, ".")
    .replace(/^\.+/, "")
    .slice(0, LONGEST);
}

/** Whether two tables can have one topic: then a record says by its `source` which one it is of. */
export function isShared(naming: TopicNaming): boolean {
  const template = templateOf(naming);
  return !["${schema}", "${table}", ...(naming.container ? ["${pdb}"] : [])].every((variable) =>
    template.includes(variable),
  );
}

function templateOf({ template, container }: TopicNaming): string {
  return template ?? (container ? "${prefix}.${pdb}.${schema}.${table}" : "${prefix}.${schema}.${table}");
}
