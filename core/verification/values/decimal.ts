import type { ByteSink } from "../../values/byte-sink.ts";

/**
 * Decimal numbers as canonical text: an optional minus, no exponent, no insignificant zeros (`-0.05`, `1200`, `0`).
 * Digits are handled as text, never as doubles.
 */

/** Far beyond the range of Oracle's NUMBER (40 digits, 10^-130 to 10^126), and still fast to write. */
const MOST_DIGITS = 400;
const LARGEST_EXPONENT = 600;

const ZERO = 0x30;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;

const digits = new Uint8Array(MOST_DIGITS);

const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Writes the canonical text of a decimal number (`12.50`, `.5`, `1E+3`). The text is read completely before it is
 * written, so that it may be in the memory written to.
 *
 * @returns why it is not a decimal number; undefined if it was written
 */
export function writeDecimal(bytes: Uint8Array, start: number, end: number, sink: ByteSink): string | undefined {
  const plain = endOfPlain(bytes, start, end);
  if (plain > start) {
    if (bytes === sink.bytes && start === sink.length) sink.length = plain;
    else sink.copy(bytes, start, plain);
    return undefined;
  }
  let position = start;
  const negative = bytes[position] === MINUS;
  if (negative || bytes[position] === PLUS) position++;
  let count = 0;
  let point: number | undefined;
  let seen = 0;
  for (; position < end; position++) {
    const byte = bytes[position];
    if (isDigit(byte)) {
      if (seen === MOST_DIGITS) return "a number of too many digits";
      seen++;
      digits[count++] = byte;
    } else if (byte === POINT && point === undefined) point = count;
    else break;
  }
  if (seen === 0) return "no decimal number";
  let exponent = 0;
  if (position < end) {
    const read = readExponent(bytes, position, end);
    if (read === undefined) return "no decimal number";
    exponent = read;
  }
  return writeDigits(negative, count, (point ?? count) + exponent, sink);
}

/**
 * Most numbers are canonical except for trailing zeros of the fraction: no plus, no exponent, no leading zeros.
 *
 * @returns the end of such a number without those zeros; `start` for any other
 */
function endOfPlain(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MOST_DIGITS) return start;
  const first = bytes[start] === MINUS ? start + 1 : start;
  let position = first;
  while (position < end && ((bytes[position] as number) - ZERO) >>> 0 <= 9) position++;
  if (position === first || (bytes[first] === ZERO && position > first + 1)) return start;
  // Zero has no minus; `-0.5` has.
  if (position === end) return bytes[first] === ZERO && first > start ? start : end;
  if (bytes[position] !== POINT) return start;
  const point = position;
  position++;
  while (position < end && ((bytes[position] as number) - ZERO) >>> 0 <= 9) position++;
  if (position < end || position === point + 1) return start;
  while (bytes[position - 1] === ZERO) position--;
  if (position > point + 1) return position;
  return bytes[first] === ZERO ? start : point;
}

/**
 * Writes a JSON number that is canonical except for trailing zeros of its fraction.
 *
 * @returns the position after the number; -1 for any other
 */
export function writePlainDecimal(bytes: Uint8Array, start: number, end: number, sink: ByteSink): number {
  const last = Math.min(end, start + MOST_DIGITS);
  sink.reserve(last - start);
  const { bytes: into } = sink;
  let to = sink.length;
  let position = start;
  if (bytes[position] === MINUS) into[to++] = bytes[position++] as number;
  const first = bytes[position];
  const digits = position;
  for (; position < last; position++) {
    const byte = bytes[position] as number;
    if ((byte - ZERO) >>> 0 > 9) break;
    into[to++] = byte;
  }
  if (position === digits || position >= last || (first === ZERO && position > digits + 1)) return -1;
  if (bytes[position] === POINT) {
    const point = to;
    const fraction = ++position;
    into[to++] = POINT;
    let length = point;
    for (; position < last; position++) {
      const byte = bytes[position] as number;
      if ((byte - ZERO) >>> 0 > 9) break;
      into[to++] = byte;
      if (byte !== ZERO) length = to;
    }
    if (position === fraction || position >= last) return -1;
    to = length;
  }
  // An exponent follows, or a zero has a minus.
  if (((bytes[position] as number) | 0x20) === 0x65) return -1;
  if (digits > start && first === ZERO && to === sink.length + 2) return -1;
  sink.length = to;
  return position;
}

function readExponent(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (((bytes[start] as number) | 0x20) !== 0x65) return undefined;
  let at = start + 1;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) at++;
  if (at === end) return undefined;
  let value = 0;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (!isDigit(byte)) return undefined;
    value = Math.min(value * 10 + byte - ZERO, 1_000_000);
  }
  return negative ? -value : value;
}

/**
 * Writes the first `count` of `digits`, with the decimal point after the first `point` of them (it may be outside of
 * the digits).
 */
function writeDigits(negative: boolean, count: number, point: number, sink: ByteSink): string | undefined {
  let first = 0;
  let end = count;
  while (first < end && digits[first] === ZERO) first++;
  while (end > first && digits[end - 1] === ZERO) end--;
  if (first === end) {
    sink.byte(ZERO);
    return undefined;
  }
  if (Math.abs(point) > LARGEST_EXPONENT) return "a number of too large an exponent";
  sink.reserve(2 * LARGEST_EXPONENT + MOST_DIGITS);
  if (negative) sink.byte(MINUS);
  if (point <= first) sink.byte(ZERO);
  else {
    for (let at = first; at < point; at++) sink.byte(at < end ? (digits[at] as number) : ZERO);
  }
  if (end <= point) return undefined;
  sink.byte(POINT);
  for (let at = point; at < first; at++) sink.byte(ZERO);
  for (let at = Math.max(first, point); at < end; at++) sink.byte(digits[at] as number);
  return undefined;
}

/**
 * Writes the value of a big-endian two's complement integer with `scale` fractional digits: Connect's `Decimal`.
 *
 * @returns why it cannot be written; undefined if it was
 */
export function writeUnscaled(bytes: Uint8Array, count: number, scale: number, sink: ByteSink): string | undefined {
  if (count === 0) return "a Decimal without a digit";
  if (count > 128) return "a number of too many digits";
  if (Math.abs(scale) > LARGEST_EXPONENT) return "a number of too large an exponent";
  const text = unscaledText(bytes, count);
  const negative = text.charCodeAt(0) === MINUS;
  const from = negative ? 1 : 0;
  for (let at = from; at < text.length; at++) digits[at - from] = text.charCodeAt(at);
  const written = text.length - from;
  return writeDigits(negative, written, written - scale, sink);
}

function unscaledText(bytes: Uint8Array, count: number): string {
  const sign = (bytes[0] as number) >= 0x80 ? -1 : 0;
  if (count <= 6) {
    let value = sign;
    for (let at = 0; at < count; at++) value = value * 256 + (bytes[at] as number);
    return String(value);
  }
  let value = BigInt(sign);
  for (let at = 0; at < count; at++) value = value * 256n + BigInt(bytes[at] as number);
  return value.toString();
}
