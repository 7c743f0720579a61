import type { Scn } from "../values/scn.ts";
import type { Direction } from "./direction.ts";

export interface Move {
  readonly direction: Direction;
  /** The stored resume SCN; undefined when none is stored. */
  readonly from: Scn | undefined;
  readonly to: Scn;
  /** SCNs between the two. */
  readonly distance: bigint;
}

export type TargetReading =
  | { readonly pinned: true; readonly scn: Scn }
  | { readonly pinned: false; readonly why: string; readonly remedies: readonly string[] };
