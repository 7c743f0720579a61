// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import type { LegacyWrites } from "../../schemas/generated/facts.ts";
import { reroutings } from "../facts/connector/plugins.ts";
import type { CapturedTable } from "../facts/tables/tables.ts";
import { LONGEST_TOPIC, legalInTopic } from "../facts/tables/topic-names.ts";
import { type Config, settingOf } from "../values/config.ts";
import type { LegacyOf } from "./position.ts";

/** A topic that only the legacy connector writes to, and its role. */
export interface LegacyTopic {
  readonly topic: string;
  readonly what: string;
  /** The table whose changes it holds; undefined if it holds those of no captured table. */
  readonly table: CapturedTable | undefined;
}

export const LICENCE_TOPIC = "licence topic";

/** Topics of the legacy connector that another connector writes to, or may write to. */
export interface SharedTopics {
  readonly connector: string;
  readonly topics: readonly string[];
  /** Its transformations that may route records anywhere; empty if its names lead to the topics. */
  readonly through: readonly string[];
}

/** The topic of a captured table by the settings of both connectors; undefined where it can't be told. */
export interface TableTopic {
  readonly table: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** Which topics one legacy connector writes to. All of it is judged by name. */
export interface TopicRules {
  /** Names that the topic of a table may have; none where a transformation may have routed its records elsewhere. */
  readonly ofTable: (legacy: LegacyOf, table: CapturedTable) => readonly string[];
  /** Names of the topics that belong to its tables' and are deleted with them, by what each is. */
  readonly deletedToo: (legacy: LegacyOf) => readonly Omit<LegacyTopic, "table">[];
  /** What the facts keep of it while it is not the one that is migrated; `namedTopics` finds what settings name. */
  readonly writes?: (connector: string, config: Config) => LegacyWrites;
  /** The topic of its licence. */
  readonly licenceTopic?: (config: Config) => string;
  /** Existing topics of LOB columns of tables: a text says why they can't be told; undefined: it writes none. */
  readonly lobTopics?: (
    legacy: LegacyOf,
    tables: readonly CapturedTable[],
    there: readonly string[],
  ) => readonly string[] | string | undefined;
  /** Whether it may write to a topic: true unless it certainly does not. */
  readonly mayWriteTo: (legacy: LegacyOf) => (topic: string) => boolean;
  /** Why the new connector can't write into them; undefined if it can, and the operator has to decide. */
  readonly notKept?: string;
  /** What changes for consumers of topics that are kept, besides duplicates. */
  readonly changesKept?: readonly string[];
  /** Transformations that leave records which no verification can read. */
  readonly unreadable?: (config: Config) => readonly string[];
  /** The version that is assumed if the plan file states none; undefined if nothing depends on it. */
  readonly assumed?: string;
  /** What a retirement leaves, as steps that are done manually. */
  readonly leftOver?: (legacy: LegacyOf, there: readonly string[]) => readonly string[];
}

/** Settings that name topics to which a connector may write, except those of `LegacyWrites` and the licence topic. */
const NAMES_TOPICS =
  /^(?!confluent\.topic$|redo\.log\.topic\.name$)(?:(?:.+\.)?topic(?:\.name)?|cdc\.(?:.+\.)?topic\.template)$/;
/** The settings of Debezium's connectors and JDBC sources that say what their topics begin with. */
const PREFIXES = ["topic.prefix", "database.server.name"];

/** The topics that a connector's settings name, besides its `cdc.topic.prefix` and those of `LegacyWrites`. */
export function namedTopics(config: Config): Record<"templates" | "reroutings", readonly string[]> {
  const prefix = settingOf(config, "cdc.topic.prefix") ?? "";
  const named = Object.keys(config).filter((name) => NAMES_TOPICS.test(name));
  const below = PREFIXES.flatMap((name) => settingOf(config, name) ?? []);
  return {
    templates: [
      ...named.sort().flatMap((name) => settingOf(config, name)?.replaceAll("${prefix}", () => prefix) ?? []),
      ...below.map((beginning) => `${beginning}\${name}`),
    ],
    reroutings: reroutings(config).map(({ name }) => name),
  };
}

/** Whether a template of the new connector may produce a topic. It has no PDB in a database without containers. */
export function gives(template: string, topic: string): boolean {
  // A longer name is cut off.
  if (topic.length === LONGEST_TOPIC) return true;
  return [template, template.replaceAll("${pdb}", "")]
    .map((one) => one.replaceAll(/\.{2,}/g, ".").replace(/^\.+/, ""))
    .some((one) => fitsOf(one, topic, {}).length > 0);
}

/** Whether a name holds a variable, or a reference that only the worker resolves. */
export const isReference = (name: string): boolean => name.includes("${");

/** A name of a database as it may stand in topics and patterns: settings have it in any case. */
export function inAnyCase(name: string): readonly string[] {
  return [...new Set([name, name.toUpperCase(), name.toLowerCase()])];
}

/** The values of a template's variables that produce a topic, by variable name. */
export type Fit = Readonly<Record<string, string>>;

/** More unknown variables leave too many ways to split a name. */
const MOST_OPEN = 3;

/**
 * Every way in which a template of the legacy connector produces a topic. Names may contain the text between the
 * variables, so there can be several; they are as they stand in the topic.
 *
 * @param known values of variables, the database's in any case; the others may be anything but empty
 * @returns `"many"` if there are too many open variables to enumerate
 */
export function fitsOf(template: string, topic: string, known: Fit): readonly Fit[] | "many" {
  const parts = partsOf(
    template.replaceAll("${fullyQualifiedTableName}", "${databaseName}.${schemaName}.${tableName}"),
  );
  const open = new Set(
    parts.flatMap(({ variable }) => (variable === undefined || Object.hasOwn(known, variable) ? [] : [variable])),
  );
  if (open.size > MOST_OPEN) return "many";
  const fits: Fit[] = [];
  const go = (nth: number, from: number, names: Fit): void => {
    const part = parts[nth];
    if (part === undefined) {
      if (from === topic.length) fits.push(names);
      return;
    }
    const { variable } = part;
    if (variable !== undefined && !Object.hasOwn(names, variable)) {
      for (let end = from + 1; end <= topic.length; end++)
        go(nth + 1, end, { ...names, [variable]: topic.slice(from, end) });
      return;
    }
    const text = variable === undefined ? part.text : (names[variable] ?? "");
    const cased = variable === "databaseName" ? inAnyCase(text) : [text];
    for (const one of new Set(cased.map(legalInTopic)))
      if (topic.startsWith(one, from)) go(nth + 1, from + one.length, names);
  };
  go(0, 0, known);
  return fits;
}

function partsOf(template: string) {
  return template
    .split(/(\$\{[^}]*\})/)
    .filter((text) => text !== "")
    .map((text) => ({ text, variable: /^\$\{([^}]*)\}$/.exec(text)?.[1] }));
}
