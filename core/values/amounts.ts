/**
 * The notation of amounts for people, in every view and message. What is copied into another system (an SCN, an offset,
 * a sequence, the value of a setting) is not an amount: it stays in plain digits.
 */

/** A count: `99,990`. @param count a whole number */
export function showCount(count: bigint | number): string {
  return count.toString().replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A count with its noun: `1 archived log`, `4 archived logs`. */
export function counted(count: bigint | number, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${BigInt(count) === 1n ? one : many}`;
}

/** Decimal units, as storage is sold, with three digits at most: `999 bytes`, `1.6 GB`. */
export function showBytes(bytes: bigint | number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  // Tenths are computed, so that no digit comes from a double.
  let tenths = BigInt(bytes) * 10n;
  while (tenths >= 10_000n && unit < units.length - 1) {
    tenths = (tenths + 500n) / 1000n;
    unit++;
  }
  const whole = tenths / 10n;
  const tenth = tenths % 10n;
  return (
    `${showCount(whole)}${unit === 0 || whole >= 100n || tenth === 0n ? "" : `.${tenth}`} ` +
    `${unit === 0 && BigInt(bytes) === 1n ? "byte" : units[unit]}`
  );
}

/** `sequence 118`, `sequences 118 to 121`. */
export function showRange(name: string, first: bigint, last: bigint): string {
  return first === last ? `${name} ${first}` : `${name}s ${first} to ${last}`;
}
