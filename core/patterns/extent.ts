import { largest, smallest } from "../values/extremes.ts";
import { MANY, type Node } from "./tree.ts";

/** How much a part of a pattern can take. */
interface Extent {
  readonly min: number;
  /** `MANY` where Java sees no obvious limit. */
  readonly max: number;
  /** Java takes a group for one that can match in one way only; repeating such a one, it never goes back into it. */
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
      // A group with several ways in it is repeated by a loop, and Java asks no further then.
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
