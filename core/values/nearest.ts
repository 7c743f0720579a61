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

/**
 * Levenshtein's distance with swapped neighbours as one step (optimal string alignment), computed row by row and only
 * within the limit, so that a word can be compared with 100,000 names.
 *
 * @returns undefined when it is more than `most`
 */
function editDistance(a: string, b: string, most: number): number | undefined {
  // Each additional letter is at least one step.
  if (Math.abs(a.length - b.length) > most) return undefined;
  const far = most + 1;
  let twoBefore: number[] = [];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    [twoBefore, before, row] = [before, row, twoBefore];
    const first = Math.max(1, i - most);
    const last = Math.min(b.length, i + most);
    row[first - 1] = first === 1 ? i : far;
    let least = first === 1 ? i : far;
    for (let j = first; j <= last; j++) {
      const letter = b.charCodeAt(j - 1);
      let steps = (before[j - 1] ?? far) + (a.charCodeAt(i - 1) === letter ? 0 : 1);
      const added = (row[j - 1] ?? far) + 1;
      const leftOut = (before[j] ?? far) + 1;
      if (added < steps) steps = added;
      if (leftOut < steps) steps = leftOut;
      if (i > 1 && j > 1 && a.charCodeAt(i - 2) === letter && a.charCodeAt(i - 1) === b.charCodeAt(j - 2)) {
        const swapped = (twoBefore[j - 2] ?? far) + 1;
        if (swapped < steps) steps = swapped;
      }
      row[j] = steps;
      if (steps < least) least = steps;
    }
    if (last < b.length) row[last + 1] = far;
    // A swap refers back over one row, and is a step itself.
    if (least > most && leastBefore >= most) return undefined;
    leastBefore = least;
  }
  const distance = row[b.length] ?? far;
  return distance > most ? undefined : distance;
}
