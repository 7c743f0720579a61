/** Units in milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: MINUTE, h: HOUR, d: DAY };

/** Reads `30s`, `10m`, `1h30m`, `500ms`, `2d`. @returns milliseconds, or undefined for anything else */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}(ms|s|m|h|d))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0),
    0,
  );
}

/** The milliseconds of a duration that is known to be valid; undefined without one. */
export function millisOf(text: string | undefined): bigint | undefined {
  const millis = parseDuration(text ?? "");
  return millis === undefined ? undefined : BigInt(millis);
}

/** A duration as `parseDuration` reads it, exactly. @param millis not negative */
export function durationText(millis: bigint): string {
  const days = millis / BigInt(DAY);
  const rest = millis % BigInt(DAY);
  return `${days === 0n ? "" : `${days}d`}${rest === 0n && days !== 0n ? "" : `${rest}ms`}`;
}

/** Prints milliseconds for people, with two units at most: `32 min 11 s`, `3 h`, `0.4 s`. */
export function printDuration(millis: number): string {
  if (millis < 1000) return `${(millis / 1000).toFixed(1)} s`;
  const parts: string[] = [];
  let rest = Math.round(millis / 1000);
  for (const [name, seconds] of [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ] as const) {
    const count = Math.floor(rest / seconds);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * seconds;
  }
  return parts.slice(0, 2).join(" ");
}

export function showMillis(millis: bigint | number): string {
  return printDuration(Number(millis));
}
