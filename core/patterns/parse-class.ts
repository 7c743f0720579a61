import { type CharSet, complement, intersection, union } from "./char-set.ts";
import { escapedCharacter, escapedSet, propertySet } from "./escapes.ts";
import { alone, type Folding, range } from "./folding.ts";
import { END, type Reader, refused, unsupported } from "./reader.ts";
import type { Truth } from "./truth.ts";

const OPEN = 0x5b;
const CLOSE = 0x5d;
const AND = 0x26;
const CARET = 0x5e;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;

export function foldingOf({ flags }: Reader): Folding {
  return flags.ignoreCase ? (flags.unicodeCase ? "unicode" : "ascii") : "none";
}

/**
 * Reads `[…]`, with the reader at the bracket (or before the first character of the right side of an `&&`, which has
 * none: `closes` is false then, and the closing bracket is left). In a class single characters are collected first and
 * belong to the adjacent `&&`; this follows Java's parser step by step, since its rules are not an ordinary precedence.
 */
export function parseClass(reader: Reader, closes = true): CharSet {
  let set: CharSet | undefined;
  let latest: CharSet | undefined;
  const letters: CharSet[] = [];
  // One object for the whole class: letters after an `&&` still count for it.
  const lettersSet: CharSet = (c) => letters.reduce<Truth>((t, one) => Math.max(t, one(c)) as Truth, 0);
  let pending = false;
  let negated = false;
  let c = reader.next();
  if (c === CARET && reader.raw(reader.position - 1) === OPEN) {
    c = reader.next();
    negated = true;
  }
  for (;;) {
    if (c === OPEN) {
      latest = parseClass(reader);
      set = set === undefined ? latest : union(set, latest);
      c = reader.peek();
      continue;
    }
    if (c === AND) {
      c = reader.next();
      if (c === AND) {
        const right = rightSide(reader);
        if (pending) {
          if (set === undefined) set = latest = lettersSet;
          else set = union(set, lettersSet);
          pending = false;
        }
        if (right !== undefined) latest = right;
        if (set === undefined) {
          if (right === undefined) throw refused("Bad class syntax");
          set = right;
        } else {
          if (latest === undefined) throw unsupported("an intersection (&&) without a right side");
          set = intersection(set, latest);
        }
        c = reader.peek();
        continue;
      }
      reader.position--;
    } else if (c === END && reader.position >= reader.length) {
      throw refused("Unclosed character class");
    } else if (c === CLOSE && (set !== undefined || pending)) {
      if (closes) reader.next();
      const whole = set === undefined ? lettersSet : pending ? union(set, lettersSet) : set;
      return negated ? complement(whole) : whole;
    }
    const item = parseItem(reader);
    if (typeof item === "number" && isLetterOfClass(item, foldingOf(reader))) {
      letters.push(alone(item, foldingOf(reader)));
      pending = true;
      latest = undefined;
    } else {
      latest = typeof item === "number" ? alone(item, foldingOf(reader)) : item;
      set = set === undefined ? latest : union(set, latest);
    }
    c = reader.peek();
  }
}

/**
 * Characters of Latin-1 that equal others beyond it if Unicode's case is ignored: ÿ, µ, and I, S, K, Å in both cases.
 */
const EQUAL_TO_OTHERS: ReadonlySet<number> = new Set([0xff, 0xb5, 0x49, 0x69, 0x53, 0x73, 0x4b, 0x6b, 0xc5, 0xe5]);

/** Whether a single character is collected with others of its class; otherwise it is a separate set. */
function isLetterOfClass(c: number, folding: Folding): boolean {
  return c < 256 && !(folding === "unicode" && EQUAL_TO_OTHERS.has(c));
}

function rightSide(reader: Reader): CharSet | undefined {
  let right: CharSet | undefined;
  for (let c = reader.next(); c !== CLOSE && c !== AND; c = reader.peek()) {
    if (c !== OPEN) reader.position--;
    const one = parseClass(reader, c === OPEN);
    right = right === undefined ? one : union(right, one);
  }
  return right;
}

/** A range, a set by name, or a single character. */
function parseItem(reader: Reader): CharSet | number {
  let c = reader.peek();
  if (c === BACKSLASH) {
    const letter = reader.nextRaw();
    if (letter === 0x70 || letter === 0x50) return propertySet(reader);
    const before = reader.raw(reader.position + 1) === MINUS;
    reader.position++;
    // A vertical tab before a minus sign, as before Java 8.
    const character = before && letter === 0x76 ? 0x0b : escapedCharacter(reader, letter);
    if (character === undefined) {
      const set = escapedSet(letter, reader.flags);
      if (set === undefined) throw refused("Illegal/unsupported escape sequence");
      return set;
    }
    c = character;
  } else {
    reader.next();
  }
  if (reader.peek() !== MINUS) return whole(c);
  const after = reader.raw(reader.position + 1);
  if (after === OPEN || after === CLOSE) return whole(c);
  reader.next();
  const end = rangeEnd(reader);
  if (end < c) throw refused("Illegal character range");
  return range(whole(c), whole(end), foldingOf(reader));
}

function rangeEnd(reader: Reader): number {
  const c = reader.peek();
  if (c !== BACKSLASH) {
    reader.next();
    return c;
  }
  const letter = reader.skip();
  const end = letter === 0x76 ? 0x0b : escapedCharacter(reader, letter);
  if (end === undefined) throw refused("Illegal character range");
  return end;
}

function whole(c: number): number {
  if (c >= 0xd800 && c <= 0xdfff) throw unsupported("half of a surrogate pair");
  return c;
}
