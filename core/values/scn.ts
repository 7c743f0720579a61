/** An Oracle system change number. Always a bigint: it can pass 2^53. */
export type Scn = bigint;

/** The highest SCN a stored offset can hold: its field is a signed 64-bit integer. */
export const MAX_SCN: Scn = 2n ** 63n - 1n;

/** `NEXT_CHANGE#` of a log that is still being written: "no end yet" (Oracle before and since 12.2). */
const NO_END: readonly bigint[] = [18446744073709551615n, 281474976710655n];

/** @returns the SCN of a decimal text, or undefined for an invalid one (sign, exponent, blanks, above `MAX_SCN`) */
export function parseScn(text: string): Scn | undefined {
  if (!/^[0-9]{1,19}$/.test(text)) return undefined;
  const scn = BigInt(text);
  return scn <= MAX_SCN ? scn : undefined;
}

/** @returns undefined for a log that has no end yet, otherwise its exclusive upper SCN */
export function endOfLog(nextChange: bigint): Scn | undefined {
  return NO_END.includes(nextChange) ? undefined : nextChange;
}
