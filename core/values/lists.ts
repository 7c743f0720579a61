/** An order for `sort`: the lowest first, texts by their code units. Equal ones keep their order. */
export function ascending<T>(by: (thing: T) => bigint | string): (a: T, b: T) => number {
  return (one, other) => {
    const [a, b] = [by(one), by(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
}

/** Groups values by a key, each group in their order. */
export function grouped<T, K>(things: Iterable<T>, commonOf: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const common = commonOf(thing);
    const group = groups.get(common);
    if (group === undefined) groups.set(common, [thing]);
    else group.push(thing);
  }
  return groups;
}

/**
 * The largest of any number of values. `Math.max(...values)` passes each as an argument, and fails from about 100,000
 * on.
 *
 * @param least the result without values, and its lower limit
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

/** The lowest of integers or texts, as far as they are known; undefined without any. */
export function lowest<T extends bigint | string>(of: readonly (T | undefined)[]): T | undefined {
  return of.reduce((low, one) => (low === undefined || (one !== undefined && one < low) ? one : low), undefined);
}

/** The highest of integers or texts; undefined without any. */
export function highest<T extends bigint | string>(of: readonly T[]): T | undefined {
  return of.reduce<T | undefined>((high, one) => (high === undefined || one > high ? one : high), undefined);
}
