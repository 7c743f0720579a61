import type { ByteSink } from "../byte-sink.ts";

const NONE = 255;

const VALUE = new Uint8Array(256).fill(NONE);
for (const [value, character] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries())
  VALUE[character.charCodeAt(0)] = value;

/**
 * Writes the bytes of base64 text (RFC 4648, section 4, padded), as Connect's JSON converter writes them.
 *
 * @returns why it is not valid base64; unused bits must be zero, so that each value has one text
 */
export function writeBase64(bytes: Uint8Array, start: number, end: number, sink: ByteSink): string | undefined {
  const length = end - start;
  if (length === 0) return undefined;
  const wrong = "no base64 text";
  if (length % 4 !== 0) return wrong;
  const padding = bytes[end - 1] !== 0x3d ? 0 : bytes[end - 2] !== 0x3d ? 1 : 2;
  const whole = padding === 0 ? end : end - 4;
  sink.reserve((length / 4) * 3);
  const into = sink.bytes;
  let to = sink.length;
  for (let at = start; at < whole; at += 4) {
    const a = VALUE[bytes[at] as number] as number;
    const b = VALUE[bytes[at + 1] as number] as number;
    const c = VALUE[bytes[at + 2] as number] as number;
    const d = VALUE[bytes[at + 3] as number] as number;
    if ((a | b | c | d) > 63) return wrong;
    into[to++] = (a << 2) | (b >> 4);
    into[to++] = ((b & 15) << 4) | (c >> 2);
    into[to++] = ((c & 3) << 6) | d;
  }
  if (padding > 0) {
    const a = VALUE[bytes[whole] as number] as number;
    const b = VALUE[bytes[whole + 1] as number] as number;
    const c = padding === 1 ? (VALUE[bytes[whole + 2] as number] as number) : 0;
    if ((a | b | c) > 63 || (padding === 1 ? (c & 3) !== 0 : (b & 15) !== 0)) return wrong;
    into[to++] = (a << 2) | (b >> 4);
    if (padding === 1) into[to++] = ((b & 15) << 4) | (c >> 2);
  }
  sink.length = to;
  return undefined;
}
