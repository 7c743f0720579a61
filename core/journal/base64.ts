/**
 * Base64 as the JSON converter writes `bytes`: the standard alphabet, the padding at the end or left out. Looked at without being decoded:
 * of most payloads nothing is needed but that they can be read.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE = 64;
const DIGITS = new Uint8Array(256).fill(NONE);
for (let digit = 0; digit < ALPHABET.length; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;
const PADDING = 0x3d;

/** Of two bytes at once, whichever is the first: whether one of them is no digit. */
const STRANGE_PAIRS = new Uint8Array(256 * 256);
for (let pair = 0; pair < STRANGE_PAIRS.length; pair++)
  STRANGE_PAIRS[pair] = ((DIGITS[pair & 0xff] as number) | (DIGITS[pair >>> 8] as number)) & NONE;

/** Where the digits end and the padding begins; -1 for what is no base64. */
function endOfDigits(text: Uint8Array, start: number, end: number): number {
  let last = end;
  while (last > start && end - last < 2 && text[last - 1] === PADDING) last--;
  if (last === start) return end === start ? last : -1;
  if (last !== end && (end - start) % 4 !== 0) return -1;
  if ((last - start) % 4 === 1) return -1;
  let strange = 0;
  let at = start;
  // Every index is within its array: `as number` says so, and costs nothing.
  if ((text.byteOffset + at) % 2 === 1) strange |= DIGITS[text[at++] as number] as number;
  const pairs = new Uint16Array(text.buffer, text.byteOffset + at, (last - at) >>> 1);
  let pair = 0;
  for (const four = pairs.length - 3; pair < four; pair += 4)
    strange |=
      (STRANGE_PAIRS[pairs[pair] as number] as number) |
      (STRANGE_PAIRS[pairs[pair + 1] as number] as number) |
      (STRANGE_PAIRS[pairs[pair + 2] as number] as number) |
      (STRANGE_PAIRS[pairs[pair + 3] as number] as number);
  for (; pair < pairs.length; pair++) strange |= STRANGE_PAIRS[pairs[pair] as number] as number;
  if ((last - at) % 2 === 1) strange |= DIGITS[text[last - 1] as number] as number;
  return strange & NONE ? -1 : last;
}

/** @param end exclusive */
export function isBase64(text: Uint8Array, start = 0, end = text.length): boolean {
  return endOfDigits(text, start, end) >= 0;
}

/** @param text ASCII @returns undefined for what is no base64 */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  const length = endOfDigits(text, 0, text.length);
  if (length < 0) return undefined;
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
