/** What becomes of a property of the legacy connector. */
export type Fate =
  /** Another name, the same value. */
  | { readonly fate: "mapped"; readonly target: string; readonly value: string }
  /** Also another value, or another meaning. */
  | { readonly fate: "changed"; readonly target: string; readonly value: string; readonly reason: string }
  | { readonly fate: "dropped"; readonly reason: string }
  | { readonly fate: "manual"; readonly instruction: string };

export const mapped = (target: string, value: string): Fate => ({ fate: "mapped", target, value });
export const changed = (target: string, value: string, reason: string): Fate => ({
  fate: "changed",
  target,
  value,
  reason,
});
export const dropped = (reason: string): Fate => ({ fate: "dropped", reason });
export const manual = (instruction: string): Fate => ({ fate: "manual", instruction });
