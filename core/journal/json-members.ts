import { DEEPEST_JSON } from "../values/json.ts";
import { endOfLiteral, endOfNumber, UNUSUAL } from "../values/json-walk.ts";

/**
 * The members of a JSON object, found in its bytes. A journal record is mostly its payload, up to a megabyte of base64,
 * and most records are read only for a few numbers: building the whole value, as `parseJson` does, costs many times as
 * much.
 */

/**
 * Place of a member's value. `text` is between its quotation marks, `base64` is known to be that, `escaped` contains a
 * backslash.
 */
export interface JsonSpan {
  readonly kind: "text" | "base64" | "escaped" | "integer" | "decimal" | "null" | "boolean" | "list" | "object";
  readonly start: number;
  readonly end: number;
}

export type JsonMembers = ReadonlyMap<string, JsonSpan>;

/** Text that is not JSON, or lacks a required value. */
export class NotJson extends Error {
  override readonly name = "NotJson";
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/**
 * The last of several members with the same name counts, as for the JSON converter. @throws NotJson when the bytes are
 * not one object
 */
export function jsonMembers(bytes: Uint8Array): JsonMembers {
  const start = blanks(bytes, 0);
  const members = new Map<string, JsonSpan>();
  const { kind, end } = value(bytes, start, 0, members);
  if (kind !== "object") throw new NotJson(`a JSON ${kind === "escaped" ? "text" : kind}, not an object`);
  if (blanks(bytes, end) !== bytes.length) throw new NotJson(`more than one value: another begins at byte ${end}`);
  return members;
}

export function membersWithin(bytes: Uint8Array, { start }: JsonSpan): JsonMembers {
  const members = new Map<string, JsonSpan>();
  value(bytes, start, 0, members);
  return members;
}

/** @param into receives the members, if the value is an object */
function value(bytes: Uint8Array, start: number, depth: number, into?: Map<string, JsonSpan>): JsonSpan {
  switch (bytes[start]) {
    case QUOTE:
      return string(bytes, start);
    case OPEN_OBJECT:
      return object(bytes, start, depth + 1, into);
    case OPEN_LIST:
      return list(bytes, start, depth + 1);
    case 0x6e:
      return literal(bytes, start, "null");
    case 0x74:
    case 0x66:
      return literal(bytes, start, "boolean");
    case undefined:
      throw new NotJson(start === 0 ? "empty" : "it ends in the middle");
    default:
      return number(bytes, start);
  }
}

function object(bytes: Uint8Array, start: number, depth: number, into?: Map<string, JsonSpan>): JsonSpan {
  if (depth > DEEPEST_JSON) throw new NotJson(`nested more than ${DEEPEST_JSON} levels deep`);
  let position = blanks(bytes, start + 1);
  if (bytes[position] === CLOSE_OBJECT) return { kind: "object", start, end: position + 1 };
  for (;;) {
    if (bytes[position] !== QUOTE) throw unexpected(bytes, position, "the name of a member");
    const name = string(bytes, position);
    position = blanks(bytes, name.end + 1);
    if (bytes[position] !== COLON) throw unexpected(bytes, position, "a colon");
    const member = value(bytes, blanks(bytes, position + 1), depth);
    into?.set(nameOf(bytes, name), member);
    position = blanks(bytes, after(member));
    if (bytes[position] === CLOSE_OBJECT) return { kind: "object", start, end: position + 1 };
    if (bytes[position] !== COMMA) throw unexpected(bytes, position, "a comma or the end of the object");
    position = blanks(bytes, position + 1);
  }
}

function list(bytes: Uint8Array, start: number, depth: number): JsonSpan {
  if (depth > DEEPEST_JSON) throw new NotJson(`nested more than ${DEEPEST_JSON} levels deep`);
  let at = blanks(bytes, start + 1);
  if (bytes[at] === CLOSE_LIST) return { kind: "list", start, end: at + 1 };
  for (;;) {
    at = blanks(bytes, after(value(bytes, at, depth)));
    if (bytes[at] === CLOSE_LIST) return { kind: "list", start, end: at + 1 };
    if (bytes[at] !== COMMA) throw unexpected(bytes, at, "a comma or the end of the list");
    at = blanks(bytes, at + 1);
  }
}

/** The span of a text excludes the quotation mark at its end. */
function after({ kind, end }: JsonSpan): number {
  return kind === "text" || kind === "escaped" ? end + 1 : end;
}

/** Length from which calling the engine's search for the end of a text is worthwhile. */
const SHORT_TEXT = 64;

function string(bytes: Uint8Array, quote: number): JsonSpan {
  const start = quote + 1;
  let at = start;
  for (const far = Math.min(bytes.length, start + SHORT_TEXT); at < far; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return { kind: "text", start, end: at };
    if (byte === BACKSLASH) return escaped(bytes, start, at);
  }
  const end = bytes.indexOf(QUOTE, at);
  if (end >= 0 && !bytes.subarray(at, end).includes(BACKSLASH)) return { kind: "text", start, end };
  return escaped(bytes, start, at);
}

const LETTER_U = 0x75;
const ESCAPE = /^(?:["\\/bfnrt]|u[\da-fA-F]{4})$/;

/** A text in which a quotation mark may be escaped. */
function escaped(bytes: Uint8Array, start: number, from: number): JsonSpan {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return { kind: "escaped", start, end: at };
    if (bytes[at] !== BACKSLASH) continue;
    at += 1;
    if (at >= bytes.length) break;
    const code =
      bytes[at] === LETTER_U ? (ascii(bytes, at, Math.min(at + 5, bytes.length)) ?? "") : ascii(bytes, at, at + 1);
    if (!ESCAPE.test(code ?? "")) throw unexpected(bytes, at, "an escape");
  }
  throw new NotJson("it ends in the middle of a text");
}

function literal(bytes: Uint8Array, start: number, kind: "null" | "boolean"): JsonSpan {
  const end = endOfLiteral(bytes, start, bytes.length);
  if (end === UNUSUAL) throw unexpected(bytes, start, "a value");
  return { kind, start, end };
}

function number(bytes: Uint8Array, start: number): JsonSpan {
  const end = endOfNumber(bytes, start, bytes.length);
  if (end === UNUSUAL) throw unexpected(bytes, start, "a value");
  return { kind: isInteger(bytes, start, end) ? "integer" : "decimal", start, end };
}

/** @param end of a valid number */
function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++)
    if ((bytes[at] as number) < 0x30 || (bytes[at] as number) > 0x39) return false;
  return true;
}

function blanks(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function unexpected(bytes: Uint8Array, at: number, wanted: string): NotJson {
  return new NotJson(at >= bytes.length ? "it ends in the middle" : `byte ${at} is not ${wanted}`);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The text of a span: the content of texts, the source of other values. @throws NotJson for text that is not UTF-8 */
export function textOf(bytes: Uint8Array, { kind, start, end }: JsonSpan): string {
  if (kind !== "escaped" && end - start <= 48) {
    const short = ascii(bytes, start, end);
    if (short !== undefined) return short;
  }
  try {
    const text = decoder.decode(bytes.subarray(start, end));
    return kind === "escaped" ? (JSON.parse(`"${text}"`) as string) : text;
  } catch {
    throw new NotJson(`the text at byte ${start} can't be read`);
  }
}

/** The names that were read last, by a hash of their bytes, since a record has the names of the previous one. */
const NAMES: (string | undefined)[] = [];
const KEPT_NAMES = 256;

function nameOf(bytes: Uint8Array, span: JsonSpan): string {
  if (span.kind === "escaped") return textOf(bytes, span);
  const { start, end } = span;
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  const place = hash & (KEPT_NAMES - 1);
  const kept = NAMES[place];
  if (kept !== undefined && isAt(bytes, start, end, kept)) return kept;
  const name = textOf(bytes, span);
  NAMES[place] = name;
  return name;
}

function isAt(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}

/** An integer of at most 15 digits, which a double holds exactly; undefined for a longer one. */
export function shortInteger(bytes: Uint8Array, { start, end }: JsonSpan): number | undefined {
  const negative = bytes[start] === MINUS;
  const first = negative ? start + 1 : start;
  if (end - first > 15) return undefined;
  let number = 0;
  for (let at = first; at < end; at++) number = number * 10 + (bytes[at] ?? 0x30) - 0x30;
  return negative ? -number : number;
}

/** Faster than a decoder for a few bytes; undefined if there is more than printable ASCII. */
function ascii(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = "";
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte > 0x7e) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
