import { between, type CharSet, union } from "./char-set.ts";
import { isSettled, type Truth, truth } from "./truth.ts";

/**
 * How a pattern compares letters. `ascii` is `Pattern.CASE_INSENSITIVE`, which applies to A to Z only; `unicode` adds
 * `UNICODE_CASE`, where two characters are the same if the lower case of their upper case is.
 */
export type Folding = "none" | "ascii" | "unicode";

/** `Character.toUpperCase`: one code point for one. `ß` stays. */
function upper(c: number): number {
  return single(String.fromCodePoint(c).toUpperCase()) ?? c;
}

/** `Character.toLowerCase`. */
function lower(c: number): number {
  return c === 0x130 ? 0x69 : (single(String.fromCodePoint(c).toLowerCase()) ?? c);
}

function single(text: string): number | undefined {
  const c = text.codePointAt(0);
  return c !== undefined && String.fromCodePoint(c) === text ? c : undefined;
}

function upperAscii(c: number): number {
  return c >= 0x61 && c <= 0x7a ? c - 32 : c;
}

function lowerAscii(c: number): number {
  return c >= 0x41 && c <= 0x5a ? c + 32 : c;
}

/** The form that `UNICODE_CASE` compares. */
function folded(c: number): number {
  return lower(upper(c));
}

/** Whether two characters are the same under a folding. */
export function same(a: number, b: number, folding: Folding): Truth {
  if (a === b) return 1;
  if (folding === "none") return 0;
  if (folding === "ascii") return truth(lowerAscii(a) === lowerAscii(b));
  return isSettled(a) && isSettled(b) ? truth(folded(a) === folded(b)) : 0.5;
}

/**
 * A single character of a pattern. Java compares one without case (`ß`) exactly, and so not with the capital one (`ẞ`),
 * unless it is in a run of characters.
 */
export function alone(c: number, folding: Folding): CharSet {
  if (folding === "unicode" && isSettled(c) && upper(c) === lower(upper(c))) return between(c, c);
  return (other) => same(c, other, folding);
}

/** One character of a run. */
export function inRun(c: number, folding: Folding): CharSet {
  return (other) => same(c, other, folding);
}

/** A range in a class: a character is in it unchanged, in upper case, or in that one's lower case. */
export function range(low: number, high: number, folding: Folding): CharSet {
  const plain = between(low, high);
  if (folding === "none") return plain;
  if (folding === "ascii")
    return (c) => (c < 128 ? (Math.max(plain(c), plain(upperAscii(c)), plain(lowerAscii(c))) as Truth) : plain(c));
  return union(plain, (c) => (isSettled(c) ? (Math.max(plain(upper(c)), plain(folded(c))) as Truth) : 0.5));
}
