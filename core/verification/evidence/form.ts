import { isDecimal, isObject, type Json } from "../../values/json.ts";

/** As much of JSON Schema 2020-12 as the schema of the evidence uses. */
export interface FormSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FormSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly items?: FormSchema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FormSchema;
}

/** What of a value is not as its schema says, the first few. */
export function formProblems(value: Json, root: FormSchema): readonly string[] {
  const problems: string[] = [];

  function visit(json: Json, given: FormSchema, path: string): void {
    if (problems.length >= MOST) return;
    const at = given.$ref === undefined ? given : (root.$defs?.[given.$ref.replace("#/$defs/", "")] ?? {});
    const types = [at.type ?? []].flat();
    if (types.length > 0 && !types.includes(typeOf(json))) problems.push(`${path} is no ${types.join(" or ")}`);
    else if (isObject(json)) visitObject(json, at, path);
    else if (Array.isArray(json)) {
      if (json.length > (at.maxItems ?? Number.POSITIVE_INFINITY)) problems.push(`${path} has ${json.length} items`);
      if (at.items !== undefined)
        for (const [index, item] of json.entries()) visit(item, at.items, `${path}[${index}]`);
    } else visitScalar(json, at, path);
  }

  function visitObject(json: { readonly [name: string]: Json }, at: FormSchema, path: string): void {
    for (const name of at.required ?? []) if (!Object.hasOwn(json, name)) problems.push(`${path} has no ${name}`);
    for (const [name, member] of Object.entries(json)) {
      const own = at.properties !== undefined && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
      if (own !== undefined) visit(member, own, `${path}.${name}`);
      else if (typeof at.additionalProperties === "object") visit(member, at.additionalProperties, `${path}.${name}`);
      else if (at.additionalProperties === false)
        problems.push(`${path} has a member ${JSON.stringify(name.slice(0, 40))}, which is not known`);
    }
  }

  function visitScalar(json: Json, at: FormSchema, path: string): void {
    // A schema's numbers are doubles, the document's integers bigints.
    const wanted = typeof at.const === "number" ? BigInt(at.const) : at.const;
    if (wanted !== undefined && json !== wanted) problems.push(`${path} is not ${String(wanted)}`);
    if (at.enum !== undefined && !at.enum.includes(json)) problems.push(`${path} is none of ${at.enum.join(", ")}`);
    if (at.pattern !== undefined && typeof json === "string" && !new RegExp(at.pattern, "u").test(json))
      problems.push(`${path} has another form`);
    if (at.minimum !== undefined && typeof json === "bigint" && json < BigInt(at.minimum))
      problems.push(`${path} is below ${at.minimum}`);
  }

  visit(value, root, "the document");
  return problems.slice(0, MOST);
}

const MOST = 20;

function typeOf(json: Json): string {
  if (json === null) return "null";
  if (Array.isArray(json)) return "array";
  if (typeof json === "bigint") return "integer";
  if (isDecimal(json)) return "number";
  return typeof json;
}
