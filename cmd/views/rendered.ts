import { escapeTerminal } from "../../core/values/escape.ts";
import { OWN_CODES } from "./colour.ts";

declare const rendered: unique symbol;

/**
 * Text that may be written to a screen. Outputs take nothing else (`Output.write`), so a value from outside passes
 * through one of these functions, or as Markdown through `md`; none of them lets it begin a new line.
 */
export type Rendered = string & { readonly [rendered]: true };

const ESC = "\u001b";
const PAINTED = new RegExp(`(${ESC}\\[(?:${OWN_CODES.join("|")})m)`);

/**
 * Makes text of lines. Each stays one line: a line end that a view fails to escape is shown as `\n`.
 *
 * @param lines may hold cdcctl's own colours; an empty list makes an empty text
 */
export function textOf(lines: readonly string[]): Rendered {
  return lines.map((line) => `${oneLine(line)}\n`).join("") as Rendered;
}

/** Colour codes are at the odd indices. */
function oneLine(line: string): string {
  return line
    .split(PAINTED)
    .map((piece, i) => (i % 2 === 1 ? piece : escapeTerminal(piece)))
    .join("");
}

/** Concatenates texts. @param between "\n" for an empty line between them */
export function joined(texts: readonly Rendered[], between: "" | "\n" = ""): Rendered {
  return texts.join(between) as Rendered;
}

/** @param clear the codes that remove the current line */
export function overwritten(clear: string, line: string, columns: number): Rendered {
  return `${clear}${escapeTerminal(line).slice(0, Math.max(0, columns))}` as Rendered;
}

/**
 * Text in another language, whose producer has escaped every value: JSON, a schema, an SQL or shell script, a plan file
 * template, a help text.
 */
export function documentText(text: string): Rendered {
  return text as Rendered;
}
