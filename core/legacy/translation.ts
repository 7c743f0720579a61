import type { Translation } from "../../schemas/generated/shared.ts";
import { UsageError } from "../errors.ts";
import { redactConfiguration, redactSecrets } from "../redaction/redact.ts";
import type { Config } from "../values/config.ts";
import { truncate } from "../values/truncate.ts";
import { CONNECTOR_CLASS, LEGACY_CLASSES } from "./connector-class.ts";
import { followUpsOf } from "./follow-ups.ts";
import { LEGACY_KINDS, legacyKindOf } from "./legacy-kind.ts";
import {
  COPIED,
  covers,
  dropped,
  type Fate,
  manual,
  mapped,
  type PropertyTable,
  type Source,
  type TranslatedProperty,
  type TranslateOptions,
} from "./property-table.ts";

export type { TranslatedProperty } from "./property-table.ts";

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
  const table = propertiesOf(config);
  const name = nameFor(connector, options.name);
  const source = sourceOf(connector, name, table, config, options);
  checkPrefix(source, table);
  const targets: Targets = new Map();
  const fates = Object.keys(config).map((property): readonly [string, Fate] => {
    const fate = settled(property, fateOf(property, config, source, table), targets);
    if ("target" in fate) targets.set(fate.target, { by: property, value: fate.value });
    return [property, fate];
  });
  const byHand = (property: string) => fates.some(([one, { fate }]) => one === property && fate === "manual");
  const added = table.additions(source, byHand).filter(({ target }) => !targets.has(target));
  const whole = Object.fromEntries([
    ...[...targets].map(([target, { value }]) => [target, value]),
    ...added.map(({ target, value }) => [target, value]),
  ]);
  const output = maskedAsTranslated(whole, targets);
  const properties = fates.map(([property, fate]) => shown(property, fate, config, output));
  const other = otherClass(source.get("connector.class"), source.connectorClass);
  return {
    name,
    config: Object.fromEntries(Object.entries(output).sort(([a], [b]) => (a < b ? -1 : 1))),
    properties,
    added,
    followUps: followUpsOf({ source, properties, config: whole, output }, table, other),
  };
}

/** What becomes of the properties of a configuration. One of another connector is read as Confluent's. */
export function propertiesOf(config: Config): PropertyTable {
  return (legacyKindOf(config) ?? LEGACY_KINDS.confluent).properties;
}

/**
 * Why a configuration is not a legacy connector's; empty if it is, or has no class.
 *
 * @param newClass of the new connector, if it is another build's
 */
export function otherClass(connectorClass: string | undefined, newClass = CONNECTOR_CLASS): readonly string[] {
  if (connectorClass === undefined || LEGACY_CLASSES.includes(connectorClass)) return [];
  return [
    connectorClass === CONNECTOR_CLASS || connectorClass === newClass
      ? "This is already a configuration of the new connector: there is nothing to translate."
      : `connector.class was not ${LEGACY_CLASSES.join(" or ")}: is it the Oracle CDC connector's configuration?`,
  ];
}

function nameFor(connector: string, wanted: string | undefined): string {
  if (wanted === connector)
    throw new UsageError(
      `the new connector can't be named ${JSON.stringify(connector)}: that is the legacy connector's name`,
      "Choose another name.",
    );
  return wanted ?? `${connector}-cdc`;
}

/** The topic prefix has to be valid in topic names. */
function checkPrefix(source: Source, table: PropertyTable): void {
  const prefix = table.topicPrefix(source);
  if (/^[\w.-]{1,200}$/.test(prefix)) return;
  throw new UsageError(
    prefix === source.connector
      ? `the legacy connector's name, ${JSON.stringify(truncate(prefix, 60))}, is not a valid topic prefix`
      : `${JSON.stringify(truncate(prefix, 60))} is not a valid topic prefix`,
    "Use a topic prefix of letters, digits, dots, hyphens and underscores.",
  );
}

/** A property in several spellings counts as it is written first, as in `settled`. */
function sourceOf(connector: string, newName: string, table: PropertyTable, config: Config, options: TranslateOptions) {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(config)) {
    const property = table.canonical(name, config, options.version ?? options.installed);
    if (value.trim() !== "" && !values.has(property)) values.set(property, value.trim());
  }
  const get = (property: string) => values.get(property);
  const connectorClass = options.connectorClass ?? CONNECTOR_CLASS;
  return { ...options, connector, newName, connectorClass, written: config, get };
}

function fateOf(name: string, config: Config, source: Source, { canonical, ...table }: PropertyTable): Fate {
  const property = canonical(name, config, source.version ?? source.installed);
  const value = config[name]?.trim() ?? "";
  if (value === "" && !table.mayBeEmpty.has(property)) return dropped("empty in the source");
  const rule = Object.hasOwn(table.rules, property)
    ? table.rules[property]
    : Object.entries(table.rules).find(([pattern]) => pattern.endsWith("*") && covers(pattern, property))?.[1];
  if (rule !== undefined) return rule(value, source, name);
  if (COPIED.some((pattern) => covers(pattern, property))) return mapped(name, config[name] ?? "");
  return table.unknown(value, source, name);
}

/** What each setting of the new connector is set to, and by which property. */
type Targets = Map<string, { readonly by: string; readonly value: string }>;

/** Two properties for one setting: equal values count as one, and cdcctl does not choose between different ones. */
function settled(name: string, fate: Fate, targets: Targets): Fate {
  const before = "target" in fate ? targets.get(fate.target) : undefined;
  if (before === undefined || !("target" in fate) || before.value === fate.value) return fate;
  return manual(
    `${before.by} also sets ${fate.target}, to another value: decide which one applies (now ${before.by}'s), and ` +
      `remove ${name}`,
  );
}

/** @param output the whole configuration: a transformation's class decides what its settings mean */
function shown(name: string, fate: Fate, config: Config, output: Config): TranslatedProperty {
  if (fate.fate === "dropped") return { name, ...fate };
  if (fate.fate !== "manual") return { name, ...fate, value: redactConfiguration(output)[fate.target] ?? "" };
  const value = redactConfiguration({ ...output, [name]: config[name] ?? "" })[name] ?? "";
  return { name, fate: "manual", value, instruction: fate.instruction };
}

/** Redacts a translation that is only shown: its configuration is redacted as in plans and facts. */
export function redactTranslation(translation: Translation): Translation {
  return { ...translation, config: redactConfiguration(translation.config) };
}

/** A value that is secret under its source property's name stays secret under its new one. */
function maskedAsTranslated(whole: Config, targets: Targets): Config {
  const bySource = [...targets].map(([target, { by, value }]) => [target, redactSecrets({ [by]: value })[by] ?? ""]);
  return redactSecrets({ ...whole, ...Object.fromEntries(bySource) });
}
