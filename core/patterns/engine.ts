import { type Automaton, automatonOf, isRegular, relaxed } from "./automaton.ts";
import { backtracker, type Matcher } from "./backtrack.ts";
import type { Folding } from "./folding.ts";
import { type Parsed, parsePattern } from "./parse.ts";
import { type Pool, poolOf } from "./pool.ts";

/**
 * Whether any pattern of a list matches a name; `unknown`: none certainly does, and for this one the result is unknown.
 */
export type Answer =
  | { readonly matched: "yes" | "no" }
  | { readonly matched: "unknown"; readonly pattern: string; readonly why: string };

/** Java regular expressions, each of which matches whole names. */
export interface PatternList {
  matches(name: string): Answer;
}

/** Remaining steps for all names. */
export interface Budget {
  left: number;
}

/** Steps for one pattern on one name; a pattern that terminates needs some hundreds. */
const MOST_STEPS = 50_000;

const YES: Answer = { matched: "yes" };
const NO: Answer = { matched: "no" };

/** A pattern, matched exactly and separately. */
interface Single {
  readonly pattern: string;
  matcher(): Matcher;
  /** For a pattern that is not regular: whether it certainly does not match a name. */
  excludes(name: string): boolean;
}

/** A pattern with an automaton: its own, or if it is not regular, that of a regular pattern that matches more. */
interface Automatic extends Single {
  readonly automaton: Automaton;
}

/**
 * Matches each pattern in the fastest possible way: regular ones all at once. Of the others those that could match,
 * which is also determined at once, are matched one by one. So are all of them for a name that automata cannot read,
 * and those that need too many states.
 *
 * @throws PatternProblem (see `parsePattern`), from `parse`
 */
export function engine(
  patterns: readonly string[],
  folding: Folding,
  budget: Budget,
  parse: typeof parsePattern = parsePattern,
): PatternList {
  const spend = (steps: number): void => {
    budget.left -= steps;
  };
  const regular: Automatic[] = [];
  const loose: Automatic[] = [];
  const alone: Single[] = [];
  for (const pattern of patterns) {
    const parsed = parse(pattern, folding);
    const exact = isRegular(parsed.root);
    const automaton = automatonOf(exact ? parsed.root : relaxed(parsed.root));
    const single = singleOf(pattern, parsed, exact ? undefined : automaton, spend);
    if (automaton === undefined) alone.push(single);
    else (exact ? regular : loose).push({ ...single, automaton });
  }
  const sure = poolOf(regular, { lean: false, spend });
  const perhaps = once(() => poolOf(regular, { lean: true, spend }));
  const possible = poolOf(loose, { lean: true, spend });

  /** Regular patterns for which the automata gave no answer. */
  const openRegular = (name: string): readonly Single[] | "taken" => {
    const answer = sure(name);
    if (answer === undefined) return regular;
    if (answer.taken) return "taken";
    if (!answer.doubtful) return answer.dropped;
    const wider = perhaps()(name);
    return wider === undefined || wider.taken ? regular : [...new Set([...answer.dropped, ...wider.dropped])];
  };
  const openLoose = (name: string): readonly Single[] => {
    const answer = possible(name);
    return answer === undefined || answer.taken ? loose : answer.dropped;
  };
  return {
    matches(name) {
      const open = openRegular(name);
      return open === "taken" ? YES : oneByOne([...open, ...openLoose(name), ...alone], name, budget);
    },
  };
}

function singleOf(
  pattern: string,
  parsed: Parsed,
  wider: Automaton | undefined,
  spend: (steps: number) => void,
): Single {
  const matcher = once(() => backtracker(parsed, isRegular(parsed.root)));
  const filter = once((): Pool<{ automaton: Automaton }> | undefined =>
    wider === undefined ? undefined : poolOf([{ automaton: wider }], { lean: true, spend }),
  );
  return {
    pattern,
    matcher,
    excludes(name) {
      const answer = filter()?.(name);
      return answer !== undefined && !answer.taken && answer.dropped.length === 0;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}

function oneByOne(singles: readonly Single[], name: string, budget: Budget): Answer {
  if (singles.length === 0) return NO;
  const points = codePointsOf(name);
  let open: Answer | undefined;
  for (const { pattern, matcher, excludes } of singles) {
    if (excludes(name)) continue;
    const most = Math.max(0, Math.min(MOST_STEPS, budget.left));
    const { result, steps } = matcher()(points, most);
    budget.left -= steps;
    if (result === 1) return YES;
    if (result === 0 || open !== undefined) continue;
    open = { matched: "unknown", pattern, why: whyOpen(result, most) };
  }
  return open ?? NO;
}

function whyOpen(result: 0.5 | "gave up", most: number): string {
  if (result === 0.5) return "versions of Java and of Unicode decide differently on one of its characters";
  return most < MOST_STEPS
    ? "patterns like this one take too long on so many tables"
    : "it goes back and forth without an end in sight";
}

/** Code points of a name. */
function codePointsOf(name: string): readonly number[] {
  const points: number[] = [];
  for (let i = 0; i < name.length; i++) {
    const c = name.codePointAt(i) ?? 0;
    points.push(c);
    if (c > 0xffff) i++;
  }
  return points;
}
