import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { PatternList } from "./engine.ts";
import { compilePatterns, isBad } from "./pattern-list.ts";
import { PATTERN_ROWS } from "./testing/pattern-rows.ts";

const java = suite("patterns as Java reads them");

function list(patterns: readonly string[], caseSensitive = true): PatternList {
  const compiled = compilePatterns(patterns, caseSensitive);
  if (isBad(compiled)) throw new Error(`${compiled.pattern}: ${compiled.problem}`);
  return compiled;
}

const matches = (pattern: string, name: string) => list([pattern]).matches(name).matched;

java("match what Java matches, and nothing else", () => {
  for (const [pattern, yes, no] of PATTERN_ROWS) {
    for (const name of yes) assert.is(matches(pattern, name), "yes", `${pattern} on ${JSON.stringify(name)}`);
    for (const name of no) assert.is(matches(pattern, name), "no", `${pattern} on ${JSON.stringify(name)}`);
  }
});

java("are refused where Java refuses them", () => {
  for (const pattern of [
    "*",
    "a**",
    "(",
    ")",
    "[a",
    "[b-a]",
    "[]",
    "a{2",
    "a{",
    "a{2,1}",
    "a{,2}",
    "\\",
    "\\y",
    "\\x4",
    "\\k<x>",
    "(?<1>a)",
    "(?<a>b)(?<a>c)",
    "(?q)",
    "(?<",
    "\\p{",
    "[a-\\d]",
    "a{99999999999}",
  ]) {
    const compiled = compilePatterns([pattern], true);
    assert.ok(isBad(compiled), pattern);
    assert.is(compiled.kind, "refused", pattern);
    assert.is(compiled.pattern, pattern);
  }
});

java("report by name what is not read exactly", () => {
  for (const [pattern, what] of [
    ["A\\X", "\\X"],
    ["\\b{g}", "\\b{g}"],
    ["(?c)a", "(?c)"],
    ["\\N{DIGIT ONE}", "\\N{…}"],
    ["\\p{IsEmoji}", "\\p{IsEmoji}"],
    ["\\P{InCherokee}", "\\P{InCherokee}"],
    ["(?<=a*)b", "look-behind"],
    ["a\0", "NUL"],
    ["\\ud800", "surrogate"],
  ] as const) {
    const compiled = compilePatterns(["A", pattern], true);
    assert.ok(isBad(compiled), pattern);
    assert.is(compiled.kind, "unsupported", pattern);
    assert.match(compiled.problem, what);
  }
});

java("that backtrack endlessly are matched in one pass, or abandoned by name", () => {
  const name = "A".repeat(380);
  for (const endless of ["(A*)*!", "(A|A|.)*!", "(.*)*(.*)*(.*)*!", "(\\w+)+\\d", "(.*A){30}!"])
    assert.is(matches(endless, name), "no", endless);
  const answer = list(["NONE", "(A*)*\\1(?<!A)"]).matches(name);
  assert.ok(answer.matched === "unknown");
  assert.is(answer.pattern, "(A*)*\\1(?<!A)");
});

java("that would need too many states are matched one by one", () => {
  const names = Array.from({ length: 3000 }, (_, i) =>
    Array.from({ length: 60 }, (_, bit) => "AB"[(Math.imul(i + 1, 2_654_435_761) >>> (bit % 29)) & 1]).join(""),
  );
  const counted = (i: number) => `.*A.{${10 + (i % 20)}}B${"AB"[i % 2]}A?[AB]!?`;
  const some = list([counted(3), counted(14)]);
  const plain = [3, 14].map((i) => new RegExp(`^${counted(i)}$`));
  for (const name of names)
    assert.is(some.matches(name).matched, plain.some((one) => one.test(name)) ? "yes" : "no", name);
});

java("that would grow or nest without limit end in a result", () => {
  const compiled = compilePatterns([`${"(".repeat(50_000)}a${")".repeat(50_000)}`], true);
  assert.ok(isBad(compiled));
  assert.is(compiled.kind, "unsupported");
  assert.is(matches("((a{1000}){1000}){1000}", "a"), "no");
  assert.is(matches(`(${"a|".repeat(5000)}b)+`, "b"), "yes");
});

java("in a list match what any of them matches separately, however many they are", async () => {
  const letter = fc.constantFrom("a", "b", ".", "a*", "(a|b)", "b+", "\\b", "^", "[ab]", "(?!aa)", "(a?)\\1");
  const pattern = fc.array(letter, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  const name = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 6 });
  await fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 8 }),
      fc.array(name, { maxLength: 8 }),
      (patterns, names) => {
        const together = list(patterns);
        for (const one of names) {
          const alone = patterns.some((pattern) => matches(pattern, one) === "yes");
          assert.is(together.matches(one).matched, alone ? "yes" : "no");
        }
      },
    ),
    { numRuns: 500 },
  );
});

java("stay correct if so many states arise that the list is split", () => {
  const words = Array.from({ length: 40 }, (_, i) => String.fromCharCode(65 + (i % 26)) + (i % 7));
  const patterns = words.map((word, i) => `.*${word}.*${words[(i * 3 + 1) % 40]}.*${words[(i * 5 + 2) % 40]}!`);
  const together = list(patterns);
  const plain = patterns.map((pattern) => new RegExp(`^(?:${pattern})$`));
  let random = 1;
  const next = (below: number) => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (random >> 8) % below;
  };
  let found = 0;
  for (let i = 0; i < 4000; i++) {
    const name = `${Array.from({ length: 25 }, () => words[next(40)]).join("")}!`;
    const expected = plain.some((one) => one.test(name));
    if (expected) found++;
    assert.is(together.matches(name).matched, expected ? "yes" : "no", name);
  }
  assert.ok(found > 100 && found < 3900, `${found}`);
});

java("ignore the case of A to Z; if other letters decide, the result is unknown", () => {
  const ignoring = (pattern: string, name: string) => list([pattern], false).matches(name).matched;
  assert.is(ignoring("sales", "SALES"), "yes");
  assert.is(ignoring("grÖsse", "GRÖSSE"), "yes");
  assert.is(ignoring("grösse", "GRÖSSE"), "unknown");
  assert.is(ignoring("(?-i)größe", "GRÖßE"), "no");
  assert.is(ignoring("\\x{17f}ales", "SALES"), "unknown");
  assert.is(ignoring("ſales", "LINES"), "no");
  // Java 11 restricts this to capital letters, later versions include small ones.
  assert.is(ignoring("\\p{Lu}", "A"), "yes");
  assert.is(ignoring("\\p{Lu}", "a"), "unknown");
  assert.is(ignoring("\\p{Lu}", "1"), "no");
});

java.run();
