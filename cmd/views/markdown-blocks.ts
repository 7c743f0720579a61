import { EMPTY, type Markdown } from "./markdown.ts";
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

/** A block of one item each, of a list of any length. @param unlisted how many there are beyond those given */
export function list<T>(
  rank: number,
  what: string,
  head: readonly Markdown[],
  of: readonly T[],
  render: (one: T, index: number) => Markdown,
  foot: readonly Markdown[] = [EMPTY],
  unlisted = 0,
): readonly Block[] {
  if (of.length === 0) return [];
  return [{ rank, what, head, items: of.slice(0, MOST_ITEMS).map(render), foot, total: of.length + unlisted }];
}
