import { codeSpan, escapeMarkdown, escapeTerminal } from "../../core/values/escape.ts";
import { largest } from "../../core/values/lists.ts";
import { trunc } from "./layout.ts";
import type { Rendered } from "./rendered.ts";

declare const markdown: unique symbol;

/** Safe Markdown: built by `md` from literal text and from values escaped by `inline`, `code` or `fenced`. */
export type Markdown = Rendered & { readonly [markdown]: true };

/** Longest useful text; longer ones are truncated. */
const LONGEST_TEXT = 2000;

/** The only way to put a value into Markdown: plain strings do not compile. */
export function md(own: TemplateStringsArray, ...values: readonly (Markdown | number | bigint)[]): Markdown {
  return own.map((text, i) => `${i === 0 ? "" : values[i - 1]}${text}`).join("") as Markdown;
}

/** Escapes any text for running text or a cell. */
export function inline(text: string, longest: number = LONGEST_TEXT): Markdown {
  return escapeMarkdown(trunc(text, longest)) as Markdown;
}

/** Escapes text that follows other text: leading spaces do not indent. */
export function inside(text: string): Markdown {
  const [, blanks = "", rest = ""] = /^( *)(.*)$/s.exec(text) ?? [];
  return `${blanks}${inline(rest)}` as Markdown;
}

/** A number, size or time, unescaped if valid: `1.6 GB` in a cell does not begin a list. */
export function figure(text: string): Markdown {
  return /^\d[\w .,:%+-]*$/.test(text) ? (text as Markdown) : inline(text);
}

export function code(text: string, longest: number = LONGEST_TEXT): Markdown {
  return codeSpan(trunc(text, longest)) as Markdown;
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

/** The head of a table, of literal text, and the line below it. Figures are right-aligned. */
export function tableHead(columns: readonly { readonly title: string; readonly end?: true }[]): readonly Markdown[] {
  const head = columns.map(({ title }) => (title === "" ? " |" : ` ${inline(title)} |`)).join("");
  return [`|${head}` as Markdown, `|${columns.map(({ end }) => (end ? " ---: |" : " --- |")).join("")}` as Markdown];
}

/** Lines that belong together. */
export function block(lines: readonly Markdown[]): Markdown {
  return joinedBy("\n", lines);
}

/** A code block; each line stays one line and cannot leave the block. */
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

export function markdownOf(lines: readonly Markdown[]): Markdown {
  return md`${block(lines)}\n`;
}
