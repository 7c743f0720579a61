import sharedParts from "../../schemas/shared.json" with { type: "json" };
import type { Problem } from "../errors.ts";
import { showCount } from "../values/amounts.ts";
import { parseInstant } from "../values/instant.ts";
import type { Json } from "../values/json.ts";
import { nearest } from "../values/nearest.ts";
import { FORMATS, quote } from "./formats.ts";
import { shown } from "./printable.ts";
import { type Place, treeOf, type YamlMap, type YamlNode, type YamlScalar } from "./tree.ts";

/** The subset of JSON Schema 2020-12 that cdcctl's own documents need. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  /** Allows no keys beside a reference but its own and those of what it refers to. */
  readonly unevaluatedProperties?: boolean;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  /**
   * If each has only `required`: exactly one of these keys. Otherwise alternatives, of which exactly one matches; the
   * schema ensures that, and the first match is used.
   */
  readonly oneOf?: readonly Schema[];
  /** Not all of these keys together. */
  readonly not?: { readonly required: readonly string[] };
  readonly examples?: readonly unknown[];
}

const SHARED: Schema = sharedParts as object;

/**
 * A schema with what it refers to, in its own root or in `schemas/shared.json`. What stands beside a reference comes
 * before what is referred to, and properties are added to it; of alternatives, each says more of the properties it has.
 */
export function resolved(schema: Schema, root: Schema): Schema {
  const { $ref: ref, unevaluatedProperties, properties, required, ...others } = schema;
  if (ref === undefined) return schema;
  const [file, name = ""] = ref.split("#/$defs/");
  const meant = resolved((file === "" ? root : SHARED).$defs?.[name] ?? {}, root);
  if (properties !== undefined && meant.oneOf !== undefined && !meant.oneOf.every(isPresence))
    return { ...meant, ...others, oneOf: meant.oneOf.map((form) => refined(form, properties)) };
  return {
    ...meant,
    ...others,
    ...(unevaluatedProperties === false ? { additionalProperties: false } : {}),
    ...(required === undefined ? {} : { required: [...(meant.required ?? []), ...required] }),
    ...(properties === undefined ? {} : { properties: { ...meant.properties, ...properties } }),
  };
}

function refined(form: Schema, more: Readonly<Record<string, Schema>>): Schema {
  const { properties } = form;
  if (properties === undefined) return form;
  const entries = Object.entries(properties).map(([key, own]): [string, Schema] => [key, more[key] ?? own]);
  return { ...form, properties: Object.fromEntries(entries) };
}

/** Maximum number of problems of a document that cdcctl wrote itself. */
const MOST_OF_JSON = 20;

/**
 * Validates a JSON document that cdcctl wrote and reads again: the first few problems, each with the path of the value.
 * A digest does not prove the form, since anyone who edits a file can compute it again.
 *
 * @param definition one of the schema's `$defs`; the whole schema if omitted
 */
export function problemsOfJson(document: Json, schema: Schema, file: string, definition?: string): readonly Problem[] {
  const wanted: Schema =
    definition === undefined ? schema : { $ref: `#/$defs/${definition}`, $defs: schema.$defs ?? {} };
  const place = { file, line: 1, column: 1 };
  const problems = problemsOf(treeOf(document, place), wanted, { most: MOST_OF_JSON }).slice(0, MOST_OF_JSON);
  return problems.map(({ line, column, ...problem }) => problem);
}

/** Whether `problemsOfJson` finds none, where nobody reads them. */
export function fitsJson(document: Json, schema: Schema, definition?: string): boolean {
  return problemsOfJson(document, schema, "", definition).length === 0;
}

/**
 * Validates a document, so that editors and cdcctl apply the same schema.
 *
 * @returns all problems, in the order of the document
 */
export function problemsOf(root: YamlNode, schema: Schema, options: ValidationOptions = {}): readonly Problem[] {
  const validation = new Validation(schema, options);
  validation.visit(root, schema, "", root.place);
  return validation.problems;
}

interface ValidationOptions {
  /** `left`: a text with `${…}` is not checked, since its value is known later. */
  readonly references?: "left";
  /** The document contains secrets, and a slip may put one anywhere: none of its texts is repeated. */
  readonly confidential?: boolean;
  /** Problems after which it stops. */
  readonly most?: number;
}

/** What each schema of a root says with what it refers to: a journal is validated line by line. */
const KNOWN = new WeakMap<Schema, Map<Schema, Schema>>();

class Validation {
  problems: Problem[] = [];
  private readonly schema: Schema;
  private readonly references: ValidationOptions["references"];
  private readonly confidential: boolean;
  private readonly most: number;
  private readonly known: Map<Schema, Schema>;

  constructor(schema: Schema, { references, confidential, most }: ValidationOptions) {
    this.schema = schema;
    const known = KNOWN.get(schema) ?? new Map<Schema, Schema>();
    KNOWN.set(schema, known);
    this.known = known;
    this.references = references;
    this.confidential = confidential ?? false;
    this.most = most ?? Number.POSITIVE_INFINITY;
  }

  /** The schema without its reference, resolved once. */
  private whole(given: Schema): Schema {
    let at = this.known.get(given);
    if (at === undefined) {
      at = resolved(given, this.schema);
      this.known.set(given, at);
    }
    return at;
  }

  report(place: Place, message: string, remedy: string): void {
    this.problems.push({ message, remedy, file: place.file, line: place.line, column: place.column });
  }

  tooMany(place: Place, message: string, most: number): void {
    this.report(place, message, `at most ${showCount(most)} are allowed`);
  }

  visit(node: YamlNode, given: Schema, path: string, place: Place, isRequired = false): void {
    const schema = this.whole(given);
    const name = nameAt(path);
    if (node.form === "scalar" && this.references === "left" && /\$\{/.test(node.source)) return;
    if (node.form === "scalar" && schema.format === "scn" && node.value !== null) {
      this.scalarFormat(node, schema, path);
      return;
    }
    const sole = node.form === "scalar" ? undefined : typeOfConstant(schema.const ?? schema.enum?.[0]);
    const types = [schema.type ?? sole ?? []].flat();
    if (types.length > 0 && !types.includes(typeOf(node))) {
      const wanted = types.map((type) => WANTED[type] ?? type).join(" or ");
      this.report(
        place,
        `${name} is ${found(node, schema, this.confidential)}, where ${wanted} is wanted`,
        typeRemedy(node, schema, path, this.confidential, isRequired),
      );
      return;
    }
    const forms = (schema.oneOf ?? []).filter((form) => !isPresence(form));
    if (forms.length > 0) this.visitForms(node, forms, path, place);
    else if (node.form === "map") this.visitMap(node, schema, path, place);
    else if (node.form === "list") this.visitList(node.items, schema, path, place);
    else this.visitScalar(node, schema, path);
  }

  /** Problems of the nearest alternative: one whose constants the value has, if there is any. */
  visitForms(given: YamlNode, forms: readonly Schema[], path: string, place: Place): void {
    // Children that are created on demand are created once, not for each alternative.
    const node: YamlNode = given.form === "map" ? { ...given } : given;
    const before = this.problems;
    const named = forms.filter((form) => this.isNamed(node, this.whole(form)));
    let fewest: Problem[] | undefined;
    for (const form of named.length > 0 ? named : forms) {
      this.problems = [];
      this.visit(node, form, path, place);
      if (fewest === undefined || this.problems.length < fewest.length) fewest = this.problems;
      if (fewest.length === 0) break;
    }
    this.problems = before;
    for (const problem of fewest ?? []) this.problems.push(problem);
  }

  /** Whether an alternative has constants, and the value has every one of them: `kind: Resnapshot`. */
  private isNamed(node: YamlNode, { properties = {} }: Schema): boolean {
    if (node.form !== "map") return false;
    const { entries } = node;
    let hasConstants = false;
    for (const key of Object.keys(properties)) {
      const { const: constant } = this.whole(properties[key] ?? {});
      if (constant === undefined) continue;
      hasConstants = true;
      if (!entries.some(({ key: own, value }) => own === key && value.form === "scalar" && value.value === constant))
        return false;
    }
    return hasConstants;
  }

  visitMap(map: YamlMap, schema: Schema, path: string, place: Place): void {
    const name = nameAt(path);
    const below = path === "" ? "" : `${path}.`;
    const { entries } = map;
    const keys = new Set(entries.map(({ key }) => key));
    /** Misspelled keys are reported once, as such, not as missing too. */
    const meantKeys = new Set(keys);
    const { properties = {}, propertyNames, additionalProperties: others, maxProperties, required = [] } = schema;
    const known = Object.keys(properties);
    const missing = known.filter((candidate) => !keys.has(candidate));
    const all = `${name} has ${known.join(", ")}.`;
    for (const entry of entries) {
      if (this.problems.length >= this.most) break;
      const { key } = entry;
      const before = this.problems.length;
      if (propertyNames !== undefined)
        this.visit(keyAsScalar(key, entry.place), propertyNames, `${below}${shown(key)}`, entry.place);
      // A key that its name rules out is reported once, whatever its value.
      if (this.problems.length > before) continue;
      const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const isRequired = required.includes(key);
      if (own !== undefined)
        this.visit(entry.value, own, `${below}${key}`, placeOf(entry.value, entry.place), isRequired);
      else if (typeof others === "object")
        this.visit(entry.value, others, `${below}${shown(key, 249)}`, placeOf(entry.value, entry.place));
      else if (others === false) {
        const meant = nearest(key, missing);
        if (meant !== undefined) meantKeys.add(meant);
        this.report(
          entry.place,
          this.confidential ? `${name} has a key that is not known` : `${name} has no key ${quote(key)}`,
          meant === undefined ? `Remove it. ${all}` : `Did you mean ${meant}? ${all}`,
        );
      }
    }
    if (maxProperties !== undefined && entries.length > maxProperties)
      this.tooMany(place, `${name} has ${showCount(entries.length)} keys`, maxProperties);
    for (const key of required)
      if (!meantKeys.has(key))
        this.report(place, `${below}${key} is missing`, `Add it:  ${example(key, properties[key], this.schema)}`);
    this.visitChoice(keys, meantKeys, schema, path, place);
  }

  visitChoice(keys: ReadonlySet<string>, meant: ReadonlySet<string>, schema: Schema, path: string, place: Place): void {
    const name = nameAt(path);
    if (schema.oneOf !== undefined) {
      const choices = schema.oneOf.flatMap(({ required }) => required ?? []);
      const given = choices.filter((choice) => keys.has(choice));
      if (!choices.some((choice) => meant.has(choice)))
        this.report(
          place,
          `${name} has none of ${list(choices)}`,
          `Add one of them:  ${example(choices[0] ?? "", schema.properties?.[choices[0] ?? ""], this.schema)}`,
        );
      if (given.length > 1) this.report(place, `${name} has ${list(given)} together`, "Keep exactly one of them.");
    }
    const together = schema.not?.required ?? [];
    if (together.length > 0 && together.every((key) => keys.has(key)))
      this.report(place, `${name} has ${list(together)} together`, "Keep one of them.");
  }

  visitList(items: readonly YamlNode[], schema: Schema, path: string, place: Place): void {
    if (items.length < (schema.minItems ?? 0))
      this.report(place, `${path} is an empty list`, "Add an item, or remove the key.");
    if (schema.maxItems !== undefined && items.length > schema.maxItems)
      this.tooMany(place, `${path} has ${showCount(items.length)} items`, schema.maxItems);
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (this.problems.length >= this.most) break;
      if (schema.items !== undefined) this.visit(item, schema.items, `${path}[${index}]`, item.place);
      if (schema.uniqueItems !== true || item.form !== "scalar") continue;
      if (seen.has(item.source))
        this.report(
          item.place,
          `${path} holds ${this.confidential ? "a value" : quote(item.source)} twice`,
          "Keep one of the two.",
        );
      seen.add(item.source);
    }
  }

  visitScalar(scalar: YamlScalar, schema: Schema, path: string): void {
    const { value, place, source } = scalar;
    const { const: sole, enum: choices, maxLength, format, pattern, description = "See the schema." } = schema;
    const length = typeof value === "string" ? [...value].length : 0;
    if (maxLength !== undefined && length > maxLength) {
      this.tooMany(place, `${path} is ${showCount(length)} characters long`, maxLength);
      return;
    }
    if (sole !== undefined && value !== (typeof sole === "number" ? BigInt(sole) : sole)) {
      this.report(
        place,
        `${path} is ${shownValue(scalar, schema)}, and only ${String(sole)} is allowed`,
        `Write ${lastKey(path)}: ${String(sole)}, or remove the line.`,
      );
      return;
    }
    if (choices !== undefined && !choices.includes(value)) {
      const words = choices.map(String);
      const meant = nearest(source, words);
      this.report(
        place,
        `${path} is ${shownValue(scalar, schema)}`,
        `${meant === undefined ? "" : `Did you mean ${meant}? `}Write one of ${words.join(", ")}.`,
      );
      return;
    }
    if (format !== undefined && FORMATS[format] !== undefined) this.scalarFormat(scalar, schema, path);
    else if (
      (pattern !== undefined && !new RegExp(pattern, "u").test(source)) ||
      (format === "date-time" && parseInstant(source) === undefined)
    )
      this.report(place, `${path} is ${quote(source)}, which has another form`, description);
    else if (typeof value === "bigint") this.visitInteger(value, schema, path, place);
  }

  visitInteger(value: bigint, { minimum, exclusiveMaximum }: Schema, path: string, place: Place): void {
    const is = `${path} is ${shown(String(value), 40)}`;
    if (minimum !== undefined && value < BigInt(minimum))
      this.report(place, `${is}, below ${BigInt(minimum)}`, "Write a larger number.");
    if (exclusiveMaximum !== undefined && value >= BigInt(exclusiveMaximum))
      this.report(place, `${is}, above ${BigInt(exclusiveMaximum) - 1n}`, "Write a smaller number.");
  }

  scalarFormat(scalar: YamlScalar, at: Schema, path: string): void {
    const fault = FORMATS[at.format ?? ""]?.(scalar, lastKey(path), path);
    if (fault === undefined) return;
    // A fault quotes the text at its end.
    const text = this.confidential ? fault.fault.replace(/:? "[\s\S]*$/, "") : fault.fault;
    this.report(scalar.place, `${path} ${text}`, fault.remedy);
  }
}

function nameAt(path: string): string {
  return path === "" ? "the document" : path;
}

function isPresence(form: Schema): boolean {
  return Object.keys(form).join() === "required";
}

function typeOf(node: YamlNode): string {
  if (node.form === "map") return "object";
  if (node.form === "list") return "array";
  switch (typeof node.value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "bigint":
      return "integer";
    case "number":
      return "number";
    default:
      return "null";
  }
}

function typeOfConstant(constant: unknown): string | undefined {
  return typeof constant === "number" ? "integer" : constant === undefined ? undefined : typeof constant;
}

const WANTED: Readonly<Record<string, string>> = {
  object: "a map of keys and values",
  array: "a list",
  string: "text",
  boolean: "true or false",
  integer: "a whole number",
  null: "nothing",
};

function found(node: YamlNode, schema: Schema, confidential: boolean): string {
  const isHidden = confidential || schema.format === "secret";
  switch (typeOf(node)) {
    case "object":
      return "a map";
    case "array":
      return "a list";
    case "null":
      return "empty";
    case "string":
      return isHidden || node.form !== "scalar" ? "text" : `text (${quote(node.source)})`;
    default:
      return isHidden || node.form !== "scalar" ? "not text" : `the value ${shown(node.source)}`;
  }
}

const REMOVABLE = ", or remove the line";

function typeRemedy(node: YamlNode, schema: Schema, path: string, confidential: boolean, isRequired: boolean): string {
  const types = [schema.type ?? []].flat();
  if (node.form === "scalar" && node.value === null && types[0] !== "object")
    return `Write a value, such as ${lastKey(path)}: ${inYaml(schema.examples?.[0])}${isRequired ? "" : REMOVABLE}.`;
  if (types.includes("string") && node.form === "scalar")
    return schema.format === "text" && node.source.length <= 60
      ? `Put quotes around it${confidential ? "." : `:  "${shown(node.source)}"`}`
      : `Write text, such as ${inYaml(schema.examples?.[0])}.`;
  if (types[0] === "boolean" && node.form === "scalar" && /^(yes|y|on|true)$/i.test(node.source)) return "Write true.";
  if (types[0] === "boolean" && node.form === "scalar" && /^(no|n|off|false)$/i.test(node.source))
    return "Write false.";
  if (types[0] === "object") return `Write its keys below it: ${Object.keys(schema.properties ?? {}).join(", ")}.`;
  return `Write:  ${lastKey(path)}: ${inYaml(schema.examples?.[0])}`;
}

function shownValue(scalar: YamlScalar, at: Schema): string {
  return at.format === "secret" ? "not this" : quote(scalar.source);
}

function example(key: string, given: Schema | undefined, root: Schema): string {
  const at = given === undefined ? {} : resolved(given, root);
  if (at.const !== undefined) return `${key}: ${String(at.const)}`;
  if (at.type === "object")
    return `${key}: with ${(at.required ?? Object.keys(at.properties ?? {})).join(", ")} below it`;
  return `${key}: ${inYaml(at.examples?.[0])}`;
}

function inYaml(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "…");
}

function lastKey(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** An empty value or a map has no useful place of its own, so its key's place is reported. */
function placeOf(value: YamlNode, key: Place): Place {
  return value.form === "map" || (value.form === "scalar" && value.value === null) ? key : value.place;
}

function keyAsScalar(key: string, place: Place): YamlScalar {
  return { form: "scalar", place, value: key, source: key, quoted: true };
}
