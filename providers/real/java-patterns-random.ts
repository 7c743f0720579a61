/**
 * Random patterns and names. Some patterns have only two letters with many constructs, so that many names match after
 * much backtracking; the others have all constructs. The same seed returns the same patterns.
 */
export interface RandomPatterns {
  pattern(): string;
  /** Names for the last pattern. */
  names(): readonly string[];
  flags(): number;
}

type Rule = () => string;

const JUNK = "{ } ] [ ( ) * \\ \\Q \\E a{2 a{,2} (? (?< \\X \\b{g} (?c) {2}".split(" ");

const ESCAPES = (
  "\\x61 \\x{62} \\u0041 \\0101 \\061 \\07 \\cA \\t \\r \\e \\a \\f \\\\ \\$ \\u00e9 \\x{1F600} " +
  "\\ud83d\\ude00 \\x4 \\u12 \\y \\_ \\08"
).split(" ");

const PROPERTIES = (
  "Alpha Lower Upper Digit Alnum Punct Graph Print Blank Cntrl XDigit Space ASCII L1 all L Lu Ll Lt N " +
  "Nd P Po Pc S Sc Z Zs C Cc M Mn LC LD Lo Cn IsL IsLatin IsGreek IsCyrillic IsHan IsAlphabetic " +
  "IsLetter IsUppercase IsLowercase IsPunctuation IsWhite_Space IsDigit IsAlnum IsAlpha InGreek " +
  "InBasicLatin InCyrillic InLATIN_1_SUPPLEMENT javaUpperCase javaLowerCase javaLetter javaDigit " +
  "javaLetterOrDigit javaSpaceChar javaISOControl javaAlphabetic script=Latin sc=Hira gc=Lu " +
  "general_category=Nd blk=Greek alpha Nonsense IsNonsense InNonsense Emoji"
).split(" ");

/** All names of up to four letters a and b. */
const SHORT: readonly string[] = [0, 1, 2, 3, 4].flatMap((length) =>
  Array.from({ length: 2 ** length }, (_, bits) => Array.from({ length }, (_, i) => "ab"[(bits >> i) & 1]).join("")),
);

export function randomPatterns(seed: number): RandomPatterns {
  let state = seed >>> 0;
  /** Mulberry32. */
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(...of: readonly T[]): T => of[below(of.length)] as T;
  /** Chooses a rule, earlier ones more often. */
  const rule = (...of: readonly Rule[]): string => (of[Math.floor(random() ** 2 * of.length)] as Rule)();
  const times = (most: number, of: Rule, between = ""): string =>
    Array.from({ length: below(most + 1) }, of).join(between);

  let groups = 0;
  let depth = 0;
  let narrow = false;
  /** The last named group. */
  let named: string | undefined;

  const letter: Rule = () => (narrow ? pick("a", "b") : anyLetter());
  const anyLetter: Rule = () =>
    pick(..."aaabbbABkKsS_1.$# \\.", "é", "É", "ß", "ſ", "K", "ı", "ж", "Ж", "中", "\u0301", "😀", "-");
  const classLetter: Rule = () =>
    pick(..."aabbABzZ09_$. k", "é", "É", "ß", "ſ", "ж", "Я", "\\.", "\\]", "\\-", "\\n", "\\x41", "^", "&", "-");
  const number: Rule = () => String(pick(0, 1, 1, 2, 2, 3, 4));
  const propertyName: Rule = () => pick(...PROPERTIES, "");
  const property: Rule = () =>
    rule(
      () => `\\${pick("p", "P")}{${propertyName()}}`,
      () => `\\${pick("p", "P")}${pick("L", "N", "P", "x")}`,
    );
  const shorthand: Rule = () => `\\${pick(..."dDsSwWhHvVdswh")}`;
  const escaped: Rule = () => pick(...ESCAPES, "\\n", "\\N{DIGIT ONE}");
  const characterClass: Rule = () => {
    if (depth > 4) return "[ab]";
    depth++;
    const text = `[${pick("", "", "^")}${rule(
      () => times(3, classItem) || "a",
      () => `${times(2, classItem)}&&${times(2, classItem)}`,
      () => `${times(2, classItem)}${characterClass()}${times(2, classItem)}`,
      () => `${classItem()}&&${pick("", "^")}${characterClass()}`,
      () => `${times(2, classItem)}&&${times(2, classItem)}&&${times(1, classItem)}${pick("&", "&&", "")}`,
    )}]`;
    depth--;
    return text;
  };
  const range: Rule = () =>
    pick("a-z", "A-Z", "0-9", "a-b", "A-b", "Z-a", "à-ö", "b-a", "а-я", "a-\\x{7a}", "!-~", "\\x00-\\x{10FFFF}");
  const classItem: Rule = () =>
    rule(
      classLetter,
      range,
      shorthand,
      property,
      characterClass,
      () => "\\Qa-]\\E",
      escaped,
      () => "\\v-z",
    );
  const quantifier: Rule = () =>
    pick(
      "*",
      "+",
      "?",
      `{${number()}}`,
      `{${number()},}`,
      `{${pick(0, 1, 2)},${pick(2, 2, 3, 4, 1)}}`,
      "{1,3}",
      "*",
      "+",
      "?",
    ) + pick("", "", "", "", "", "?", "?", "+", random() < 0.1 ? "*" : " ");
  const place: Rule = () => pick("^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z", "\\G");
  const flags: Rule = () => pick("i", "x", "s", "m", "d", "u", "iu", "U", "-i", "i-s", "ix", "-x", "sm", "");
  const group: Rule = () => {
    if (depth > 4) return "(a)";
    depth++;
    const text = rule(
      () => {
        groups++;
        return `(${choice()})`;
      },
      () => `(?:${choice()})`,
      () => `(?${flags()}:${choice()})`,
      () => `(?${flags()})`,
      () => `(?=${choice()})`,
      () => `(?!${choice()})`,
      () => `(?<=${choice()})`,
      () => `(?<!${choice()})`,
      () => `(?>${choice()})`,
      () => {
        const name = `n${++groups}`;
        const text = `(?<${name}>${choice()})`;
        named = name;
        return text;
      },
    );
    depth--;
    return text;
  };
  const reference: Rule = () =>
    groups === 0 ? "\\1" : pick(`\\${1 + below(groups)}`, named === undefined ? "\\1" : `\\k<${named}>`, "\\1");
  const junk: Rule = () => pick(...JUNK, "#x\n");
  const narrowAtom: Rule = () =>
    rule(
      group,
      letter,
      group,
      letter,
      () => pick(".", "[ab]", "[^b]", "\\w"),
      reference,
      place,
      () => "\\R",
      escaped,
    );
  const atom: Rule = () => (narrow ? narrowAtom() : anyAtom());
  const anyAtom: Rule = () =>
    rule(
      letter,
      letter,
      letter,
      () => ".",
      group,
      characterClass,
      group,
      () => ".*",
      shorthand,
      place,
      () => `\\Q${letter()}b\\E`,
      property,
      reference,
      escaped,
      () => "\\R",
      () => (random() < 0.2 ? junk() : letter()),
    );
  const term: Rule = () => atom() + (random() < 0.4 ? quantifier() : "");
  const sequence: Rule = () => times(4, term);
  const choice: Rule = () => (random() < 0.3 ? `${sequence()}|${sequence()}` : sequence());

  const name: Rule = () =>
    times(pick(3, 6, 12), () =>
      rule(
        () => pick(..."aabbAB"),
        () => pick(..."kKsS_1.$# -z9"),
        () => pick(..."éÉßſKıжЖ中", "\u0301", "😀", "ẞ", "Ⴀ"),
        () => pick("\r", "\n", "\r\n", "\u2028", "\u0085", "\t"),
      ),
    );

  return {
    pattern() {
      groups = 0;
      named = undefined;
      narrow = random() < 0.6;
      return choice() || term();
    },
    names: () => (narrow ? [...SHORT, name(), name()] : Array.from({ length: 12 }, name)),
    flags: () => pick(0, 2),
  };
}
