import type { JsonObject } from "./json.ts";
import type { FormSchema } from "./json-form.ts";

/**
 * The form of JSON values that are a `T`. The compiler holds it against the type: a member, or one of several words,
 * that is left out or too many does not compile.
 */
export type FormOf<T> = FormSchema & { readonly [OF]?: (value: T) => T };
declare const OF: unique symbol;

/** What a form is of. */
export type TypeOf<F> = F extends { readonly [OF]?: (value: infer T) => unknown } ? T : never;

/** A member that need not be there. */
export interface MayLack<T> {
  readonly mayLack: FormOf<T>;
}

/** A form for each member; `mayLack` for one that can be undefined, which JSON has no value for. */
export type MembersOf<T> = {
  readonly [M in keyof T]-?: undefined extends T[M] ? MayLack<Exclude<T[M], undefined>> : FormOf<T[M]>;
};

/** An object with these members, and no other. */
export function object<T extends object>(members: MembersOf<T>): FormOf<T> {
  const named = Object.entries(members) as readonly (readonly [
    string,
    FormSchema | { readonly mayLack: FormSchema },
  ])[];
  return {
    type: "object",
    properties: Object.fromEntries(named.map(([name, form]) => [name, "mayLack" in form ? form.mayLack : form])),
    required: named.filter(([, form]) => !("mayLack" in form)).map(([name]) => name),
    additionalProperties: false,
  };
}

export function mayLack<T>(form: FormOf<T>): MayLack<T> {
  return { mayLack: form };
}

/** Any names, each with a value of one form. */
export function dictionary<T>(value: FormOf<T>): FormOf<Readonly<Record<string, T>>> {
  return { type: "object", additionalProperties: value };
}

export function list<T>(items: FormOf<T>): FormOf<readonly T[]> {
  return { type: "array", items };
}

/** One of these words. */
export function word<const W extends string>(...words: readonly W[]): FormOf<W> {
  const [sole] = words;
  return words.length === 1 ? { type: "string", const: sole } : { type: "string", enum: words };
}

/** Any of these forms. */
export function anyOf<F extends readonly FormSchema[]>(...forms: F): FormOf<TypeOf<F[number]>> {
  return { oneOf: forms };
}

export function constant<const C extends boolean | string | bigint>(value: C): FormOf<C> {
  return { const: value };
}

export const TEXT: FormOf<string> = { type: "string" };
export const TEXTS = list(TEXT);
export const FLAG: FormOf<boolean> = { type: "boolean" };
/** A moment in UTC: an `Instant`. */
export const INSTANT: FormOf<string> = { type: "string", format: "date-time", pattern: "T.*Z$" };
/** An object with any members. */
export const JSON_OBJECT: FormOf<JsonObject> = { type: "object" };
export const JSON_OBJECT_OR_NULL: FormOf<JsonObject | null> = { type: ["object", "null"] };

/** A count, an SCN, an identifier: as large as the unsigned 64-bit integers that Oracle stands for "no end" with. */
export const NATURAL: FormOf<bigint> = { type: "integer", minimum: 0, maximum: 2n ** 64n - 1n };
/** A signed 64-bit integer: -1 is without limit. */
export const LONG: FormOf<bigint> = { type: "integer", minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };
