import { endsLine, WORD } from "./char-set.ts";
import { UNICODE_WORD } from "./properties.ts";
import type { Place } from "./tree.ts";
import { differ, isSettled, not, type Truth, truth } from "./truth.ts";

const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Whether a place is before the character of this index (or at the end, for the length). */
export function holdsAt(place: Place, text: readonly number[], i: number): Truth {
  const { length } = text;
  switch (place.at) {
    case "start":
      return truth(i === 0);
    case "end":
      return truth(i === length);
    case "line start":
      return truth(i < length && (i === 0 || startsLine(place.unix, text, i)));
    case "line end":
      return truth(i === length || endsHere(place, text, i));
    case "word edge": {
      const edge = differ(wordAt(text[i - 1], place.unicode), wordAt(text[i], place.unicode));
      return place.negated ? not(edge) : edge;
    }
  }
}

function startsLine(unix: boolean, text: readonly number[], i: number): boolean {
  const before = text[i - 1] ?? 0;
  if (unix) return before === LINE_FEED;
  return endsLine(before) && !(before === RETURN && text[i] === LINE_FEED);
}

function endsHere(place: Extract<Place, { at: "line end" }>, text: readonly number[], i: number): boolean {
  const c = text[i] ?? 0;
  const left = text.length - i;
  if (place.unix) return c === LINE_FEED && (place.everyLine || left === 1);
  if (!endsLine(c) || (c === LINE_FEED && text[i - 1] === RETURN)) return false;
  return place.everyLine || left === 1 || (left === 2 && c === RETURN && text[i + 1] === LINE_FEED);
}

const LETTER_LIKE = /^[\p{L}\p{N}\p{M}\p{Pc}\u200c\u200d]$/u;

/**
 * Whether a character belongs to a word for `\b`. Unlike `\w`, Java before 19 includes every letter and digit, and
 * since then ASCII only; a mark belongs to the letter before it.
 */
export function wordAt(c: number | undefined, unicode: boolean): Truth {
  if (c === undefined) return 0;
  if (unicode) return UNICODE_WORD(c);
  if (c < 128) return WORD(c);
  return isSettled(c) && !LETTER_LIKE.test(String.fromCodePoint(c)) ? 0 : 0.5;
}
