import { suite } from "uvu";
import * as assert from "uvu/assert";
import { intent } from "../kinds/offset-change/testing/build-facts.ts";
import { type Check, fail, type Grade, pass, type Verdict } from "./check.ts";
import { findings } from "./finding.ts";

const found = suite("what follows from what a check found");

type Intent = ReturnType<typeof intent>;

function findingOf(verdict: Verdict, wanted: Intent = intent(), more: Partial<Check<Intent, null>> = {}) {
  const check: Check<Intent, null> = {
    code: "OFF199",
    title: "A title",
    problem: "A problem.",
    remedy: "A remedy.",
    grade: "acceptable",
    ...more,
    run: () => verdict,
  };
  const [finding] = findings([check], wanted, null);
  if (finding === undefined) throw new Error("no finding");
  return finding;
}

const ACCEPTING = intent({ accept: ["OFF199"] });
const ADMIN = intent({ by: "admin" });

for (const [grade, firm, effects] of [
  ["refusal", false, ["blocks", "blocks", "blocks"]],
  ["acceptable", false, ["blocks", "accepted", "warns"]],
  ["acceptable", true, ["blocks", "accepted", "blocks"]],
  ["advisory", false, ["warns", "warns", "warns"]],
] as readonly (readonly [Grade, boolean, readonly string[]])[])
  found(`of grade ${grade}${firm ? ", firm" : ""}: under a plan file, one that accepts it, and admin`, () => {
    const effectsOf = (verdict: Verdict, more: Partial<Check<Intent, null>>) =>
      [intent(), ACCEPTING, ADMIN].map((wanted) => findingOf(verdict, wanted, more).effect);
    assert.equal(effectsOf(fail("seen", { firm }), { grade }), effects);
    assert.equal(effectsOf(fail("seen", { firm, grade }), { grade: "refusal" }), effects, "in this case");
    assert.equal(
      effectsOf({ verdict: "unknown", seen: "seen", firm }, { grade: "refusal", unknown: grade }),
      effects,
      "unknown",
    );
  });

found("is nothing where it passes, even with a word on what was seen", () => {
  for (const verdict of [pass, { verdict: "pass", seen: "fine" } as const])
    assert.equal(findingOf(verdict, intent(), { grade: "refusal" }), {
      code: "OFF199",
      title: "A title",
      verdict: "pass",
      effect: "none",
      remedies: [],
    });
});

found("has the check's remedy unless the case has its own, or none", () => {
  assert.equal(findingOf(fail("seen")).remedies, ["A remedy."]);
  assert.equal(findingOf(fail("seen", { remedies: ["Another."] })).remedies, ["Another."]);
  assert.equal(findingOf(fail("seen", { remedies: [] })).remedies, []);
});

found("has its place in the plan file, by its key or by the nearest above it, and what is to be taken back", () => {
  const origin = { by: "plan file" as const, file: "move.yaml", lines: { spec: 4n, "spec.accept": 7n } };
  const placed = (at: string, from: Partial<typeof origin> & Pick<typeof origin, "lines"> = origin) =>
    findingOf(fail("seen", { at }), { ...intent(), origin: { ...origin, ...from } }).at;
  assert.equal(placed("spec.accept"), { path: "spec.accept", file: "move.yaml", line: 7n });
  assert.equal(placed("spec.allowSkip"), { path: "spec.allowSkip", file: "move.yaml", line: 4n });
  assert.equal(placed("metadata.reason"), { path: "metadata.reason", file: "move.yaml" });
  const { at, ...without } = findingOf(fail("seen", { at: "spec.accept", afterwards: "kubectl …" }), ADMIN);
  assert.equal([at, "file" in (at ?? {}), without.afterwards], [{ path: "spec.accept" }, false, "kubectl …"]);
  assert.not.ok("afterwards" in findingOf(fail("seen")) || "at" in findingOf(fail("seen")));
});

found.run();
