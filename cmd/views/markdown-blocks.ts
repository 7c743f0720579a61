import { codeSpan, escapeMarkdown } from "../../core/values/escape.ts";
import { largest } from "../../core/values/extremes.ts";
import { clip } from "./layout.ts";
import type { Block } from "./markdown-budget.ts";

/** What the Markdown of a plan is put together from. */

/** What is left out first when not everything fits: the higher, the sooner. */
export const RANK = {
  outcome: 0,
  wayBack: 1,
  refusals: 1,
  offset: 2,
  consequences: 3,
  steps: 4,
  warnings: 5,
  timeline: 6,
  details: 7,
} as const;

/** More of a list can't fit, so that no more is rendered. */
export const MOST_ITEMS = 3000;
/** A text longer than this says nothing more. */
export const LONGEST_TEXT = 2000;

/** A block of one item each, of a list of any length. @param unlisted how many there are beyond those given */
export function list<T>(
  rank: number,
  what: string,
  head: readonly string[],
  of: readonly T[],
  render: (one: T, index: number) => string,
  foot: readonly string[] = [""],
  unlisted = 0,
): readonly Block[] {
  if (of.length === 0) return [];
  return [{ rank, what, head, items: of.slice(0, MOST_ITEMS).map(render), foot, total: of.length + unlisted }];
}

/** In running text or a cell. */
export function inline(text: string, longest = LONGEST_TEXT): string {
  return escapeMarkdown(clip(text, longest));
}

export function code(text: string, longest: number): string {
  return codeSpan(clip(text, longest));
}

/** What to do: `LABEL:  COMMAND`, or words alone. The command is shown as code, to be copied. */
export function remedy(text: string): string {
  const [, label, command] = /^(.*:) {2,}(\S.*)$/.exec(text) ?? [];
  return label === undefined || command === undefined ? inline(text) : `${inline(label)} ${code(command, 1000)}`;
}

/** Longer than any run of backticks in what it holds. */
export function fenceFor(lines: readonly string[]): string {
  const longest = largest(lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)));
  return "`".repeat(Math.max(3, longest + 1));
}
