import { endsLine, isDigit, isLetter, isSpace } from "./char-set.ts";

/** The flags of a pattern at the current place. */
export interface Flags {
  /** `i` */
  readonly ignoreCase: boolean;
  /** `u` */
  readonly unicodeCase: boolean;
  /** `U` */
  readonly unicodeClasses: boolean;
  /** `m` */
  readonly multiLine: boolean;
  /** `s` */
  readonly dotAll: boolean;
  /** `d` */
  readonly unixLines: boolean;
  /** `x`: white space and comments are ignored. */
  readonly comments: boolean;
}

/** Past the end of a pattern. A NUL within one is refused. */
export const END = 0;

const BACKSLASH = 0x5c;
const HASH = 0x23;

/**
 * The text of a pattern and the current place. Every method that returns a character skips white space and comments
 * under the flag `x`; those called raw do not. Java's parser works the same way, which determines the meaning of a
 * space in `{2 ,3}` or `\p {L}`.
 */
export interface Reader {
  flags: Flags;
  position: number;
  readonly length: number;
  /** The current character. */
  peek(): number;
  /** Returns the current character, and moves past it. */
  read(): number;
  /** Moves past one character, and returns the next. */
  next(): number;
  nextRaw(): number;
  /** Returns the raw character after this one, and moves past both. */
  skip(): number;
  raw(position: number): number;
  text(from: number, to: number): string;
}

export function readerOf(pattern: string, flags: Flags): Reader {
  const text = unquoted(codePoints(pattern));
  const reader: Reader = {
    flags,
    position: 0,
    length: text.length,
    peek() {
      if (reader.flags.comments) reader.position = pastComments(reader.position);
      return reader.raw(reader.position);
    },
    read() {
      if (reader.flags.comments) reader.position = pastComments(reader.position);
      return reader.raw(reader.position++);
    },
    next() {
      reader.position++;
      return reader.peek();
    },
    nextRaw: () => reader.raw(++reader.position),
    skip() {
      reader.position += 2;
      return reader.raw(reader.position - 1);
    },
    raw: (position) => text[position] ?? END,
    text: (from, to) =>
      text
        .slice(from, to)
        .map((point) => String.fromCodePoint(point))
        .join(""),
  };
  /** Place of the next significant character. */
  function pastComments(from: number): number {
    let position = from;
    for (;;) {
      while (isSpace(reader.raw(position))) position++;
      if (reader.raw(position) !== HASH) return position;
      while (position < text.length && !endsComment(reader.raw(position))) position++;
    }
  }
  function endsComment(c: number): boolean {
    return reader.flags.unixLines ? c === 0x0a : endsLine(c);
  }
  return reader;
}

function codePoints(pattern: string): number[] {
  const points = Array.from(pattern, (c) => c.codePointAt(0) ?? END);
  if (points.includes(END)) throw unsupported("a NUL character");
  if (points.some((c) => c >= 0xd800 && c <= 0xdfff)) throw unsupported("half of a surrogate pair");
  return points;
}

/**
 * Removes `\Q…\E` by escaping each character in between. A letter needs no escape, and a digit becomes `\x3N`, so that
 * it joins no reference.
 */
function unquoted(text: readonly number[]): readonly number[] {
  const result: number[] = [];
  let quoting = false;
  let first = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? END;
    const following = text[i + 1];
    if (!quoting) {
      if (c !== BACKSLASH) result.push(c);
      else if (following === 0x51) {
        i++;
        quoting = first = true;
      } else {
        result.push(c);
        if (following !== undefined) {
          result.push(following);
          i++;
        }
      }
      continue;
    }
    if (c === BACKSLASH && following === 0x45) {
      i++;
      quoting = false;
    } else if (first && isDigit(c)) result.push(BACKSLASH, 0x78, 0x33, c);
    else if (c > 127 || isLetter(c) || isDigit(c)) result.push(c);
    else result.push(BACKSLASH, c);
    first = false;
  }
  return result;
}

/**
 * Why a pattern is not supported: `refused`, Java would not compile it; `unsupported`, Java may, and this engine does
 * not know exactly what it would match.
 */
export class PatternProblem extends Error {
  readonly kind: "refused" | "unsupported";

  constructor(kind: "refused" | "unsupported", message: string) {
    super(message);
    this.kind = kind;
  }
}

export function refused(message: string): PatternProblem {
  return new PatternProblem("refused", message);
}

export function unsupported(what: string): PatternProblem {
  return new PatternProblem("unsupported", what);
}
