/** Code points, by the bounds at which they begin and end in turn, ascending; without a last end up to U+10FFFF. */
type Ranges = readonly number[];

/** Characters that Java certainly takes, and those that it may take: its versions differ, or how it is called. */
type CharSet = Readonly<Record<"certain" | "possible", Ranges>>;

const has = (set: Ranges, c: number): boolean => set.filter((bound) => bound <= c).length % 2 === 1;

function combined(a: Ranges, b: Ranges, holds: (inA: boolean, inB: boolean) => boolean): Ranges {
  const bounds = [...new Set([0, ...a, ...b])].sort((x, y) => x - y).filter((bound) => bound <= 0x10ffff);
  const inside = bounds.map((bound) => holds(has(a, bound), has(b, bound)));
  return bounds.filter((_, i) => inside[i] !== (inside[i - 1] ?? false));
}

const both = (a: Ranges, b: Ranges): Ranges => combined(a, b, (inA, inB) => inA && inB);
const either = (a: Ranges, b: Ranges): Ranges => combined(a, b, (inA, inB) => inA || inB);
const others = (a: Ranges): Ranges => combined(a, [], (inA) => !inA);

/** Ranges by their first and last characters: `AZaz`. */
const pairs = (text: string): Ranges => Array.from(text, (c, i) => (c.codePointAt(0) ?? 0) + (i % 2));
const exactly = (set: Ranges): CharSet => ({ certain: set, possible: set });

const merged = (a: CharSet, b: CharSet, how: typeof both) => ({
  certain: how(a.certain, b.certain),
  possible: how(a.possible, b.possible),
});
const complement = ({ certain, possible }: CharSet) => ({ certain: others(possible), possible: others(certain) });

const LEGAL = pairs("-.09AZ__az");
const UNDERSCORE = pairs("__");

/**
 * Characters of a topic's name, which has `_` in place of each that Kafka does not allow. With `"some"`, a `_` stands
 * for any of these; with `"all"`, it counts only where the set has every one of them.
 */
function inTopic(set: Ranges, quantity: "some" | "all"): Ranges {
  const [legal, replaced] = [both(set, LEGAL), others(LEGAL)];
  if (quantity === "some") return both(set, replaced).length === 0 ? legal : either(legal, UNDERSCORE);
  return both(either(replaced, UNDERSCORE), others(set)).length === 0 ? legal : both(legal, others(UNDERSCORE));
}

const NEVER = "[^\\x{0}-\\x{10ffff}]";

/** Ranges in the engine's notation; with `topics`, as they stand in a topic's name. */
function written(whole: Ranges, topics?: "some" | "all"): string {
  const set = topics === undefined ? whole : inTopic(whole, topics);
  const one = (c: number) => (/\w/.test(String.fromCodePoint(c)) ? String.fromCodePoint(c) : `\\x{${c.toString(16)}}`);
  const items = set.flatMap((first, i) => {
    const last = (set[i + 1] ?? 0x110000) - 1;
    return i % 2 === 1 ? [] : first === last ? [one(first)] : [`${one(first)}-${one(last)}`];
  });
  return items.length === 0 ? NEVER : `[${items.join("")}]`;
}

/**
 * What a translation is for: names of ASCII only, and always of one line; what can't be exact matches fewer names than
 * in Java (`certain`), or more. With `topics` the names are as they stand in topics: some of the names that lead there
 * match, or all.
 */
export type Purpose = Readonly<{ certain: boolean; ascii: boolean; topics: "some" | "all" | undefined }>;

/** Java would not compile a pattern; or it may, and what it would match is not known here. */
export class Refused extends Error {}
export class Unsupported extends Error {}

const CHARACTER = "the version of Java, or on whether the connector ignores the case of letters beyond A to Z";
const WORD = "where a word beyond ASCII ends, for which versions of Java differ";
/** An escape for one character: hexadecimal, or the character itself. */
const ESCAPED = String.raw`\\(?:x\{(H+)\}|x(HH)|u(HHHH)|([^0-9A-Za-z]))`;
const ESCAPE = new RegExp(ESCAPED.replaceAll("H", "[0-9A-Fa-f]"), "suy");
/** White space and comments, which the flag `x` allows between what belongs together. */
const BLANK = /(?:[ \t-\r]|#[^\n]*)+/y;

/** Removes `\Q…\E` by escaping each character in between. */
function unquoted(pattern: string): string {
  const plain = (c: string): string => (/[A-Za-z]/.test(c) ? c : `\\x{${c.codePointAt(0)?.toString(16)}}`);
  return pattern.replace(/\\Q(.*?)(?:\\E|$)|\\./gsu, (escaped, quoted?: string) =>
    quoted === undefined ? escaped : Array.from(quoted, plain).join(""),
  );
}

/**
 * Translates a regular expression as `java.util.regex.Pattern` reads it (documentation of Java 11 to 25), for an engine
 * that matches whole names: without flags, every character written out as a set. Throws Refused or Unsupported.
 */
export class Translation {
  readonly text: string;
  doubt: string | undefined;
  private readonly pattern: string;
  private readonly among: readonly number[];
  private readonly purpose: Purpose;
  /** The flags at the current place, by their letters; `?`: possibly `u`. */
  private flags: ReadonlySet<string>;
  private at = 0;
  private readonly names = new Set<string>();

  constructor(pattern: string, caseSensitive: boolean, purpose: Purpose) {
    if (/[\0\r\x85\u2028\u2029\p{Cs}]/u.test(pattern))
      throw new Unsupported("a NUL character, an unusual line end, or half of a surrogate pair");
    this.pattern = unquoted(pattern);
    this.purpose = purpose;
    this.among = purpose.ascii ? [0, 0x80] : [0];
    this.flags = new Set(caseSensitive ? "" : "i?");
    this.text = this.choice();
    if (this.here !== "") throw this.refused("Unmatched closing ')'");
  }

  private get here(): string {
    return this.pattern[this.at] ?? "";
  }

  private skipBlank(): void {
    if (this.flags.has("x")) this.take(BLANK);
  }

  /** Reads what a sticky expression matches here. */
  private take(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.at;
    const found = what.exec(this.pattern) ?? undefined;
    if (found !== undefined) this.at = what.lastIndex;
    return found;
  }

  /** Java's refusal; not known with the flag `x`, under which Java skips more white space than is skipped here. */
  private refused(why: string): Error {
    return this.flags.has("x") ? new Unsupported(`${why}, with (?x)`) : new Refused(why);
  }

  /** What the engine can't match as Java does: nothing, or more than Java would. */
  private doubtful(what: string, more: string): string {
    this.doubt ??= `it depends on ${what}`;
    return this.purpose.certain ? NEVER : more;
  }

  private set(set: CharSet): string {
    const { topics } = this.purpose;
    const [certain, possible] = [set.certain, set.possible].map((one) => written(both(one, this.among), topics));
    if (certain !== possible) this.doubtful(CHARACTER, "");
    return (this.purpose.certain ? certain : possible) ?? "";
  }

  /** A character or a range, in both cases if these are ignored. */
  private letters(first: number, last = first): CharSet {
    if (last < first) throw this.refused("Illegal character range");
    if (!this.flags.has("i")) return exactly([first, last + 1]);
    return inBothCases(first, last, this.flags.has("u") || this.flags.has("?"));
  }

  private choice(): string {
    let text = this.sequence();
    while (this.take(/\|/y)) text += `|${this.sequence()}`;
    return `(?:${text})`;
  }

  private sequence(): string {
    let text = "";
    for (this.skipBlank(); !/^[|)]?$/.test(this.here); this.skipBlank()) {
      const atom = this.here === "(" ? this.group() : this.atom();
      this.skipBlank();
      text += atom === undefined ? "" : this.quantified(atom);
    }
    return text;
  }

  private atom(): string {
    const [odd] = this.take(/[?*+{]|\\(?:X|b\{g\}|k|[1-9]\s*[0-9#])/y) ?? [];
    if (odd !== undefined && /^[?*+]/.test(odd)) throw this.refused(`Dangling meta character '${odd}'`);
    if (odd !== undefined) throw new Unsupported(odd === "{" ? "a count with nothing before it" : odd);
    if (this.take(/\[/y)) return this.set(this.characterClass());
    const [place] = this.take(/[\^$]|\\[AGZzbB]/y) ?? [];
    if (place !== undefined) return this.place(place);
    if (this.take(/\\R/y)) return NEVER;
    if (this.take(/\\[1-9](?![0-9])/y)) return this.doubtful("a back reference", `(?:${written([0])})*`);
    if (this.take(/\./y)) return this.set(exactly([0]));
    const one = this.character();
    return this.set(typeof one === "number" ? this.letters(one) : one);
  }

  /** Places that a name of one line has only at its ends; edges of words, where Java before 19 knows more letters. */
  private place(place: string): string {
    if (/[bB]/.test(place)) return this.purpose.ascii ? place : this.doubtful(WORD, "");
    return /[$zZ]/.test(place) ? "\\z" : "\\A";
  }

  /** @returns undefined for flags that apply from here on, `(?i)` */
  private group(): string | undefined {
    const outside = this.flags;
    const found = this.take(/\((?:(?!\?)|\?<([A-Za-z][0-9A-Za-z]*)>|\?([>=!]|<[=!]|[A-Za-z]*-?[A-Za-z]*[:)]))/y);
    if (found === undefined) throw this.refused("Unknown group type or inline modifier");
    const [, name = `${this.at}`, kind = ":"] = found;
    if (this.names.has(name)) throw this.refused(`Named capturing group <${name}> is already defined`);
    this.names.add(name);
    if (kind.startsWith("<")) throw new Unsupported("a look-behind");
    const [on = "", off = ""] = kind.replace(/[:)>=!]$/, "").split("-");
    if (/[^imsdux]/.test(on + off)) throw new Unsupported(`the flags (?${kind}`);
    this.flags = new Set([...outside, ...on].filter((flag) => !off.includes(flag === "?" ? "u" : flag)));
    if (kind.endsWith(")")) return undefined;
    const body = this.choice();
    if (!this.take(/\)/y)) throw this.refused("Unclosed group");
    this.flags = outside;
    if (kind === ">") return this.doubtful("an atomic group", body);
    return /[=!]/.test(kind) ? this.doubtful("a look-ahead", "") : body;
  }

  private quantified(atom: string): string {
    const found = this.take(/(?:([?*+])|\{([0-9]+)(?:,([0-9]*))?\})([?+]?)/y);
    if (found === undefined && this.here === "{") throw this.refused("Unclosed counted closure");
    if (found === undefined) return atom;
    const [, sign, least = "0", most = least, greed] = found;
    const [min, max] = [Number(least), Number(most || least)];
    if (min > max || max >= 2 ** 31) throw this.refused("Illegal repetition range");
    const repeated = `(?:${atom})${sign ?? `{${min},${most && max}}`}`;
    if (greed === "+") return this.doubtful("a possessive quantifier", repeated);
    // A repetition that takes nothing ends a loop, even if others would follow. No character is written as a place is.
    return min > 1 && /\\[AzbB]/.test(atom) ? this.doubtful("a repeated ^, $ or \\b", repeated) : repeated;
  }

  /** Reads `[…]`, behind the bracket. Of intersections, those with whole classes: `[A-Z&&[^X]]`. */
  private characterClass(): CharSet {
    const negated = this.take(/\^/y);
    let set: CharSet | undefined;
    while (!this.pattern.startsWith("&&", this.at) && (this.here !== "]" || set === undefined)) {
      const more = this.take(/\[/y) ? this.characterClass() : this.classItem();
      set = set === undefined ? more : merged(set, more, either);
    }
    while (set !== undefined && this.take(/&&\[/y)) set = merged(set, this.characterClass(), both);
    if (set === undefined || !this.take(/\]/y)) throw new Unsupported("such an intersection (&&)");
    return negated ? complement(set) : set;
  }

  /** A range, a set by name, or a single character. */
  private classItem(): CharSet {
    // A vertical tab before a minus sign or after it, as before Java 8.
    if (this.here === "") throw this.refused("Unclosed character class");
    const first = this.character();
    if (typeof first !== "number") return first;
    if (!this.take(/-(?![[\]])/y)) return this.letters(first);
    const last = this.here === "" ? 0 : this.character();
    if (typeof last !== "number") throw this.refused("Illegal character range");
    return this.letters(first, last);
  }

  /** A character, written in any way, or a set by its name. */
  private character(): number | CharSet {
    const plain = this.take(/[^\\]/suy)?.[0];
    if (plain !== undefined && this.flags.has("x") && /[ \t-\r#]/.test(plain))
      throw new Unsupported("white space or a comment within a class, with (?x)");
    if (plain !== undefined) return plain.codePointAt(0) ?? 0;
    const [text, named, braced, short] = this.take(/\\(?:([0DHNSVWacdefhnrstvw])|[Pp](?:\{([^}]+)\}|([^{])))/suy) ?? [];
    if (text !== undefined) {
      const set = property(braced ?? short ?? `\\${named}`.toLowerCase(), this.flags.has("i"), this.among);
      if (set === undefined) throw new Unsupported(text);
      return /^\\[A-Z]/.test(text) ? complement(set) : set;
    }
    const found = this.take(ESCAPE);
    if (found === undefined) throw this.refused("Illegal/unsupported escape sequence");
    const [, many, two, four, other] = found;
    const c = other?.codePointAt(0) ?? Number.parseInt(many ?? two ?? four ?? "", 16);
    if (c > 0x10ffff) throw this.refused("Hexadecimal codepoint is too big");
    if (c >= 0xd800 && c <= 0xdfff) throw new Unsupported("half of a surrogate pair");
    return c;
  }
}

/** Most characters whose category and case are the same in every version of Unicode from that of Java 11 on (10). */
const SETTLED = pairs("\0\u019a\u03a3\u052f\u3041\u3096\u30a1\u30fa\u4e00\u9fea\uac00\ud7a3");

/** Ranges by their first and last characters. */
// biome-ignore format: a table
const FIXED = new Map([
  ["L1", "\0\xff"], ["ASCII", "\0\x7f"], ["Alnum", "09AZaz"], ["Alpha", "AZaz"], ["Blank", "\t\t  "],
  ["Cntrl", "\0\x1f\x7f\x7f"], ["Digit", "09"], ["Graph", "!~"], ["Lower", "az"], ["Print", " ~"],
  ["Punct", "!/:@[`{~"], ["Space", "\t\r  "], ["Upper", "AZ"], ["XDigit", "09AFaf"], ["\\d", "09"], ["\\s", "\t\r  "],
  ["\\w", "09AZ__az"],
]);
/** Categories, and other names that mean the same in JavaScript. */
const SAME = /^(?:(?:Is|gc=)?([LMNZCPS][a-zC]?)|Is((?:Upper|Lower)case|Alphabetic))$/;
/** Names for capital or small letters; if case is ignored, for both in newer versions of Java. */
const ASKS_FOR_CASE = /(?:L[ult]|Lower|Upper|[Cc]ase)$/;

/** The set of `\d` or `\p{name}` among the characters of names; undefined for a name that only Java may know. */
function property(name: string, ignoresCase: boolean, among: Ranges): CharSet | undefined {
  const fixed = FIXED.get(name);
  const same = SAME.exec(name.replace(/^java(Upper|Lower)C(?=ase$)/, "Is$1c"));
  if (fixed === undefined && same === null) return undefined;
  const { certain, possible } =
    fixed === undefined ? byUnicode(same?.[1] ?? same?.[2] ?? "", among) : exactly(pairs(fixed));
  const more = ignoresCase && ASKS_FOR_CASE.test(name) ? [...pairs("AZaz"), 0x80] : [];
  return { certain, possible: either(possible, more) };
}

function byUnicode(name: string, among: Ranges): CharSet {
  const [settled, pattern] = [both(among, SETTLED), new RegExp(`\\p{${name}}`, "u")];
  const inside = (c: number) => c >= 0 && has(settled, c) && pattern.test(String.fromCodePoint(c));
  const all = Array.from({ length: (among[1] ?? 0xffff) + 1 }, (_, c) => c);
  const certain = all.filter((c) => inside(c) !== inside(c - 1));
  return { certain, possible: either(certain, others(settled)) };
}

const WITHOUT_CASE = /^[\p{Nd}\p{P}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;
/** Letters beyond ASCII that equal I, K and S if Unicode's case is ignored. */
const LIKE_ASCII = pairs("\u0130\u0131\u017f\u017f\u212a\u212a");

/** Characters in both cases, of A to Z; with `unicode`, possibly in that of other letters. */
function inBothCases(first: number, last: number, unicode: boolean): CharSet {
  const set = [first, last + 1];
  const moved = (letters: string, by: number) => both(set, pairs(letters)).map((bound) => bound + by);
  const certain = either(set, either(moved("AZ", 32), moved("az", -32)));
  if (!unicode || (first === last && WITHOUT_CASE.test(String.fromCodePoint(first)))) return exactly(certain);
  // A letter beyond ASCII may equal any other beyond it.
  const like = (a: Ranges, b: Ranges, more: Ranges) => (both(a, b).length > 0 ? more : []);
  const beyond = either(like(set, [0x80], [0x80]), like(certain, pairs("IIKKSS"), LIKE_ASCII));
  return { certain, possible: either(certain, either(beyond, like(set, LIKE_ASCII, pairs("IIKKSSiikkss")))) };
}
