/** For `sort`: the lowest first, texts by their code units. Equal ones stay in their order. */
export function ascending<T>(by: (thing: T) => bigint | string): (a: T, b: T) => number {
  return (one, other) => {
    const [a, b] = [by(one), by(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
}
