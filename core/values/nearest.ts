/** Longer words are not compared: they are rarely mistyped, and the comparison costs the product of the lengths. */
const LONGEST = 60;

/**
 * The nearest word: at most a third of its letters away (added, omitted, replaced or swapped; case is ignored).
 * Undefined when none is near enough.
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const typed = word.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const candidate of words) {
    if (candidate.length > LONGEST) continue;
    const allowed = Math.max(1, Math.floor(Math.max(typed.length, candidate.length) / 3));
    const distance = editDistance(typed, candidate.toLowerCase(), Math.min(allowed, (best?.distance ?? LONGEST) - 1));
    if (distance !== undefined) best = { word: candidate, distance };
    if (distance === 0) break;
  }
  return best?.word;
}

/** The end of a message about a mistyped word: `; did you mean orders?`; empty where no word is near. */
export function orMeant(...near: readonly (string | undefined)[]): string {
  const words = near.filter((word) => word !== undefined);
  return words.length === 0 ? "" : `; did you mean ${words.join(" or ")}?`;
}

const ROWS = [0, 1, 2].map(() => new Uint8Array(LONGEST + 1));

/**
 * Levenshtein's distance with swapped neighbours as one step (optimal string alignment), computed row by row.
 *
 * @returns undefined when it is more than `most`
 */
function editDistance(a: string, b: string, most: number): number | undefined {
  // Each additional letter is at least one step.
  if (Math.abs(a.length - b.length) > most) return undefined;
  let [twoBefore, before, row] = ROWS as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) before[j] = j;
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = before[j - 1] ?? 0;
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 2] === b[j - 1] && a[i - 1] === b[j - 2];
      const steps = same ? replaced : 1 + Math.min(replaced, before[j] ?? 0, row[j - 1] ?? 0);
      row[j] = swapped ? Math.min(steps, 1 + (twoBefore[j - 2] ?? 0)) : steps;
      least = Math.min(least, row[j] ?? 0);
    }
    // A swap refers back over one row, and is a step itself.
    if (least > most && leastBefore >= most) return undefined;
    leastBefore = least;
    [twoBefore, before, row] = [before, row, twoBefore];
  }
  const distance = before[b.length] ?? 0;
  return distance > most ? undefined : distance;
}
