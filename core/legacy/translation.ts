// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import { isReference, isSecretName, maskConfiguration } from "../values/secret.ts";
import { CONNECTOR_CLASS, COPIED, type Fate, RULES, type Source } from "./rules.ts";

/** What became of one property of the source; values masked where they hold a secret. */
export type TranslatedProperty = { readonly name: string } & (
  | { readonly fate: "mapped"; readonly target: string; readonly value: string }
  | { readonly fate: "changed"; readonly target: string; readonly value: string; readonly reason: string }
  | { readonly fate: "dropped"; readonly reason: string }
  | { readonly fate: "manual"; readonly value: string; readonly instruction: string }
);

export interface Translation {
  readonly name: string;
  /** This connector's configuration; literal secrets are `********`. */
  readonly config: Readonly<Record<string, string>>;
  /** Every property of the source, once, in its order. */
  readonly properties: readonly TranslatedProperty[];
  /** Settings that no property of the source led to, and why they are there. */
  readonly added: readonly { readonly target: string; readonly value: string; readonly reason: string }[];
  /** What somebody has to do before the connector is created, or to watch afterwards. */
  readonly followUps: readonly string[];
}

export interface TranslateOptions {
  /** Of the new connector; default: the legacy one's with `-cdc`. */
  readonly name?: string | undefined;
  /** `cdc.topic.prefix`; default: the legacy connector's name. */
  readonly topicPrefix?: string | undefined;
}

/**
 * Translates a legacy connector's configuration. Every property ends as mapped, changed, dropped or manual; none is lost in silence.
 *
 * Rule: specification, "Translation rules".
 *
 * @param connector the legacy connector's name
 */
export function translate(
  connector: string,
  config: Readonly<Record<string, string>>,
  options: TranslateOptions = {},
): Translation {
  const masked = maskConfiguration(config);
  const source = sourceOf(connector, config);
  const targets = new Map<string, { readonly by: string; readonly value: string }>();
  const properties = Object.keys(config).map((name): TranslatedProperty => {
    const fate = settled(name, fateOf(name, config[name] ?? "", source), targets);
    if ("target" in fate) targets.set(fate.target, { by: name, value: fate.value });
    return shown(name, fate, masked[name] ?? "");
  });
  const translated = Object.fromEntries([...targets].map(([target, { value }]) => [target, value]));
  const added = additions(source, translated, options.topicPrefix ?? connector);
  const whole = { ...translated, ...Object.fromEntries(added.map(({ target, value }) => [target, value])) };
  const name = options.name ?? `${connector}-cdc`;
  const output = maskConfiguration(whole);
  return {
    name,
    config: { ...Object.fromEntries(Object.entries(output).sort(([a], [b]) => (a < b ? -1 : 1))) },
    properties,
    added,
    followUps: followUps(properties, whole, output),
  };
}

/** `srcdb.` is the specification's spelling of `oracle.`. */
function canonical(name: string): string {
  return name.replace(/^srcdb\./, "oracle.");
}

function sourceOf(connector: string, config: Readonly<Record<string, string>>): Source {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(config)) {
    if (value.trim() !== "" && (!values.has(canonical(name)) || name.startsWith("srcdb.")))
      values.set(canonical(name), value.trim());
  }
  return { connector, get: (property) => values.get(property) };
}

/** An empty value has a meaning of its own here. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["table.topic.name.template", "lob.topic.name.template"]);

function fateOf(name: string, written: string, source: Source): Fate {
  const property = canonical(name);
  const value = written.trim();
  if (property === "name") return { fate: "dropped", reason: "the new connector has a name of its own" };
  if (value === "" && !MAY_BE_EMPTY.has(property)) return { fate: "dropped", reason: "empty in the source" };
  const rule = Object.hasOwn(RULES, property)
    ? RULES[property]
    : Object.entries(RULES).find(
        ([pattern]) => pattern.endsWith("*") && property.startsWith(pattern.slice(0, -1)),
      )?.[1];
  if (rule !== undefined) return rule(value, source);
  const copied = COPIED.some((pattern) =>
    pattern.endsWith("*") ? property.startsWith(pattern.slice(0, -1)) : property === pattern,
  );
  if (copied) return { fate: "mapped", target: name, value: written };
  return {
    fate: "manual",
    instruction: "this property is not known: look up what it did, and set what stands for it here",
  };
}

/** Two properties for one setting: the same value twice is one, two values are nobody's to choose. */
function settled(
  name: string,
  fate: Fate,
  targets: ReadonlyMap<string, { readonly by: string; readonly value: string }>,
): Fate {
  const before = "target" in fate ? targets.get(fate.target) : undefined;
  if (before === undefined || !("target" in fate) || before.value === fate.value) return fate;
  return {
    fate: "manual",
    instruction: `${before.by} sets ${fate.target} as well, to another value: decide which holds (it is ${before.by}'s now), and take ${name} out`,
  };
}

function shown(name: string, fate: Fate, masked: string): TranslatedProperty {
  if (fate.fate === "dropped") return { name, ...fate };
  if (fate.fate === "manual") return { name, fate: "manual", value: masked, instruction: fate.instruction };
  const value =
    isSecretName(name) && !isReference(fate.value)
      ? "********"
      : (maskConfiguration({ [fate.target]: fate.value })[fate.target] ?? "");
  return { name, ...fate, value };
}

function additions(source: Source, translated: Readonly<Record<string, string>>, prefix: string): Translation["added"] {
  const database = source.get("oracle.pdb.name") === undefined ? "${database}" : "${pdb}";
  const wanted: Translation["added"] = [
    { target: "connector.class", value: CONNECTOR_CLASS, reason: "this connector's class" },
    { target: "tasks.max", value: "1", reason: "one task captures every table" },
    { target: "cdc.topic.prefix", value: prefix, reason: "every topic begins with it" },
    { target: "cdc.tables.case.sensitive", value: "true", reason: "the legacy connector matched names as they are" },
    { target: "cdc.snapshot.mode", value: "none", reason: "the start is cdc.start.scn, which the takeover sets" },
    { target: "cdc.decimal.mode", value: "precise", reason: "NUMBER keeps every digit" },
    { target: "cdc.tombstones.on.delete", value: "false", reason: "the legacy connector's default" },
    ...(source.get("lob.topic.name.template") === undefined
      ? [{ target: "cdc.lob.mode", value: "skip", reason: "no LOB topics were used" }]
      : []),
    { target: "cdc.output.format", value: "debezium", reason: "the form of its records" },
    {
      target: "cdc.topic.template",
      value: `\${prefix}.${database}.\${schema}.\${table}`,
      reason: "the legacy connector's default, below the prefix",
    },
  ];
  return wanted.filter(({ target }) => !Object.hasOwn(translated, target));
}

function followUps(
  properties: readonly TranslatedProperty[],
  config: Readonly<Record<string, string>>,
  output: Readonly<Record<string, string>>,
): readonly string[] {
  const masked = Object.keys(output).filter((name) => output[name] !== config[name]);
  const manual = properties.filter(({ fate }) => fate === "manual").length;
  return [
    ...(manual === 0
      ? []
      : [`${manual} ${manual === 1 ? "property is" : "properties are"} manual: see the instructions`]),
    ...masked.map(
      (name) =>
        `${name} is masked: set it before the connector is created, best by a reference such as \${file:/path:key}`,
    ),
    "Give the capture user the grants that setup-sql prints, and set cdc.database.user and cdc.database.password to it.",
    ...(config["cdc.on.decode.error"] === "dlq"
      ? ["Somebody must watch the dead letter topic: what can't be decoded goes there."]
      : []),
    "Point consumers at the new topics: records have another form, keys are structs.",
  ];
}
