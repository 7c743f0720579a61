import { type Alphabet, alphabetOf } from "./alphabet.ts";
import { type Automaton, automatonOf, isRegular } from "./automaton.ts";
import { backtracker, type Matcher } from "./backtrack.ts";
import type { CharSet } from "./char-set.ts";
import type { Folding } from "./folding.ts";
import { type LazyDfa, lazyDfa } from "./lazy-dfa.ts";
import { parsePattern } from "./parse.ts";
import { PatternProblem } from "./problem.ts";

/** Whether any pattern of a list matches a name; `unknown`: none surely does, and of this one it can't be told. */
export type Answer =
  | { readonly matched: "yes" | "no" }
  | { readonly matched: "unknown"; readonly pattern: string; readonly why: string };

/** Java regular expressions, each to match whole names. */
export interface PatternList {
  matches(name: string): Answer;
}

/** A list that can't be used, for this pattern. */
export interface BadPattern {
  readonly pattern: string;
  readonly kind: PatternProblem["kind"];
  readonly problem: string;
}

/** Steps for one pattern on one name; what comes to an end needs some hundreds. */
const MOST_STEPS = 50_000;
/** Steps for all names together: some seconds. */
const MOST_STEPS_IN_ALL = 100_000_000;

/** Steps that are left. */
interface Budget {
  left: number;
}

const ASCII = /^[\0-\x7f]*$/;

const YES: Answer = { matched: "yes" };
const NO: Answer = { matched: "no" };

/**
 * Compiles a list of patterns, as `java.util.regex.Pattern` with or without `CASE_INSENSITIVE`.
 *
 * Patterns without references, look-arounds and the like are matched all at once, in a time that grows with a name's length only; the others one by one, with a
 * limit. Whether the connector ignores the case of letters beyond A to Z is not documented: where that matters, the answer is unknown.
 */
export function compilePatterns(patterns: readonly string[], caseSensitive: boolean): PatternList | BadPattern {
  const budget: Budget = { left: MOST_STEPS_IN_ALL };
  try {
    if (caseSensitive) return engine(patterns, "none", budget);
    return ignoringCase(patterns, engine(patterns, "ascii", budget), budget);
  } catch (error) {
    if (error instanceof BadPatternError) return error.bad;
    throw error;
  }
}

export function isBad(compiled: PatternList | BadPattern): compiled is BadPattern {
  return "problem" in compiled;
}

/** Both ways of ignoring case, where they could differ. */
function ignoringCase(patterns: readonly string[], ascii: PatternList, budget: Budget): PatternList {
  // A letter beyond A to Z in a pattern can equal one of them (`ſ` and S); it may be written as an escape.
  const always = patterns.some((pattern) => /[^\0-\x7f]|\\[xuU0c]/.test(pattern));
  const once = (): PatternList => {
    try {
      return engine(patterns, "unicode", budget);
    } catch (error) {
      if (!(error instanceof BadPatternError)) throw error;
      const { pattern, problem: why } = error.bad;
      return { matches: () => ({ matched: "unknown", pattern, why }) };
    }
  };
  let unicode: PatternList | undefined;
  return {
    matches(name) {
      const answer = ascii.matches(name);
      if (!always && ASCII.test(name)) return answer;
      unicode ??= once();
      const other = unicode.matches(name);
      if (answer.matched === other.matched || answer.matched === "unknown") return answer;
      if (other.matched === "unknown") return other;
      return {
        matched: "unknown",
        pattern: patternThatTells(patterns, name, budget),
        why: "it depends on whether the connector ignores the case of letters beyond A to Z as well",
      };
    },
  };
}

/** The first pattern that the two ways of ignoring case decide differently. */
function patternThatTells(patterns: readonly string[], name: string, budget: Budget): string {
  const told = (pattern: string, folding: Folding) => engine([pattern], folding, budget).matches(name).matched;
  return patterns.find((pattern) => told(pattern, "ascii") !== told(pattern, "unicode")) ?? patterns.join(",");
}

class BadPatternError extends Error {
  readonly bad: BadPattern;

  constructor(bad: BadPattern) {
    super(bad.problem);
    this.bad = bad;
  }
}

/** A pattern that is matched one by one: always, or on names that the automata can't read. */
interface Single {
  readonly pattern: string;
  matcher(): Matcher;
}

function engine(patterns: readonly string[], folding: Folding, budget: Budget): PatternList {
  const together: Automaton[] = [];
  const asWell: Single[] = [];
  const alone: Single[] = [];
  for (const pattern of patterns) {
    const parsed = parse(pattern, folding);
    const automaton = automatonOf(parsed.root);
    let matcher: Matcher | undefined;
    const single: Single = {
      pattern,
      matcher: () => (matcher ??= backtracker(parsed, isRegular(parsed.root))),
    };
    if (automaton === undefined) alone.push(single);
    else {
      together.push(automaton);
      asWell.push(single);
    }
  }
  const any = anyOf(together);
  return {
    matches(name) {
      const taken = any(name);
      if (taken === true) return YES;
      return oneByOne(taken === undefined ? [...asWell, ...alone] : alone, name, budget);
    },
  };
}

function parse(pattern: string, folding: Folding): ReturnType<typeof parsePattern> {
  try {
    return parsePattern(pattern, folding);
  } catch (error) {
    if (error instanceof PatternProblem)
      throw new BadPatternError({ pattern, kind: error.kind, problem: error.message });
    // Thousands of groups in each other.
    if (error instanceof RangeError)
      throw new BadPatternError({ pattern, kind: "unsupported", problem: "groups nested too deep" });
    throw error;
  }
}

/** @returns whether any of the automata takes a name; undefined for a name that they can't read */
function anyOf(automata: readonly Automaton[]): (name: string) => boolean | undefined {
  const sets = automata.flatMap(({ states }) => states.flatMap((state) => (state.kind === "take" ? [state.set] : [])));
  const numbers = new Map<CharSet, number>();
  for (const set of sets) if (!numbers.has(set)) numbers.set(set, numbers.size);
  const words = automata.some(({ states }) =>
    states.some((state) => state.kind === "place" && state.place.at === "word edge"),
  );
  const alphabet: Alphabet = alphabetOf([...numbers.keys()], { words });
  const dfaOf = (some: readonly Automaton[]) => ({ some, dfa: lazyDfa(some, alphabet, numbers) });
  const groups: { readonly some: readonly Automaton[]; readonly dfa: LazyDfa }[] =
    automata.length === 0 ? [] : [dfaOf(automata)];
  let letters = new Uint16Array(512);
  return (name) => {
    if (name.length > letters.length) letters = new Uint16Array(name.length * 2);
    const length = alphabet.read(name, letters);
    if (length === undefined) return undefined;
    for (let i = 0; i < groups.length; ) {
      const group = groups[i];
      const taken = group?.dfa.matches(letters, length);
      if (taken === true) return true;
      if (taken === undefined && group !== undefined) {
        // Patterns that multiply each other's states: apart they have few.
        const half = group.some.length >> 1;
        groups.splice(i, 1, dfaOf(group.some.slice(0, half)), dfaOf(group.some.slice(half)));
      } else i++;
    }
    return false;
  };
}

function oneByOne(singles: readonly Single[], name: string, budget: Budget): Answer {
  if (singles.length === 0) return NO;
  const points = codePointsOf(name);
  let open: Answer | undefined;
  for (const { pattern, matcher } of singles) {
    const { result, steps } = matcher()(points, Math.min(MOST_STEPS, budget.left));
    budget.left -= steps;
    if (result === 1) return YES;
    if (result === 0 || open !== undefined) continue;
    const why =
      result === "gave up"
        ? "it goes back and forth without an end in sight"
        : "versions of Java and of Unicode decide differently on one of its characters";
    open = { matched: "unknown", pattern, why };
  }
  return open ?? NO;
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
