import { isLosslessNumber, LosslessNumber, parse } from "lossless-json";
import { UNSEEN } from "./escape.ts";

/**
 * JSON as cdcctl reads and writes it. Every integer is a bigint, in memory and in documents, so that no SCN ever passes
 * through a double. A number that is not an integer keeps its text (`Decimal`), and is written back unchanged.
 */
export type Json = null | boolean | string | bigint | Decimal | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}
/** A JSON number that is not a plain integer, kept as it was written (`1000.0`, `1e400`). */
export type Decimal = LosslessNumber;

/** A longer run of digits is kept as text, since converting it to a bigint costs quadratic time. */
const LONGEST_INTEGER = 80;

const readNumber = (text: string): bigint | Decimal =>
  /^-?\d+$/.test(text) && text.length <= LONGEST_INTEGER ? BigInt(text) : new LosslessNumber(text);

/**
 * Deeper than anything that cdcctl reads, and far below the limit of the stack, wherever the value is traversed later.
 */
export const DEEPEST_JSON = 500;

/**
 * @throws SyntaxError with the place, for invalid JSON, a duplicate key with different values, or more than
 * `DEEPEST_JSON` levels of nesting
 */
export function parseJson(text: string): Json {
  if (nestsTooDeeply(text)) throw new SyntaxError(`the JSON is nested more than ${DEEPEST_JSON} levels deep`);
  return parse(text, undefined, { parseNumber: readNumber }) as Json;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON that a text is, or bytes in UTF-8 are; undefined for anything else. */
export function jsonIn(text: string | Uint8Array): Json | undefined {
  try {
    return parseJson(typeof text === "string" ? text : utf8.decode(text));
  } catch {
    return undefined;
  }
}

/** The JSON object that a text is, or bytes in UTF-8 are; undefined for anything else. */
export function jsonObjectIn(text: string | Uint8Array): JsonObject | undefined {
  const json = jsonIn(text);
  return isObject(json) ? json : undefined;
}

/** Checks before the parser runs: a value read on a deep stack could not be printed or digested afterwards. */
function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '"':
        i = endOfString(text, i);
        break;
      case "[":
      case "{":
        depth += 1;
        if (depth > DEEPEST_JSON) return true;
        break;
      case "]":
      case "}":
        depth -= 1;
    }
  }
  return false;
}

/** End of the string that begins at a quotation mark; the end of the text if it is unterminated. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end;
}

/** @param indent blanks a level; 0 prints one line. */
export function printJson(value: unknown, indent = 2): string {
  let text = "";
  writeJson(
    value,
    (piece) => {
      text += piece;
    },
    indent,
  );
  return text;
}

/** Approximate number of characters in one piece. */
const PIECE = 64 * 1024;

/**
 * Prints like `printJson`, piece by piece, so that a large document is never in memory as text. Nor must it be in
 * memory as objects: any iterable is a list, and each element is printed before the next is requested.
 */
export function writeJson(value: unknown, write: (piece: string) => void, indent = 2): void {
  const [step, colon] = indent > 0 ? [" ".repeat(indent), ": "] : ["", ":"];
  const names = new Map<string, string>();
  let text = "";
  /** @param margin a line break and the blanks before the surrounding value */
  const print = (one: unknown, margin: string): void => {
    if (typeof one === "string") text += jsonString(one);
    else if (typeof one !== "object" || one === null || isLosslessNumber(one)) text += scalar(one);
    else if (Symbol.iterator in one) list(one as Iterable<unknown>, margin);
    else if ("toJSON" in one && typeof one.toJSON === "function") print(one.toJSON(), margin);
    else object(one as Readonly<Record<string, unknown>>, margin);
    if (text.length < PIECE) return;
    write(text);
    text = "";
  };
  const list = (items: Iterable<unknown>, margin: string): void => {
    const inner = margin + step;
    let before = `[${inner}`;
    for (const item of items) {
      text += before;
      print(hasForm(item) ? item : null, inner);
      before = `,${inner}`;
    }
    text += before.startsWith("[") ? "[]" : `${margin}]`;
  };
  const object = (members: Readonly<Record<string, unknown>>, margin: string): void => {
    const inner = margin + step;
    let before = `{${inner}`;
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (!hasForm(member)) continue;
      let quoted = names.get(name);
      if (quoted === undefined) {
        quoted = jsonString(name) + colon;
        names.set(name, quoted);
      }
      text += before + quoted;
      print(member, inner);
      before = `,${inner}`;
    }
    text += before.startsWith("{") ? "{}" : `${margin}}`;
  };
  print(value, indent > 0 ? "\n" : "");
  if (text !== "") write(text);
}

/** A string with escapes for invisible characters, so that JSON can be shown unchanged. */
function jsonString(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

function scalar(value: unknown): string {
  if (!hasForm(value)) throw new TypeError("a value without a JSON form");
  return typeof value === "bigint" || isLosslessNumber(value) ? value.toString() : JSON.stringify(value);
}

function hasForm(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

/**
 * Canonical JSON after RFC 8785: members sorted by UTF-16 code units, no white space. Integers beyond 2^53, which the
 * RFC leaves to doubles, are printed exactly.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} has no exact canonical form; use a bigint`);
    return String(value);
  }
  if (isLosslessNumber(value)) return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value as Record<string, unknown>)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  throw new TypeError(`a ${typeof value} has no JSON form`);
}

/** Whether a value is a JSON object: not a list, null or a decimal. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

export { isLosslessNumber as isDecimal };

/**
 * Plain values as JSON: numbers as integers, without members that are undefined.
 *
 * @param written turns a value into what is written in its place
 */
export function plainJson(value: unknown, written: (value: unknown) => unknown = (one) => one): Json {
  const json = written(value);
  if (typeof json === "number") return BigInt(json);
  if (Array.isArray(json)) return json.map((one) => plainJson(one, written));
  if (typeof json !== "object" || json === null) return (json ?? null) as Json;
  const members = Object.entries(json).filter(([, member]) => written(member) !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plainJson(member, written)]));
}
