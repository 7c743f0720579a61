import type { ByteSink } from "../../values/byte-sink.ts";
import { viewOf } from "../../values/bytes.ts";
import { integerAt } from "../byte-work.ts";

/**
 * Dates and times in canonical form: days since the epoch (i32), second of the day (i32) and, unless it is 0,
 * nanosecond (i32), least significant byte first; of an instant in UTC. Years 1 to 9999: Oracle's earlier years have no
 * year 0, so that their meaning is ambiguous.
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
  for (let i = first; i < end; i++) if (digitAt(bytes, i) < 0) return "no integer since the epoch";
  const split = Math.max(first, end - fraction);
  let seconds = numberAt(bytes, first, split);
  let nanos = numberAt(bytes, split, end) * 10 ** (9 - fraction);
  if (negative) {
    seconds = -seconds;
    if (nanos > 0) {
      seconds -= 1;
      nanos = 1_000_000_000 - nanos;
    }
  }
  return writeMoment(seconds, nanos, sink);
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
  let position = start;
  while (position < end && ((bytes[position] as number) - 0x30) >>> 0 <= 9) position++;
  const split = position - fraction;
  // The number has one second or more, no leading zeros, no fraction and no exponent.
  if (split <= start || split - start > MOST_DIGITS_OF_SECONDS || position >= end || bytes[start] === 0x30) return -1;
  const behind = bytes[position] as number;
  if (behind === 0x2e || (behind | 0x20) === 0x65) return -1;
  // It is read in two parts, each of which fits into a 32-bit integer.
  const middle = Math.max(start, split - 5);
  const seconds = integerAt(bytes, start, middle) * 100_000 + integerAt(bytes, middle, split);
  const days = (seconds / SECONDS_A_DAY) | 0;
  const nanos = integerAt(bytes, split, position) * (TO_NANOS[fraction] as number);
  writeDayAndTime(days, seconds - days * SECONDS_A_DAY, nanos, sink);
  return position;
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
  const year = integerAt(bytes, from, from + 4);
  const month = integerAt(bytes, from + 5, from + 7);
  const day = integerAt(bytes, from + 8, from + 10);
  const hour = integerAt(bytes, from + 11, from + 13);
  const minute = integerAt(bytes, from + 14, from + 16);
  if (year < 1) return year === 0 ? OUT_OF_RANGE : none;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return none;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return none;
  let position = from + 16;
  let second = 0;
  let nanos = 0;
  if (bytes[position] === 0x3a && position + 3 <= end) {
    second = integerAt(bytes, position + 1, position + 3);
    if (second < 0 || second > 59) return none;
    position += 3;
    if (bytes[position] === 0x2e && position < end) {
      const first = position + 1;
      for (position = first; position < end && digitAt(bytes, position) >= 0; position++);
      if (position === first || position - first > 9) return none;
      nanos = integerAt(bytes, first, position) * (TO_NANOS[position - first] as number);
    }
  } else if (!zoned) return none;
  const offset = zoned ? offsetSeconds(bytes, position, end) : position === end ? 0 : undefined;
  if (offset === undefined) return none;
  const seconds = daysSinceEpoch(year, month, day) * SECONDS_A_DAY + hour * 3600 + minute * 60 + second - offset;
  return writeMoment(seconds, nanos, sink);
}

/** The nanoseconds of one unit, by the number of digits after the second. */
const TO_NANOS = Int32Array.from({ length: 10 }, (_, digits) => 10 ** (9 - digits));

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
  const hours = integerAt(bytes, at + 1, at + 3);
  const minutes = integerAt(bytes, at + 4, at + 6);
  if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) return undefined;
  return sign * (hours * 3600 + minutes * 60);
}

const SECONDS_A_DAY = 86_400;

/** @param seconds since the epoch */
function writeMoment(seconds: number, nanos: number, sink: ByteSink): string | undefined {
  const days = Math.floor(seconds / SECONDS_A_DAY);
  if (!(days >= FIRST_DAY && days <= LAST_DAY)) return OUT_OF_RANGE;
  writeDayAndTime(days, seconds - days * SECONDS_A_DAY, nanos, sink);
  return undefined;
}

/** The first and last day since the epoch: of the year 1, and of the year 9999. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

function writeDayAndTime(days: number, seconds: number, nanos: number, sink: ByteSink): void {
  sink.reserve(12);
  const { data, length } = sink;
  data.setInt32(length, days, true);
  data.setInt32(length + 4, seconds, true);
  sink.length = length + 8;
  if (nanos === 0) return;
  data.setInt32(length + 8, nanos, true);
  sink.length = length + 12;
}

/** Prints a date and time in canonical form: `2026-11-20T18:30:00.5`; an instant with a `Z`. */
export function dateText(bytes: Uint8Array, zoned: boolean): string {
  const data = viewOf(bytes);
  const seconds = data.getInt32(0, true) * SECONDS_A_DAY + data.getInt32(4, true);
  const nanos = bytes.length > 8 ? data.getInt32(8, true) : 0;
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}${zoned ? "Z" : ""}`;
}

/** Howard Hinnant, "chrono-compatible low-level date algorithms", days_from_civil. */
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
