import { compilePatterns, isBad, type PatternList } from "../../patterns/pattern-list.ts";
import { isHidden, redactSetting } from "../../redaction/redact.ts";
import { type Config, REFERENCE, settingOf, unresolved } from "../../values/config.ts";
import { alternatives } from "../../values/regexp.ts";
import { changed, type Fate, manual, type Source } from "../property-table.ts";
import { isBefore } from "./versions.ts";

/**
 * Whether a table is captured by Debezium's lists; `unknown` where a pattern is no Java pattern that can be evaluated,
 * only the worker resolves it, or a plan's facts do not show it.
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
  return isBefore({ version }, "2.0");
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
    const known = !isBad(compiled) && !isHidden(text) && unresolved({ [list.setting]: text }).length === 0;
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

/**
 * The lists of tables and schemas. Debezium matches each pattern with the whole of `SCHEMA.TABLE`, or of a schema's
 * name, whatever the case; a table is captured if the lists of schemas and of tables both include it. The new
 * connector matches `PDB.SCHEMA.TABLE`.
 *
 * Rule: reference: Debezium, "Property table"; its table of filters.
 */

/** Schemas that Debezium never captures (its `OracleConnectorConfig.EXCLUDED_SCHEMAS`). */
const BUILT_IN =
  "APPQOSSYS|AUDSYS|CTXSYS|DVSYS|DBSFWUSER|DBSNMP|GGSHAREDCAP|GSMADMIN_INTERNAL|LBACSYS|MDSYS|OJVMSYS|OLAPSYS|" +
  "ORDDATA|ORDSYS|OUTLN|SYS|SYSTEM|VECSYS|WMSYS|XDB";

const shown = (pattern: string): string => redactSetting("cdc.tables.include", pattern);

/** Why a pattern has to be written anew. */
class NoEquivalent extends Error {}

/** The lists as the version that runs reads them: 1.x took other names as well. */
function listsOf(source: Source, which: "include" | "exclude") {
  const earlier = which === "include" ? "whitelist" : "blacklist";
  const of = (what: string) =>
    source.get(`${what}.${which}.list`) ?? (isBefore(source, "2.0") ? source.get(`${what}.${earlier}`) : undefined);
  return { tables: elements(of("table")), schemas: elements(of("schema")) };
}

/** @throws NoEquivalent for a comma inside a pattern: the target's list has no such thing */
function elements(list = ""): readonly string[] {
  if (/\\,/.test(list)) throw new NoEquivalent("it has a comma inside a pattern");
  return list.split(",").flatMap((one) => one.trim() || []);
}

/** `cdc.tables.include`, of every list that includes. */
export function included(_value: string, source: Source): Fate {
  return targetOf("cdc.tables.include", source, () => {
    const { tables, schemas } = listsOf(source, "include");
    if (tables.length === 0) return schemas.map((schema) => inPdb(source, schema, "[.].*"));
    return inBoth(tables, schemas).map((table) => inPdb(source, table));
  });
}

/** `cdc.tables.exclude`, of every list that excludes. */
export function excluded(_value: string, source: Source): Fate {
  return targetOf("cdc.tables.exclude", source, () => {
    const { tables, schemas } = listsOf(source, "exclude");
    return [
      ...tables.map((table) => inPdb(source, table)),
      ...schemas.map((schema) => inPdb(source, schema, "[.].*")),
      ...(everything(source) === undefined ? [] : [inPdb(source, BUILT_IN, "[.].*")]),
    ];
  });
}

/** The tables to include where lists exclude, and none includes. */
export function everything(source: Source): string | undefined {
  const has = (which: "include" | "exclude") =>
    ["table", "schema"].some((what) => source.get(`${what}.${which}.list`) !== undefined);
  return !has("include") && has("exclude") ? inPdb(source, ".*") : undefined;
}

function targetOf(target: string, source: Source, patterns: () => readonly string[]): Fate {
  try {
    const found = patterns();
    if (found.length === 0) throw new NoEquivalent("the lists of schemas and of tables have no table in common");
    const where = source.get("database.pdb.name") === undefined ? "SCHEMA.TABLE" : "PDB.SCHEMA.TABLE";
    return changed(target, found.join(","), `matched against ${where}, in any case as before`);
  } catch (problem) {
    if (!(problem instanceof NoEquivalent)) throw problem;
    return manual(`${problem.message}: write ${target} manually`);
  }
}

/** A pattern of Debezium's as the new connector matches it. @param after what follows the pattern in the whole name */
function inPdb(source: Source, pattern: string, after = ""): string {
  // A whole name is matched: anchors around it change nothing, and would not match behind the PDB.
  const parts = alternatives(pattern).map((one) => one.replace(/^\^/, "").replace(/(?<!\\)\$$/, ""));
  const bare = parts.join("|");
  if (/(?<![\\[])\^|\(\?<[=!]/.test(bare)) throw new NoEquivalent(`${shown(pattern)} looks at where it begins`);
  const compiled = compilePatterns([bare], false);
  if (isBad(compiled) && compiled.kind === "refused") throw new NoEquivalent(`${shown(pattern)} is not a Java pattern`);
  const pdb = source.get("database.pdb.name");
  const before = pdb === undefined ? "" : `${REFERENCE.test(pdb) ? "[^.]+" : pdb.replace(/\W/g, "[$&]")}[.]`;
  return `${before}${parts.length > 1 && before + after !== "" ? `(?:${bare})` : bare}${after}`;
}

/**
 * The tables' patterns that match in the schemas only. The engine has no intersection, so each has to begin with the
 * name of a schema.
 */
function inBoth(tables: readonly string[], schemas: readonly string[]): readonly string[] {
  if (schemas.length === 0) return tables;
  const compiled = compilePatterns(schemas, false);
  if (isBad(compiled)) throw new NoEquivalent(`${shown(compiled.pattern)} is not a Java pattern`);
  return tables.flatMap(alternatives).flatMap((one) => {
    const [, schema = "", dot = "", table = ""] = /^\^?(\w+)(\\\.|\[\.\]|\.)(.+)$/.exec(one) ?? [];
    // A bare dot is any character: it is the one before the table only if nothing else can be.
    if (schema === "" || (dot === "." && !/^\w+\$?$/.test(table)))
      throw new NoEquivalent(
        `${shown(one)} does not begin with the name of a schema, and there is a list of schemas beside it`,
      );
    return compiled.matches(schema).matched === "yes" ? one : [];
  });
}
