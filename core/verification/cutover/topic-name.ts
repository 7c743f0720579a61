// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the connector's notation

/** What a topic is named by. */
export interface TopicParts {
  readonly prefix: string;
  /** Undefined without containers. */
  readonly pdb: string | undefined;
  readonly schema: string;
  readonly table: string;
  /** `V$DATABASE.NAME` */
  readonly database: string;
}

const LONGEST = 249;

/**
 * The topic of a table. Rule: reference: wire formats, "Topic names".
 *
 * @param template `cdc.topic.template`; the connector's default where it is undefined
 * @returns why it can't be told
 */
export function topicOf(
  template: string | undefined,
  parts: TopicParts,
): { readonly topic: string } | { readonly why: string } {
  const { prefix, pdb, schema, table, database } = parts;
  const used = template ?? (pdb === undefined ? "${prefix}.${schema}.${table}" : "${prefix}.${pdb}.${schema}.${table}");
  const values: Readonly<Record<string, string | undefined>> = { prefix, pdb, schema, table, database };
  let unknown: string | undefined;
  const filled = used.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) unknown ??= whole;
    return value ?? "";
  });
  if (unknown !== undefined) return { why: `cdc.topic.template ${used} has ${unknown}, which stands for nothing here` };
  const topic = filled
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/\.{2,}/g, ".")
    .replace(/^\.+/, "")
    .slice(0, LONGEST);
  return { topic };
}
