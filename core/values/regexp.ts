/**
 * Builds an expression that matches what any of the alternatives matches. It is one group, so that it can be a part of
 * another expression.
 *
 * @param alternatives in the order in which they are tried; their own flags are not used
 * @param flags of the result
 */
export const anyOf = (alternatives: readonly RegExp[], flags = ""): RegExp =>
  new RegExp(`(?:${alternatives.map(({ source }) => source).join("|")})`, flags);

/**
 * Builds an expression that matches the parts one after another. A part with alternatives must be a group.
 *
 * @param parts in their order; their own flags are not used
 * @param flags of the result
 */
export const inSequence = (parts: readonly RegExp[], flags = ""): RegExp =>
  new RegExp(parts.map(({ source }) => source).join(""), flags);

/** A pattern's parts outside classes and quotations, and how many groups are open after each. */
function* partsOf(pattern: string): Generator<{ readonly at: number; readonly part: string; readonly depth: number }> {
  let depth = 0;
  let inClass = 0;
  for (const { 0: part, index: at } of pattern.matchAll(/\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]?|[^\\]/g)) {
    if (part === "[") inClass++;
    else if (part === "]" && inClass > 0) inClass--;
    else if (inClass === 0 && part === "(") depth++;
    else if (inClass === 0 && part === ")") depth--;
    yield { at, part: inClass === 0 ? part : "", depth };
  }
}

/** `a|(b|c)|[|]` has three: those outside groups, classes and quotations. */
export function alternatives(pattern: string): readonly string[] {
  const bars = [...partsOf(pattern)].filter(({ part, depth }) => part === "|" && depth === 0).map(({ at }) => at);
  return [-1, ...bars].map((bar, i) => pattern.slice(bar + 1, bars[i]));
}

/** Whether its last parenthesis closes its first: `(a)(b)` is two. */
export function isOneGroup(pattern: string): boolean {
  const closed = [...partsOf(pattern)].find(({ part, depth }) => part === ")" && depth === 0);
  return closed?.at === pattern.length - 1;
}
