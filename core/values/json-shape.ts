import { parseInstant } from "./instant.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** Whether a JSON value, or an absent member, has the form that a reader relies on. Other members are allowed. */
export type ShapeTest = (value: Json | undefined) => boolean;
export type Shape = { readonly [member: string]: ShapeTest };

export const isText: ShapeTest = (value) => typeof value === "string";
export const isFlag: ShapeTest = (value) => typeof value === "boolean";
export const isInteger: ShapeTest = (value) => typeof value === "bigint";
export const isInstant: ShapeTest = (value) => typeof value === "string" && parseInstant(value) !== undefined;
export const areTexts: ShapeTest = (value) => Array.isArray(value) && value.every(isText);
/** An object whose members are all texts, such as a connector's configuration. */
export const areSettings: ShapeTest = (value) => isObject(value) && Object.values(value).every(isText);

export const optional =
  (test: ShapeTest): ShapeTest =>
  (value) =>
    value === undefined || test(value);

export const nullable =
  (test: ShapeTest): ShapeTest =>
  (value) =>
    value === null || test(value);

export const oneOf =
  (...texts: readonly string[]): ShapeTest =>
  (value) =>
    typeof value === "string" && texts.includes(value);

export const object =
  (shape: Shape): ShapeTest =>
  (value) =>
    fits(value, shape);

export const listOf =
  (test: ShapeTest): ShapeTest =>
  (value) =>
    Array.isArray(value) && value.every(test);

/** Whether a value is an object with these members. Inherited members are ignored. */
export function fits(value: Json | undefined, shape: Shape): value is JsonObject {
  return (
    isObject(value) &&
    Object.entries(shape).every(([member, test]) => test(Object.hasOwn(value, member) ? value[member] : undefined))
  );
}
