/** Large matrices of cases: `npm test` runs as many as hold every pair of what cases are made of, `test:all` all. */

/** Whether only a part is run; a file that is run by itself runs all. */
const ONLY_PAIRS = process.env["CDCCTL_TEST_CASES"] === "pairs";

/**
 * Selects what is run now, and names how much is left out.
 *
 * @param held what a case holds that has to occur: the pairs of its traits
 */
export function casesOfNow<T>(cases: readonly T[], held: (one: T) => readonly string[]): readonly T[] {
  if (!ONLY_PAIRS) return cases;
  const chosen = holdingAll(cases, held);
  if (chosen.length < cases.length)
    process.stdout.write(`\nLEFT OUT: ${cases.length - chosen.length} of ${cases.length} cases\n`);
  return chosen;
}

/** Every other one of cases that vary one thing, where only a part is run. */
export function everyOther<T>(cases: readonly T[]): readonly T[] {
  const kept = new Map(cases.flatMap((one, at) => (at % 2 === 0 ? [[one, `${at}`] as const] : [])));
  return casesOfNow(cases, (one) => [kept.get(one) ?? []].flat());
}

/** Few cases, in their order, in which everything occurs that any case holds. */
export function holdingAll<T>(cases: readonly T[], held: (one: T) => readonly string[]): readonly T[] {
  const missing = cases.map((one) => new Set(held(one)));
  const chosen = new Set<number>();
  for (;;) {
    const most = Math.max(0, ...missing.map(({ size }) => size));
    if (most === 0) return cases.filter((_, at) => chosen.has(at));
    const best = missing.findIndex(({ size }) => size === most);
    chosen.add(best);
    for (const found of [...(missing[best] ?? [])]) for (const others of missing) others.delete(found);
  }
}

/** @param traits of a case, always the same number, in the same order */
export function pairsOf(traits: readonly string[]): readonly string[] {
  return traits.flatMap((one, at) => traits.slice(at + 1).map((other, on) => `${at} ${one}, ${at + 1 + on} ${other}`));
}
