import { both, type CharSet, either, exactly, has, others, pairs, type Ranges } from "./char-set.ts";

/** Characters whose category and case are the same in every version of Unicode from that of Java 11 on (Unicode 10). */
// biome-ignore format: a table
const SETTLED: Ranges = [
  0x0000, 0x019b, 0x019c, 0x0250, 0x0300, 0x0363, 0x0386, 0x0387, 0x0388, 0x038b, 0x038c, 0x038d, 0x038e, 0x03a2,
  0x03a3, 0x0530, 0x0531, 0x0557, 0x0561, 0x0588, 0x05d0, 0x05eb, 0x0621, 0x064b, 0x0e01, 0x0e3b, 0x1e00, 0x1e96,
  0x1e9e, 0x1f00, 0x2000, 0x2065, 0x2070, 0x2072, 0x20a0, 0x20c0, 0x2100, 0x218c, 0x2190, 0x23ff, 0x3000, 0x3040,
  0x3041, 0x3097, 0x30a1, 0x3100, 0x4e00, 0x9feb, 0xac00, 0xd7a4, 0xff01, 0xffbf,
];

/** Ranges by their first and last characters. */
// biome-ignore format: a table
const FIXED = new Map([
  ["L1", "\0\xff"], ["ASCII", "\0\x7f"], ["Alnum", "09AZaz"], ["Alpha", "AZaz"], ["Blank", "\t\t  "],
  ["Cntrl", "\0\x1f\x7f\x7f"], ["Digit", "09"], ["Graph", "!~"], ["Lower", "az"], ["Print", " ~"],
  ["Punct", "!/:@[`{~"], ["Space", "\t\r  "], ["Upper", "AZ"], ["XDigit", "09AFaf"], ["\\d", "09"], ["\\s", "\t\r  "],
  ["\\h", "\t\t  \xa0\xa0\u1680\u1680\u180e\u180e\u2000\u200a\u202f\u202f\u205f\u205f\u3000\u3000"],
  ["\\v", "\n\r\x85\x85\u2028\u2029"], ["\\w", "09AZ__az"],
]);
/** Categories, and other names that mean the same in JavaScript. */
const SAME = /^(?:(?:Is|gc=)?([LMNZCPS][a-zC]?)|Is((?:Upper|Lower)case|Alphabetic))$/;
/** Names for capital or small letters; if case is ignored, for both in newer versions of Java. */
const ASKS_FOR_CASE = /(?:L[ult]|Lower|Upper|[Cc]ase)$/;

/** The set of `\d` or `\p{name}` among the characters of names; undefined for a name that only Java may know. */
export function property(name: string, ignoresCase: boolean, among: Ranges): CharSet | undefined {
  const fixed = FIXED.get(name);
  const same = SAME.exec(name.replace(/^java(Upper|Lower)C(?=ase$)/, "Is$1c"));
  if (fixed === undefined && same === null) return undefined;
  const { sure, possible } =
    fixed === undefined ? byUnicode(same?.[1] ?? same?.[2] ?? "", among) : exactly(pairs(fixed));
  const more = ignoresCase && ASKS_FOR_CASE.test(name) ? [...pairs("AZaz"), 0x80] : [];
  return { sure, possible: either(possible, more) };
}

function byUnicode(name: string, among: Ranges): CharSet {
  const [settled, pattern] = [both(among, SETTLED), new RegExp(`\\p{${name}}`, "u")];
  const inside = (c: number) => c >= 0 && has(settled, c) && pattern.test(String.fromCodePoint(c));
  const sure = Array.from({ length: (among[1] ?? 0xffff) + 1 }, (_, c) => c).filter((c) => inside(c) !== inside(c - 1));
  return { sure, possible: either(sure, others(settled)) };
}

const WITHOUT_CASE = /^[\p{Nd}\p{P}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;
/** Letters beyond ASCII that equal I, K and S if Unicode's case is ignored. */
const LIKE_ASCII = pairs("\u0130\u0131\u017f\u017f\u212a\u212a");

/** Characters in both cases, of A to Z; with `unicode`, possibly in that of other letters. */
export function inBothCases(first: number, last: number, unicode: boolean): CharSet {
  const set = [first, last + 1];
  const moved = (letters: string, by: number) => both(set, pairs(letters)).map((bound) => bound + by);
  const sure = either(set, either(moved("AZ", 32), moved("az", -32)));
  if (!unicode || (first === last && WITHOUT_CASE.test(String.fromCodePoint(first)))) return exactly(sure);
  // A letter beyond ASCII may equal any other beyond it.
  const like = (a: Ranges, b: Ranges, more: Ranges) => (both(a, b).length > 0 ? more : []);
  const beyond = either(like(set, [0x80], [0x80]), like(sure, pairs("IIKKSS"), LIKE_ASCII));
  return { sure, possible: either(sure, either(beyond, like(set, LIKE_ASCII, pairs("IIKKSSiikkss")))) };
}
