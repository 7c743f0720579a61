import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal, UsageError } from "../errors.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, type JsonObject, parseJson, printJson } from "../values/json.ts";
import { lineOf } from "../values/remedy.ts";
import { factsFile, factsFor, printFactsFile } from "./facts-file.ts";
import { planOffsetChange } from "./offset-change/plan.ts";
import { facts, intent, known, STORED, toScn } from "./offset-change/testing/build-facts.ts";
import { planResnapshot } from "./resnapshot/plan.ts";
import * as resnapshot from "./resnapshot/testing/build-facts.ts";

const file = suite("a facts file");

const wanted = intent();
const seen = facts({ stored: { ...STORED, resume_scn: 9007199254740993n, odd: parseJson("1000.0") } });
const text = printFactsFile(factsFile([{ intent: wanted, facts: seen }], "0.1.0"));

function refuses(content: string, code?: string): void {
  assert.throws(
    () => factsFor([wanted], content, "facts.json"),
    (error: unknown) =>
      code === undefined
        ? error instanceof UsageError || error instanceof Refusal
        : error instanceof Refusal && error.code === code,
  );
}

/** A file with different content and a digest that fits. */
function forged(change: JsonObject): string {
  const { digest: _digest, ...body } = { ...(parseJson(text) as JsonObject), ...change };
  return `${printJson({ ...body, digest: digestOf(body) })}\n`;
}

file("gives exactly the plan that the facts give", () => {
  const [read] = factsFor([wanted], text, "facts.json");
  assert.ok(read);
  assert.is(
    canonicalJson(planOffsetChange(wanted, read as typeof seen)),
    canonicalJson(planOffsetChange(wanted, seen)),
  );
});

file("is found whatever line of which file contains the intent", () => {
  const moved = { ...wanted, origin: { ...wanted.origin, file: "elsewhere.yaml", lines: {} } };
  assert.is(factsFor([moved], text, "facts.json").length, 1);
});

file("of another document is refused by name", () => {
  assert.throws(
    () => factsFor([toScn(5n)], text, "facts.json"),
    (error: unknown) => {
      assert.ok(error instanceof Refusal && error.code === "APL809");
      assert.match(error.message, /facts for orders-replay: .* or another one was observed$/);
      assert.equal(error.remedies.map(lineOf), [AGAIN]);
      return true;
    },
  );
});

file("of another connector is refused, although digest and document fit", () => {
  const other = { ...seen, connector: { ...seen.connector, name: "billing-cdc" } };
  const edited = printFactsFile(factsFile([{ intent: wanted, facts: other }], "0.1.0"));
  assert.throws(
    () => factsFor([wanted], edited, "facts.json"),
    (error: unknown) => error instanceof UsageError && /its facts are of billing-cdc/.test(error.message),
  );
});

file("survives converted line ends", () => {
  assert.is(factsFor([wanted], text.replaceAll("\n", "\r\n"), "facts.json").length, 1);
});

file("any one character changed, removed or added is refused", async () => {
  const place = fc.nat(text.length - 1);
  const other = fc.constantFrom("0", "1", "a", " ", '"', "}", "\n");
  await fc.assert(
    fc.property(place, other, fc.nat(2), (at, character, how) => {
      const edited = text.slice(0, at) + (how === 0 ? "" : character) + text.slice(how === 2 ? at : at + 1);
      if (edited !== text) refuses(edited);
    }),
    { numRuns: 150 },
  );
});

file("truncated anywhere is refused", () => {
  for (const share of [0, 0.1, 0.5, 0.9, 0.999]) refuses(text.slice(0, Math.floor(text.length * share)));
});

file("an edited value is reported as such", () => refuses(text.replace("2241020", "2241021"), "APL802"));

const AGAIN = "Record the facts again:  cdcctl observe FILE --out FACTS";
const BY_VERSION = "Use the cdcctl that wrote it, or record the facts again:  cdcctl observe FILE --out FACTS";
const NO_FACTS = "Pass a file written by `cdcctl observe --out`.";
const others: readonly (readonly [string, string, string, string])[] = [
  ["an earlier version", forged({ formatVersion: 1n }), "its format is version 1, but this cdcctl reads 2", BY_VERSION],
  ["a later version", forged({ formatVersion: 3n }), "its format is version 3, but this cdcctl reads 2", BY_VERSION],
  ["an invalid version", forged({ formatVersion: "1" }), 'its format is version "1", but this', BY_VERSION],
  ["no version", forged({ formatVersion: null }), "its format is version null, but this", BY_VERSION],
  ["invalid observations", forged({ observations: [null] }), "observations", AGAIN],
  ["an observation without facts", forged({ observations: [{ of: "x" }] }), "observations[0]", AGAIN],
  ["no list of observations", forged({ observations: {} }), "not a facts file", NO_FACTS],
  ["a resolved plan", '{"kind":"Plan","observations":[]}', "not a facts file", NO_FACTS],
  ["a list", "[]", "not a facts file", NO_FACTS],
  ["YAML", "kind: Facts", "the file is truncated or not valid JSON", AGAIN],
];
for (const [name, content, message, remedy] of others)
  file(`is refused with a remedy: ${name}`, () => {
    try {
      factsFor([wanted], content, "facts.json");
      assert.unreachable("taken for facts");
    } catch (error) {
      assert.ok(error instanceof UsageError, String(error));
      const [problem] = error.problems;
      assert.ok(problem);
      assert.is(problem.file, "facts.json");
      assert.match(problem.message, message, problem.message);
      assert.is(lineOf(problem.remedy ?? ""), remedy);
    }
  });

file("that was changed is refused with a remedy", () => {
  try {
    factsFor([wanted], text.replace("2241020", "2241021"), "facts.json");
    assert.unreachable("taken for facts");
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.is(error.message, "facts.json was changed after it was recorded: its digest does not match");
    assert.equal(error.remedies.map(lineOf), [AGAIN]);
  }
});

file("of a resnapshot gives exactly the plan that the facts give", () => {
  const again = resnapshot.intent({ skipGapForUnlistedTables: "all" });
  const found = resnapshot.facts({
    catalogue: resnapshot.PURGED,
    activity: known([
      { ...resnapshot.table("ITEMS"), lastDdl: undefined, modifications: undefined, analyzed: undefined },
    ]),
    rowScns: known([{ ...resnapshot.table("ITEMS"), scn: 9007199254740993n }]),
  });
  const printed = printFactsFile(factsFile([{ intent: again, facts: found }], "0.1.0"));
  const [read] = factsFor([again], printed, "facts.json");
  assert.ok(read?.kind === "Resnapshot");
  assert.is(canonicalJson(planResnapshot(again, read)), canonicalJson(planResnapshot(again, found)));
});

file("that gives facts of another kind for an intent is refused, although its digest is valid", () => {
  const again = resnapshot.intent();
  const printed = printFactsFile(factsFile([{ intent: again, facts: seen }], "0.1.0"));
  assert.throws(
    () => factsFor([again], printed, "facts.json"),
    (error: unknown) =>
      error instanceof UsageError && error.message === "facts.json: it holds no facts for a Resnapshot",
  );
});

file.run();
