import { UsageError } from "../../core/errors.ts";
import type { TableWanted } from "../../core/verification/cutover/request.ts";

/**
 * The tables that `--table` names, each with the topics that `--table` and `--legacy-topic` name for it.
 *
 * @throws UsageError for a legacy topic of no table, a table without a name, one named twice
 */
export function tablesWanted(tables: readonly string[], legacyTopics: readonly string[]): readonly TableWanted[] {
  if (tables.length === 0) throw new UsageError("no table is named", "Give --table OWNER.TABLE.");
  const wanted = tables.map((text) => splitAtTopic(text));
  const names = wanted.map(({ name }) => name.toUpperCase());
  const twice = wanted.find(({ name }, at) => names.indexOf(name.toUpperCase()) < at);
  if (twice !== undefined) throw new UsageError(`--table ${twice.name} is given twice`, "Name each table once.");
  const topicOf = new Map<string, string>();
  for (const text of legacyTopics) {
    const { name, topic } = splitAtTopic(text);
    const table = topic === undefined ? onlyOne(wanted, text) : name;
    const key = table.toUpperCase();
    if (!names.includes(key))
      throw new UsageError(`--legacy-topic ${text} is of a table that is not verified`, `Add --table ${table}.`);
    if (topicOf.has(key))
      throw new UsageError(`two legacy topics are given for ${table}`, "A table has one: name it once.");
    topicOf.set(key, topic ?? name);
  }
  return wanted.map(({ name, topic }) => ({ name, topic, legacyTopic: topicOf.get(name.toUpperCase()) }));
}

/** No topic has an equals sign in its name; a table's quoted name may. */
function splitAtTopic(text: string): { readonly name: string; readonly topic: string | undefined } {
  const [, name, topic] = /^(.+)=([A-Za-z0-9._-]+)$/.exec(text.trim()) ?? [];
  return name === undefined || topic === undefined
    ? { name: text.trim(), topic: undefined }
    : { name: name.trim(), topic };
}

function onlyOne(wanted: readonly { readonly name: string }[], text: string): string {
  const [only] = wanted;
  if (only === undefined || wanted.length > 1)
    throw new UsageError(
      `--legacy-topic ${text} does not say of which table`,
      `With several tables:  --legacy-topic OWNER.TABLE=${text}`,
    );
  return only.name;
}
