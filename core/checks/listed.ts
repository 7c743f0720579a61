import { showCount } from "../values/amounts.ts";

/** More than that nobody reads in one line. */
const MOST = 10;

/** `a, b and c`; of very many the first ones, and how many more there are. */
export function listed(items: readonly string[], most = MOST): string {
  if (items.length > most) return `${items.slice(0, most).join(", ")} and ${showCount(items.length - most)} more`;
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** Sentences: `a; b; c`, of very many the first ones. */
export function sentences(items: readonly string[], most = MOST): string {
  const more = items.length - most;
  return [...items.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
