import { ByteSink } from "../byte-sink.ts";
import { integerAt } from "../byte-work.ts";

/**
 * Dates and times as canonical text: `2026-11-20T18:30:00.5`, the fraction without trailing zeros; an instant likewise
 * in UTC, with a `Z`. Years 1 to 9999: Oracle's earlier years have no year 0, so that their meaning is ambiguous.
 */

const OUT_OF_RANGE = "a date outside the years 1 to 9999";

/** Fractional digits of a second in an integer since the epoch: milliseconds, microseconds, nanoseconds. */
export type FractionDigits = 0 | 3 | 6 | 9;

/**
 * Writes the local date and time of an integer since the epoch, given as decimal text.
 *
 * @returns why it cannot be written; undefined if it was
 */
export function writeSinceEpoch(
  bytes: Uint8Array,
  start: number,
  end: number,
  fraction: FractionDigits,
  sink: ByteSink,
): string | undefined {
  const negative = bytes[start] === 0x2d;
  const first = negative ? start + 1 : start;
  if (first === end || end - first > 24) return "no integer since the epoch";
  for (let at = first; at < end; at++) if (digitAt(bytes, at) < 0) return "no integer since the epoch";
  const split = Math.max(first, end - fraction);
  let seconds = numberAt(bytes, first, split);
  let rest = numberAt(bytes, split, end);
  if (negative) {
    seconds = -seconds;
    if (rest > 0) {
      seconds -= 1;
      rest = 10 ** fraction - rest;
    }
  }
  return writeMoment(seconds, rest, fraction, false, sink);
}

/**
 * The same for a JSON number that is not negative and that a double holds exactly; its end is found while it is read.
 *
 * @returns the position after the number; -1 for any other
 */
export function writePlainSinceEpoch(
  bytes: Uint8Array,
  start: number,
  end: number,
  fraction: 3 | 6,
  sink: ByteSink,
): number {
  let at = start;
  while (at < end && ((bytes[at] as number) - 0x30) >>> 0 <= 9) at++;
  const split = at - fraction;
  // At least one second, no leading zeros, no fraction and no exponent.
  if (split <= start || split - start > MOST_DIGITS_OF_SECONDS || at >= end || bytes[start] === 0x30) return -1;
  const behind = bytes[at] as number;
  if (behind === 0x2e || (behind | 0x20) === 0x65) return -1;
  // In two parts, each of which fits into a 32-bit integer.
  const middle = Math.max(start, split - 5);
  const seconds = integerAt(bytes, start, middle) * 100_000 + integerAt(bytes, middle, split);
  writeSeconds(seconds, sink);
  let last = at;
  while (last > split && bytes[last - 1] === 0x30) last--;
  if (last > split) {
    sink.byte(0x2e);
    sink.copy(bytes, split, last);
  }
  return at;
}

/** Up to the year 2286. */
const MOST_DIGITS_OF_SECONDS = 10;

/**
 * Writes a date and time given as text: `2026-11-20 18:30:00.500000`, `2026-11-20T18:30:00.5`; for an instant with `Z`
 * or an offset (`+02:00`), written in UTC. The text is read completely before it is written, so that it may be in the
 * memory written to.
 *
 * @returns why it cannot be written; undefined if it was
 */
export function writeDateText(
  bytes: Uint8Array,
  start: number,
  end: number,
  zoned: boolean,
  sink: ByteSink,
): string | undefined {
  const none = zoned ? "no date and time with an offset from UTC" : "no date and time";
  const from = bytes[start] === 0x20 ? start + 1 : start;
  if (end - from < 16 || bytes[from + 4] !== 0x2d || bytes[from + 7] !== 0x2d || bytes[from + 13] !== 0x3a) return none;
  const between = bytes[from + 10];
  if (between !== 0x54 && between !== 0x20) return none;
  const year = fixed(bytes, from, 4);
  const month = fixed(bytes, from + 5, 2);
  const day = fixed(bytes, from + 8, 2);
  const hour = fixed(bytes, from + 11, 2);
  const minute = fixed(bytes, from + 14, 2);
  if (year < 1) return year === 0 ? OUT_OF_RANGE : none;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return none;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return none;
  let at = from + 16;
  let second = 0;
  let rest = 0;
  let fraction = 0;
  if (bytes[at] === 0x3a && at + 3 <= end) {
    second = fixed(bytes, at + 1, 2);
    if (second < 0 || second > 59) return none;
    at += 3;
    if (bytes[at] === 0x2e && at < end) {
      const first = at + 1;
      for (at = first; at < end && digitAt(bytes, at) >= 0; at++);
      fraction = at - first;
      if (fraction === 0 || fraction > 9) return none;
      rest = numberAt(bytes, first, at);
    }
  } else if (!zoned) return none;
  if (!zoned && at === end) {
    // Such a text is canonical except for the character between and trailing zeros of the fraction.
    let last = rest === 0 ? from + TO_THE_SECOND : end;
    while (rest > 0 && bytes[last - 1] === 0x30) last--;
    const begin = sink.length;
    if (bytes === sink.bytes && from === begin) sink.length = last;
    else sink.copy(bytes, from, last);
    sink.bytes[begin + DAY_LENGTH] = 0x54;
    return undefined;
  }
  const offset = zoned ? offsetSeconds(bytes, at, end) : undefined;
  if (offset === undefined) return none;
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  return writeMoment(seconds, rest, fraction, zoned, sink);
}

/** Length of `2026-11-20T18:30:00`. */
const TO_THE_SECOND = 19;

/**
 * Writes the local date and time of ISO 8601 text as Java's LocalDateTime prints it, which leaves out seconds that are
 * zero: `2026-11-20T18:30`, `2026-11-20T18:30:00.5`.
 *
 * @returns why it cannot be written; undefined if it was
 */
export function writeLocalIso(bytes: Uint8Array, start: number, end: number, sink: ByteSink): string | undefined {
  if (end - start !== WITHOUT_SECONDS || bytes[start] === 0x20) return writeDateText(bytes, start, end, false, sink);
  withSeconds.set(bytes.subarray(start, end));
  return writeDateText(withSeconds, 0, withSeconds.length, false, sink);
}

/** Length of `2026-11-20T18:30`. */
const WITHOUT_SECONDS = 16;
const withSeconds = new TextEncoder().encode("0000-00-00T00:00:00");

/** Seconds east of UTC; undefined if there is no offset. */
function offsetSeconds(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  if (bytes[at] === 0x20) at++;
  if (at + 1 === end && bytes[at] === 0x5a) return 0;
  const sign = bytes[at] === 0x2b ? 1 : bytes[at] === 0x2d ? -1 : 0;
  if (sign === 0 || end - at !== 6 || bytes[at + 3] !== 0x3a) return undefined;
  const hours = fixed(bytes, at + 1, 2);
  const minutes = fixed(bytes, at + 4, 2);
  if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) return undefined;
  return sign * (hours * 3600 + minutes * 60);
}

/** @param rest the fraction, in units of 10^-`fraction` seconds */
function writeMoment(seconds: number, rest: number, fraction: number, zoned: boolean, sink: ByteSink) {
  // Years 1 to 9999, in days since the epoch.
  if (!(seconds >= -719_162 * 86_400 && seconds < 2_932_897 * 86_400)) return OUT_OF_RANGE;
  writeSeconds(seconds, sink);
  writeFraction(rest, fraction, sink);
  if (zoned) sink.byte(0x5a);
  return undefined;
}

/** @param seconds since the epoch, of the years 1 to 9999 */
function writeSeconds(seconds: number, sink: ByteSink): void {
  const days = Math.floor(seconds / 86_400);
  const ofDay = (seconds - days * 86_400) | 0;
  sink.reserve(32);
  copyDay(days, sink);
  const minutes = (ofDay / 60) | 0;
  const hour = (minutes / 60) | 0;
  writeTime(hour, minutes - hour * 60, ofDay - minutes * 60, sink);
}

function writeTime(hour: number, minute: number, second: number, sink: ByteSink): void {
  writePart(0x54, hour, sink);
  writePart(0x3a, minute, sink);
  writePart(0x3a, second, sink);
}

/** For each number below 60: a byte for a separator, then its two digits. */
const PARTS = Int32Array.from({ length: 60 }, (_, value) => {
  const tens = Math.floor(value / 10);
  return ((0x30 + tens) << 8) | ((0x30 + value - tens * 10) << 16);
});

/** Writes a separator and two digits; the caller ensures room for four bytes. */
function writePart(mark: number, value: number, sink: ByteSink): void {
  sink.data.setInt32(sink.length, (PARTS[value] as number) | mark, true);
  sink.length += 3;
}

/** @param rest in units of 10^-`digits` seconds */
function writeFraction(rest: number, digits: number, sink: ByteSink): void {
  if (rest === 0) return;
  sink.byte(0x2e);
  writeFixed(rest, digits, sink);
  while (sink.bytes[sink.length - 1] === 0x30) sink.length--;
}

/** `2026-11-20`, kept in three words. */
const DAY_LENGTH = 10;
const DAY_KEPT = 12;
const DAYS_KEPT = 1024;
const dayOfSlot = new Int32Array(DAYS_KEPT).fill(0x7fffffff);
const dayTexts = new ByteSink(DAYS_KEPT * DAY_KEPT);

/**
 * Copies the text of a day; the caller ensures room for three words. Most values of a column fall on few days, whose
 * texts are cached.
 */
function copyDay(days: number, sink: ByteSink): void {
  const slot = days & (DAYS_KEPT - 1);
  const from = slot * DAY_KEPT;
  if (dayOfSlot[slot] !== days) {
    dayTexts.length = from;
    writeDay(days, dayTexts);
    dayOfSlot[slot] = days;
  }
  const { data: kept } = dayTexts;
  const { data, length } = sink;
  for (let at = 0; at < DAY_KEPT; at += 4) data.setInt32(length + at, kept.getInt32(from + at));
  sink.length = length + DAY_LENGTH;
}

/** Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days. */
function writeDay(days: number, sink: ByteSink): void {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  writeFixed(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4, sink);
  sink.byte(0x2d);
  writeFixed(month, 2, sink);
  sink.byte(0x2d);
  writeFixed(day, 2, sink);
}

/** The inverse: days_from_civil. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + ofYear - 719_468;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (bytes[at] ?? 0) - 0x30;
  return digit <= 9 ? digit : -1;
}

function numberAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + ((bytes[at] as number) - 0x30);
  return value;
}

/** Reads `count` digits; -1 if one is not a digit. */
function fixed(bytes: Uint8Array, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** @param value below 2^31 */
function writeFixed(value: number, count: number, sink: ByteSink): void {
  sink.reserve(count);
  const { bytes, length } = sink;
  let rest = value | 0;
  for (let at = length + count - 1; at >= length; at--) {
    const tens = (rest / 10) | 0;
    bytes[at] = 0x30 + rest - tens * 10;
    rest = tens;
  }
  sink.length = length + count;
}
