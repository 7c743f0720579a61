import { showCount } from "../../core/values/amounts.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Advice, copyOf, lineOf, mapAdvice } from "../../core/values/remedy.ts";

/** Lines narrower than this wrap too often to be read, wider ones are hard to follow. Columns. */
const NARROWEST = 80;
const WIDEST = 120;

/**
 * The width that a view is laid out in: what the terminal has, within limits; the widest where there is no terminal.
 */
export function layoutWidth(terminal: number | undefined): number {
  return Math.min(WIDEST, Math.max(NARROWEST, terminal ?? WIDEST));
}

export const NO_BREAK = "\u00a0";

/** Columns that escaped text takes. */
export function widthOf(text: string): number {
  return [...text].length;
}

export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** A value of any length, cut to what a reader can still take in, with its length. */
export function clip(text: string, longest = 300): string {
  if (text.length <= longest) return text;
  return `${[...text.slice(0, longest)].slice(0, -1).join("")}… (${showCount(text.length)} characters)`;
}

/**
 * Escapes text and breaks it into lines of at most `width` columns, between words; a word that is longer than a line is
 * broken as well. Blanks within a line stay: remedies align their commands with them. At a no-break space no line ends;
 * it is shown as a blank.
 */
export function wrap(text: string, width: number): readonly string[] {
  // What is left beside a wide label may be nothing; a line has at least one character all the same.
  const columns = Math.max(1, Math.floor(width));
  const lines: string[] = [];
  let line = "";
  for (const [, gap = "", word = ""] of escapeTerminal(text).matchAll(/( *)([^ ]+)/g)) {
    if (line !== "" && widthOf(line) + gap.length + widthOf(word) > columns) {
      lines.push(line);
      line = "";
    }
    const whole = [...(line === "" ? word : `${line}${gap}${word}`)];
    let from = 0;
    for (; whole.length - from > columns; from += columns) lines.push(whole.slice(from, from + columns).join(""));
    line = whole.slice(from).join("");
  }
  return (line === "" && lines.length > 0 ? lines : [...lines, line]).map((one) => one.replaceAll(NO_BREAK, " "));
}

/** Text behind a label, its further lines under its first. The label is escaped already and may be painted. */
export function hanging(label: string, labelWidth: number, text: string, width: number): readonly string[] {
  return wrap(text, width - labelWidth).map((line, i) =>
    i === 0 ? `${label}${line}` : `${" ".repeat(labelWidth)}${line}`,
  );
}

/**
 * A remedy. Where it is too long for one line, what is to be copied gets a line of its own.
 *
 * @param longest so much of each of its parts is shown
 */
export function remedyLines(advice: Advice, indent: number, width: number, longest = 3000): readonly string[] {
  const margin = " ".repeat(indent);
  const shown = mapAdvice(advice, (text) => clip(text, longest));
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

/**
 * Broken between words only. What a shell takes is never broken: pasted, its second line would be a command of its own.
 */
function byWords(text: string, width: number): readonly string[] {
  const words = escapeTerminal(text).split(" ");
  return words.some((word) => widthOf(word) > width) ? [escapeTerminal(text)] : wrap(text, width);
}

/** The commands to run next, one a line, never broken. */
export function nextLines(next: readonly string[]): readonly string[] {
  return next.map((command, i) => `${i === 0 ? "next:" : "     "}  ${escapeTerminal(command)}`);
}
