import {
  type CharSet,
  complement,
  DIGIT,
  HORIZONTAL_SPACE,
  isDigit,
  isLetter,
  SPACE,
  VERTICAL_SPACE,
  WORD,
} from "./char-set.ts";
import { property, UNICODE_DIGIT, UNICODE_SPACE, UNICODE_WORD } from "./properties.ts";
import { END, type Flags, type Reader, refused, unsupported } from "./reader.ts";

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["e", 0x1b],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
]);

/**
 * Reads an escape that stands for one character; the reader is behind the letter.
 *
 * @returns undefined for a letter that stands for something else
 */
export function escapedCharacter(reader: Reader, letter: number): number | undefined {
  const name = String.fromCodePoint(letter);
  const control = CONTROLS.get(name);
  if (control !== undefined) return control;
  switch (name) {
    case "0":
      return octal(reader);
    case "x":
      return hexadecimal(reader);
    case "u":
      return unicode(reader);
    case "c":
      if (reader.position >= reader.length) throw refused("Illegal control escape sequence");
      return reader.read() ^ 64;
    case "N":
      throw unsupported("a character by its name, \\N{…}");
    default:
      return isLetter(letter) || isDigit(letter) ? undefined : letter;
  }
}

/** `\d \h \s \v \w` and their complements in capitals. */
export function escapedSet(letter: number, { unicodeClasses }: Flags): CharSet | undefined {
  switch (String.fromCodePoint(letter)) {
    case "d":
      return unicodeClasses ? UNICODE_DIGIT : DIGIT;
    case "D":
      return complement(unicodeClasses ? UNICODE_DIGIT : DIGIT);
    case "s":
      return unicodeClasses ? UNICODE_SPACE : SPACE;
    case "S":
      return complement(unicodeClasses ? UNICODE_SPACE : SPACE);
    case "w":
      return unicodeClasses ? UNICODE_WORD : WORD;
    case "W":
      return complement(unicodeClasses ? UNICODE_WORD : WORD);
    case "h":
      return HORIZONTAL_SPACE;
    case "H":
      return complement(HORIZONTAL_SPACE);
    case "v":
      return VERTICAL_SPACE;
    case "V":
      return complement(VERTICAL_SPACE);
    default:
      return undefined;
  }
}

/** `\pL`, `\p{…}` and their complements; the reader is at the letter p. */
export function propertySet(reader: Reader): CharSet {
  const negated = reader.raw(reader.position) === 0x50;
  const braced = reader.next() === 0x7b;
  let name: string;
  if (!braced) {
    name = reader.position < reader.length ? reader.text(reader.position, reader.position + 1) : "";
    reader.read();
  } else {
    reader.next();
    const from = reader.position;
    for (let c = reader.read(); c !== 0x7d; c = reader.read()) {
      if (c === END && reader.position > reader.length) throw refused("Unclosed character family");
    }
    name = reader.text(from, reader.position - 1);
    if (name === "") throw refused("Empty character family");
  }
  const set = property(name, { ignoresCase: reader.flags.ignoreCase, unicode: reader.flags.unicodeClasses });
  if (set === undefined) throw unsupported(`\\${negated ? "P" : "p"}{${name}}`);
  return negated ? complement(set) : set;
}

function octal(reader: Reader): number {
  const first = octalDigit(reader.read());
  if (first === undefined) throw refused("Illegal octal escape sequence");
  const second = octalDigit(reader.read());
  if (second === undefined) {
    reader.position--;
    return first;
  }
  const third = octalDigit(reader.read());
  if (third !== undefined && first <= 3) return first * 64 + second * 8 + third;
  reader.position--;
  return first * 8 + second;
}

function octalDigit(c: number): number | undefined {
  return c >= 0x30 && c <= 0x37 ? c - 0x30 : undefined;
}

function hexDigit(c: number): number | undefined {
  const digit = c < 128 ? Number.parseInt(String.fromCharCode(c), 16) : Number.NaN;
  return Number.isNaN(digit) ? undefined : digit;
}

function hexadecimal(reader: Reader): number {
  const c = reader.read();
  const first = hexDigit(c);
  if (first !== undefined) {
    const second = hexDigit(reader.read());
    if (second !== undefined) return first * 16 + second;
  } else if (c === 0x7b && hexDigit(reader.peek()) !== undefined) {
    let value = 0;
    let read = reader.read();
    for (let digit = hexDigit(read); digit !== undefined; digit = hexDigit(read)) {
      value = value * 16 + digit;
      if (value > 0x10ffff) throw refused("Hexadecimal codepoint is too big");
      read = reader.read();
    }
    if (read !== 0x7d) throw refused("Unclosed hexadecimal escape sequence");
    return value;
  }
  throw refused("Illegal hexadecimal escape sequence");
}

function unicode(reader: Reader): number {
  const unit = fourDigits(reader);
  if (unit < 0xd800 || unit > 0xdbff) return unit;
  const back = reader.position;
  if (reader.read() === 0x5c && reader.read() === 0x75) {
    const second = fourDigits(reader);
    if (second >= 0xdc00 && second <= 0xdfff) return 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
  }
  reader.position = back;
  return unit;
}

function fourDigits(reader: Reader): number {
  let value = 0;
  for (let i = 0; i < 4; i++) {
    const digit = hexDigit(reader.read());
    if (digit === undefined) throw refused("Illegal Unicode escape sequence");
    value = value * 16 + digit;
  }
  return value;
}
