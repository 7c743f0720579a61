/**
 * The largest of any number of values. `Math.max(...values)` passes each as an argument, and fails from about 100,000
 * on.
 *
 * @param least what there is without values, and below which nothing counts
 */
export function largest(values: Iterable<number>, least = 0): number {
  let found = least;
  for (const value of values) if (value > found) found = value;
  return found;
}

/** The smallest of any number of values; `Infinity` without any. */
export function smallest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < found) found = value;
  return found;
}
