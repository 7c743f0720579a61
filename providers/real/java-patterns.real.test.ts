import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compilePatterns, isBad } from "../../core/patterns/pattern-list.ts";
import { PATTERN_ROWS } from "../../core/patterns/testing/pattern-rows.ts";
import { IGNORING_CASE, startJavaPatterns } from "./java-patterns.ts";
import { randomPatterns } from "./java-patterns-random.ts";

const PATTERNS = 10_000;
const BATCH = 500;
/** Names that are always unknown: empty ones, and those of several lines. */
const NO_LINE = /^$|[\n\r\x85\u2028\u2029]/;

const patterns = suite("patterns as Java reads them");

patterns("match in Java what the table of examples expects", async () => {
  const java = await startJavaPatterns();
  try {
    for (const [pattern, yes, no] of PATTERN_ROWS) {
      const answer = await java.ask(pattern, 0, [...yes, ...no]);
      assert.equal(answer, { verdicts: [...yes.map(() => true), ...no.map(() => false)] }, pattern);
    }
  } finally {
    await java.stop();
  }
});

patterns("never match what Java's own Pattern does not, nor the reverse; the rest is unknown", async () => {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  const random = randomPatterns(seed);
  const java = await startJavaPatterns();
  const count = { matched: 0, not: 0, unknown: 0, noLine: 0, openInJava: 0, refusedByBoth: 0, unsupported: 0 };
  const wrong: string[] = [];
  try {
    for (let done = 0; done < PATTERNS; done += BATCH) {
      const questions = Array.from({ length: BATCH }, () => ({
        pattern: random.pattern(),
        flags: random.flags(),
        names: random.names(),
      }));
      const answers = await Promise.all(questions.map(({ pattern, flags, names }) => java.ask(pattern, flags, names)));
      for (const [i, { pattern, flags, names }] of questions.entries()) {
        const answer = answers[i];
        assert.ok(answer);
        const about = `${JSON.stringify(pattern)} with flags ${flags}`;
        const compiled = compilePatterns([pattern], flags !== IGNORING_CASE);
        if (isBad(compiled)) {
          if ("refused" in answer) count.refusedByBoth++;
          else if (compiled.kind === "unsupported") count.unsupported++;
          else wrong.push(`${about}: Java takes it; here: ${compiled.problem}`);
          continue;
        }
        if ("refused" in answer) {
          wrong.push(`${about}: Java refuses it: ${answer.refused}`);
          continue;
        }
        for (const [k, name] of names.entries()) {
          const { matched } = compiled.matches(name);
          const expected = answer.verdicts[k];
          if (matched === "unknown" && NO_LINE.test(name)) count.noLine++;
          else if (matched === "unknown") count.unknown++;
          else if (expected === undefined) count.openInJava++;
          else if ((matched === "yes") !== expected)
            wrong.push(`${about} on ${JSON.stringify(name)}: Java says ${expected}, here ${matched}`);
          else if (expected) count.matched++;
          else count.not++;
        }
      }
    }
  } finally {
    await java.stop();
  }
  const summary = `Java ${java.version}, seed ${seed}: ${JSON.stringify(count)}`;
  process.stdout.write(`${summary}\n`);
  assert.equal(wrong.slice(0, 20), [], `${wrong.length} differ; ${summary}`);
  const asked = count.matched + count.not + count.unknown;
  assert.ok(count.matched > asked / 50, summary);
  assert.ok(count.unknown < asked / 4, summary);
  assert.ok(count.unsupported < PATTERNS / 4, summary);
});

patterns.run();
