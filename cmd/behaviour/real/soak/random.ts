/** A reproducible random generator: the same seed gives the same choices in the same order. */
export interface Chance {
  /** An integer from low to high, both included. */
  int(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  /** @param share between 0 and 1 */
  likely(share: number): boolean;
  /** A separate generator for a part, unaffected by other draws. */
  of(part: string | number): Chance;
}

export function chance(seed: string): Chance {
  let state = hash(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    int,
    pick(from) {
      const picked = from[int(0, from.length - 1)];
      if (picked === undefined) throw new RangeError("nothing to pick from");
      return picked;
    },
    likely: (share) => next() < share,
    of: (part) => chance(`${seed}/${part}`),
  };
}

/** FNV-1a */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return sum;
}
