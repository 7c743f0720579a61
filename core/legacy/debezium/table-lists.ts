import { compilePatterns, isBad, type PatternList } from "../../patterns/pattern-list.ts";
import { type Config, settingOf, unresolved } from "../../values/config.ts";

/**
 * Whether a table is captured by Debezium's lists; `unknown` where a pattern is no Java pattern that can be evaluated,
 * or only the worker resolves it.
 */
export type Listed = (schema: string, table: string) => "yes" | "no" | "unknown";

interface TableList {
  readonly setting: string;
  readonly of: "schema" | "table";
  readonly wants: boolean;
  /** Versions since 2.0 ignore it. */
  readonly until2?: true;
}

/** Rule: reference: Debezium, "Property table", table lists; every list that is set counts. */
const LISTS: readonly TableList[] = [
  { setting: "schema.include.list", of: "schema", wants: true },
  { setting: "schema.exclude.list", of: "schema", wants: false },
  { setting: "table.include.list", of: "table", wants: true },
  { setting: "table.exclude.list", of: "table", wants: false },
  { setting: "schema.whitelist", of: "schema", wants: true, until2: true },
  { setting: "schema.blacklist", of: "schema", wants: false, until2: true },
  { setting: "table.whitelist", of: "table", wants: true, until2: true },
  { setting: "table.blacklist", of: "table", wants: false, until2: true },
];

/** Whether a version is older than 2.0; one that is not known is taken for a later one. */
export function isBefore2(version: string | undefined): boolean {
  return version?.startsWith("1.") ?? false;
}

/**
 * The tables that Debezium's lists name: patterns over schema, or schema and table, that match whole names in any case.
 * A PDB in them matches nothing.
 *
 * @param inTopics the names are as they stand in topics, where `_` may be any character that Kafka does not allow
 */
export function listedBy(config: Config, version: string | undefined, inTopics = false): Listed {
  const lists = LISTS.flatMap((list) => {
    const text = settingOf(config, list.setting);
    if (text === undefined || (list.until2 === true && !isBefore2(version))) return [];
    const topics = list.wants ? ("some" as const) : ("all" as const);
    const compiled = compilePatterns(patternsIn(text), false, inTopics ? topics : undefined);
    const known = !isBad(compiled) && unresolved({ [list.setting]: text }).length === 0;
    return [{ ...list, patterns: known ? compiled : undefined }];
  });
  return (schema, table) => {
    const answers = lists.map(({ of, wants, patterns }) =>
      answered(patterns, of === "schema" ? schema : `${schema}.${table}`, wants),
    );
    return answers.includes("no") ? "no" : answers.includes("unknown") ? "unknown" : "yes";
  };
}

/** Splits a list as Debezium does: at commas that are not escaped, without the white space around them. */
function patternsIn(list: string): readonly string[] {
  return list
    .split(/(?<!\\),/)
    .map((pattern) => pattern.trim().replaceAll("\\,", ","))
    .filter((pattern) => pattern !== "");
}

function answered(patterns: PatternList | undefined, name: string, wants: boolean): ReturnType<Listed> {
  const { matched } = patterns?.matches(name) ?? { matched: "unknown" };
  return matched === "unknown" ? matched : (matched === "yes") === wants ? "yes" : "no";
}
