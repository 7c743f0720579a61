import type { ByteSink } from "../../values/byte-sink.ts";
import { memoryOf } from "../../values/bytes.ts";
import { ENDS_RUN } from "../../values/json-walk.ts";

/** Whether bytes are well-formed UTF-8 (RFC 3629): no surrogates, no overlong forms, nothing above U+10FFFF. */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; ) {
    const first = bytes[position] as number;
    if (first < 0x80) {
      position += 1;
      continue;
    }
    const more =
      first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
    if (more === 0 || position + more >= end) return false;
    const second = bytes[position + 1] as number;
    const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return false;
    for (let next = position + 2; next <= position + more; next++)
      if (((bytes[next] as number) & 0xc0) !== 0x80) return false;
    position += more + 1;
  }
  return true;
}

const ONES = 0x01010101;

/** Whether one of four bytes ends a run (Mycroft, 1987: a byte below another one borrows from its highest bit). */
function endsRun(word: number): boolean {
  const quote = word ^ (0x22 * ONES);
  const backslash = word ^ (0x5c * ONES);
  const below = ((word - 0x20 * ONES) & ~word) | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash);
  return (below & (0x80 * ONES)) !== 0;
}

/**
 * Writes the text of a JSON string unchanged. @param start after the opening quotation mark
 *
 * @returns the position of the closing one; -1 for an escape or invalid UTF-8
 */
export function writePlainText(bytes: Uint8Array, start: number, end: number, sink: ByteSink): number {
  sink.reserve(end - start);
  const { bytes: into, data: intoData } = sink;
  const { data, base } = memoryOf(bytes);
  let to = sink.length;
  let high = 0;
  let position = start;
  for (; position + 4 <= end; position += 4, to += 4) {
    const word = data.getInt32(base + position, true);
    if (endsRun(word)) break;
    high |= word;
    intoData.setInt32(to, word, true);
  }
  for (; position < end; position++) {
    const byte = bytes[position] as number;
    if (ENDS_RUN[byte] !== 0) break;
    high |= byte;
    into[to++] = byte;
  }
  if (position >= end || bytes[position] !== 0x22 || ((high & (0x80 * ONES)) !== 0 && !isUtf8(bytes, start, position)))
    return -1;
  sink.length = to;
  return position;
}

const SHORT_ESCAPES: Readonly<Record<number, number>> = {
  34: 0x22,
  92: 0x5c,
  47: 0x2f,
  98: 0x08,
  102: 0x0c,
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
};

/**
 * Writes the text of a JSON string (between its quotation marks) as UTF-8.
 *
 * @returns why the string has no text; undefined if it was written
 */
export function writeUnescaped(bytes: Uint8Array, start: number, end: number, sink: ByteSink): string | undefined {
  for (let position = start; position < end; ) {
    const byte = bytes[position] as number;
    if (byte !== 0x5c) {
      sink.byte(byte);
      position += 1;
      continue;
    }
    const kind = position + 1 < end ? (bytes[position + 1] as number) : 0;
    if (kind !== 0x75) {
      const meant = SHORT_ESCAPES[kind];
      if (meant === undefined) return "a JSON text with an unknown escape";
      sink.byte(meant);
      position += 2;
      continue;
    }
    let last = position;
    while (last + 6 <= end && bytes[last] === 0x5c && bytes[last + 1] === 0x75) last += 6;
    const text = textOfEscapes(bytes.subarray(position, last));
    if (text === undefined) return "a JSON text with an unknown escape";
    if (/\p{Cs}/u.test(text)) return "a text with half a surrogate pair";
    const written = encoder.encode(text);
    sink.copy(written, 0, written.length);
    position = last;
  }
  return undefined;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Text of adjacent escapes such as `\ud83d\ude00`; undefined for others, and for none. */
function textOfEscapes(bytes: Uint8Array): string | undefined {
  try {
    return (JSON.parse(`"${decoder.decode(bytes)}"`) as string) || undefined;
  } catch {
    return undefined;
  }
}
