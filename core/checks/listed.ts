import { showCount } from "../values/amounts.ts";

/** The most items that one line can usefully show. */
const MOST = 10;

/** Joins items to `a, b and c`; a long list is truncated, with the number of further items. */
export function listed(items: readonly string[], most = MOST): string {
  if (items.length > most) return `${items.slice(0, most).join(", ")} and ${showCount(items.length - most)} more`;
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** The first items as `a, b, …`, where the plan itself lists them all. */
export function few(items: readonly string[], most = MOST, between = ", "): string {
  return `${items.slice(0, most).join(between)}${items.length > most ? `${between}…` : ""}`;
}

/** Joins sentences to `a; b; c`; a long list is truncated. */
export function sentences(items: readonly string[], most = MOST): string {
  const more = items.length - most;
  return [...items.slice(0, most), ...(more > 0 ? [`and ${showCount(more)} more`] : [])].join("; ");
}
