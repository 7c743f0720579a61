import { RE2JS } from "re2js";
import { type Purpose, Refused, Translation, Unsupported } from "./translate.ts";

/** Whether any pattern of a list matches a name; `unknown`: none certainly does, and of this one it is not known. */
export type Answer =
  | { readonly matched: "yes" | "no" }
  | { readonly matched: "unknown"; readonly pattern: string; readonly why: string };

/** Java regular expressions, each of which matches whole names. */
export type PatternList = Readonly<{ matches: (name: string) => Answer }>;

/** An unusable list, because of this pattern: `refused` by Java, or `unsupported` here. */
export type BadPattern = Readonly<{ pattern: string; kind: "refused" | "unsupported"; problem: string }>;

/** Patterns that the engine matches at once: with more its automata grow out of their memory. */
const TOGETHER = 16;
/** Other names are unknown: there are hardly any, and where a line ends depends on flags. */
const ONE_LINE = /^[^\n\r\x85\u2028\u2029]+$/;

/**
 * Compiles a list of patterns, as `java.util.regex.Pattern` with or without `CASE_INSENSITIVE`.
 *
 * The engine takes linear time. What it can't express is matched by two patterns, one for fewer names than in Java and
 * one for more: where these differ, the answer is unknown. So is it where the case of letters beyond A to Z decides:
 * whether the connector ignores that is not documented.
 *
 * @param topics to match names as they stand in topics, where `_` may stand for any character that Kafka does not
 * allow: whether some of the names that it may be match, or all
 */
export function compilePatterns(
  patterns: readonly string[],
  caseSensitive: boolean,
  topics?: Purpose["topics"],
): PatternList | BadPattern {
  const matchers: Record<string, ReturnType<typeof matcherOf>> = {};
  const matcherFor = (ascii: boolean) =>
    (matchers[`${ascii}`] ??= matcherOf(patterns, caseSensitive, { ascii, topics }));
  const plain = matcherFor(topics === undefined);
  if ("problem" in plain) return plain;
  return {
    matches(name) {
      const [first] = patterns;
      if (first !== undefined && !ONE_LINE.test(name))
        return { matched: "unknown", pattern: first, why: "the name is empty, or has several lines" };
      const matcher = /^[\0-\x7f]+$/.test(name) ? plain : matcherFor(false);
      return "problem" in matcher
        ? { matched: "unknown", pattern: matcher.pattern, why: matcher.problem }
        : matcher(name);
    },
  };
}

export function isBad(compiled: PatternList | BadPattern): compiled is BadPattern {
  return "problem" in compiled;
}

function matcherOf(patterns: readonly string[], caseSensitive: boolean, names: Omit<Purpose, "certain">) {
  const exact: RE2JS[] = [];
  const open: { readonly pattern: string; readonly possible: RE2JS; readonly why: string }[] = [];
  for (const pattern of patterns) {
    try {
      const { text, doubt } = new Translation(pattern, caseSensitive, { certain: true, ...names });
      exact.push(RE2JS.compile(text));
      if (doubt === undefined) continue;
      const more = new Translation(pattern, caseSensitive, { certain: false, ...names });
      open.push({ pattern, possible: RE2JS.compile(more.text), why: doubt });
    } catch (error) {
      if (error instanceof Refused) return { pattern, kind: "refused", problem: error.message } as const;
      const limits = "counts too high, groups nested too deep, or an unknown category";
      return { pattern, kind: "unsupported", problem: error instanceof Unsupported ? error.message : limits } as const;
    }
  }
  const [certain, possible] = [anyOf(exact), anyOf(open.map((pattern) => pattern.possible))];
  return (name: string): Answer => {
    if (certain(name)) return { matched: "yes" };
    const found = possible(name) ? open.find((pattern) => pattern.possible.testExact(name)) : undefined;
    return found === undefined ? { matched: "no" } : { matched: "unknown", pattern: found.pattern, why: found.why };
  };
}

function anyOf(list: readonly RE2JS[]): (name: string) => boolean {
  const texts = list.map((one) => one.pattern());
  const groups: RE2JS[] = [];
  for (let i = 0; i < list.length; i += TOGETHER) groups.push(RE2JS.compile(texts.slice(i, i + TOGETHER).join("|")));
  return (name) => groups.some((group) => group.testExact(name));
}
