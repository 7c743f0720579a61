import type { ByteSink } from "../../values/byte-sink.ts";

/**
 * BINARY_FLOAT and BINARY_DOUBLE as the shortest decimal text that identifies the value, as JavaScript prints a double.
 * Oracle has one NaN and no negative zero.
 */

const NAMED: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ...["inf", "+inf", "infinity", "+infinity"].map((name) => [name, Number.POSITIVE_INFINITY] as const),
  ...["-inf", "-infinity"].map((name) => [name, Number.NEGATIVE_INFINITY] as const),
]);

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** @param width of the column: a float is rounded to 32 bits first, so that 0.1 is the same in both widths */
export function writeBinaryNumber(text: string, width: 32 | 64, sink: ByteSink): string | undefined {
  const named = NAMED.get(text.toLowerCase());
  if (named === undefined && !NUMBER.test(text)) return "no binary number";
  const value = named ?? Number(text);
  sink.ascii(width === 64 ? double(value) : float(Math.fround(value)));
  return undefined;
}

const double = (value: number): string => (value === 0 ? "0" : String(value));

/** A float has at most nine significant digits (IEEE 754). */
function float(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return double(shorter);
  }
  return double(Number(value.toPrecision(9)));
}
