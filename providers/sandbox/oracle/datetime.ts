/**
 * DATE (7 bytes), TIMESTAMP (11), TIMESTAMP WITH TIME ZONE (13: the fields in UTC, then hour + 20 and minute + 60 of
 * the zone) and the two INTERVAL types on the wire.
 */
import { BadWire } from "./wire.ts";

export type DateKind = "DATE" | "TIMESTAMP" | "TIMESTAMP_TZ" | "TIMESTAMP_LTZ";

const TEXT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?\s*(?:Z|([+-])(\d\d):(\d\d))?$/;

/** @param value a Date (its UTC fields are the wall clock to send) or `YYYY-MM-DD[ HH:MM:SS[.nnnnnnnnn]][+hh:mm]` */
export function encodeDate(value: Date | string, kind: DateKind): Uint8Array {
  const { date, nanos, zone } = typeof value === "string" ? readText(value, kind) : ofDate(value);
  const year = date.getUTCFullYear();
  const out = [
    Math.trunc(year / 100) + 100,
    (year % 100) + 100,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours() + 1,
    date.getUTCMinutes() + 1,
    date.getUTCSeconds() + 1,
  ];
  if (kind !== "DATE") out.push(nanos >>> 24, nanos >>> 16, nanos >>> 8, nanos);
  if (kind === "TIMESTAMP_TZ") out.push(20 + Math.trunc(zone / 60), 60 + (zone % 60));
  return Uint8Array.from(out);
}

function ofDate(date: Date): { date: Date; nanos: number; zone: number } {
  return { date, nanos: date.getUTCMilliseconds() * 1_000_000, zone: 0 };
}

function readText(text: string, kind: DateKind): { date: Date; nanos: number; zone: number } {
  const match = TEXT.exec(text);
  if (match === null) throw new TypeError(`not a date: ${text}`);
  const [, day = "", time = "00:00:00", fraction = "", sign, hours = "0", minutes = "0"] = match;
  const zone = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const wall = Date.parse(`${day}T${time}Z`);
  return {
    date: new Date(kind === "TIMESTAMP_TZ" ? wall - zone * 60_000 : wall),
    nanos: Number(fraction.padEnd(9, "0")),
    zone,
  };
}

/** @returns a Date whose UTC fields are the bytes' fields; a zone is ignored, nanoseconds become milliseconds. */
export function decodeDate(bytes: Buffer): Date {
  if (bytes.length < 7) throw new BadWire(`date of ${bytes.length} bytes`);
  const [century = 0, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytes;
  const millis = bytes.length >= 11 ? Math.trunc(bytes.readUInt32BE(7) / 1_000_000) : 0;
  const date = new Date(Date.UTC(2000, month - 1, day, hour - 1, minute - 1, second - 1, millis));
  // Date.UTC takes the years 0 to 99 for 1900 to 1999, and a day must not be moved by a year that is not a leap year.
  date.setUTCFullYear((century - 100) * 100 + year - 100, month - 1, day);
  return date;
}

/** @param text `[-]Y-M` */
export function encodeYearsToMonths(text: string): Buffer {
  const match = /^([+-]?)(\d+)-(\d+)$/.exec(text);
  if (match === null) throw new TypeError(`not an interval: ${text}`);
  const sign = match[1] === "-" ? -1 : 1;
  const out = Buffer.alloc(5);
  out.writeUInt32BE(0x80000000 + sign * Number(match[2]));
  out[4] = 60 + sign * Number(match[3]);
  return out;
}

/** @param text `[-]D HH:MM:SS[.nnnnnnnnn]` */
export function encodeDaysToSeconds(text: string): Buffer {
  const match = /^([+-]?)(\d+) (\d+):(\d+):(\d+)(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) throw new TypeError(`not an interval: ${text}`);
  const sign = match[1] === "-" ? -1 : 1;
  const out = Buffer.alloc(11);
  out.writeUInt32BE(0x80000000 + sign * Number(match[2]));
  out[4] = 60 + sign * Number(match[3]);
  out[5] = 60 + sign * Number(match[4]);
  out[6] = 60 + sign * Number(match[5]);
  out.writeUInt32BE(0x80000000 + sign * Number((match[6] ?? "0").padEnd(9, "0")), 7);
  return out;
}
