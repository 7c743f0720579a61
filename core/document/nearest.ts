/** Longer words are not compared: nobody mistypes them, and the comparison costs the product of the lengths. */
const LONGEST = 60;

/**
 * The word that was probably meant: at most a third of its letters away (added, left out, replaced or swapped; case does not count).
 * Undefined when none is that near.
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const typed = word.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const candidate of words) {
    if (candidate.length > LONGEST) continue;
    const allowed = Math.max(1, Math.floor(Math.max(typed.length, candidate.length) / 3));
    // Each letter more is at least one step: most of 100,000 names need no closer look.
    if (Math.abs(typed.length - candidate.length) > Math.min(allowed, (best?.distance ?? allowed + 1) - 1)) continue;
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { word: candidate, distance };
  }
  return best?.word;
}

/** Levenshtein's distance with neighbours swapped as one step (optimal string alignment), a row of its table at a time. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a.charAt(i - 1) === b.charAt(j - 1);
      const swapped = i > 1 && j > 1 && a.charAt(i - 1) === b.charAt(j - 2) && a.charAt(i - 2) === b.charAt(j - 1);
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
