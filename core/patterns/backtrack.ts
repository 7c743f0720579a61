import type { CharSet } from "./char-set.ts";
import { type Folding, same } from "./folding.ts";
import type { Parsed } from "./parse.ts";
import { holdsAt } from "./places.ts";
import { extentOf, type Greed, MANY, type Node, type Place } from "./tree.ts";
import type { Truth } from "./truth.ts";

/** Result of matching a pattern with a name; `gave up`: no answer within the allowed steps. */
type Tried = { readonly result: Truth | "gave up"; readonly steps: number };

/** Matches a pattern with the code points of a name. */
export type Matcher = (name: readonly number[], steps: number) => Tried;

/** Whether the rest of a pattern matches from here on. */
type Match = (i: number) => boolean;

/** One attempt. Where Java's versions differ, `lean` decides, which is noted. */
interface Try {
  text: readonly number[];
  lean: boolean;
  doubted: boolean;
  left: number;
  /** End of the last part that is matched by itself (an atomic group, a look-around, one repetition). */
  last: number;
  /** Required end of the innermost look-behind. */
  behind: number;
  /** Start and end of each group, -1 for one that did not match. */
  readonly groups: Int32Array;
}

const STOP = new Error("no answer within the steps allowed");

/**
 * Matches a pattern with whole names by backtracking, in the order and with the captures of `java.util.regex`, on which
 * references, look-arounds and possessive parts depend.
 *
 * @param monotone for a pattern in which more characters in its sets never match fewer names: then both readings of
 * ambiguous sets are tried
 */
export function backtracker({ root, groups }: Parsed, monotone: boolean): Matcher {
  const it: Try = {
    text: [],
    lean: false,
    doubted: false,
    left: 0,
    last: 0,
    behind: 0,
    groups: new Int32Array(2 * groups + 2),
  };
  const start = compile(root, (i) => i === it.text.length, it);
  const attempt = (lean: boolean): boolean => {
    it.lean = lean;
    it.groups.fill(-1);
    return start(0);
  };
  return (name, steps) => {
    it.text = name;
    it.left = steps;
    it.doubted = false;
    try {
      const found = attempt(false);
      const result: Truth = it.doubted && !(monotone && found === attempt(true)) ? 0.5 : found ? 1 : 0;
      return { result, steps: steps - it.left };
    } catch (error) {
      // Java would recurse as deeply, and might end with a StackOverflowError itself.
      if (error === STOP || error instanceof RangeError) return { result: "gave up", steps: steps - it.left };
      throw error;
    }
  };
}

function step(it: Try): void {
  if (--it.left < 0) throw STOP;
}

function leaning(it: Try, t: Truth): boolean {
  if (t !== 0.5) return t === 1;
  it.doubted = true;
  return it.lean;
}

function compile(node: Node, next: Match, it: Try): Match {
  switch (node.kind) {
    case "set":
      return oneOf(node.set, next, it);
    case "run":
      return node.sets.reduceRight((rest, set) => oneOf(set, rest, it), next);
    case "sequence":
      return node.parts.reduceRight((rest, part) => compile(part, rest, it), next);
    case "choice": {
      const parts = node.parts.map((part) => compile(part, next, it));
      return (i) => {
        step(it);
        return parts.some((part) => part(i));
      };
    }
    case "group":
      return group(node, next, it);
    case "repeat":
      return repeated(node, next, it);
    case "atomic": {
      const body = compile(node.body, ends(it), it);
      return (i) => body(i) && next(it.last);
    }
    case "look ahead": {
      const body = compile(node.body, ends(it), it);
      return (i) => body(i) !== node.negated && next(i);
    }
    case "look behind":
      return lookBehind(node, next, it);
    case "place":
      return at(node.place, next, it);
    case "line break":
      return lineBreak(next, it);
    case "reference":
      return reference(node.group, node.folding, next, it);
  }
}

/** Ends a part that is matched by itself. */
function ends(it: Try): Match {
  return (i) => {
    it.last = i;
    return true;
  };
}

function oneOf(set: CharSet, next: Match, it: Try): Match {
  return (i) => {
    step(it);
    const c = it.text[i];
    return c !== undefined && leaning(it, set(c)) && next(i + 1);
  };
}

function at(place: Place, next: Match, it: Try): Match {
  return (i) => {
    step(it);
    return leaning(it, holdsAt(place, it.text, i)) && next(i);
  };
}

/** `\r\n` first; if that fails, the `\r` alone. */
function lineBreak(next: Match, it: Try): Match {
  return (i) => {
    step(it);
    const c = it.text[i];
    if (c === undefined) return false;
    if (c === 0x0d) return (it.text[i + 1] === 0x0a && next(i + 2)) || next(i + 1);
    return ((c >= 0x0a && c <= 0x0c) || c === 0x85 || (c | 1) === 0x2029) && next(i + 1);
  };
}

function group({ body, capture }: Extract<Node, { kind: "group" }>, next: Match, it: Try): Match {
  if (capture === undefined) return compile(body, next, it);
  const begun = { at: -1 };
  const whole = compile(body, captured(capture, begun, next, it), it);
  return (i) => {
    const before = begun.at;
    begun.at = i;
    const matched = whole(i);
    begun.at = before;
    return matched;
  };
}

/** The end of a capturing group: restores it if the rest fails. */
function captured(capture: number, begun: { readonly at: number }, next: Match, it: Try): Match {
  return (i) => {
    const [start, end] = [it.groups[2 * capture] ?? -1, it.groups[2 * capture + 1] ?? -1];
    took(it, capture, begun.at, i);
    if (next(i)) return true;
    took(it, capture, start, end);
    return false;
  };
}

function took({ groups }: Try, capture: number, start: number, end: number): void {
  groups[2 * capture] = start;
  groups[2 * capture + 1] = end;
}

function repeated(node: Extract<Node, { kind: "repeat" }>, next: Match, it: Try): Match {
  const { body, min, max, greed } = node;
  if (body.kind === "set" && greed === "greedy" && max === MANY) return everyOne(body.set, min, next, it);
  const isGroup = body.kind === "group";
  if (min === 0 && max === 1 && !(isGroup && greed !== "possessive")) return optional(body, greed, next, it);
  if (min === 0 && max === 1) {
    const once = compile(body, next, it);
    return greed === "lazy" ? (i) => next(i) || once(i) : (i) => once(i) || next(i);
  }
  if (!isGroup || greed === "possessive") return byItself(compile(body, ends(it), it), undefined, node, next, it);
  if (extentOf(body).oneWay) return byItself(compile(body.body, ends(it), it), body.capture, node, next, it);
  return loop(body, node, next, it);
}

/** Characters of a set, as many as possible, given back one by one. */
function everyOne(set: CharSet, min: number, next: Match, it: Try): Match {
  return (from) => {
    let i = from;
    for (let c = it.text[i]; c !== undefined && leaning(it, set(c)); c = it.text[i]) {
      step(it);
      i++;
    }
    for (; i - from >= min; i--) {
      step(it);
      if (next(i)) return true;
    }
    return false;
  };
}

function optional(body: Node, greed: Greed, next: Match, it: Try): Match {
  const one = compile(body, ends(it), it);
  if (greed === "greedy") return (i) => (one(i) && next(it.last)) || next(i);
  if (greed === "lazy") return (i) => next(i) || (one(i) && next(it.last));
  return (i) => next(one(i) ? it.last : i);
}

/**
 * Repeats an element that is matched by itself each time, without backtracking into it: one that is not a group, a
 * possessive one, or a group with one alternative. It gives back the length of the previous repetitions, as Java does.
 */
function byItself(
  one: Match,
  capture: number | undefined,
  { min, max, greed }: Extract<Node, { kind: "repeat" }>,
  next: Match,
  it: Try,
): Match {
  const keep = (start: number, end: number) => {
    if (capture !== undefined) took(it, capture, start, end);
  };
  const kept = (): readonly [number, number] =>
    capture === undefined ? [-1, -1] : [it.groups[2 * capture] ?? -1, it.groups[2 * capture + 1] ?? -1];
  const tryOne = (i: number): boolean => {
    step(it);
    return one(i);
  };

  const greedy = (from: number, count: number): boolean => {
    const before = kept();
    let i = from;
    let j = count;
    if (j < max && tryOne(i)) {
      const length = it.last - i;
      if (length === 0) {
        if (capture !== undefined) keep(i, i);
      } else {
        for (;;) {
          keep(i, i + length);
          i += length;
          j++;
          if (j >= max || !tryOne(i)) break;
          if (i + length !== it.last) {
            if (capture !== undefined ? greedy(i, j) : greedy(it.last, j + 1)) return true;
            break;
          }
        }
        while (j > count) {
          if (next(i)) {
            keep(i - length, i);
            return true;
          }
          i -= length;
          keep(i - length, i);
          j--;
        }
      }
    }
    keep(...before);
    return next(i);
  };
  const lazy = (from: number): boolean => {
    let i = from;
    for (let j = min; ; j++) {
      if (next(i)) return true;
      if (j >= max || !tryOne(i) || it.last === i) return false;
      keep(i, it.last);
      i = it.last;
    }
  };
  const possessive = (from: number): boolean => {
    let i = from;
    for (let j = min; j < max && tryOne(i); j++) {
      keep(i, it.last);
      if (it.last === i) break;
      i = it.last;
    }
    return next(i);
  };

  return (from) => {
    const before = kept();
    let i = from;
    for (let j = 0; j < min; j++) {
      if (!tryOne(i)) {
        keep(...before);
        return false;
      }
      keep(i, it.last);
      i = it.last;
    }
    const matched = greed === "greedy" ? greedy(i, min) : greed === "lazy" ? lazy(i) : possessive(i);
    if (!matched) keep(...before);
    return matched;
  };
}

/**
 * Repeats a group that can match in several ways. A repetition that takes nothing is the last one, whatever the count.
 */
function loop(
  body: Extract<Node, { kind: "group" }>,
  { min, max, greed }: Extract<Node, { kind: "repeat" }>,
  next: Match,
  it: Try,
): Match {
  const begun = { at: -1 };
  let count = 0;
  const again = (i: number): boolean => {
    step(it);
    const counted = count;
    count = counted + 1;
    const matched = once(i);
    if (!matched) count = counted;
    return matched;
  };
  const after: Match = (i) => {
    step(it);
    if (i <= begun.at) return next(i);
    if (count < min) return again(i);
    if (greed === "lazy") return next(i) || (count < max && again(i));
    return (count < max && again(i)) || next(i);
  };
  const inside = compile(body.body, body.capture === undefined ? after : captured(body.capture, begun, after, it), it);
  const once: Match = (i) => {
    const before = begun.at;
    begun.at = i;
    const matched = inside(i);
    begun.at = before;
    return matched;
  };
  const first = (i: number): boolean => {
    count = 1;
    return once(i);
  };
  return (i) => {
    const before = count;
    const matched =
      min > 0 ? first(i) : greed === "lazy" ? next(i) || (max > 0 && first(i)) : (max > 0 && first(i)) || next(i);
    count = before;
    return matched;
  };
}

function lookBehind({ body, negated, from, to }: Extract<Node, { kind: "look behind" }>, next: Match, it: Try): Match {
  const inside = compile(body, (i) => i === it.behind, it);
  return (i) => {
    // Java counts characters in one place and halves of surrogate pairs in the other.
    if (it.text.some((c) => c > 0xffff)) it.doubted = true;
    const outer = it.behind;
    it.behind = i;
    let found = false;
    for (let start = i - from; !found && start >= Math.max(i - to, 0); start--) {
      step(it);
      found = inside(start);
    }
    it.behind = outer;
    return found !== negated && next(i);
  };
}

/** The text of a group again. A group that did not match matches nothing. */
function reference(number: number, folding: Folding, next: Match, it: Try): Match {
  return (i) => {
    step(it);
    const start = it.groups[2 * number] ?? -1;
    const length = (it.groups[2 * number + 1] ?? -1) - start;
    if (start < 0 || i + length > it.text.length) return false;
    for (let k = 0; k < length; k++) {
      if (!leaning(it, same(it.text[start + k] ?? 0, it.text[i + k] ?? 0, folding))) return false;
    }
    return next(i + length);
  };
}
