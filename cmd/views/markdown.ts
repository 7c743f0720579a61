import { codeSpan, escapeMarkdown, escapeTerminal } from "../../core/values/escape.ts";
import { largest } from "../../core/values/lists.ts";
import { clip } from "./layout.ts";
import type { Rendered } from "./rendered.ts";

declare const markdown: unique symbol;

/**
 * Markdown that is sound: put together by `md` from the code's own text and from values that `inline`, `code` or
 * `fenced` made harmless.
 */
export type Markdown = Rendered & { readonly [markdown]: true };

/** A text longer than this says nothing more. */
const LONGEST_TEXT = 2000;

/** The one way to put a value into Markdown: a plain text in its place does not compile. */
export function md(own: TemplateStringsArray, ...values: readonly (Markdown | number | bigint)[]): Markdown {
  return own.map((text, i) => `${i === 0 ? "" : values[i - 1]}${text}`).join("") as Markdown;
}

/** A text from anywhere, in running text or a cell. */
export function inline(text: string, longest: number = LONGEST_TEXT): Markdown {
  return escapeMarkdown(clip(text, longest)) as Markdown;
}

/** The same behind something else: blanks at its beginning indent nothing. */
export function inside(text: string): Markdown {
  const [, blanks = "", rest = ""] = /^( *)(.*)$/s.exec(text) ?? [];
  return `${blanks}${inline(rest)}` as Markdown;
}

/** A number, a size, a time: as it is where it is one, for `1.6 GB` in a cell begins no list. */
export function figure(text: string): Markdown {
  return /^\d[\w .,:%+-]*$/.test(text) ? (text as Markdown) : inline(text);
}

/** A text from anywhere, as code. */
export function code(text: string, longest: number = LONGEST_TEXT): Markdown {
  return codeSpan(clip(text, longest)) as Markdown;
}

export function joinedBy(
  between: "" | " " | ", " | " · " | " | " | "<br>" | "\n",
  parts: readonly Markdown[],
): Markdown {
  return parts.join(between) as Markdown;
}

/** `| a | b |` */
export function tableRow(cells: readonly Markdown[]): Markdown {
  return md`| ${joinedBy(" | ", cells)} |`;
}

/** The head of a table, of words of the code's own, and the line below it. Figures end below each other. */
export function tableHead(columns: readonly { readonly title: string; readonly end?: true }[]): readonly Markdown[] {
  const head = columns.map(({ title }) => (title === "" ? " |" : ` ${inline(title)} |`)).join("");
  return [`|${head}` as Markdown, `|${columns.map(({ end }) => (end ? " ---: |" : " --- |")).join("")}` as Markdown];
}

/** Lines that belong together. */
export function block(lines: readonly Markdown[]): Markdown {
  return joinedBy("\n", lines);
}

/** Lines in a code block, each one line, which none of them can leave. */
export function fenced(
  lines: readonly string[],
  language: "" | "sh" | "sql" = "",
): { readonly open: Markdown; readonly lines: readonly Markdown[]; readonly close: Markdown } {
  const shown = lines.map((line) => escapeTerminal(line));
  const longest = largest(shown.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return { open: `${fence}${language}` as Markdown, lines: shown as Markdown[], close: fence as Markdown };
}

export const EMPTY: Markdown = md``;

/** A whole text of lines. */
export function markdownOf(lines: readonly Markdown[]): Markdown {
  return md`${block(lines)}\n`;
}
