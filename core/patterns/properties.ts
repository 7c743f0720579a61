import { type CharSet, union } from "./char-set.ts";
import { agreed, isSettled, truth } from "./truth.ts";

/** Flags that a named set depends on. */
interface PropertyFlags {
  /** Ignoring case extends `\p{Lu}` to every cased letter, but not in every version of Java. */
  readonly ignoresCase: boolean;
  /** Flag `U`: POSIX names mean Unicode. */
  readonly unicode: boolean;
}

/** A set by the members of a JavaScript class, limited to characters on which all versions agree. */
function unicode(members: string): CharSet {
  const has = fixed(members);
  return (c) => (isSettled(c) ? has(c) : 0.5);
}

/** A fixed set. Its pattern is compiled on first use, which takes longer than everything else. */
function fixed(members: string): CharSet {
  let pattern: RegExp | undefined;
  return (c) => {
    pattern ??= new RegExp(`^[${members}]$`, "u");
    return truth(pattern.test(String.fromCodePoint(c)));
  };
}

const CASED = unicode("\\p{Lu}\\p{Ll}\\p{Lt}\\p{Uppercase}\\p{Lowercase}");
const CASED_ASCII = fixed("A-Za-z");

export const UNICODE_DIGIT = unicode("\\p{Nd}");
export const UNICODE_SPACE = unicode("\\p{Z}\\t-\\r\\u0085");
export const UNICODE_WORD = unicode("\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d");

const CATEGORIES = new Set(
  "Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf L M N Z C P S LC".split(
    " ",
  ),
);

/** Names of the pattern class itself; members in JavaScript notation. */
const FIXED: Readonly<Record<string, string>> = {
  L1: "\\0-\\xff",
  all: "\\0-\\u{10ffff}",
  ASCII: "\\0-\\x7f",
  Alnum: "A-Za-z0-9",
  Alpha: "A-Za-z",
  Blank: " \\t",
  Cntrl: "\\0-\\x1f\\x7f",
  Digit: "0-9",
  Graph: "!-~",
  Lower: "a-z",
  Print: " -~",
  Punct: "!-\\/:-@\\[-`\\{-~",
  Space: " \\t-\\r",
  Upper: "A-Z",
  XDigit: "0-9A-Fa-f",
  javaISOControl: "\\0-\\x1f\\x7f-\\x9f",
};

const OF_CHARACTER: Readonly<Record<string, string>> = {
  LD: "\\p{L}\\p{Nd}",
  javaLowerCase: "\\p{Lowercase}",
  javaUpperCase: "\\p{Uppercase}",
  javaTitleCase: "\\p{Lt}",
  javaAlphabetic: "\\p{Alphabetic}",
  javaIdeographic: "\\p{Ideographic}",
  javaDigit: "\\p{Nd}",
  javaLetter: "\\p{L}",
  javaLetterOrDigit: "\\p{L}\\p{Nd}",
  javaSpaceChar: "\\p{Z}",
};

/** After `Is`, and POSIX names under the flag `U`; case-insensitive. */
const POSIX: Readonly<Record<string, string>> = {
  ALPHA: "\\p{Alphabetic}",
  LOWER: "\\p{Lowercase}",
  UPPER: "\\p{Uppercase}",
  SPACE: "\\p{Z}\\t-\\r\\u0085",
  PUNCT: "\\p{P}",
  ALNUM: "\\p{Alphabetic}\\p{Nd}",
  CNTRL: "\\p{Cc}",
  DIGIT: "\\p{Nd}",
  BLANK: "\\p{Zs}\\t",
};

const BINARY: Readonly<Record<string, string>> = {
  ALPHABETIC: "\\p{Alphabetic}",
  CONTROL: "\\p{Cc}",
  IDEOGRAPHIC: "\\p{Ideographic}",
  LETTER: "\\p{L}",
  LOWERCASE: "\\p{Lowercase}",
  UPPERCASE: "\\p{Uppercase}",
  TITLECASE: "\\p{Lt}",
  PUNCTUATION: "\\p{P}",
  WHITESPACE: "\\p{Z}\\t-\\r\\u0085",
  WHITE_SPACE: "\\p{Z}\\t-\\r\\u0085",
};

const SCRIPTS: Readonly<Record<string, string>> = {
  LATIN: "Latin",
  LATN: "Latin",
  GREEK: "Greek",
  GREK: "Greek",
  CYRILLIC: "Cyrillic",
  CYRL: "Cyrillic",
  ARABIC: "Arabic",
  ARAB: "Arabic",
  HEBREW: "Hebrew",
  HEBR: "Hebrew",
  HAN: "Han",
  HANI: "Han",
  HIRAGANA: "Hiragana",
  HIRA: "Hiragana",
  KATAKANA: "Katakana",
  KANA: "Katakana",
  HANGUL: "Hangul",
  HANG: "Hangul",
  THAI: "Thai",
  COMMON: "Common",
  ZYYY: "Common",
};

const BLOCKS: Readonly<Record<string, string>> = {
  "BASIC LATIN": "\\0-\\x7f",
  "LATIN-1 SUPPLEMENT": "\\x80-\\xff",
  "LATIN EXTENDED-A": "\\u0100-\\u017f",
  "LATIN EXTENDED-B": "\\u0180-\\u024f",
  GREEK: "\\u0370-\\u03ff",
  "GREEK AND COPTIC": "\\u0370-\\u03ff",
  CYRILLIC: "\\u0400-\\u04ff",
  ARMENIAN: "\\u0530-\\u058f",
  HEBREW: "\\u0590-\\u05ff",
  ARABIC: "\\u0600-\\u06ff",
  THAI: "\\u0e00-\\u0e7f",
  HIRAGANA: "\\u3040-\\u309f",
  KATAKANA: "\\u30a0-\\u30ff",
  "CJK UNIFIED IDEOGRAPHS": "\\u4e00-\\u9fff",
  "HANGUL SYLLABLES": "\\uac00-\\ud7af",
};

/** A block's name with spaces, without them, and as a Java identifier. */
const BLOCK_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(BLOCKS).flatMap(([name, members]) =>
    [name, name.replaceAll(" ", ""), name.replaceAll(/[ -]/g, "_")].map((spelling) => [spelling, members] as const),
  ),
);

/** Names for capital or small letters; if case is ignored, for both in newer versions of Java. */
const ASKS_FOR_CASE = new Set(
  "Lu Ll Lt javaLowerCase javaUpperCase javaTitleCase LOWER UPPER LOWERCASE UPPERCASE TITLECASE".split(" "),
);

/**
 * The set of `\p{name}`.
 *
 * @returns undefined for a name that this engine does not know; Java may
 */
export function property(name: string, flags: PropertyFlags): CharSet | undefined {
  const equals = name.indexOf("=");
  if (equals >= 0) return keyed(name.slice(0, equals).toLowerCase(), name.slice(equals + 1), flags);
  if (name.startsWith("In")) return block(name.slice(2));
  if (name.startsWith("Is")) {
    const rest = name.slice(2);
    const capital = rest.toUpperCase();
    return (
      byTable(BINARY, capital, flags) ?? byTable(POSIX, capital, flags) ?? ofCharacter(rest, flags) ?? script(capital)
    );
  }
  return (flags.unicode ? byTable(POSIX, name.toUpperCase(), flags) : undefined) ?? ofCharacter(name, flags);
}

function keyed(key: string, value: string, flags: PropertyFlags): CharSet | undefined {
  if (key === "sc" || key === "script") return script(value.toUpperCase());
  if (key === "blk" || key === "block") return block(value);
  return key === "gc" || key === "general_category" ? ofCharacter(value, flags) : undefined;
}

function ofCharacter(name: string, flags: PropertyFlags): CharSet | undefined {
  if (CATEGORIES.has(name)) return cased(name, unicode(`\\p{${name}}`), flags);
  if (Object.hasOwn(FIXED, name)) {
    const set = fixed(FIXED[name] ?? "");
    return flags.ignoresCase && (name === "Lower" || name === "Upper") ? widened(set, CASED_ASCII) : set;
  }
  return byTable(OF_CHARACTER, name, flags);
}

function byTable(table: Readonly<Record<string, string>>, name: string, flags: PropertyFlags): CharSet | undefined {
  return Object.hasOwn(table, name) ? cased(name, unicode(table[name] ?? ""), flags) : undefined;
}

function cased(name: string, set: CharSet, { ignoresCase }: PropertyFlags): CharSet {
  return ignoresCase && ASKS_FOR_CASE.has(name) ? widened(set, CASED) : set;
}

function widened(narrow: CharSet, wide: CharSet): CharSet {
  const both = union(narrow, wide);
  return (c) => agreed(narrow(c), both(c));
}

function script(name: string): CharSet | undefined {
  return Object.hasOwn(SCRIPTS, name) ? unicode(`\\p{Script=${SCRIPTS[name]}}`) : undefined;
}

function block(name: string): CharSet | undefined {
  const members = BLOCK_NAMES.get(name.toUpperCase());
  return members === undefined ? undefined : fixed(members);
}
