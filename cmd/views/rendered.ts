import { escapeTerminal } from "../../core/values/escape.ts";
import { OWN_CODES } from "./colour.ts";

declare const rendered: unique symbol;

/**
 * Text that may be written to a screen. An output takes nothing else (`Output.write`), so that a value from outside
 * gets there only through one of these functions, or as Markdown through `md`, and none of them lets it begin a line of
 * its own.
 */
export type Rendered = string & { readonly [rendered]: true };

const ESC = "\u001b";
const PAINTED = new RegExp(`(${ESC}\\[(?:${OWN_CODES.join("|")})m)`);

/**
 * Lines of text. Each is one line, whatever is in it: a view that forgets to escape a value shows its line end as `\n`.
 *
 * @param lines with cdcctl's own colours; none of them, and there is no text
 */
export function textOf(lines: readonly string[]): Rendered {
  return lines.map((line) => `${oneLine(line)}\n`).join("") as Rendered;
}

/** The colours stand at every second place. */
function oneLine(line: string): string {
  return line
    .split(PAINTED)
    .map((piece, i) => (i % 2 === 1 ? piece : escapeTerminal(piece)))
    .join("");
}

/** Texts one after the other. @param between "\n" for an empty line between them */
export function joined(texts: readonly Rendered[], between: "" | "\n" = ""): Rendered {
  return texts.join(between) as Rendered;
}

/** @param clear what removes the line that stands there; the codes of cdcctl's own */
export function writtenOver(clear: string, line: string, columns: number): Rendered {
  return `${clear}${escapeTerminal(line).slice(0, Math.max(0, columns))}` as Rendered;
}

/**
 * A document in a language of its own, whose maker has written every value in the way of that language: JSON, a schema,
 * an SQL or shell script, a plan file's template, a help.
 */
export function documentText(text: string): Rendered {
  return text as Rendered;
}
