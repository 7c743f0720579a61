import type { ByteSink } from "../../values/byte-sink.ts";
import { inSequence } from "../../values/regexp.ts";

/**
 * Intervals as integer microseconds. The connector sends them as float64 (`MicroDuration`): values that a double cannot
 * represent exactly are not compared.
 */

const NOT_EXACT = "an interval that the record's float64 of microseconds can't hold exactly";

/**
 * A month is 365.25 / 12 days, in microseconds: `MicroDuration.durationMicros` of Debezium, which defines these
 * schemas.
 */
const MONTH = 2_629_800_000_000n;
const DAY = 86_400_000_000n;

const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** `+000000002 03:04:05.123456`, as Oracle prints a day to second interval. */
export function writeDayInterval(text: string, sink: ByteSink): string | undefined {
  const parts = /^([+-]?)(\d{1,9}) (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?$/.exec(text);
  if (parts === null) return "no interval of days and seconds";
  const [, sign, days = "", hours = "", minutes = "", seconds = "", fraction = ""] = parts;
  const nanos = fraction.padEnd(9, "0");
  if (!nanos.endsWith("000")) return NOT_EXACT;
  const whole =
    BigInt(days) * DAY +
    (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * 1_000_000n +
    BigInt(nanos.slice(0, 6));
  return writeMicros(sign === "-" ? -whole : whole, sink);
}

/** `+01-06`, as Oracle prints a year to month interval. */
export function writeMonthInterval(text: string, sink: ByteSink): string | undefined {
  const parts = /^([+-]?)(\d{1,9})-(\d{1,2})$/.exec(text);
  if (parts === null) return "no interval of years and months";
  const [, sign, years = "", months = ""] = parts;
  const whole = (BigInt(years) * 12n + BigInt(months)) * MONTH;
  return writeMicros(sign === "-" ? -whole : whole, sink);
}

/** A float64 of microseconds as JSON writes it: `5400000000`, `5.4E9`. */
export function writeFloatMicros(text: string, sink: ByteSink): string | undefined {
  const micros = Number(text);
  return Number.isSafeInteger(micros) ? writeMicros(BigInt(micros), sink) : NOT_EXACT;
}

const DAY_PERIOD = inSequence([
  /^([+-]?)P(?:0Y0M)?(?:([+-]?\d{1,10})D)?/,
  /(?:T(?:([+-]?\d{1,12})H)?(?:([+-]?\d{1,13})M)?(?:([+-]?)(\d{1,15})(?:\.(\d{1,9}))?S)?)?$/,
]);

/**
 * An interval of days and seconds in ISO 8601: `PT51H4M5.123456S`, `P2DT3H`, `-PT0.5S`; each number may have a sign, as
 * in Java. Debezium writes every unit: `P0Y0M1DT2H3M4.5S`.
 */
export function writeDayPeriod(text: string, sink: ByteSink): string | undefined {
  const parts = DAY_PERIOD.exec(text);
  if (parts === null || !/\d/.test(text) || text.endsWith("T")) return "no ISO 8601 duration of days and seconds";
  const [, sign, days = "0", hours = "0", minutes = "0", ofSeconds, seconds = "0", fraction = ""] = parts;
  const nanos = fraction.padEnd(9, "0");
  if (!nanos.endsWith("000")) return "an interval with a part of a microsecond, which is not compared";
  const second = BigInt(seconds) * 1_000_000n + BigInt(nanos.slice(0, 6));
  const whole =
    BigInt(days) * DAY +
    (BigInt(hours) * 3600n + BigInt(minutes) * 60n) * 1_000_000n +
    (ofSeconds === "-" ? -second : second);
  return writeMicros(sign === "-" ? -whole : whole, sink);
}

/** An interval of years and months in ISO 8601: `P12Y3M`, `P-1Y-6M`, `P0D`, `P1Y6M0DT0H0M0S`. */
export function writeMonthPeriod(text: string, sink: ByteSink): string | undefined {
  const parts = /^([+-]?)P(?:([+-]?\d{1,9})Y)?(?:([+-]?\d{1,11})M)?(?:0D(?:T0H0M0S)?)?$/.exec(text);
  if (parts === null || !/\d/.test(text)) return "no ISO 8601 period of years and months";
  const [, sign, years = "0", months = "0"] = parts;
  const whole = (BigInt(years) * 12n + BigInt(months)) * MONTH;
  return writeMicros(sign === "-" ? -whole : whole, sink);
}

function writeMicros(micros: bigint, sink: ByteSink): string | undefined {
  if (micros > largest || micros < -largest) return NOT_EXACT;
  sink.ascii(micros.toString());
  return undefined;
}
