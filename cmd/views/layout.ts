import stringWidth from "string-width";
import { CONNECTOR_ERRORS } from "../../core/connector-errors.ts";
import { showCount } from "../../core/values/amounts.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Advice, copyOf, lineOf, mapAdvice } from "../../core/values/remedy.ts";

export { statusOf } from "../../core/facts/connector/connector.ts";
export { showRange } from "../../core/values/amounts.ts";
export { showMillis } from "../../core/values/duration.ts";
export { isUtc, showInstant } from "../../core/values/instant.ts";

/**
 * The error that a task has stopped with, in a few words, and where it is explained.
 *
 * @returns undefined for no code, or that of a later connector
 */
export function shownStop(code: string | undefined): { readonly text: string; readonly next: string } | undefined {
  const error = CONNECTOR_ERRORS.find((one) => one.code === code);
  return error && { text: `${error.code}: ${error.title}`, next: `cdcctl explain ${error.code}` };
}

/** Limits of the line width, in columns: narrower lines wrap too often, wider ones are hard to follow. */
const NARROWEST = 80;
const WIDEST = 120;

/** The layout width of a view: that of the terminal, within limits; the widest without a terminal. */
export function layoutWidth(terminal: number | undefined): number {
  return Math.min(WIDEST, Math.max(NARROWEST, terminal ?? WIDEST));
}

export const NO_BREAK = "\u00a0";

/** Display width of escaped text, in columns: a wide character has two. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** @param end whether the text stands at the end */
export function pad(text: string, width: number, end = false): string {
  const spaces = " ".repeat(Math.max(0, width - widthOf(text)));
  return end ? spaces + text : text + spaces;
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Truncates a long value and appends its length. */
export function trunc(text: string, longest = 300): string {
  if (text.length <= longest) return text;
  return `${[...text.slice(0, longest)].slice(0, -1).join("")}… (${showCount(text.length)} characters)`;
}

/**
 * Escapes text and wraps it to lines of at most `width` columns, between words; longer words are broken. Spaces within
 * a line are kept, because remedies align their commands with them. Lines never end at a no-break space, which is shown
 * as a space.
 */
export function wrap(text: string, width: number): readonly string[] {
  // A wide label may leave no space; a line has at least one character anyway.
  const columns = Math.max(1, Math.floor(width));
  const lines: string[] = [];
  let [line, used] = ["", 0];
  for (const [, gap = "", word = ""] of escapeTerminal(text).matchAll(/( *)([^ ]+)/g)) {
    const wide = widthOf(word);
    if (line !== "" && used + gap.length + wide <= columns) {
      [line, used] = [line + gap + word, used + gap.length + wide];
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = wide > columns ? broken(word, columns) : [word];
    for (const piece of pieces.slice(0, -1)) lines.push(piece);
    line = pieces.at(-1) ?? "";
    used = widthOf(line);
  }
  return (line === "" && lines.length > 0 ? lines : [...lines, line]).map((one) => one.replaceAll(NO_BREAK, " "));
}

/** A word in pieces of at most so many columns, broken at a hyphen if that leaves no short piece. */
function broken(word: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let [piece, used] = ["", 0];
  for (const character of word) {
    const wide = widthOf(character);
    if (used + wide > columns && piece !== "") {
      const part = piece.lastIndexOf("-") + 1;
      const end = part > piece.length / 2 ? part : piece.length;
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
      used = widthOf(piece);
    }
    piece += character;
    used += wide;
  }
  return [...pieces, piece];
}

/** Text after a label, with further lines indented below the first. The label is already escaped and may be painted. */
export function hanging(label: string, labelWidth: number, text: string, width: number): readonly string[] {
  return wrap(text, width - labelWidth).map((line, i) =>
    i === 0 ? `${label}${line}` : `${" ".repeat(labelWidth)}${line}`,
  );
}

/**
 * The lines of a remedy. If it is too long for one line, the part to copy gets a separate line.
 *
 * @param longest maximum length shown of each part
 */
export function remedyLines(advice: Advice, indent: number, width: number, longest = 3000): readonly string[] {
  const margin = " ".repeat(indent);
  const shown = mapAdvice(advice, (text) => trunc(text, longest));
  const line = lineOf(shown);
  if (typeof shown === "string" || widthOf(escapeTerminal(line)) <= width - indent)
    return wrap(line, width - indent).map((one) => `${margin}${one}`);
  const { text, command, note } = shown;
  const copied = `${copyOf(shown) ?? ""}${note === undefined ? "" : `   ${note}`}`;
  return [
    ...wrap(`${text}:`, width - indent).map((one) => `${margin}${one}`),
    ...(command === undefined ? byWords(copied, width - indent - 2) : [escapeTerminal(copied)]).map(
      (one) => `${margin}  ${one}`,
    ),
  ];
}

/** Wraps between words only. Commands are never wrapped: when pasted, the second line would be a separate command. */
function byWords(text: string, width: number): readonly string[] {
  const words = escapeTerminal(text).split(" ");
  return words.some((word) => widthOf(word) > width) ? [escapeTerminal(text)] : wrap(text, width);
}

/** The next commands, one per line, never wrapped. */
export function nextLines(next: readonly string[] = []): readonly string[] {
  return next.map((command, i) => `${i === 0 ? "next:" : "     "}  ${escapeTerminal(command)}`);
}
