/**
 * Base64 as the JSON converter writes `bytes`: the standard alphabet, the padding at the end or left out. Looked at without being decoded:
 * of most payloads nothing is needed but that they can be read.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE = 64;
const DIGITS = new Uint8Array(256).fill(NONE);
for (let digit = 0; digit < ALPHABET.length; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;
const PADDING = 0x3d;

/** How many digits there are before the padding; undefined for what is no base64. */
function digitsOf(text: Uint8Array): number | undefined {
  let length = text.length;
  while (length > 0 && text.length - length < 2 && text[length - 1] === PADDING) length--;
  if (length !== text.length && text.length % 4 !== 0) return undefined;
  if (length % 4 === 1) return undefined;
  let strange = 0;
  for (let at = 0; at < length; at++) strange |= DIGITS[text[at] ?? 0] ?? NONE;
  return strange & NONE ? undefined : length;
}

export function isBase64(text: Uint8Array): boolean {
  return digitsOf(text) !== undefined;
}

/** @param text ASCII @returns undefined for what is no base64 */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  const length = digitsOf(text);
  if (length === undefined) return undefined;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  const digit = (at: number): number => (at < length ? (DIGITS[text[at] ?? 0] ?? 0) : 0);
  for (let at = 0, to = 0; at < length; at += 4, to += 3) {
    const group = (digit(at) << 18) | (digit(at + 1) << 12) | (digit(at + 2) << 6) | digit(at + 3);
    bytes[to] = group >> 16;
    // What is beyond the end is not stored.
    bytes[to + 1] = group >> 8;
    bytes[to + 2] = group;
  }
  return bytes;
}
