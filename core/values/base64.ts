import { memoryOf } from "./bytes.ts";

/**
 * Base64 as the JSON converter writes `bytes`: the standard alphabet. Payloads of the journal may lack the padding, and
 * are checked without being decoded: most must only be readable, and of the others a few bytes are needed. Values of
 * rows are decoded, and have one text only.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE = 64;
const DIGITS = new Uint8Array(256).fill(NONE);
const LETTERS = [...ALPHABET].map((letter) => letter.charCodeAt(0));
for (const [digit, letter] of LETTERS.entries()) DIGITS[letter] = digit;
const PADDING = 0x3d;

/** Whether one of two bytes, in either order, is not a digit. */
const STRANGE_PAIRS = new Uint8Array(256 * 256).fill(NONE);
for (const first of LETTERS) for (const second of LETTERS) STRANGE_PAIRS[(first << 8) | second] = 0;

/** End of the digits that begin here. @param end upper limit */
function endOfDigits(text: Uint8Array, start: number, end: number): number {
  const { words, base } = memoryOf(text);
  let position = start;
  // Every index is within its array: `as number` states that, and costs nothing.
  while (position < end && ((base + position) & 3) !== 0 && DIGITS[text[position] as number] !== NONE) position++;
  if (((base + position) & 3) !== 0) return position;
  let word = (base + position) >>> 2;
  for (const last = ((base + end) >>> 2) - 3; word < last; word += 4) {
    const [first, second] = [words[word] as number, words[word + 1] as number];
    const [third, fourth] = [words[word + 2] as number, words[word + 3] as number];
    const strange =
      (STRANGE_PAIRS[first >>> 16] as number) |
      (STRANGE_PAIRS[first & 0xffff] as number) |
      (STRANGE_PAIRS[second >>> 16] as number) |
      (STRANGE_PAIRS[second & 0xffff] as number) |
      (STRANGE_PAIRS[third >>> 16] as number) |
      (STRANGE_PAIRS[third & 0xffff] as number) |
      (STRANGE_PAIRS[fourth >>> 16] as number) |
      (STRANGE_PAIRS[fourth & 0xffff] as number);
    if (strange !== 0) break;
  }
  position = (word << 2) - base;
  while (position < end && DIGITS[text[position] as number] !== NONE) position++;
  return position;
}

/** End of the base64 that begins here, including its padding; -1 if it is invalid. @param end upper limit */
export function endOfBase64(text: Uint8Array, start: number, end: number): number {
  const last = endOfDigits(text, start, end);
  if ((last - start) % 4 === 1) return -1;
  let after = last;
  while (after < end && text[after] === PADDING) after++;
  if (after === last) return last;
  return after - last > 2 || last === start || (after - start) % 4 !== 0 ? -1 : after;
}

export function isBase64(text: Uint8Array): boolean {
  return endOfBase64(text, 0, text.length) === text.length;
}

/** @param text valid, with or without padding */
export function base64Bytes(text: Uint8Array): Uint8Array {
  let digits = text.length;
  while (text[digits - 1] === PADDING) digits--;
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  for (let at = 0, to = 0; at < digits; at += 4, to += 3) {
    let group = 0;
    for (let next = at; next < at + 4; next++) group = (group << 6) | (next < digits ? digitAt(text, next) : 0);
    // What is written beyond the end is ignored.
    bytes[to] = group >> 16;
    bytes[to + 1] = group >> 8;
    bytes[to + 2] = group;
  }
  return bytes;
}

const digitAt = (text: Uint8Array, at: number): number => DIGITS[text[at] as number] as number;

/** What bytes are appended to. */
interface Sink {
  readonly bytes: Uint8Array;
  length: number;
  reserve(more: number): void;
}

/**
 * Writes the bytes of base64 text (RFC 4648, section 4, padded), as Connect's JSON converter writes them.
 *
 * @returns why it is not valid base64; unused bits must be zero, so that each value has one text
 */
export function writeBase64(bytes: Uint8Array, start: number, end: number, sink: Sink): string | undefined {
  const length = end - start;
  if (length === 0) return undefined;
  const wrong = "no base64 text";
  if (length % 4 !== 0) return wrong;
  const padding = bytes[end - 1] !== 0x3d ? 0 : bytes[end - 2] !== 0x3d ? 1 : 2;
  const whole = padding === 0 ? end : end - 4;
  sink.reserve((length / 4) * 3);
  const into = sink.bytes;
  let to = sink.length;
  for (let position = start; position < whole; position += 4) {
    const a = DIGITS[bytes[position] as number] as number;
    const b = DIGITS[bytes[position + 1] as number] as number;
    const c = DIGITS[bytes[position + 2] as number] as number;
    const d = DIGITS[bytes[position + 3] as number] as number;
    if ((a | b | c | d) > 63) return wrong;
    into[to++] = (a << 2) | (b >> 4);
    into[to++] = ((b & 15) << 4) | (c >> 2);
    into[to++] = ((c & 3) << 6) | d;
  }
  if (padding > 0) {
    const a = DIGITS[bytes[whole] as number] as number;
    const b = DIGITS[bytes[whole + 1] as number] as number;
    const c = padding === 1 ? (DIGITS[bytes[whole + 2] as number] as number) : 0;
    if ((a | b | c) > 63 || (padding === 1 ? (c & 3) !== 0 : (b & 15) !== 0)) return wrong;
    into[to++] = (a << 2) | (b >> 4);
    if (padding === 1) into[to++] = ((b & 15) << 4) | (c >> 2);
  }
  sink.length = to;
  return undefined;
}

/** Bytes as padded base64. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** @throws for text that is not base64 */
export function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
