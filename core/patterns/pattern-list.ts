import { type Budget, engine, type PatternList } from "./engine.ts";
import type { Folding } from "./folding.ts";
import { type Parsed, parsePattern } from "./parse.ts";
import { PatternProblem } from "./reader.ts";

/** An unusable list, because of this pattern. */
export interface BadPattern {
  readonly pattern: string;
  readonly kind: PatternProblem["kind"];
  readonly problem: string;
}

/** Steps for all names together: some seconds. */
const MOST_STEPS = 25_000_000;

const ASCII = /^[\0-\x7f]*$/;

/**
 * Compiles a list of patterns, as `java.util.regex.Pattern` with or without `CASE_INSENSITIVE`.
 *
 * Its cost is bounded: patterns that backtrack endlessly are unknown, and so is what takes too long for all names
 * together. Whether the connector ignores the case of letters beyond A to Z is not documented: if that matters, the
 * answer is unknown.
 */
export function compilePatterns(patterns: readonly string[], caseSensitive: boolean): PatternList | BadPattern {
  const budget: Budget = { left: MOST_STEPS };
  try {
    if (caseSensitive) return engine(patterns, "none", budget, parse);
    return ignoringCase(patterns, engine(patterns, "ascii", budget, parse), budget);
  } catch (error) {
    if (error instanceof BadPatternError) return error.bad;
    throw error;
  }
}

export function isBad(compiled: PatternList | BadPattern): compiled is BadPattern {
  return "problem" in compiled;
}

/** Both ways of ignoring case, if they could differ. */
function ignoringCase(patterns: readonly string[], ascii: PatternList, budget: Budget): PatternList {
  // A letter beyond A to Z in a pattern can equal one of them (`ſ` and S); it may be written as an escape.
  const always = patterns.some((pattern) => /[^\0-\x7f]|\\[xuU0c]/.test(pattern));
  const once = (): PatternList => {
    try {
      return engine(patterns, "unicode", budget, parse);
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
        pattern: decidingPattern(patterns, name, budget),
        why: "it depends on whether the connector ignores the case of letters beyond A to Z as well",
      };
    },
  };
}

/** The first pattern for which the two ways of ignoring case differ. */
function decidingPattern(patterns: readonly string[], name: string, budget: Budget): string {
  const matched = (pattern: string, folding: Folding) => engine([pattern], folding, budget).matches(name).matched;
  return patterns.find((pattern) => matched(pattern, "ascii") !== matched(pattern, "unicode")) ?? patterns.join(",");
}

class BadPatternError extends Error {
  readonly bad: BadPattern;

  constructor(bad: BadPattern) {
    super(bad.problem);
    this.bad = bad;
  }
}

function parse(pattern: string, folding: Folding): Parsed {
  try {
    return parsePattern(pattern, folding);
  } catch (error) {
    if (error instanceof PatternProblem)
      throw new BadPatternError({ pattern, kind: error.kind, problem: error.message });
    // Thousands of nested groups.
    if (error instanceof RangeError)
      throw new BadPatternError({ pattern, kind: "unsupported", problem: "groups nested too deep" });
    throw error;
  }
}
