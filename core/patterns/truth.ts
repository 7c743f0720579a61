/**
 * Whether something holds, where versions of Java may differ: 0 it does not, 1 it does, a half: versions differ. With
 * these numbers "not" is `1 - t`, "and" the smaller, "or" the larger.
 */
export type Truth = 0 | 0.5 | 1;

export function not(t: Truth): Truth {
  return (1 - t) as Truth;
}

export function truth(holds: boolean): Truth {
  return holds ? 1 : 0;
}

/** Of two that differ exactly if they are not the same. */
export function differ(a: Truth, b: Truth): Truth {
  return a === 0.5 || b === 0.5 ? 0.5 : truth(a !== b);
}

/** The common part of two readings. */
export function agreed(a: Truth, b: Truth): Truth {
  return a === b ? a : 0.5;
}

/**
 * Characters whose category, script and case are the same in every version of Unicode in a worker's Java (Unicode 10
 * on: Java 11), and here. Nothing is assumed about others. Ranges, both ends inclusive, in order.
 */
const SETTLED: readonly (readonly [number, number])[] = [
  [0x0000, 0x019a],
  [0x019c, 0x024f],
  [0x0300, 0x0362],
  [0x0386, 0x0386],
  [0x0388, 0x038a],
  [0x038c, 0x038c],
  [0x038e, 0x03a1],
  [0x03a3, 0x03ff],
  [0x0400, 0x052f],
  [0x0531, 0x0556],
  [0x0561, 0x0587],
  [0x05d0, 0x05ea],
  [0x0621, 0x064a],
  [0x0e01, 0x0e3a],
  [0x1e00, 0x1e95],
  [0x1e9e, 0x1eff],
  [0x2000, 0x2064],
  [0x2070, 0x2071],
  [0x20a0, 0x20bf],
  [0x2100, 0x218b],
  [0x2190, 0x23fe],
  [0x3000, 0x303f],
  [0x3041, 0x3096],
  [0x30a1, 0x30ff],
  [0x4e00, 0x9fea],
  [0xac00, 0xd7a3],
  [0xff01, 0xffbe],
];

export function isSettled(c: number): boolean {
  return SETTLED.some(([low, high]) => low <= c && c <= high);
}
