/** Code points, by the bounds at which they begin and end in turn, ascending; without a last end up to U+10FFFF. */
export type Ranges = readonly number[];

/** Characters that Java certainly takes, and those that it may take: its versions differ, or how it is called. */
export type CharSet = Readonly<Record<"sure" | "possible", Ranges>>;

export const has = (set: Ranges, c: number): boolean => set.filter((bound) => bound <= c).length % 2 === 1;

function combined(a: Ranges, b: Ranges, holds: (inA: boolean, inB: boolean) => boolean): Ranges {
  const bounds = [...new Set([0, ...a, ...b])].sort((x, y) => x - y).filter((bound) => bound <= 0x10ffff);
  const inside = bounds.map((bound) => holds(has(a, bound), has(b, bound)));
  return bounds.filter((_, i) => inside[i] !== (inside[i - 1] ?? false));
}

export const both = (a: Ranges, b: Ranges): Ranges => combined(a, b, (inA, inB) => inA && inB);
export const either = (a: Ranges, b: Ranges): Ranges => combined(a, b, (inA, inB) => inA || inB);
export const others = (a: Ranges): Ranges => combined(a, [], (inA) => !inA);

/** Ranges by their first and last characters: `AZaz`. */
export const pairs = (text: string): Ranges => Array.from(text, (c, i) => (c.codePointAt(0) ?? 0) + (i % 2));
export const exactly = (set: Ranges): CharSet => ({ sure: set, possible: set });

const lifted = (how: typeof both) => (a: CharSet, b: CharSet) => ({
  sure: how(a.sure, b.sure),
  possible: how(a.possible, b.possible),
});
export const union = lifted(either);
export const intersection = lifted(both);
export const complement = ({ sure, possible }: CharSet) => ({ sure: others(possible), possible: others(sure) });

const LEGAL = pairs("-.09AZ__az");
const UNDERSCORE = pairs("__");
const CONTROLS = pairs("\0\x1f\x7f\x9f\u2028\u2029");

/**
 * Characters of a topic's name, which has `_` in place of each that Kafka does not allow. With `"some"`, a `_` stands
 * for any of these; with `"all"`, it counts only where the set has every one of them but control characters.
 */
function inTopic(set: Ranges, quantity: "some" | "all"): Ranges {
  const [legal, replaced] = [both(set, LEGAL), others(LEGAL)];
  if (quantity === "some") return both(set, replaced).length === 0 ? legal : either(legal, UNDERSCORE);
  const wanted = either(both(replaced, others(CONTROLS)), UNDERSCORE);
  return both(wanted, others(set)).length === 0 ? legal : both(legal, others(UNDERSCORE));
}

export const NEVER = "[^\\x{0}-\\x{10ffff}]";

/** Ranges in the engine's notation; with `topics`, as they stand in a topic's name. */
export function written(whole: Ranges, topics?: "some" | "all"): string {
  const set = topics === undefined ? whole : inTopic(whole, topics);
  const one = (c: number) => (/\w/.test(String.fromCodePoint(c)) ? String.fromCodePoint(c) : `\\x{${c.toString(16)}}`);
  const items = set.flatMap((first, i) => {
    const last = (set[i + 1] ?? 0x110000) - 1;
    return i % 2 === 1 ? [] : first === last ? [one(first)] : [`${one(first)}-${one(last)}`];
  });
  return items.length === 0 ? NEVER : `[${items.join("")}]`;
}
