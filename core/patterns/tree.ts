import type { CharSet } from "./char-set.ts";
import type { Folding } from "./folding.ts";

/** What a quantifier does: as much as possible, as little, or as much and nothing given back. */
export type Greed = "greedy" | "lazy" | "possessive";

/** Places that take no character. `start` is `\A`, `\G` and `^`; `line start` is `^` under the flag `m`. */
export type Place =
  | { readonly at: "start" | "end" }
  | { readonly at: "line start"; readonly unix: boolean }
  | { readonly at: "line end"; readonly unix: boolean; readonly everyLine: boolean }
  | { readonly at: "word edge"; readonly negated: boolean; readonly unicode: boolean };

/** A pattern, as Java reads it. */
export type Node =
  | { readonly kind: "set"; readonly set: CharSet }
  /** Characters in a row; may be none. */
  | { readonly kind: "run"; readonly sets: readonly CharSet[] }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly parts: readonly Node[] }
  /** `capture`: its number; undefined for one that captures nothing. */
  | { readonly kind: "group"; readonly body: Node; readonly capture: number | undefined }
  | { readonly kind: "repeat"; readonly body: Node; readonly min: number; readonly max: number; readonly greed: Greed }
  | { readonly kind: "atomic"; readonly body: Node }
  | { readonly kind: "look ahead"; readonly body: Node; readonly negated: boolean }
  /** `from` to `to`: how many characters back it may begin. */
  | {
      readonly kind: "look behind";
      readonly body: Node;
      readonly negated: boolean;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "line break" }
  | { readonly kind: "reference"; readonly group: number; readonly folding: Folding };

export const MANY = Number.POSITIVE_INFINITY;
