import { ANY, DOT, isDigit, isLetter, UNIX_DOT } from "./char-set.ts";
import { escapedCharacter, escapedSet, propertySet } from "./escapes.ts";
import { alone, inRun } from "./folding.ts";
import { foldingOf, parseClass } from "./parse-class.ts";
import { END, type Flags, type Reader, readerOf, refused, unsupported } from "./reader.ts";
import { extentOf, type Greed, MANY, type Node, type Place } from "./tree.ts";

/** A parsed pattern. */
export interface Parsed {
  readonly root: Node;
  /** Capturing groups, counted from 1. */
  readonly groups: number;
}

/** Larger counts are not expanded: no name is so long. */
const MOST = 2 ** 31 - 1;
/** A look-behind that reaches further is not evaluated; Java counts in 32 bits there. */
const FURTHEST = 10_000;

interface Parser {
  readonly reader: Reader;
  groups: number;
  readonly names: Map<string, number>;
  /** Number of enclosing look-behinds. */
  behind: number;
}

/**
 * Parses a regular expression as `java.util.regex.Pattern` does (documentation of Java 11 to 25; constructs on which
 * those differ are refused).
 *
 * @param folding the case flags of `Pattern.compile`
 * @throws PatternProblem for one that Java refuses, or that has a construct which is not supported here
 */
export function parsePattern(pattern: string, folding: "none" | "ascii" | "unicode"): Parsed {
  const flags: Flags = {
    ignoreCase: folding !== "none",
    unicodeCase: folding === "unicode",
    unicodeClasses: false,
    multiLine: false,
    dotAll: false,
    unixLines: false,
    comments: false,
  };
  const parser: Parser = { reader: readerOf(pattern, flags), groups: 0, names: new Map(), behind: 0 };
  const root = parseChoice(parser);
  const { reader } = parser;
  if (reader.position !== reader.length)
    throw refused(reader.peek() === 0x29 ? "Unmatched closing ')'" : "Unescaped trailing backslash");
  return { root, groups: parser.groups };
}

function parseChoice(parser: Parser): Node {
  const parts = [parseSequence(parser)];
  while (parser.reader.peek() === 0x7c) {
    parser.reader.next();
    parts.push(parseSequence(parser));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
}

function parseSequence(parser: Parser): Node {
  const { reader } = parser;
  const parts: Node[] = [];
  for (;;) {
    const c = reader.peek();
    if (c === 0x7c || c === 0x29 || (c === END && reader.position >= reader.length)) break;
    if (c === 0x28) {
      const group = parseGroup(parser);
      if (group !== undefined) parts.push(group);
      continue;
    }
    if (c === 0x3f || c === 0x2a || c === 0x2b) throw refused(`Dangling meta character '${String.fromCodePoint(c)}'`);
    parts.push(quantified(parser, parseAtom(parser, c)));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "sequence", parts };
}

function parseAtom(parser: Parser, c: number): Node {
  const { reader } = parser;
  const { flags } = reader;
  switch (c) {
    case 0x5b:
      return { kind: "set", set: parseClass(reader) };
    case 0x5e:
      reader.next();
      return place(flags.multiLine ? { at: "line start", unix: flags.unixLines } : { at: "start" });
    case 0x24:
      reader.next();
      return place({ at: "line end", unix: flags.unixLines, everyLine: flags.multiLine });
    case 0x2e:
      reader.next();
      return { kind: "set", set: flags.dotAll ? ANY : flags.unixLines ? UNIX_DOT : DOT };
    default:
      return parseRun(parser);
  }
}

function place(what: Place): Node {
  return { kind: "place", place: what };
}

/**
 * Reads characters in a row, up to one with another meaning; a quantifier applies to the last of several. Or one escape
 * that is not a character.
 */
function parseRun(parser: Parser): Node {
  const { reader } = parser;
  const run: number[] = [];
  let before = reader.position;
  for (let c = reader.peek(); ; ) {
    if (c === 0x2a || c === 0x2b || c === 0x3f || c === 0x7b) {
      if (run.length > 1) {
        reader.position = before;
        run.pop();
      }
      break;
    }
    if (c === 0x24 || c === 0x2e || c === 0x5e || c === 0x28 || c === 0x5b || c === 0x7c || c === 0x29) break;
    if (c === END && reader.position >= reader.length) break;
    if (c === 0x5c) {
      const start = reader.position;
      const letter = reader.nextRaw();
      if (letter === 0x70 || letter === 0x50) {
        if (run.length === 0) return { kind: "set", set: propertySet(reader) };
        reader.position = start;
        break;
      }
      reader.position++;
      if (start + 1 >= reader.length) throw refused("Unescaped trailing backslash");
      const character = escapedCharacter(reader, letter);
      if (character === undefined) {
        if (run.length === 0) return parseEscape(parser, letter);
        reader.position = start;
        break;
      }
      before = start;
      run.push(character);
      c = reader.peek();
      continue;
    }
    before = reader.position;
    run.push(c);
    c = reader.next();
  }
  if (run.some((c) => c >= 0xd800 && c <= 0xdfff)) throw unsupported("half of a surrogate pair");
  const folding = foldingOf(reader);
  const [first] = run;
  if (run.length === 1 && first !== undefined) return { kind: "set", set: alone(first, folding) };
  return { kind: "run", sets: run.map((c) => inRun(c, folding)) };
}

/** An escape that is not a character; the reader is behind its letter. */
function parseEscape(parser: Parser, letter: number): Node {
  const { reader } = parser;
  const { flags } = reader;
  const set = escapedSet(letter, flags);
  if (set !== undefined) return { kind: "set", set };
  if (letter >= 0x31 && letter <= 0x39) return reference(parser, letter - 0x30);
  switch (String.fromCodePoint(letter)) {
    case "A":
    case "G":
      return place({ at: "start" });
    case "z":
      return place({ at: "end" });
    case "Z":
      return place({ at: "line end", unix: flags.unixLines, everyLine: false });
    case "b":
      if (reader.peek() === 0x7b && reader.raw(reader.position + 1) === 0x67)
        throw unsupported("the edge of a grapheme, \\b{g}");
      return place({ at: "word edge", negated: false, unicode: flags.unicodeClasses });
    case "B":
      return place({ at: "word edge", negated: true, unicode: flags.unicodeClasses });
    case "R":
      return { kind: "line break" };
    case "X":
      throw unsupported("a grapheme, \\X");
    case "k":
      return namedReference(parser);
    default:
      throw refused("Illegal/unsupported escape sequence");
  }
}

/** `\11` is group 11 if there are that many so far, else group 1 and a 1. */
function reference(parser: Parser, first: number): Node {
  const { reader } = parser;
  let group = first;
  for (let c = reader.peek(); isDigit(c); c = reader.peek()) {
    const longer = group * 10 + (c - 0x30);
    if (longer > parser.groups) break;
    group = longer;
    reader.read();
  }
  return { kind: "reference", group, folding: foldingOf(reader) };
}

function namedReference(parser: Parser): Node {
  const { reader } = parser;
  if (reader.read() !== 0x3c) throw refused("\\k is not followed by '<' for named capturing group");
  const name = groupName(reader, reader.read());
  const group = parser.names.get(name);
  if (group === undefined) throw refused(`named capturing group <${name}> does not exist`);
  return { kind: "reference", group, folding: foldingOf(reader) };
}

function groupName(reader: Reader, first: number): string {
  if (!isLetter(first)) throw refused("capturing group name does not start with a Latin letter");
  let name = "";
  let c = first;
  for (; isLetter(c) || isDigit(c); c = reader.read()) name += String.fromCodePoint(c);
  if (c !== 0x3e) throw refused("named capturing group is missing trailing '>'");
  return name;
}

/** @returns undefined for flags that apply from here on, `(?i)` */
function parseGroup(parser: Parser): Node | undefined {
  const { reader } = parser;
  const outside = reader.flags;
  let group: Node;
  if (reader.next() !== 0x3f) {
    group = capturing(parser);
  } else {
    switch (String.fromCodePoint(reader.skip())) {
      case ":":
        group = { kind: "group", body: parseChoice(parser), capture: undefined };
        break;
      case "=":
        group = { kind: "look ahead", negated: false, body: parseChoice(parser) };
        break;
      case "!":
        group = { kind: "look ahead", negated: true, body: parseChoice(parser) };
        break;
      case ">":
        group = { kind: "atomic", body: parseChoice(parser) };
        break;
      case "<":
        group = behindOrNamed(parser);
        break;
      case "$":
      case "@":
        throw refused("Unknown group type");
      default: {
        reader.position--;
        parseFlags(reader);
        const c = reader.read();
        if (c === 0x29) return undefined;
        if (c !== 0x3a) throw refused("Unknown inline modifier");
        group = { kind: "group", body: parseChoice(parser), capture: undefined };
      }
    }
  }
  if (reader.read() !== 0x29) throw refused("Unclosed group");
  reader.flags = outside;
  return quantified(parser, group);
}

function capturing(parser: Parser): Node {
  const capture = ++parser.groups;
  return { kind: "group", body: parseChoice(parser), capture };
}

function behindOrNamed(parser: Parser): Node {
  const { reader } = parser;
  const c = reader.read();
  if (c !== 0x3d && c !== 0x21) {
    const name = groupName(reader, c);
    if (parser.names.has(name)) throw refused(`Named capturing group <${name}> is already defined`);
    const capture = ++parser.groups;
    parser.names.set(name, capture);
    return { kind: "group", body: parseChoice(parser), capture };
  }
  parser.behind++;
  const body = parseChoice(parser);
  parser.behind--;
  const { min, max } = extentOf(body);
  // Java refuses most of these, and accepts `(?<=a*)` because of an overflow in some of its versions.
  if (max > FURTHEST) throw unsupported("a look-behind without an obvious maximum length");
  return { kind: "look behind", negated: c === 0x21, body, from: min, to: max };
}

const FLAGS: Readonly<Record<string, (on: boolean) => Partial<Flags>>> = {
  i: (on) => ({ ignoreCase: on }),
  m: (on) => ({ multiLine: on }),
  s: (on) => ({ dotAll: on }),
  d: (on) => ({ unixLines: on }),
  u: (on) => ({ unicodeCase: on }),
  x: (on) => ({ comments: on }),
  U: (on) => ({ unicodeClasses: on, unicodeCase: on }),
};

function parseFlags(reader: Reader): void {
  let on = true;
  for (let c = reader.peek(); ; c = reader.next()) {
    const name = String.fromCodePoint(c);
    if (name === "c" && on) throw unsupported("canonical equivalence, (?c)");
    if (name === "-" && on) on = false;
    else if (Object.hasOwn(FLAGS, name)) reader.flags = { ...reader.flags, ...FLAGS[name]?.(on) };
    else if (name !== "c") return;
  }
}

function quantified(parser: Parser, body: Node): Node {
  const { reader } = parser;
  switch (reader.peek()) {
    case 0x3f:
      return { kind: "repeat", body, min: 0, max: 1, greed: greed(reader) };
    case 0x2a:
      return { kind: "repeat", body, min: 0, max: MANY, greed: greed(reader) };
    case 0x2b:
      return { kind: "repeat", body, min: 1, max: MANY, greed: greed(reader) };
    case 0x7b:
      return counted(parser, body);
    default:
      return body;
  }
}

function counted(parser: Parser, body: Node): Node {
  const { reader } = parser;
  let c = reader.skip();
  if (!isDigit(c)) throw refused("Illegal repetition");
  const number = (): number => {
    let value = 0;
    for (; isDigit(c); c = reader.read()) {
      value = value * 10 + (c - 0x30);
      if (value > MOST) throw refused("Illegal repetition range");
    }
    return value;
  };
  const min = number();
  let max = min;
  if (c === 0x2c) {
    c = reader.read();
    max = c === 0x7d ? MANY : number();
  }
  if (c !== 0x7d) throw refused("Unclosed counted closure");
  if (max < min) throw refused("Illegal repetition range");
  if (parser.behind > 0 && min === 0 && max === 1 && body.kind === "group")
    throw unsupported("a group repeated by {0,1} in a look-behind");
  reader.position--;
  return { kind: "repeat", body, min, max, greed: greed(reader) };
}

/** The reader is at the last character of a quantifier. */
function greed(reader: Reader): Greed {
  const c = reader.next();
  if (c !== 0x3f && c !== 0x2b) return "greedy";
  reader.next();
  return c === 0x3f ? "lazy" : "possessive";
}
