import { type Truth, truth } from "./truth.ts";

/** Whether a code point is in a set of characters. */
export type CharSet = (codePoint: number) => Truth;

export function complement(set: CharSet): CharSet {
  return (c) => (1 - set(c)) as Truth;
}

export function union(a: CharSet, b: CharSet): CharSet {
  return (c) => Math.max(a(c), b(c)) as Truth;
}

export function intersection(a: CharSet, b: CharSet): CharSet {
  return (c) => Math.min(a(c), b(c)) as Truth;
}

export function between(low: number, high: number): CharSet {
  return (c) => truth(low <= c && c <= high);
}

export const ANY: CharSet = () => 1;

/** Characters that end a line: excluded by `.`, and the places of `$` and a multi-line `^`. */
export function endsLine(c: number): boolean {
  return c === 0x0a || c === 0x0d || c === 0x85 || c === 0x2028 || c === 0x2029;
}

/** `.`: everything except line terminators, or except the line feed under the flag `d`. */
export const DOT: CharSet = (c) => truth(!endsLine(c));
export const UNIX_DOT: CharSet = (c) => truth(c !== 0x0a);

/** `\v`. */
export const VERTICAL_SPACE: CharSet = (c) => truth((c >= 0x0a && c <= 0x0d) || c === 0x85 || (c | 1) === 0x2029);

const HORIZONTAL: ReadonlySet<number> = new Set([0x09, 0x20, 0xa0, 0x1680, 0x180e, 0x202f, 0x205f, 0x3000]);

/** `\h`. */
export const HORIZONTAL_SPACE: CharSet = (c) => truth(HORIZONTAL.has(c) || (c >= 0x2000 && c <= 0x200a));

/** `\d`, `\s`, `\w` without the flag `U`: ASCII only. */
export const DIGIT: CharSet = between(0x30, 0x39);
export const SPACE: CharSet = (c) => truth(isSpace(c));
export const WORD: CharSet = (c) => truth(isDigit(c) || isLetter(c) || c === 0x5f);

export function isSpace(c: number): boolean {
  return c === 0x20 || (c >= 0x09 && c <= 0x0d);
}

export function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

/** An ASCII letter. */
export function isLetter(c: number): boolean {
  return (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a);
}
