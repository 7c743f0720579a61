import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { showCount } from "../values/amounts.ts";
import { LONGEST_UNREDACTED, redactLines, truncateUnredacted } from "./redactor.ts";

const truncating = suite("truncated text of other systems");

truncating("is unchanged up to the limit", () => {
  const text = "word ".repeat(LONGEST_UNREDACTED / 5);
  assert.is(truncateUnredacted(text, []), text);
});

truncating("ends between words, and gives its original length", () => {
  const text = "word ".repeat(LONGEST_UNREDACTED);
  const kept = truncateUnredacted(text, []);
  assert.ok(kept.length <= LONGEST_UNREDACTED + 50);
  assert.ok(kept.endsWith(`word… (truncated, ${showCount(text.length)} characters)`));
});

truncating("has no part of a secret at its end, wherever the secrets are and however many there are", () => {
  const secrets = ["correct horse battery staple", "hunter2hunter2", "a b"];
  return fc.assert(
    fc.property(
      fc.integer({ min: -40, max: 40 }),
      fc.constantFrom(...secrets),
      fc.constantFrom(" ", "x"),
      (by, secret, filler) => {
        const before = "y ".repeat(LONGEST_UNREDACTED).slice(0, LONGEST_UNREDACTED + by);
        const text = `${before}${secret}${filler.repeat(2 * LONGEST_UNREDACTED)}`;
        const redacted = redactLines(text, secrets);
        for (let length = 3; length <= secret.length; length++)
          assert.not.ok(redacted.includes(` ${secret.slice(0, length)}…`), redacted.slice(-200));
        assert.not.ok(redacted.includes(secret));
      },
    ),
    { numRuns: 200 },
  );
});

for (const [name, tail] of [
  ["a JDBC login", "jdbc:oracle:thin:scott/canary-tiger@db"],
  ["a URL's login", "https://ana:canary-pa@ss@proxy"],
  ["a header", "Authorization: Bearer canary-0123456789"],
  ["an assignment", "password=canary-0815"],
  ["a quoted assignment", 'password="canary-08 15 16"'],
  ["a setting's value", "Invalid value canary 08 15 for configuration database.password"],
] as const)
  truncating(`shows nothing of ${name} at the limit`, () => {
    for (let by = 1; by < tail.length; by++) {
      const before = "y ".repeat(LONGEST_UNREDACTED).slice(0, LONGEST_UNREDACTED - by);
      const text = `${before}${tail}${" z".repeat(LONGEST_UNREDACTED)}`;
      const redacted = redactLines(text, []);
      assert.not.ok(/canar?y?/.test(redacted), `${by}: ${redacted.slice(-100)}`);
    }
  });

for (const [name, piece] of [
  ["words", "lorem ipsum "],
  ["one word", "x"],
  ["lines", "\n"],
  ["values that are reported as invalid", "Invalid value "],
  ["assignments", "a="],
  ["URLs", "x://"],
  ["logins", "x://u:p@"],
  ["blanks", " "],
] as const)
  truncating(`truncates 60 MB of ${name} quickly`, () => {
    const text = piece.repeat((60 * 1024 * 1024) / piece.length);
    const before = process.cpuUsage();
    const redacted = redactLines(text, ["secret", "another secret"]);
    const { user, system } = process.cpuUsage(before);
    assert.ok(redacted.length < 2 * LONGEST_UNREDACTED);
    assert.ok((user + system) / 1000 < 2000, `${(user + system) / 1000} ms`);
  });

truncating.run();
