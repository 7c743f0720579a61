/**
 * Whether something holds, where versions of Java may decide differently: 0 it does not, 1 it does, a half: one says so
 * and another not. With these numbers "not" is `1 - t`, "and" the smaller, "or" the larger.
 */
export type Truth = 0 | 0.5 | 1;

export function not(t: Truth): Truth {
  return (1 - t) as Truth;
}

export function truth(holds: boolean): Truth {
  return holds ? 1 : 0;
}

/** Of two that differ exactly where they are not the same. */
export function differ(a: Truth, b: Truth): Truth {
  return a === 0.5 || b === 0.5 ? 0.5 : truth(a !== b);
}

/** What two readings of one thing have in common. */
export function agreed(a: Truth, b: Truth): Truth {
  return a === b ? a : 0.5;
}
