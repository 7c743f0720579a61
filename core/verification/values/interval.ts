import type { ByteSink } from "../byte-sink.ts";

/**
 * Intervals as whole microseconds. The connector sends them as float64 (`MicroDuration`): what a double can't tell from its
 * neighbour is not compared.
 */

const NOT_EXACT = "an interval that the record's float64 of microseconds can't hold exactly";

/** A month is 365.25 / 12 days, in microseconds: `MicroDuration.durationMicros` of Debezium, which such schemas are of. */
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

function writeMicros(micros: bigint, sink: ByteSink): string | undefined {
  if (micros > largest || micros < -largest) return NOT_EXACT;
  sink.ascii(micros.toString());
  return undefined;
}
