import { truncate } from "../../core/values/truncate.ts";

/** Control characters, and the invisible ones that reorder or hide text on a terminal. */
const UNSAFE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const LONGEST = 400;

/**
 * Prepares text from a worker or a gateway for a message: escapes control characters and truncates it.
 *
 * @param longest characters kept of the text; default 400
 */
export function outsideText(text: string, longest = LONGEST): string {
  return truncate(text, longest).replace(UNSAFE, (character) =>
    character === "\n" || character === "\r" || character === "\t"
      ? " "
      : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
