// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import type { Translation } from "../../schemas/generated/shared.ts";
import { UsageError } from "../errors.ts";
import { redactConfiguration, redactSecrets } from "../redaction/redact.ts";
import type { Config } from "../values/config.ts";
import { truncate } from "../values/truncate.ts";
import { CONNECTOR_CLASS } from "./connector-class.ts";
import { dropped, type Fate, manual, mapped } from "./fate.ts";
import { followUpsOf } from "./follow-ups.ts";
import { COPIED, RULES, type Source } from "./rules.ts";

/** The translation of one property of the source; values as plans and reports show them (`redactConfiguration`). */
export type TranslatedProperty = Translation["properties"][number];

interface TranslateOptions {
  /** The new connector's name; default: the legacy one's with `-cdc`. */
  readonly name?: string | undefined;
  /** `cdc.topic.prefix`; default: the legacy connector's name. */
  readonly topicPrefix?: string | undefined;
  /** `connector.class`, if the workers have another build of the connector; default: the documented class. */
  readonly connectorClass?: string | undefined;
}

/**
 * Translates a legacy connector's configuration. Every property ends as mapped, changed, dropped or manual; none is
 * silently lost.
 *
 * Rule: specification, "Translation rules".
 *
 * @param connector the legacy connector's name
 * @throws UsageError for a name or a topic prefix that can't be used
 */
export function translate(connector: string, config: Config, options: TranslateOptions = {}): Translation {
  const name = nameFor(connector, options.name);
  const prefix = prefixFor(connector, options.topicPrefix);
  const source = sourceOf(connector, name, options.connectorClass ?? CONNECTOR_CLASS, config);
  const masked = redactSecrets(config);
  const targets = new Map<string, { readonly by: string; readonly value: string }>();
  const properties = Object.keys(config).map((property): TranslatedProperty => {
    const fate = settled(property, fateOf(property, config[property] ?? "", source), targets);
    if ("target" in fate) targets.set(fate.target, { by: property, value: fate.value });
    return shown(property, fate, masked[property] ?? "");
  });
  const translated = Object.fromEntries([...targets].map(([target, { value }]) => [target, value]));
  const added = additions(source, translated, properties, prefix);
  const whole = { ...translated, ...Object.fromEntries(added.map(({ target, value }) => [target, value])) };
  const output = maskedAsTranslated(whole, properties);
  return {
    name,
    config: Object.fromEntries(Object.entries(output).sort(([a], [b]) => (a < b ? -1 : 1))),
    properties: properties.map((one) => redacted(one, output)),
    added,
    followUps: followUpsOf({ source, properties, config: whole, output }),
  };
}

function nameFor(connector: string, wanted: string | undefined): string {
  if (wanted === connector)
    throw new UsageError(
      `the new connector can't be named ${JSON.stringify(connector)}: that is the legacy connector's name`,
      "Choose another name.",
    );
  return wanted ?? `${connector}-cdc`;
}

/** The topic prefix, which has to be valid in topic names. */
function prefixFor(connector: string, wanted: string | undefined): string {
  const prefix = wanted ?? connector;
  if (/^[\w.-]{1,200}$/.test(prefix)) return prefix;
  throw new UsageError(
    wanted === undefined
      ? `the legacy connector's name, ${JSON.stringify(truncate(connector, 60))}, is not a valid topic prefix`
      : `${JSON.stringify(truncate(wanted, 60))} is not a valid topic prefix`,
    "Use a topic prefix of letters, digits, dots, hyphens and underscores.",
  );
}

/** `srcdb.` is the specification's spelling of `oracle.`. */
function canonical(name: string): string {
  return name.replace(/^srcdb\./, "oracle.");
}

/** A property in both spellings counts as it is written first, as in `settled`. */
function sourceOf(connector: string, newName: string, connectorClass: string, config: Config): Source {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(config)) {
    if (value.trim() !== "" && !values.has(canonical(name))) values.set(canonical(name), value.trim());
  }
  return { connector, newName, connectorClass, get: (property) => values.get(property) };
}

/** Properties for which an empty value has a meaning. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["table.topic.name.template", "lob.topic.name.template"]);

function fateOf(name: string, written: string, source: Source): Fate {
  const property = canonical(name);
  const value = written.trim();
  if (value === "" && !MAY_BE_EMPTY.has(property)) return dropped("empty in the source");
  const rule = Object.hasOwn(RULES, property)
    ? RULES[property]
    : Object.entries(RULES).find(([pattern]) => pattern.endsWith("*") && covers(pattern, property))?.[1];
  if (rule !== undefined) return rule(value, source);
  if (COPIED.some((pattern) => covers(pattern, property))) return mapped(name, written);
  return manual("this property is unknown: find out what it did, and set its equivalent here");
}

/** Whether a row for `pattern`, which may end with `*`, is a row for the property. */
export function covers(pattern: string, property: string): boolean {
  return pattern.endsWith("*") ? property.startsWith(pattern.slice(0, -1)) : property === pattern;
}

/** Two properties for one setting: equal values count as one, and cdcctl does not choose between different ones. */
function settled(
  name: string,
  fate: Fate,
  targets: ReadonlyMap<string, { readonly by: string; readonly value: string }>,
): Fate {
  const before = "target" in fate ? targets.get(fate.target) : undefined;
  if (before === undefined || !("target" in fate) || before.value === fate.value) return fate;
  return manual(
    `${before.by} also sets ${fate.target}, to another value: decide which one applies (now ${before.by}'s), and ` +
      `remove ${name}`,
  );
}

function shown(name: string, fate: Fate, masked: string): TranslatedProperty {
  switch (fate.fate) {
    case "dropped":
      return { name, ...fate };
    case "manual":
      return { name, fate: "manual", value: masked, instruction: fate.instruction };
    default: {
      const value = redactSecrets({ [name]: fate.value })[name] ?? "";
      return { name, ...fate, value: redactSecrets({ [fate.target]: value })[fate.target] ?? "" };
    }
  }
}

/**
 * Redacts a property for reports. @param output the whole configuration: a transformation's class decides what its
 * settings mean
 */
function redacted(property: TranslatedProperty, output: Config): TranslatedProperty {
  if (property.fate === "dropped") return property;
  const name = property.fate === "manual" ? property.name : property.target;
  return { ...property, value: redactConfiguration({ ...output, [name]: property.value })[name] ?? "" };
}

/** Redacts a translation that is only shown: its configuration is redacted as in plans and facts. */
export function redactTranslation(translation: Translation): Translation {
  return { ...translation, config: redactConfiguration(translation.config) };
}

/** A value that is secret under its source property's name stays secret under its new one. */
function maskedAsTranslated(whole: Config, properties: readonly TranslatedProperty[]): Config {
  const shownValues = properties.flatMap((one) => ("target" in one ? [[one.target, one.value] as const] : []));
  return redactSecrets({ ...whole, ...Object.fromEntries(shownValues) });
}

function additions(
  source: Source,
  translated: Config,
  properties: readonly TranslatedProperty[],
  prefix: string,
): Translation["added"] {
  const database = source.get("oracle.pdb.name") === undefined ? "${database}" : "${pdb}";
  const byHand = (property: string) => properties.some(({ name, fate }) => name === property && fate === "manual");
  const wanted: Translation["added"] = [
    { target: "name", value: source.newName, reason: "the new connector has its own name" },
    { target: "connector.class", value: source.connectorClass, reason: "this connector's class" },
    { target: "tasks.max", value: "1", reason: "one task captures every table" },
    { target: "cdc.topic.prefix", value: prefix, reason: "every topic begins with it" },
    { target: "cdc.tables.case.sensitive", value: "true", reason: "the legacy connector matched names as they are" },
    { target: "cdc.snapshot.mode", value: "none", reason: "the start is cdc.start.scn, which the takeover sets" },
    { target: "cdc.decimal.mode", value: "precise", reason: "NUMBER keeps every digit" },
    { target: "cdc.tombstones.on.delete", value: "false", reason: "the legacy connector's default" },
    ...(source.get("lob.topic.name.template") === undefined
      ? [{ target: "cdc.lob.mode", value: "skip", reason: "no LOB topics were used" }]
      : []),
    { target: "cdc.output.format", value: "debezium", reason: "the format of its records" },
    ...(byHand("table.topic.name.template")
      ? []
      : [
          {
            target: "cdc.topic.template",
            value: `\${prefix}.${database}.\${schema}.\${table}`,
            reason: "the legacy connector's default, below the prefix",
          },
        ]),
  ];
  return wanted.filter(({ target }) => !Object.hasOwn(translated, target));
}
