/** Facts whose digest fits are read as what they are, or refused with each member that is wrong. */

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOfIntent, type Intent } from "../document/intent.ts";
import { Refusal, UsageError } from "../errors.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, isObject, type Json, parseJson, printJson } from "../values/json.ts";
import { planFor } from "./catalogue.ts";
import type { Facts } from "./facts.ts";
import { factsFile, factsFor, printFactsFile } from "./facts-file.ts";
import * as migration from "./migration/testing/build-facts.ts";
import { intent as phase } from "./migration/testing/build-readings.ts";
import * as change from "./offset-change/testing/build-facts.ts";
import * as resnapshot from "./resnapshot/testing/build-facts.ts";

const form = suite("the form of facts");

const { known } = change;

const TABLE = resnapshot.table("ITEMS");
const AT = "2026-11-21T09:14:02Z";

const KINDS: readonly (readonly [string, Intent, Facts])[] = [
  ["an offset change", change.intent(), change.facts()],
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
    // Of a list the first stands for all.
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
  form(`of ${name} is read as written, and gives the same plan`, () => {
    const [read] = factsFor([intent], printFactsFile(factsFile([{ intent, facts }], "0.1.0")), "facts.json");
    assert.ok(read);
    const options = { again: false };
    assert.is(canonicalJson(planFor(intent, read, options)), canonicalJson(planFor(intent, facts, options)));
  });

  form(`of ${name}: any change in it is planned with, or refused by name`, () => {
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
  form(`names ${name}, and its path`, () => {
    assert.throws(
      () => factsFor([INTENT], sealed(INTENT, { ...written, ...members }), "facts.json"),
      (error: unknown) =>
        error instanceof UsageError && error.problems.length === 1 && error.problems[0]?.message === message,
    );
  });

form.run();
