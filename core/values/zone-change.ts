import { epochMillis, type Instant } from "./instant.ts";

const MINUTE = 60_000;
/** No zone puts its clocks back by more. */
const LONGEST_REPEAT = 3 * 60 * MINUTE;

/**
 * Zones of the world that have an offset now and in which it does not convert an instant of the past to the one local time that it was: the offset was
 * another then, or the clocks were put back just before, so that its local time came twice.
 *
 * A database server tells its offset from UTC (`SYSTIMESTAMP`), not the zone that it lives in. Whether it changed to or from daylight saving time, only
 * the zone would tell.
 *
 * @param offset now, as `SYSTIMESTAMP` shows it: `+01:00`
 * @returns names of zones, in alphabetical order; none for an instant to come, or an offset that can't be read
 */
export function zonesThatDiffer(offset: string, instant: Instant, now: Instant): readonly string[] {
  const minutes = minutesOf(offset);
  const [then, until] = [epochMillis(instant), epochMillis(now)];
  if (minutes === undefined || then >= until) return [];
  return Intl.supportedValuesOf("timeZone").filter((zone) => {
    const offsetAt = offsetsOf(zone);
    if (offsetAt(until) !== minutes) return false;
    if (offsetAt(then) !== minutes) return true;
    const before = offsetAt(then - LONGEST_REPEAT);
    // The clocks went back by so much; that long before the instant they showed the same time.
    const back = before === undefined ? 0 : (before - minutes) * MINUTE;
    return back > 0 && offsetAt(then - back) === before;
  });
}

function minutesOf(offset: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):(\d{2})$/.exec(offset.trim()) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const all = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -all : all;
}

/** Minutes before UTC of a zone, at a time. */
function offsetsOf(zone: string): (millis: number) => number | undefined {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (millis) => {
    const name = format.formatToParts(millis).find(({ type }) => type === "timeZoneName")?.value ?? "";
    return name === "GMT" ? 0 : minutesOf(name.replace(/^GMT/, ""));
  };
}
