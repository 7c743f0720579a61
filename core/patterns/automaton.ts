import { ANY, type CharSet } from "./char-set.ts";
import { extentOf, MANY, type Node, type Place } from "./tree.ts";

/** A state of a nondeterministic automaton: it takes a character, asserts a place, branches in two, or is the end. */
export type State =
  | { readonly kind: "take"; readonly set: CharSet; next: number }
  | { readonly kind: "place"; readonly place: Place; next: number }
  | { readonly kind: "fork"; next: number; other: number }
  | { readonly kind: "accept" };

export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
}

/** Maximum number of states of one pattern: `(a{1000}){1000}`. */
const MOST = 5_000;

/** The automaton of a regular pattern; undefined if it would grow too large. */
export function automatonOf(root: Node): Automaton | undefined {
  const states: State[] = [{ kind: "accept" }];
  const start = build(root, 0, states);
  return start === undefined ? undefined : { states, start };
}

const EMPTY: Node = { kind: "sequence", parts: [] };
const ONE: Node = { kind: "set", set: ANY };

/**
 * A regular pattern that matches everything that this one matches, and more: without look-arounds, with anything for a
 * reference, and with backtracking everywhere. A name that it does not match needs no further check.
 */
export function relaxed(node: Node): Node {
  switch (node.kind) {
    case "set":
    case "run":
    case "place":
      return node;
    case "sequence":
    case "choice":
      return { ...node, parts: node.parts.map(relaxed) };
    case "group":
      return { ...node, body: relaxed(node.body) };
    case "repeat":
      return { ...node, body: relaxed(node.body), greed: "greedy" };
    case "atomic":
      return relaxed(node.body);
    case "look ahead":
    case "look behind":
      return EMPTY;
    case "line break":
      return { kind: "repeat", body: ONE, min: 1, max: 2, greed: "greedy" };
    case "reference":
      return { kind: "repeat", body: ONE, min: 0, max: MANY, greed: "greedy" };
  }
}

/**
 * Whether the order of attempts does not affect which names a pattern matches: it has no reference, look-around, atomic
 * or possessive part, and no `\R`.
 */
export function isRegular(node: Node): boolean {
  switch (node.kind) {
    case "set":
    case "run":
    case "place":
      return true;
    case "sequence":
    case "choice":
      return node.parts.every(isRegular);
    case "group":
      return isRegular(node.body);
    case "repeat": {
      const { body, min, greed } = node;
      // A repetition that takes nothing ends a loop, even if others would follow: `(?:^|a){2}` does not match `a`.
      const endsEarly = min > 1 && extentOf(body).min === 0 && hasPlace(body);
      return greed !== "possessive" && !endsEarly && isRegular(body);
    }
    default:
      return false;
  }
}

function hasPlace(node: Node): boolean {
  switch (node.kind) {
    case "place":
      return true;
    case "sequence":
    case "choice":
      return node.parts.some(hasPlace);
    case "group":
    case "repeat":
      return hasPlace(node.body);
    default:
      return false;
  }
}

/** @returns its first state; undefined when there are too many states */
function build(node: Node, next: number, states: State[]): number | undefined {
  if (states.length > MOST) return undefined;
  switch (node.kind) {
    case "set":
      return states.push({ kind: "take", set: node.set, next }) - 1;
    case "run":
      return node.sets.reduceRight((rest, set) => states.push({ kind: "take", set, next: rest }) - 1, next);
    case "place":
      return states.push({ kind: "place", place: node.place, next }) - 1;
    case "sequence":
      return node.parts.reduceRight<number | undefined>(
        (rest, part) => (rest === undefined ? undefined : build(part, rest, states)),
        next,
      );
    case "choice":
      return node.parts.reduceRight<number | undefined>((others, part) => {
        const one = others === undefined ? undefined : build(part, next, states);
        if (one === undefined || others === undefined) return undefined;
        return others === NONE ? one : states.push({ kind: "fork", next: one, other: others }) - 1;
      }, NONE);
    case "group":
      return build(node.body, next, states);
    case "repeat":
      return repeat(node, next, states);
    default:
      return undefined;
  }
}

const NONE = -1;

function repeat(
  { body, min, max }: Extract<Node, { kind: "repeat" }>,
  next: number,
  states: State[],
): number | undefined {
  let rest: number | undefined = next;
  if (max === MANY) {
    const again: State = { kind: "fork", next, other: next };
    rest = states.push(again) - 1;
    const one = build(body, rest, states);
    if (one === undefined) return undefined;
    again.next = one;
  } else {
    for (let i = min; i < max && rest !== undefined; i++) {
      const one: number | undefined = build(body, rest, states);
      rest = one === undefined ? undefined : states.push({ kind: "fork", next: one, other: next }) - 1;
    }
  }
  for (let i = 0; i < min && rest !== undefined; i++) {
    if (states.length > MOST) return undefined;
    const before: number = rest;
    rest = build(body, rest, states);
    // An empty body stays empty, however often it is repeated.
    if (rest === before) break;
  }
  return rest;
}
