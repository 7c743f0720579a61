import { UNSEEN } from "../values/escape.ts";
import { anyOf, inSequence } from "../values/regexp.ts";
import { truncate } from "../values/truncate.ts";

/**
 * Characters that must not be in a name or a reason, so that a reviewer reads what will be done: those that are not
 * visible in a line, and the no-break space, which looks like a blank and is none.
 */
const UNPRINTABLE = anyOf([UNSEEN, /\u00a0/], "u");

const EACH_UNPRINTABLE = new RegExp(UNPRINTABLE, "gu");

/** The same in a text of several lines, and what stands for bytes that are not UTF-8. */
export const NOT_IN_LINES = inSequence([/(?![\t\r\n])/, anyOf([UNPRINTABLE, /\ufffd/])], "u");

export const NO_BREAK_SPACE = "\u00a0";

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
