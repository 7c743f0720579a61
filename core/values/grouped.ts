/** Things by what they have in common, each group in their order. */
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
