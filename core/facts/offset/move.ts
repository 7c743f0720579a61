import type { Advice } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";

export interface Move {
  readonly direction: Direction;
  /** The stored resume SCN; undefined if none is stored. */
  readonly from: Scn | undefined;
  readonly to: Scn;
  /** SCNs between the two. */
  readonly distance: bigint;
}

export type TargetReading =
  | { readonly pinned: true; readonly scn: Scn }
  | { readonly pinned: false; readonly why: string; readonly remedies: readonly Advice[] };

/**
 * The direction in which a stored resume SCN is moved; `initial` if none is stored (specification, "Ops event
 * `offsets-set`").
 */
type Direction = "backward" | "forward" | "same" | "initial";

/** Compares two SCNs. @param from the stored resume SCN; undefined when none is stored */
export function directionBetween(from: Scn | undefined, to: Scn): Direction {
  if (from === undefined) return "initial";
  if (to === from) return "same";
  return to < from ? "backward" : "forward";
}
