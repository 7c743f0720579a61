import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOfIntent, type Intent } from "../document/intent.ts";
import { Refusal, UsageError } from "../errors.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, isObject, type Json, type JsonObject, parseJson, printJson } from "../values/json.ts";
import { lineOf } from "../values/remedy.ts";
import { planFor } from "./catalogue.ts";
import type { Facts } from "./facts.ts";
import { factsFile, factsFor, printFactsFile } from "./facts-file.ts";
import * as migration from "./migration/testing/build-facts.ts";
import { intent as phase } from "./migration/testing/build-readings.ts";
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

file("of a migration is refused if either connector is another, and is read if the new one is not there yet", () => {
  const wrong = (intent: Intent, facts: Facts) => {
    try {
      factsFor([intent], printFactsFile(factsFile([{ intent, facts }], "0.1.0")), "facts.json");
    } catch (error) {
      return error instanceof UsageError ? error.message : String(error);
    }
    return undefined;
  };
  const back = phase({ phase: "rollback" });
  const { legacy, ...seenOf } = migration.returnFacts();
  const next = seenOf.next && { ...seenOf.next, name: "billing-cdc" };
  assert.is(wrong(back, { ...seenOf, legacy, next }), "facts.json: its facts are of billing-cdc");
  const old = { ...legacy, name: "billing-legacy" };
  assert.is(wrong(back, { ...seenOf, legacy: old }), "facts.json: its facts are of billing-legacy");
  assert.is(wrong(back, { ...seenOf, legacy: old, next: undefined }), "facts.json: its facts are of billing-legacy");
  assert.is(wrong(back, { ...seenOf, legacy, next: undefined }), undefined);
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

// The form of facts whose digest fits.

const TABLE = resnapshot.table("ITEMS");
const AT = "2026-11-21T09:14:02Z";

const KINDS: readonly (readonly [string, Intent, Facts])[] = [
  ["an offset change", intent(), facts()],
  [
    "a resnapshot",
    resnapshot.intent({ skipGapForUnlistedTables: "all" }),
    resnapshot.facts({
      catalogue: resnapshot.PURGED,
      activity: known([
        {
          ...TABLE,
          lastDdl: AT,
          modifications: { inserts: 1n, updates: 2n, deletes: 3n, truncated: false, at: AT },
          analyzed: AT,
        },
      ]),
      rowScns: known([{ ...TABLE, scn: undefined, problem: "ORA-01031: insufficient privileges" }]),
    }),
  ],
  ["a cutover", phase({ phase: "cutover" }), migration.cutoverFacts()],
  ["a rollback", phase({ phase: "rollback" }), migration.returnFacts()],
  ["a verification", phase({ phase: "verify" }), migration.verificationFacts()],
  ["a retirement", phase({ phase: "retire" }), migration.retirementFacts()],
];

function sealed(intent: Intent, facts: Json): string {
  const body = {
    apiVersion: "cdcctl/v1",
    kind: "Facts",
    formatVersion: 2n,
    cdcctl: "0.1.0",
    observations: [{ of: digestOfIntent(intent), facts }],
  };
  return `${printJson({ ...body, digest: digestOf(body) })}\n`;
}

type Members = { [name: string]: Json };

const OTHERS: readonly (Json | undefined)[] = [
  undefined,
  null,
  -5n,
  true,
  2n ** 70n,
  parseJson("1e400"),
  "x",
  [],
  {},
  [null],
  { x: 1n },
  "2026-02-30T00:00:00Z",
];

/** A document with one member of it at a time changed: taken away, of another type, with a member more. */
function* edits(whole: Json): Generator<readonly [string, Json]> {
  const holders: (readonly [string, Members])[] = [];
  const walk = (value: Json, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (isObject(value)) holders.push([path, value as Members]);
    else if (Array.isArray(value) && value.length > 0) holders.push([path, value as unknown as Members]);
    // The first item of a list stands for all.
    for (const [name, member] of Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined))
      walk(member as Json, `${path}.${name}`);
  };
  walk(whole, "facts");
  let at = 0;
  for (const [path, holder] of holders)
    for (const name of Object.keys(holder)) {
      const genuine = holder[name] as Json;
      for (let more = 0; more < 2; more++) {
        const other = OTHERS[at++ % OTHERS.length];
        if (other === undefined) delete holder[name];
        else holder[name] = other;
        yield [`${path}.${name} = ${other === undefined ? "nothing" : canonicalJson(other)}`, whole];
        holder[name] = genuine;
      }
    }
}

for (const [name, intent, facts] of KINDS) {
  file(`of ${name} is read as written, and gives the same plan`, () => {
    const [read] = factsFor([intent], printFactsFile(factsFile([{ intent, facts }], "0.1.0")), "facts.json");
    assert.ok(read);
    const options = { again: false };
    assert.is(canonicalJson(planFor(intent, read, options)), canonicalJson(planFor(intent, facts, options)));
  });

  file(`of ${name}: any change in it is planned with, or refused by name`, () => {
    let refused = 0;
    let planned = 0;
    for (const [what, edited] of edits(parseJson(printJson(facts)))) {
      try {
        const [read] = factsFor([intent], sealed(intent, edited), "facts.json");
        assert.ok(read);
        planFor(intent, read, { again: false });
        planned++;
      } catch (error) {
        assert.ok(error instanceof UsageError || error instanceof Refusal, `${what}: ${(error as Error).stack}`);
        if (error instanceof UsageError)
          for (const problem of error.problems) {
            assert.is(problem.file, "facts.json", what);
            assert.ok(problem.remedy, what);
          }
        refused++;
      }
    }
    assert.ok(refused > 100, String(refused));
    assert.ok(planned > 10, String(planned));
  });
}

const [, INTENT, FACTS] = KINDS[0] as (typeof KINDS)[number];
const written = parseJson(printJson(FACTS)) as Members;
const wrong: readonly (readonly [string, Members, string])[] = [
  [
    "a moment that does not exist",
    { at: "2026-02-30T00:00:00Z" },
    'observations[0].facts.at is "2026-02-30T00:00:00Z", which has another form',
  ],
  [
    "a moment in another zone",
    { at: "2026-02-20T00:00:00+01:00" },
    'observations[0].facts.at is "2026-02-20T00:00:00+01:00", which has another form',
  ],
  [
    "an SCN beyond 64 bits",
    { database: { ...(written["database"] as Members), currentScn: 2n ** 64n } },
    "observations[0].facts.database.currentScn is 18446744073709551616, above 18446744073709551615",
  ],
  [
    "an unknown name",
    { database: { ...(written["database"] as Members), curentScn: 5n } },
    'observations[0].facts.database has no key "curentScn"',
  ],
  [
    "neither known nor unknown",
    { redo: { ...(written["redo"] as Members), source: 5n } },
    "observations[0].facts.redo.source is the value 5, where text is wanted",
  ],
];
for (const [name, members, message] of wrong)
  file(`names ${name}, and its path`, () => {
    assert.throws(
      () => factsFor([INTENT], sealed(INTENT, { ...written, ...members }), "facts.json"),
      (error: unknown) =>
        error instanceof UsageError && error.problems.length === 1 && error.problems[0]?.message === message,
    );
  });

file.run();
