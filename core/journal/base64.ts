/**
 * Base64 as the JSON converter writes `bytes`: the standard alphabet, the padding at the end or left out. Looked at
 * without being decoded: of most payloads nothing is needed but that they can be read, and of the others a few bytes.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NONE = 64;
const DIGITS = new Uint8Array(256).fill(NONE);
const LETTERS = [...ALPHABET].map((letter) => letter.charCodeAt(0));
for (const [digit, letter] of LETTERS.entries()) DIGITS[letter] = digit;
const PADDING = 0x3d;

/** Of two bytes at once, whichever is the first: whether one of them is no digit. */
const STRANGE_PAIRS = new Uint8Array(256 * 256).fill(NONE);
for (const first of LETTERS) for (const second of LETTERS) STRANGE_PAIRS[(first << 8) | second] = 0;

/** Where the digits end that begin here. @param end where they end at the latest */
function endOfDigits(text: Uint8Array, start: number, end: number): number {
  const view = viewOf(text);
  const { byteOffset } = text;
  let at = start;
  // Every index is within its array: `as number` says so, and costs nothing.
  for (const eight = end - 7; at < eight; at += 8) {
    const first = view.getUint32(byteOffset + at);
    const second = view.getUint32(byteOffset + at + 4);
    const strange =
      (STRANGE_PAIRS[first >>> 16] as number) |
      (STRANGE_PAIRS[first & 0xffff] as number) |
      (STRANGE_PAIRS[second >>> 16] as number) |
      (STRANGE_PAIRS[second & 0xffff] as number);
    if (strange !== 0) break;
  }
  while (at < end && DIGITS[text[at] as number] !== NONE) at++;
  return at;
}

/**
 * Where the base64 ends that begins here, with its padding; -1 for what is none. @param end where it ends at the latest
 */
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

/** Bytes that are looked at where their base64 lies: of a payload few are needed. */
export interface Base64Bytes {
  readonly length: number;
  /** @param index below the length */
  at(index: number): number;
}

/** @param text ASCII @returns undefined for what is no base64 */
export function base64Bytes(text: Uint8Array): Base64Bytes | undefined {
  if (!isBase64(text)) return undefined;
  let digits = text.length;
  while (text[digits - 1] === PADDING) digits--;
  return {
    length: Math.floor((digits * 3) / 4),
    at(index) {
      // A byte is within two digits: its first six bits, or four, or two, are in the first of them.
      const first = Math.floor((index * 4) / 3);
      const pair = ((DIGITS[text[first] as number] as number) << 6) | (DIGITS[text[first + 1] as number] as number);
      return (pair >>> (4 - 2 * (index % 3))) & 0xff;
    },
  };
}

/**
 * A view of the buffer that was looked at last, for several bytes at once: a view for each value takes longer than to
 * look at the value. Hundreds of them lie in one buffer.
 */
let last = new DataView(new ArrayBuffer(0));

/** Of the whole buffer, wherever in it the bytes lie. */
export function viewOf({ buffer }: Uint8Array): DataView {
  if (last.buffer !== buffer) last = new DataView(buffer as ArrayBuffer);
  return last;
}
