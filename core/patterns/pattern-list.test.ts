// biome-ignore lint/style/noRestrictedImports: what Java says is kept in a file
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";

import { legalInTopic } from "../facts/tables/topic-names.ts";
import { compilePatterns, isBad, type PatternList } from "./pattern-list.ts";
import { PATTERN_ROWS } from "./testing/pattern-rows.ts";

/** Patterns as in configurations, with names that each matches, and others. */
const PLAIN = [
  ["(?i)orclcdb[.]hr[.].*", "ORCLCDB.HR.EMP orclcdb.Hr.x", "ORCLCDB.OE.X ORCLCDBXHR.EMP"],
  ["(?x)ORCL[.]HR[.]A # c", "ORCL.HR.A", "ORCL.HR.A#c ORCL.HR.AA"],
  ["(?x: ( ORCL # the CDB\n [.] ( HR | OE ) + ) {2} )", "ORCL.HRORCL.OE", "ORCL.HR ORCL.HR{2}"],
  ["(ORCLCDB[.]HR[.]EMP|ORCLCDB[.]HR[.]DEPT)", "ORCLCDB.HR.EMP ORCLCDB.HR.DEPT", "ORCLCDB.HR ORCLCDB.HR.DEPTS"],
  ["ORCLPDB1[.]SALES[.][A-Z&&[^X]]+", "ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.TAX ORCLPDB1.SALES.T2"],
  [
    "ORCLPDB1[.]SALES[.]\\p{javaUpperCase}+",
    "ORCLPDB1.SALES.ÉTÉ ORCLPDB1.SALES.T",
    "ORCLPDB1.SALES.été ORCLPDB1.SALES.T1",
  ],
  ["\\QORCLCDB\\E\\.HR\\.EMP|F", "ORCLCDB.HR.EMP F", "ORCLCDB.HR.F QORCLCDB"],
  ["XEPDB1[.]HR[.](A|B)\\b", "XEPDB1.HR.A", "XEPDB1.HR.AB"],
  ["^ORCL\\x2eHR[.][\\w$#]{2,3}?$", "ORCL.HR.AB ORCL.HR.A$#", "ORCL.HR.A ORCL.HR.ABCD"],
].map(([pattern = "", yes = "", no = ""]) => [pattern, yes, no] as const);

const java = suite("patterns as Java reads them");

function list(patterns: readonly string[], caseSensitive = true, topics?: "some" | "all"): PatternList {
  const compiled = compilePatterns(patterns, caseSensitive, topics);
  if (isBad(compiled)) throw new Error(`${compiled.pattern}: ${compiled.problem}`);
  return compiled;
}

const matches = (pattern: string, name: string) => list([pattern]).matches(name).matched;

java("match what Java matches, and nothing else", () => {
  let unknown = 0;
  for (const [pattern, yes, no] of PATTERN_ROWS) {
    const compiled = compilePatterns([pattern], true);
    if (isBad(compiled)) assert.is(compiled.kind, "unsupported", pattern);
    for (const [names, expected] of [
      [yes, "yes"],
      [no, "no"],
    ] as const)
      for (const name of names) {
        const matched = isBad(compiled) ? "unknown" : compiled.matches(name).matched;
        if (matched === "unknown") unknown++;
        else assert.is(matched, expected, `${pattern} on ${JSON.stringify(name)}`);
      }
  }
  // Look-arounds, references, what must not give back, rare escapes and sets, names of several lines and empty ones.
  assert.ok(unknown <= 69, `${unknown} unknown`);
});

/** Constructs whose answer may be unknown, and never wrong: look-ahead, back references, possessive quantifiers. */
const BEYOND = /\(\?!|\\[1-9]|\+\+/;

java("of fifty documented configurations are exact, but for what the engine has not", () => {
  const rows = readFileSync(new URL("testdata/java-patterns.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const names: readonly string[] = JSON.parse((rows[1] ?? "").slice(2));
  const cases = rows.slice(2).map((row) => row.split("\t"));
  assert.is(cases.length, 51);
  for (const [pattern = "", said = ""] of cases) {
    const compiled = compilePatterns([pattern], true);
    if (said === "invalid") {
      assert.ok(isBad(compiled) && compiled.kind !== "unsupported", pattern);
      continue;
    }
    for (const [at, name] of names.entries()) {
      const matched = isBad(compiled) ? "unknown" : compiled.matches(name).matched;
      if (matched === "unknown") assert.match(pattern, BEYOND, `${pattern} is not known on ${name}`);
      else assert.is(matched, said[at] === "1" ? "yes" : "no", `${pattern} on ${name}`);
    }
  }
});

java("of configurations are exact", () => {
  for (const [pattern, yes, no] of PLAIN) {
    for (const name of yes.split(" ")) assert.is(matches(pattern, name), "yes", `${pattern} on ${name}`);
    for (const name of no.split(" ")) assert.is(matches(pattern, name), "no", `${pattern} on ${name}`);
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
    "(?<1>a)",
    "(?<a>b)(?<a>c)",
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
    ["\\k<x>", "\\k"],
    ["(?q)", "(?q)"],
    ["(?x)a{2 }", "(?x)"],
    ["(?x)( ?:a)", "(?x)"],
    ["(?x)[a- z]", "(?x)"],
    ["a\r", "line end"],
    ["\\0101", "\\0"],
    ["\\cA", "\\c"],
    ["\\H", "\\H"],
    ["[\\w&&\\D]", "&&"],
    ["(?x)[ ^a]", "(?x)"],
    ["[&&a]", "&&"],
    ["[a&&b&c]", "&&"],
    ["a{2}{3}", "a count"],
    ["((a{1000}){1000}){1000}", "counts too high"],
    [".*(?<!_TMP)", "a look-behind"],
    ["\\b{g}", "\\b{g}"],
    ["(?c)a", "(?c)"],
    ["\\N{DIGIT ONE}", "\\N"],
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
  assert.is(matches("(?:(?:[A-Z_]+)+[.]X)", "ORCLPDB1_SALES_ORDERS_ITEMS"), "no");
});

java("are unknown where a construct decides that the engine has not, and known where it doesn't", () => {
  for (const [pattern, unknown, no, construct] of [
    ["(?!.*_TMP)SALES.+", "SALES_X", "HR_X", "a look-ahead"],
    ["(A|B)[.]\\1", "A.A", "A", "a back reference"],
    ["(A|B)[.]\\1*", "A.A", "AA", "a back reference"],
    ["SALES[A-Z_]++", "SALES_X", "SALES1", "a possessive quantifier"],
    ["(?>A|AB)C", "ABC", "AB", "an atomic group"],
    ["(?:^|A){2}B", "AB", "AAAB", "a repeated ^"],
    ["(?iu)é", "É", "E", "the case of letters beyond A to Z"],
    ["GRÖ\\b", "GRÖ", "GR", "where a word beyond ASCII ends"],
  ] as const) {
    const answer = list(["NONE", pattern]).matches(unknown);
    assert.ok(answer.matched === "unknown", `${pattern} on ${unknown}: ${answer.matched}`);
    assert.is(answer.pattern, pattern);
    assert.match(answer.why, construct);
    assert.is(list(["NONE", pattern]).matches(no).matched, "no", `${pattern} on ${no}`);
    assert.is(list([pattern, "(?s).*"]).matches(unknown).matched, "yes");
  }
});

java("do not say whether they match a name of several lines, or an empty one", () => {
  for (const name of ["A\nB", "A\u2028B", ""])
    assert.equal(list(["A.B", "(?s).*"]).matches(name), {
      matched: "unknown",
      pattern: "A.B",
      why: "the name is empty, or has several lines",
    });
  assert.is(matches("A\\RB|A(?m)$B", "AB"), "no");
});

java("that need many states are matched all the same", () => {
  const names = Array.from({ length: 1000 }, (_, i) =>
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
  assert.is(matches("(a{20}){50}", "a".repeat(1000)), "yes");
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
          const alone = patterns.map((pattern) => matches(pattern, one));
          const expected = alone.find((each) => each === "yes") ?? alone.find((each) => each === "unknown") ?? "no";
          assert.is(together.matches(one).matched, expected);
        }
      },
    ),
    { numRuns: 500 },
  );
});

java("stay correct if a list needs many states", () => {
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
  for (let i = 0; i < 1000; i++) {
    const name = `${Array.from({ length: 25 }, () => words[next(40)]).join("")}!`;
    const expected = plain.some((one) => one.test(name));
    if (expected) found++;
    assert.is(together.matches(name).matched, expected ? "yes" : "no", name);
  }
  assert.ok(found > 25 && found < 975, `${found}`);
});

java("over names as topics have them miss no name that some lead to, and cover only what all lead to", () => {
  const answers = { some: new Set<string>(), all: new Set<string>() };
  const plain = PLAIN.map(([pattern, yes, no]) => [pattern, yes.split(" "), no.split(" ")] as const);
  for (const [pattern, yes, no] of [...PATTERN_ROWS, ...plain])
    for (const [names, topics, never] of [
      [yes, "some", "no"],
      [no, "all", "yes"],
    ] as const) {
      const compiled = compilePatterns([pattern], true, topics);
      if (isBad(compiled)) continue;
      for (const name of names.filter((one) => /^[^\n\r\x85\u2028\u2029]+$/.test(one))) {
        const { matched } = compiled.matches(legalInTopic(name));
        assert.is.not(matched, never, `${pattern} ${name}`);
        answers[topics].add(matched);
      }
    }
  assert.ok(answers.some.has("yes") && answers.all.has("no"));
  const of = (pattern: string, name: string, topics: "some" | "all") =>
    list([pattern], true, topics).matches(name).matched;
  assert.is(of("C##[A-Z]+", "C__HR", "some"), "yes");
  assert.is(of("C##[A-Z]+", "C__HR", "all"), "no");
  assert.is(of("C.*", "C__HR", "all"), "yes");
  assert.is(of("C[A-Z]+", "C__HR", "some"), "no");
  assert.is(of("C_.HR", "C__HR", "all"), "no", "C#.HR leads there too");
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
