/**
 * Java's own form of UTF-8: U+0000 takes two bytes, and characters above U+FFFF are two surrogates of three bytes each.
 *
 * Rule: `java.io.DataInput`, "Modified UTF-8".
 */

/** Covers nearly every text: names of classes and fields, numbers, users. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of them but U+0000, which Java writes otherwise
const ASCII = /^[\x01-\x7f]*$/;

/** @returns undefined for bytes that are not such a text */
export function decodeModifiedUtf8(bytes: Buffer): string | undefined {
  const plain = bytes.toString("latin1");
  if (ASCII.test(plain)) return plain;
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const a = bytes[at] ?? 0;
    const b = bytes[at + 1] ?? 0;
    const c = bytes[at + 2] ?? 0;
    const size = a < 0x80 ? 1 : a >> 5 === 0b110 ? 2 : a >> 4 === 0b1110 ? 3 : 0;
    const follows = (byte: number) => byte >> 6 === 0b10;
    if (size === 0 || at + size > bytes.length) return undefined;
    if ((size > 1 && !follows(b)) || (size > 2 && !follows(c))) return undefined;
    units[length++] =
      size === 1 ? a : size === 2 ? ((a & 31) << 6) | (b & 63) : ((a & 15) << 12) | ((b & 63) << 6) | (c & 63);
    at += size;
  }
  // UTF-16, little end first, as typed arrays are on every machine that Node.js runs on.
  return Buffer.from(units.buffer, 0, length * 2).toString("utf16le");
}

export function encodeModifiedUtf8(text: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0 && unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 63));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63));
  }
  return Buffer.from(bytes);
}
