import { escapeTerminal } from "../core/values/escape.ts";
import type { Host, Output } from "./host.ts";
import { OWN_CODES } from "./views/colour.ts";
import { documentText, textOf } from "./views/rendered.ts";

/**
 * The last line of defence for a terminal, whatever the command and the format: of everything that is not seen in a
 * line of text only line ends, tabs, and cdcctl's own codes get through. Views escape what they are given, so that
 * nothing of an outsider's text forges a line; what one of them forgets still can't move the cursor, recolour, retitle,
 * or turn the reading direction round.
 */
export function screened(host: Host): Host {
  // By inheritance: `interrupt` is taken from the process only when somebody asks for it.
  return Object.create(host, {
    stdout: { value: screenedOutput(host.stdout) },
    stderr: { value: screenedOutput(host.stderr) },
    ask: { value: (question: string) => host.ask(screenText(question, host.stdout)) },
  }) as Host;
}

function screenedOutput(output: Output): Output {
  return {
    colour: output.colour,
    get columns() {
      return output.columns;
    },
    write: (text) => output.write(documentText(screenText(text, output))),
  };
}

const ESC = "\u001b";
/** What a line that is written over begins with, and nothing else may. */
const OVERWRITES = new RegExp(["^\\r(?:", ESC, "\\[K| *\\r)?"].join(""));
const KEPT = /[\n\t]|[⚠☑]\ufe0f/u;
const KEPT_IN_COLOUR = new RegExp(`${KEPT.source}|${ESC}\\[(?:${OWN_CODES.join("|")})m`, "u");

/** @param text of one write */
export function screenText(text: string, { colour, columns }: Pick<Output, "colour" | "columns">): string {
  const [start = ""] = columns === undefined ? [] : (OVERWRITES.exec(text) ?? []);
  const kept = new RegExp(`(${(colour ? KEPT_IN_COLOUR : KEPT).source})`, "u");
  const rest = text.slice(start.length);
  // What is kept stands at every second place.
  return `${start}${rest
    .split(kept)
    .map((piece, i) => (i % 2 === 1 ? piece : escapeTerminal(piece)))
    .join("")}`;
}

/** Writes one line, whatever is in the text: file names, and what others say. */
export function sayLine(output: Pick<Output, "write">, text: string): void {
  output.write(textOf([text]));
}
