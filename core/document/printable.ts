import { truncate } from "../values/truncate.ts";

/**
 * Characters that must not be in a name or a reason: control characters, line ends, halves of surrogate pairs, and
 * invisible ones that reorder or hide text, so that a reviewer reads what will be done.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

const EACH_UNPRINTABLE = new RegExp(UNPRINTABLE, "gu");

/** @returns the first character of a text that must not be shown as it is */
export function unprintable(text: string): string | undefined {
  return UNPRINTABLE.exec(text)?.[0];
}

/** `U+0007` */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** @returns a text from a file for a message: truncated, and without characters that act on a terminal */
export function shown(text: string, longest = 60): string {
  return truncate(text, longest).replace(EACH_UNPRINTABLE, (character) => `<${codePoint(character)}>`);
}
