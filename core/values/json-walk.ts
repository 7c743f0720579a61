import { viewOf } from "./bytes.ts";
/**
 * Walks JSON bytes as Connect's converter writes them: without white space. Nothing is read beyond `end`. Anything
 * unusual (white space, an escaped member name, a misplaced bracket) gives `UNUSUAL`; the strict parser then decides
 * (`normalisedJson` in `record-reader.ts`).
 *
 * Skipped values are checked for quotation marks and brackets only; values that are read are checked strictly.
 */
export const UNUSUAL = -1;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Bytes that end a plain run within a string. One table access per byte, because most bytes of a record are skipped.
 */
export const ENDS_RUN = new Uint8Array(256).fill(1, 0, 0x20);
ENDS_RUN[QUOTE] = 1;
ENDS_RUN[BACKSLASH] = 1;

/** Bytes that matter outside of strings when a value is skipped. */
const MARKS = new Uint8Array(256);
for (const mark of [QUOTE, 0x7b, 0x7d, 0x5b, 0x5d]) MARKS[mark] = 1;

/**
 * @param start after the opening quotation mark @returns the position of the closing one; UNUSUAL for an escape or a
 * control character
 */
export function endOfPlainString(bytes: Uint8Array, start: number, end: number): number {
  let next = start;
  while (next < end && ENDS_RUN[bytes[next] as number] === 0) next++;
  return next < end && bytes[next] === QUOTE ? next : UNUSUAL;
}

/** @param start after the opening quotation mark @returns the position of the closing one, escapes or not */
export function endOfString(bytes: Uint8Array, start: number, end: number): number {
  for (let next = start; next < end; next += 2) {
    while (next < end && ENDS_RUN[bytes[next] as number] === 0) next++;
    if (next >= end) return UNUSUAL;
    if (bytes[next] === QUOTE) return next;
    if (bytes[next] !== BACKSLASH) return UNUSUAL;
  }
  return UNUSUAL;
}

/** @returns the position after the number that begins at `start`, read strictly by RFC 8259 */
export function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  let next = start;
  if (bytes[next] === 0x2d) next++;
  const first = next;
  next = endOfDigits(bytes, next, end);
  if (next === first || (bytes[first] === 0x30 && next > first + 1)) return UNUSUAL;
  if (next < end && bytes[next] === 0x2e) {
    const fraction = next + 1;
    next = endOfDigits(bytes, fraction, end);
    if (next === fraction) return UNUSUAL;
  }
  if (next < end && ((bytes[next] as number) | 0x20) === 0x65) {
    next++;
    if (bytes[next] === 0x2b || bytes[next] === 0x2d) next++;
    const exponent = next;
    next = endOfDigits(bytes, exponent, end);
    if (next === exponent) return UNUSUAL;
  }
  return next;
}

function endOfDigits(bytes: Uint8Array, start: number, end: number): number {
  let next = start;
  while (next < end && (bytes[next] as number) >= 0x30 && (bytes[next] as number) <= 0x39) next++;
  return next;
}

const NULL = [..."null"].map((character) => character.charCodeAt(0));
const TRUE = [..."true"].map((character) => character.charCodeAt(0));
const FALSE = [..."false"].map((character) => character.charCodeAt(0));

/** @returns the position after `null`, `true` or `false` */
export function endOfLiteral(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start];
  const word = first === 0x6e ? NULL : first === 0x74 ? TRUE : first === 0x66 ? FALSE : undefined;
  if (word === undefined || start + word.length > end) return UNUSUAL;
  for (let i = 1; i < word.length; i++) if (bytes[start + i] !== word[i]) return UNUSUAL;
  return start + word.length;
}

/** @returns the position after the object or array that begins at `start` */
export function endOfNested(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0;
  for (let next = start; next < end; next++) {
    while (next < end && MARKS[bytes[next] as number] === 0) next++;
    if (next >= end) return UNUSUAL;
    const byte = bytes[next] as number;
    if (byte === QUOTE) {
      next = endOfString(bytes, next + 1, end);
      if (next === UNUSUAL) return UNUSUAL;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (--depth === 0) return next + 1;
  }
  return UNUSUAL;
}

/** @returns the position after the value of any type that begins at `start` */
export function endOfValue(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end) return UNUSUAL;
  switch (bytes[start]) {
    case QUOTE: {
      const close = endOfString(bytes, start + 1, end);
      return close === UNUSUAL ? UNUSUAL : close + 1;
    }
    case 0x7b:
    case 0x5b:
      return endOfNested(bytes, start, end);
    case 0x6e:
    case 0x74:
    case 0x66:
      return endOfLiteral(bytes, start, end);
    default:
      return endOfNumber(bytes, start, end);
  }
}

/** Whether the bytes from `start` to `end` begin with those of `name`. */
export function beginsWith(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (start + name.length > end) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}

/** Four bytes or more, compared four at a time. */
export interface Words {
  readonly length: number;
  /** All but the last. */
  readonly words: Int32Array;
  /** It overlaps the one before it if the number of bytes is not a multiple of four. */
  readonly last: number;
}

export function wordsOf(bytes: Uint8Array): Words {
  const data = viewOf(bytes);
  const { length } = bytes;
  const words = Int32Array.from({ length: Math.ceil(length / 4) - 1 }, (_, i) => data.getInt32(i * 4, true));
  return { length, words, last: data.getInt32(length - 4, true) };
}

/** The same as `beginsWith`, with positions in `data`. */
export function beginsWithWords(data: DataView, start: number, end: number, { length, words, last }: Words): boolean {
  const lastAt = start + length - 4;
  if (lastAt + 4 > end || data.getInt32(lastAt, true) !== last) return false;
  for (let next = start, i = 0; next < lastAt; next += 4, i++) if (data.getInt32(next, true) !== words[i]) return false;
  return true;
}

const encoder = new TextEncoder();

/** A member's name as plain JSON writes it, with quotation marks and colon. */
export function memberName(name: string): Uint8Array {
  return encoder.encode(`${JSON.stringify(name)}:`);
}
