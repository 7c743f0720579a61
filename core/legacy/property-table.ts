import type { Translation } from "../../schemas/generated/shared.ts";
import type { Config } from "../values/config.ts";

/** What becomes of a property of a legacy connector. */
export type Fate =
  /** Another name, the same value. */
  | { readonly fate: "mapped"; readonly target: string; readonly value: string }
  /** Also another value, or another meaning. */
  | { readonly fate: "changed"; readonly target: string; readonly value: string; readonly reason: string }
  | { readonly fate: "dropped"; readonly reason: string }
  | { readonly fate: "manual"; readonly instruction: string };

export const mapped = (target: string, value: string): Fate => ({ fate: "mapped", target, value });
export const changed = (target: string, value: string, reason: string): Fate => ({
  fate: "changed",
  target,
  value,
  reason,
});
export const dropped = (reason: string): Fate => ({ fate: "dropped", reason });
export const manual = (instruction: string): Fate => ({ fate: "manual", instruction });

/** The translation of one property of the source; values as plans and reports show them (`redactConfiguration`). */
export type TranslatedProperty = Translation["properties"][number];
export type AddedSetting = Translation["added"][number];

/** What the operator says of a translation; the rest follows from the legacy connector's configuration. */
export interface TranslateOptions {
  /** The new connector's name; default: the legacy one's with `-cdc`. */
  readonly name?: string | undefined;
  /** `cdc.topic.prefix`; default: the legacy connector's name. */
  readonly topicPrefix?: string | undefined;
  /** `connector.class`, if the workers have another build of the connector; default: the documented class. */
  readonly connectorClass?: string | undefined;
  /** Whether the new connector writes into the legacy one's topics. */
  readonly topics?: "keep" | "new" | undefined;
  /** The legacy connector's version, where its defaults depend on it. */
  readonly version?: string | undefined;
  /** The version that the workers have installed, if they were asked; the operator's goes before it. */
  readonly installed?: string | undefined;
}

/** What a rule may use besides its own value. */
export interface Source extends Pick<TranslateOptions, "topicPrefix" | "topics" | "version" | "installed"> {
  /** The legacy connector's name. */
  readonly connector: string;
  readonly newName: string;
  readonly connectorClass: string;
  /** The whole configuration, as written. */
  readonly written: Config;
  /** A property by its canonical name, in whichever spelling it was written; undefined when it is absent or empty. */
  get(property: string): string | undefined;
}

/** @param name as the source spells it */
export type Rule = (value: string, source: Source, name: string) => Fate;

/** What a translation has come to, for what is left to do. */
export interface Translated {
  readonly source: Source;
  readonly properties: readonly TranslatedProperty[];
  /** The configuration, including secrets. */
  readonly config: Config;
  /** The same, with `********` for literal secrets. */
  readonly output: Config;
}

/** What becomes of the properties of one legacy connector. A property that has no rule is `unknown`. */
export interface PropertyTable {
  /** The name by which the rules know a property. @param beside the whole configuration */
  readonly canonical: (name: string, beside: Config, version: string | undefined) => string;
  /** Rules by canonical name; one that ends with `*` is for every name with that beginning. */
  readonly rules: Readonly<Record<string, Rule>>;
  readonly unknown: Rule;
  /** Properties for which an empty value has a meaning. */
  readonly mayBeEmpty: ReadonlySet<string>;
  /** `cdc.topic.prefix`. @throws UsageError where the operator's does not go with the topics */
  readonly topicPrefix: (source: Source) => string;
  /** Settings that no property gives, unless one does after all. @param byHand whether a property is manual */
  readonly additions: (source: Source, byHand: (property: string) => boolean) => readonly AddedSetting[];
  /** The property that names the brokers of the legacy connector's own topics. */
  readonly brokers: string;
  /** What is left to do before the new connector is created, besides what every translation leaves. */
  readonly lacks: (translated: Translated) => readonly string[];
  /** What consumers have to do. */
  readonly consumers: (topics: Source["topics"]) => string;
}

/** The same rule for several properties. @param names with a blank between them */
export const each = (names: string, rule: Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, rule]));

export const to =
  (target: string): Rule =>
  (value) =>
    mapped(target, value);

export const drop =
  (reason: string): Rule =>
  () =>
    dropped(reason);

export const ask =
  (instruction: string): Rule =>
  () =>
    manual(instruction);

/** Dropped while it is as it should be, otherwise manual. */
export const dropWhen =
  (fine: (value: string) => boolean, reason: string, instruction: string): Rule =>
  (value) =>
    fine(value) ? dropped(reason) : manual(instruction);

export const set =
  (target: string, value: string, reason: string): Rule =>
  (before) =>
    before === value ? mapped(target, value) : changed(target, value, reason);

export const NUMBER = /^-?\d{1,18}$/;
export const noNumber = (target: string): Fate => manual(`it is not a whole number: set ${target} manually`);

/** Whole numbers are brought inside the bounds that the target allows. */
export const within =
  (target: string, lowest: bigint, highest: bigint): Rule =>
  (value) => {
    if (!NUMBER.test(value)) return noNumber(target);
    const number = BigInt(value);
    const inside = number < lowest ? lowest : number > highest ? highest : number;
    return inside === number
      ? mapped(target, value)
      : changed(target, inside.toString(), `${target} allows ${lowest} to ${highest}`);
  };

/**
 * The same, for a value with a special meaning below `lowest` (none, no limit, the driver's choice) that has no
 * equivalent in the target.
 */
export const above =
  (floor: bigint, rule: Rule, target: string): Rule =>
  (value, source, name) =>
    NUMBER.test(value) && BigInt(value) < floor
      ? manual(`${value} has no equivalent: choose ${target}`)
      : rule(value, source, name);

/** The interval of heartbeats; none is set while it is zero or below. */
export const heartbeat: Rule = (value) => {
  if (!NUMBER.test(value)) return noNumber("cdc.heartbeat.interval.ms");
  return BigInt(value) > 0n
    ? mapped("cdc.heartbeat.interval.ms", value)
    : dropped("no heartbeat was set; this connector's default heartbeat applies");
};

export const toDeadLetters = (reason: string): Fate => changed("cdc.on.decode.error", "dlq", reason);

export const positive = (target: string, lowest: bigint, highest: bigint): Rule =>
  above(1n, within(target, lowest, highest), target);

/** Java's largest int, and the largest long that `NUMBER` accepts. */
export const INT = 2n ** 31n - 1n;
export const LONG = 10n ** 18n;

/** A sentence, where it applies. */
export const when = (is: boolean, text: string): readonly string[] => (is ? [text] : []);

/** The rows that every legacy connector has. */
export const THE_CONNECTOR: Readonly<Record<string, Rule>> = {
  name: (_value, source) => changed("name", source.newName, "the new connector has a name of its own"),
  "connector.class": (value, source, name) =>
    set("connector.class", source.connectorClass, "this connector's class")(value, source, name),
  "tasks.max": set("tasks.max", "1", "one task captures every table with one mining session"),
};

/** The settings that every new connector has. */
export const theConnector = ({ newName, connectorClass }: Source): readonly AddedSetting[] => [
  { target: "name", value: newName, reason: "the new connector has its own name" },
  { target: "connector.class", value: connectorClass, reason: "this connector's class" },
  { target: "tasks.max", value: "1", reason: "one task captures every table" },
];

/** Connect's own properties: copied unchanged. */
export const COPIED: readonly string[] = (
  "key.converter* value.converter* header.converter* transforms* predicates* errors.* topic.creation.* " +
  "config.action.reload producer.override.* consumer.override.* admin.override.* offsets.storage.topic " +
  "tasks.max.enforce exactly.once.support transaction.boundary transaction.boundary.interval.ms"
).split(" ");

/** Whether a row for `pattern`, which may end with `*`, is a row for the property. */
export function covers(pattern: string, property: string): boolean {
  return pattern.endsWith("*") ? property.startsWith(pattern.slice(0, -1)) : property === pattern;
}
