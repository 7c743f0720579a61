/**
 * A moment as ISO 8601 text in UTC, `2026-11-20T18:30:00Z` or with milliseconds. Texts of the same precision sort by
 * time.
 */
export type Instant = string;

const FORM = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Reads an ISO 8601 date and time **with** its zone; returns it in UTC, truncated (never rounded up) to milliseconds.
 * Undefined for anything else: dates that do not exist, and moments outside the years 0 to 9999 in UTC.
 */
export function parseInstant(text: string): Instant | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, date = "", time = "", fraction = "", zone = ""] = match;
  const local = new Date(`${date}T${time}Z`);
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 19) !== `${date}T${time}`) return undefined;
  const moment = new Date(`${date}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`);
  if (Number.isNaN(moment.getTime())) return undefined;
  const instant = instantOf(moment.getTime());
  return FORM.test(instant) ? instant : undefined;
}

/** @param epochMillis milliseconds since 1970-01-01T00:00:00Z */
export function instantOf(epochMillis: number): Instant {
  return new Date(epochMillis).toISOString().replace(".000Z", "Z");
}

/**
 * The same for a time from another system.
 *
 * @returns undefined outside the years 0 to 9999, and for values that are not a date
 */
export function instantIfDate(epochMillis: number): Instant | undefined {
  return Math.abs(epochMillis) <= LAST_DATE ? parseInstant(instantOf(epochMillis)) : undefined;
}

/** ECMA-262: time values. */
const LAST_DATE = 8.64e15;

/** @returns milliseconds since 1970-01-01T00:00:00Z */
export function epochMillis(instant: Instant): number {
  return Date.parse(instant);
}

/** @returns milliseconds from `from` to `to`, negative when `to` is earlier */
export function millisBetween(from: Instant, to: Instant): number {
  return epochMillis(to) - epochMillis(from);
}

/** `2026-11-20 19:02:11Z`, without fractions of a second. */
export function showInstant(instant: Instant): string {
  return instant.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/, "$1 $2Z");
}

/** Whether a database server's zone shows the same clock as UTC. */
export function isUtc(zone: string): boolean {
  return /^(?:Z|UTC|GMT|[+-]00:00)$/i.test(zone.trim());
}
