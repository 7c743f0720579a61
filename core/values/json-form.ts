import { parseInstant } from "./instant.ts";
import { isDecimal, isObject, type Json } from "./json.ts";

/** As much of JSON Schema 2020-12 as the schemas of the documents that cdcctl writes, and reads again, use. */
export interface FormSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FormSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  /** `date-time`: a moment that exists. */
  readonly format?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly items?: FormSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FormSchema;
  /** That exactly one fits is up to the schema: the first that does is enough. */
  readonly oneOf?: readonly FormSchema[];
}

/**
 * What of a value is not as its schema says, the first few. @param at a definition of the schema; the whole where it is
 * left out
 */
export function formProblems(value: Json, root: FormSchema, at: FormSchema = root): readonly string[] {
  return problemsAt(value, at, "the document", root).slice(0, MOST);
}

type Problems = readonly string[];

function problemsAt(json: Json, given: FormSchema, path: string, root: FormSchema): Problems {
  const at = given.$ref === undefined ? given : (root.$defs?.[given.$ref.replace("#/$defs/", "")] ?? {});
  if (at.$ref !== undefined) return problemsAt(json, at, path, root);
  const types = [at.type ?? []].flat();
  if (types.length > 0 && !types.includes(typeOf(json))) return [`${path} is no ${types.join(" or ")}`];
  const choice = at.oneOf === undefined ? [] : choiceProblems(json, at.oneOf, path, root);
  if (choice.length > 0) return choice;
  if (isObject(json)) return objectProblems(json, at, path, root);
  return Array.isArray(json) ? listProblems(json, at, path, root) : scalarProblems(json, at, path);
}

/** The problems of the form that comes nearest: of those whose constants the value has, where there are any. */
function choiceProblems(json: Json, forms: readonly FormSchema[], path: string, root: FormSchema): Problems {
  let fewest: Problems | undefined;
  const named = forms.filter((form) => isNamed(json, form, root));
  for (const form of named.length > 0 ? named : forms) {
    const problems = problemsAt(json, form, path, root);
    if (problems.length === 0) return [];
    if (fewest === undefined || problems.length < fewest.length) fewest = problems;
  }
  return fewest ?? [];
}

/** Whether a form has constants, and the value has every one of them: `kind: Resnapshot`. */
function isNamed(json: Json, given: FormSchema, root: FormSchema): boolean {
  const form = given.$ref === undefined ? given : (root.$defs?.[given.$ref.replace("#/$defs/", "")] ?? {});
  const constants = Object.entries(form.properties ?? {}).filter(([, member]) => member.const !== undefined);
  return (
    constants.length > 0 &&
    isObject(json) &&
    constants.every(([name, member]) => Object.hasOwn(json, name) && json[name] === member.const)
  );
}

function listProblems(items: readonly Json[], at: FormSchema, path: string, root: FormSchema): Problems {
  const problems: string[] = [];
  if (items.length > (at.maxItems ?? Number.POSITIVE_INFINITY) || items.length < (at.minItems ?? 0))
    problems.push(`${path} has ${items.length} items`);
  if (at.items === undefined) return problems;
  for (const [index, item] of items.entries()) {
    if (problems.length >= MOST) break;
    for (const problem of problemsAt(item, at.items, `${path}[${index}]`, root)) problems.push(problem);
  }
  return problems;
}

function objectProblems(
  json: { readonly [name: string]: Json },
  at: FormSchema,
  path: string,
  root: FormSchema,
): Problems {
  const problems: string[] = [];
  for (const name of at.required ?? []) if (!Object.hasOwn(json, name)) problems.push(`${path} has no ${name}`);
  for (const [name, member] of Object.entries(json)) {
    if (problems.length >= MOST) break;
    const own = at.properties !== undefined && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
    const form = own ?? (typeof at.additionalProperties === "object" ? at.additionalProperties : undefined);
    if (form !== undefined) {
      for (const problem of problemsAt(member, form, `${path}.${name.slice(0, 80)}`, root)) problems.push(problem);
    } else if (at.additionalProperties === false)
      problems.push(`${path} has a member ${JSON.stringify(name.slice(0, 40))}, which is not known`);
  }
  return problems;
}

function scalarProblems(json: Json, at: FormSchema, path: string): Problems {
  const problems: string[] = [];
  // A schema's numbers are doubles, the document's integers bigints.
  const wanted = typeof at.const === "number" ? BigInt(at.const) : at.const;
  if (wanted !== undefined && json !== wanted) problems.push(`${path} is not ${String(wanted)}`);
  if (at.enum !== undefined && !at.enum.includes(json)) problems.push(`${path} is none of ${at.enum.join(", ")}`);
  const isOther = at.pattern !== undefined && typeof json === "string" && !new RegExp(at.pattern, "u").test(json);
  const isNever = at.format === "date-time" && typeof json === "string" && parseInstant(json) === undefined;
  if (isOther || isNever) problems.push(`${path} has another form`);
  if (at.minimum !== undefined && typeof json === "bigint" && json < BigInt(at.minimum))
    problems.push(`${path} is below ${at.minimum}`);
  if (at.maximum !== undefined && typeof json === "bigint" && json > BigInt(at.maximum))
    problems.push(`${path} is above ${at.maximum}`);
  return problems;
}

const MOST = 20;

function typeOf(json: Json): string {
  if (json === null) return "null";
  if (Array.isArray(json)) return "array";
  if (typeof json === "bigint") return "integer";
  if (isDecimal(json)) return "number";
  return typeof json;
}
