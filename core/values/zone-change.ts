import { HOUR, MINUTE } from "./duration.ts";
import { epochMillis, type Instant } from "./instant.ts";

const HALF_HOUR = 30 * MINUTE;
/** No zone sets its clocks back by more. */
const LONGEST_REPEAT = 3 * HOUR;

/**
 * Zones that have an offset now with which a past instant cannot be converted to its one local time: the offset was
 * different then, or the clocks were set back just before, so that its local time occurred twice.
 *
 * A database server reports its offset from UTC (`SYSTIMESTAMP`), not its zone. Only the zone determines whether it
 * changed to or from daylight saving time.
 *
 * @param offset the current one, as `SYSTIMESTAMP` shows it: `+01:00`
 * @returns names of zones, in alphabetical order; none for a future instant, or an unreadable offset
 */
export function zonesThatDiffer(offset: string, instant: Instant, now: Instant): readonly string[] {
  const minutes = minutesOf(offset);
  const [then, until] = [epochMillis(instant), epochMillis(now)];
  if (minutes === undefined || then >= until) return [];
  return zonesAt(minutes, until)
    .zones.filter(([, offsetAt]) => differs(offsetAt, minutes, then))
    .map(([zone]) => zone);
}

/**
 * The earliest of many times that the server's current offset may have converted to UTC incorrectly: in some zone with
 * this offset now, another one applied then. `SCN_TO_TIMESTAMP` and the dictionary's dates are in the server's own
 * time, and no view shows its zone.
 *
 * @param offset the current one, as `SYSTIMESTAMP` shows it: `+01:00`
 * @param times as converted with it
 * @returns undefined if each is correct in every such zone, and for an unreadable offset
 */
export function earliestByWrongHour(offset: string, times: readonly Instant[], now: Instant): Instant | undefined {
  const minutes = minutesOf(offset);
  if (minutes === undefined) return undefined;
  const until = epochMillis(now);
  const earlier = [...new Set(times)].sort().filter((time) => epochMillis(time) < until);
  if (earlier.length === 0) return undefined;
  const { zones, differing } = zonesAt(minutes, until);
  return earlier.find((time) => {
    // Zones change at full or half hours, so all times within one are alike.
    const halfHour = Math.floor(epochMillis(time) / HALF_HOUR);
    const known = differing.get(halfHour) ?? zones.some(([, of]) => differs(of, minutes, epochMillis(time)));
    differing.set(halfHour, known);
    return known;
  });
}

/** Minutes before UTC, at a time in milliseconds. */
type OffsetAt = (millis: number) => number | undefined;

interface ZonesNow {
  readonly minutes: number;
  readonly halfHour: number;
  readonly zones: readonly (readonly [zone: string, offsetAt: OffsetAt])[];
  /** Half hours that were asked about: whether a zone had another offset then. */
  readonly differing: Map<number, boolean>;
}

/** Hours before UTC, at least and at most, of all zones of the large areas since 2000, with some to spare. */
const HOURS: Readonly<Record<string, readonly [number, number]>> = {
  Africa: [-1, 4],
  America: [-11, 0],
  Asia: [2, 13],
  Europe: [-1, 5],
};

const offsets = new Map<string, OffsetAt>();
/** The latest zones: all times of a report are compared as of one instant and offset. */
let latest: ZonesNow | undefined;

function zonesAt(minutes: number, now: number): ZonesNow {
  const halfHour = Math.floor(now / HALF_HOUR);
  if (latest?.minutes === minutes && latest.halfHour === halfHour) return latest;
  // What knows a zone's offsets takes long to make.
  const zones = Intl.supportedValuesOf("timeZone").flatMap((zone): ZonesNow["zones"] => {
    const [least, most] = HOURS[zone.split("/")[0] ?? ""] ?? [-24, 24];
    if (minutes < least * 60 || minutes > most * 60) return [];
    const offsetAt = offsets.get(zone) ?? offsetsOf(zone);
    offsets.set(zone, offsetAt);
    return offsetAt(now) === minutes ? [[zone, offsetAt]] : [];
  });
  latest = { minutes, halfHour, zones, differing: new Map() };
  return latest;
}

/**
 * Whether another offset applied then, or the clocks were set back just before, so that the local time occurred twice.
 */
function differs(offsetAt: OffsetAt, minutes: number, then: number): boolean {
  if (offsetAt(then) !== minutes) return true;
  const before = offsetAt(then - LONGEST_REPEAT);
  // The clocks went back by this much; that long before the instant they showed the same time.
  const back = before === undefined ? 0 : (before - minutes) * MINUTE;
  return back > 0 && offsetAt(then - back) === before;
}

function minutesOf(offset: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):(\d{2})$/.exec(offset.trim()) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const all = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -all : all;
}

function offsetsOf(zone: string): OffsetAt {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (millis) => {
    const name = format.formatToParts(millis).find(({ type }) => type === "timeZoneName")?.value ?? "";
    return name === "GMT" ? 0 : minutesOf(name.replace(/^GMT/, ""));
  };
}
