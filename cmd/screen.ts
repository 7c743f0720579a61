import { escapeTerminal } from "../core/values/escape.ts";
import type { Host, Output } from "./host.ts";
import { OWN_CODES } from "./views/colour.ts";
import { isInPipeline, shield } from "./views/forges/annotations.ts";
import { hanging, layoutWidth, wrap } from "./views/layout.ts";
import { documentText, textOf } from "./views/rendered.ts";

/**
 * Filters output to a terminal, as the last line of defence for every command and format: of the invisible characters,
 * only line ends, tabs and cdcctl's own codes get through. Views escape outside text, so that it cannot forge a line;
 * text that a view fails to escape still cannot move the cursor, recolour, retitle or reverse the reading direction. In
 * a pipeline, nothing is a command to its runner but annotations.
 */
export function screened(host: Host): Host {
  const shielded = isInPipeline(host.env) ? shield : () => (text: string) => text;
  // Members are inherited: reading `interrupt` installs the signal handler, so it must stay lazy.
  return Object.create(host, {
    stdout: { value: screenedOutput(host.stdout, shielded()) },
    stderr: { value: screenedOutput(host.stderr, shielded()) },
    annotate: { value: screenedOutput(host.stderr, (text) => text).write },
    ask: { value: (question: string) => host.ask(screenText(asked(question, host.stdout), host.stdout)) },
  }) as Host;
}

/** Terminals break a long line in the middle of a word. */
function asked(question: string, { columns }: Output): string {
  return columns === undefined ? question : `${wrap(question, layoutWidth(columns) - 1).join("\n")} `;
}

function screenedOutput(output: Output, shielded: (text: string) => string): Output {
  return {
    colour: output.colour,
    get columns() {
      return output.columns;
    },
    write: (text) => output.write(documentText(shielded(screenText(text, output)))),
  };
}

const ESC = "\u001b";
/** The prefix of an overwritten line; allowed nowhere else. */
const OVERWRITES = new RegExp(["^\\r(?:", ESC, "\\[K| *\\r)?"].join(""));
const KEPT = /[\n\t]|[⚠☑]\ufe0f/u;
const KEPT_IN_COLOUR = new RegExp(`${KEPT.source}|${ESC}\\[(?:${OWN_CODES.join("|")})m`, "u");

/** Most of a long output has none of these. */
const UNUSUAL = /[^\n\x20-\x7e]/;

/** @param text of one write */
export function screenText(text: string, { colour, columns }: Pick<Output, "colour" | "columns">): string {
  if (!UNUSUAL.test(text)) return text;
  const [start = ""] = columns === undefined ? [] : (OVERWRITES.exec(text) ?? []);
  const kept = new RegExp(`(${(colour ? KEPT_IN_COLOUR : KEPT).source})`, "u");
  const rest = text.slice(start.length);
  // Kept codes are at the odd indices.
  return `${start}${rest
    .split(kept)
    .map((piece, i) => (i % 2 === 1 ? piece : escapeTerminal(piece)))
    .join("")}`;
}

const warned = new WeakMap<Output, Set<string>>();

/** Prints each warning once a command, whoever gives it, even if a file is read again. */
export function warningsTo({ stderr }: Pick<Host, "stderr">): (warning: string) => void {
  const given = warned.get(stderr) ?? new Set<string>();
  warned.set(stderr, given);
  return (warning) => {
    if (given.has(warning)) return;
    given.add(warning);
    writeSentence(stderr, `warning: ${warning}`);
  };
}

/** Writes one line and escapes the text, which may hold file names and other systems' messages. */
export function writeLine(output: Pick<Output, "write">, text: string): void {
  output.write(textOf([text]));
}

/** The same for a sentence, without a command to copy: a terminal shows it wrapped between words. */
export function writeSentence(output: Pick<Output, "write" | "columns">, text: string): void {
  const [indent = ""] = /^ */.exec(text) ?? [];
  const wrapped = () => hanging(indent, indent.length + 2, text.trimStart(), layoutWidth(output.columns));
  output.write(textOf(output.columns === undefined ? [text] : wrapped()));
}
