import { escapeTerminal } from "../../core/values/escape.ts";

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
  return `${[...text.slice(0, longest)].slice(0, -1).join("")}… (${text.length} characters)`;
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
 * A remedy. Where it is too long for one line, the command behind its colon gets a line of its own, so that it can be
 * copied.
 */
export function remedyLines(remedy: string, indent: number, width: number): readonly string[] {
  const margin = " ".repeat(indent);
  const [, label, command] = /^([^:]*:) {2,}(\S.*)$/s.exec(remedy) ?? [];
  if (label === undefined || command === undefined || widthOf(escapeTerminal(remedy)) <= width - indent)
    return wrap(remedy, width - indent).map((line) => `${margin}${line}`);
  return [
    ...wrap(label, width - indent).map((line) => `${margin}${line}`),
    ...commandLines(command, width - indent - 2).map((line) => `${margin}  ${line}`),
  ];
}

/**
 * What a shell takes is never broken: pasted, its second line would be a command of its own. Anything else is broken
 * between its words only.
 */
function commandLines(command: string, width: number): readonly string[] {
  if (/^(?:cdcctl|curl) /.test(command)) return [escapeTerminal(command)];
  const words = escapeTerminal(command).split(" ");
  return words.some((word) => widthOf(word) > width) ? [escapeTerminal(command)] : wrap(command, width);
}

/** The commands to run next, one a line, never broken. */
export function nextLines(next: readonly string[]): readonly string[] {
  return next.map((command, i) => `${i === 0 ? "next:" : "     "}  ${escapeTerminal(command)}`);
}
