import { largest, smallest } from "../values/lists.ts";
import type { CharSet } from "./char-set.ts";
import type { Folding } from "./folding.ts";

/**
 * The mode of a quantifier: as much as possible, as little as possible, or as much as possible without backtracking.
 */
export type Greed = "greedy" | "lazy" | "possessive";

/** Places, which take no character. `start` is `\A`, `\G` and `^`; `line start` is `^` under the flag `m`. */
export type Place =
  | { readonly at: "start" | "end" }
  | { readonly at: "line start"; readonly unix: boolean }
  | { readonly at: "line end"; readonly unix: boolean; readonly everyLine: boolean }
  | { readonly at: "word edge"; readonly negated: boolean; readonly unicode: boolean };

/** A pattern, as Java reads it. */
export type Node =
  | { readonly kind: "set"; readonly set: CharSet }
  /** Characters in a row, possibly none. */
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

/** Number of characters that a part of a pattern can take. */
interface Extent {
  readonly min: number;
  /** `MANY` if Java sees no obvious limit. */
  readonly max: number;
  /** Java considers a group to match in one way only; it never backtracks into repetitions of such a group. */
  readonly oneWay: boolean;
}

const NOTHING: Extent = { min: 0, max: 0, oneWay: true };

export function extentOf(node: Node): Extent {
  switch (node.kind) {
    case "set":
      return { min: 1, max: 1, oneWay: true };
    case "run":
      return { min: node.sets.length, max: node.sets.length, oneWay: true };
    case "line break":
      return { min: 1, max: 2, oneWay: true };
    case "sequence":
      return node.parts
        .map(extentOf)
        .reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max, oneWay: a.oneWay && b.oneWay }), NOTHING);
    case "choice": {
      const parts = node.parts.map(extentOf);
      return {
        min: smallest(parts.map(({ min }) => min)),
        max: largest(parts.map(({ max }) => max)),
        oneWay: false,
      };
    }
    case "group":
    case "atomic":
      return extentOf(node.body);
    case "repeat": {
      const { min, max, greed, body } = node;
      const of = extentOf(body);
      const steady = of.oneWay && min === max;
      // A group with several alternatives is repeated by a loop, and Java checks no further.
      const looped = body.kind === "group" && !of.oneWay && greed !== "possessive" && !(min === 0 && max === 1);
      return {
        min: of.min * min,
        max: looped || of.max === MANY ? MANY : of.max === 0 ? 0 : of.max * max,
        oneWay: steady,
      };
    }
    case "reference":
      return { min: 0, max: MANY, oneWay: true };
    case "look ahead":
    case "look behind":
    case "place":
      return NOTHING;
  }
}
