import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Evidence } from "../../../schemas/generated/evidence.ts";
import { digestOf } from "../../values/digest.ts";
import { isObject, type Json, parseJson, printJson } from "../../values/json.ts";
import { verifyTable } from "../engine/verify-table.ts";
import { memorySpool } from "../testing/memory-spool.ts";
import { CHECK, type Cut, inputsOf, type Row, type Scene, type SceneRecord } from "../testing/scene.ts";
import { cuts, scenes, ways } from "../testing/scenes.ts";
import { work } from "../testing/work.ts";
import { checkEvidence } from "./check-evidence.ts";
import { type EvidenceFacts, evidenceOf, findingsOf, hasPassed, NAMED_KEYS, printEvidence } from "./evidence.ts";
import type { TableChecked } from "./table-evidence.ts";

const evidence = suite("the evidence of a verification");

const OPTIONS = {
  work,
  clock: { elapsed: () => 0 },
  memory: 2 ** 26,
  ranges: 2,
  partitions: 2,
  first: NAMED_KEYS,
  disk: { place: "memory", free: undefined },
};

async function checked(scene: Scene, cut: Cut = {}, way: Partial<typeof OPTIONS> = {}): Promise<TableChecked> {
  const inputs = inputsOf(scene, cut);
  const found = await verifyTable(inputs, memorySpool(), { ...OPTIONS, ...way });
  if (found.is === "interrupted") throw new Error("interrupted");
  return {
    table: inputs.table,
    newTopic: "orders.SALES.ORDERS",
    legacyTopic: inputs.legacyTopic === undefined ? undefined : "ORCL.SALES.ORDERS",
    shape: inputs.shape,
    leftOut: [{ column: "NOTE", why: "lob-skipped" }],
    remarks: [],
    found,
  };
}

const facts = (tables: readonly TableChecked[], parts: Partial<EvidenceFacts> = {}): EvidenceFacts => ({
  writtenAt: "2026-11-21T09:15:40Z",
  cdcctl: "0.1.0",
  inputs: { connector: "orders-cdc", database: "db.prod:1521/ORCLPDB1", tables: ["SALES.ORDERS"] },
  checkScn: CHECK,
  resumeScn: CHECK + 1n,
  tables,
  values: false,
  ...parts,
});

const A: Row = [1, "secret of A"];
const B: Row = [2, "secret of B"];
const told = (row: Row, parts: Partial<SceneRecord> = {}): SceneRecord => ({ op: "c", row, ...parts });
const PASSING: Scene = { rows: [A, B], records: [told(A)], legacy: [told(B)] };
const FAILING: Scene = { rows: [A, B], records: [told([1, "stale"])] };

const problemsIn = (text: string): readonly string[] => {
  const found = checkEvidence(text);
  return found.sound ? [] : found.problems;
};

evidence("is sound, in canonical JSON, and reports what passed", async () => {
  const document = evidenceOf(facts([await checked(PASSING)]));
  assert.equal(problemsIn(printEvidence(document)), []);
  const [table] = document.tables;
  assert.equal([document.outcome, table?.outcome, table?.reasons], ["pass", "pass", []]);
  assert.equal(table?.keys, { inTable: 2n, inTopics: 2n, compared: 1n, byLegacy: 1n });
  assert.equal(table?.leftOut, [{ column: "NOTE", why: "a LOB, under cdc.lob.mode=skip" }]);
  assert.equal(problemsIn(printJson(document)), [], "however it is laid out");
});

evidence("names the keys that failed with the columns that differ, and values only on request", async () => {
  const tables = [await checked(FAILING)];
  const document = evidenceOf(facts(tables));
  assert.is(document.outcome, "fail");
  assert.equal(document.tables[0]?.reasons, ["1 in neither topic", "1 with other values in the new topic"]);
  assert.equal(document.tables[0]?.firstFailures, [
    {
      key: { ID: "1" },
      columns: ["NAME"],
      record: { topic: "orders.SALES.ORDERS", partition: 0n, offset: 0n, scn: 10n },
      reason: "values-differ",
    },
    { key: { ID: "2" }, columns: [], reason: "in-neither-topic" },
  ]);
  assert.not.match(printEvidence(document), /secret|stale/);
  const shown = evidenceOf(facts(tables, { values: true }));
  assert.equal(shown.tables[0]?.firstFailures[0]?.tableValues, { ID: "1", NAME: "secret of A" });
  assert.equal(shown.tables[0]?.firstFailures[0]?.topicValues, { ID: "1", NAME: "stale" });
  assert.equal(problemsIn(printEvidence(shown)), []);
});

evidence("names a row of a table without a key by its hash, since its values would be the whole row", async () => {
  const scene: Scene = { withoutKey: true, startScn: 1n, rows: [A], records: [told(B)] };
  const tables = [await checked(scene)];
  const text = printEvidence(evidenceOf(facts(tables)));
  assert.not.match(text, /secret/);
  assert.match(text, /"row":"[0-9a-f]{32}"/);
  assert.equal(problemsIn(text), []);
  assert.match(printEvidence(evidenceOf(facts(tables, { values: true }))), /"NAME":"secret of A"/);
});

evidence("names the topic of the record that decided", async () => {
  const scene: Scene = { rows: [], records: [], legacy: [told(A)] };
  const document = evidenceOf(facts([await checked(scene)]));
  assert.is(document.tables[0]?.firstFailures[0]?.record?.topic, "ORCL.SALES.ORDERS");
});

evidence("fails by what is proven, and names what could not be read beside it", async () => {
  const junk: SceneRecord = { op: "junk", row: [9, "of another key"] };
  const outcomes: readonly (readonly [Scene, outcome: string])[] = [
    [{ rows: [A], records: [told([1, "stale"])], legacy: [junk] }, "fail"],
    [{ rows: [], records: [told(A)], legacy: [junk] }, "fail"],
    [{ rows: [A], records: [told(A), told(A, { op: "d", scn: 11 })], legacy: [junk] }, "fail"],
    [{ rows: [A, B], records: [told(A)], legacy: [junk] }, "fail"],
    [{ rows: [A, B], records: [told(A)], legacy: [told(B), told(B, { op: "d" }), junk] }, "fail"],
    [{ rows: [B], records: [told(B)], legacy: [told(A), junk] }, "fail"],
    [{ rows: [A], records: [told(A)], legacy: [junk] }, "inconclusive"],
    // The unreadable record may be the one that is missing.
    [{ rows: [A], records: [told([1, "stale"]), junk], legacy: [told(A)] }, "inconclusive"],
    [{ rows: [[9, "half \ud800"]], records: [told(A)], legacy: [told(A)] }, "inconclusive"],
    [{ rows: [A, B], records: [told(A)], legacy: [{ ...junk, row: B }] }, "inconclusive"],
    [{ rows: [A, B], records: [told(A)], legacy: [junk, { op: "junk" }] }, "inconclusive"],
    [{ rows: [A, B], records: [told(A), junk], legacy: [junk] }, "inconclusive"],
    [{ rows: [A], records: [], legacy: [junk], withoutKey: true }, "inconclusive"],
  ];
  for (const [scene, outcome] of outcomes) {
    const document = evidenceOf(facts([await checked(scene)]));
    const [table] = document.tables;
    assert.is(table?.outcome, outcome, JSON.stringify(scene));
    assert.ok(table?.reasons.some((reason) => reason.includes("could not be read")));
    assert.equal(problemsIn(printEvidence(document)), []);
  }
});

evidence("names the key of a legacy record that could not be read, and of each key that rests on one", async () => {
  const junk = [B, [9, null], A].map((row): SceneRecord => ({ op: "junk", row: row as Row }));
  const scene: Scene = { rows: [A, B], records: [told(A)], legacy: [told(A), ...junk, { op: "junk" }] };
  const [table] = evidenceOf(facts([await checked(scene)])).tables;
  assert.equal([table?.legacyRecords?.unreadable, table?.legacyRecords?.withoutKey], [4n, 1n]);
  assert.equal(
    table?.unreadable.map(({ key, offset, count }) => ({ key, offset, count })),
    [{ key: { ID: "2" }, offset: 1n, count: 4n }],
  );
  const [, rests] = table?.reasons ?? [];
  assert.equal(rests, "2 that rest on a legacy record that could not be read");
  assert.equal(
    table?.firstDoubts.map(({ key, record }) => [key?.["ID"], record]),
    [
      ["2", { topic: "ORCL.SALES.ORDERS", partition: 0n, offset: 1n }],
      ["9", { topic: "ORCL.SALES.ORDERS", partition: 0n, offset: 2n }],
    ],
  );
});

evidence("of an earlier format is checked by the rule of its time", async () => {
  const scene: Scene = { rows: [A], records: [told([1, "stale"])], legacy: [{ op: "junk", row: B }] };
  const { digest, findings, ...now } = evidenceOf(facts([await checked(scene)]));
  const tables = now.tables.map((table) => ({ ...table, outcome: "inconclusive" as const }));
  for (const formatVersion of [2n, 3n]) {
    const content = { ...now, formatVersion, tables, outcome: "inconclusive" as const };
    const whole = { ...content, findings: findingsOf(content) };
    const problems = problemsIn(printEvidence({ ...whole, digest: digestOf(whole) }));
    assert.is(problems.length, formatVersion === 2n ? 0 : 1, problems.join("; "));
  }
});

evidence("without the keys of what could not be read is checked as if none was known", async () => {
  const scene: Scene = { rows: [A], records: [], legacy: [{ op: "junk", row: B }] };
  const document = evidenceOf(facts([await checked(scene)]));
  assert.is(document.outcome, "fail");
  const earlier = document.tables.map(({ legacyRecords, doubts, ...table }) => {
    const { withoutKey: _, ...counts } = legacyRecords ?? { count: 0n, otherTables: 0n, unreadable: 0n };
    const { "legacy-unreadable": __, ...known } = doubts;
    const reasons = table.reasons.filter((reason) => !reason.includes("rest on"));
    return { ...table, reasons, legacyRecords: counts, doubts: known, firstDoubts: [] };
  });
  assert.match(problemsIn(sealed({ ...document, tables: earlier })).join(), /its counts result in inconclusive/);
  const tables = earlier.map((table) => ({ ...table, outcome: "inconclusive" as const }));
  assert.equal(problemsIn(sealed({ ...document, outcome: "inconclusive", tables })), []);
});

evidence("never passes with a doubt: data that was not read, not reached or not comparable", async () => {
  const passing = await checked(PASSING);
  const outcomes = (tables: readonly TableChecked[], parts: Partial<EvidenceFacts> = {}) => {
    const document = evidenceOf(facts(tables, parts));
    assert.equal(problemsIn(printEvidence(document)), []);
    return [document.outcome, ...document.tables.map(({ outcome, reasons }) => `${outcome}: ${reasons.join("; ")}`)];
  };
  const unreachable = { is: "unreachable", code: "ORA-01555", message: "ORA-01555: snapshot too old" } as const;
  assert.equal(outcomes([{ ...passing, found: unreachable }]), [
    "inconclusive",
    "inconclusive: ORA-01555: snapshot too old",
  ]);
  const notRead: TableChecked = {
    ...passing,
    shape: undefined,
    found: { is: "not-read", why: "value.converter is Avro" },
  };
  assert.equal(outcomes([notRead])[1], "inconclusive: value.converter is Avro");
  assert.is(outcomes([])[0], "inconclusive");
  assert.is(outcomes([passing], { resumeScn: CHECK })[0], "inconclusive");
  assert.is(outcomes([passing], { resumeScn: undefined })[0], "inconclusive");
  const junk = await checked({ ...FAILING, records: [...FAILING.records, { op: "junk", row: B }] });
  assert.match(outcomes([junk])[1] ?? "", /^inconclusive: 1 records of the new topic could not be read/);
  const doubtful = await checked({ rows: [A], records: [told(A, { op: "r", scn: 101 })] });
  assert.match(outcomes([doubtful])[1] ?? "", /^inconclusive: 1 that the snapshot read/);
  const failing = { ...(await checked(FAILING)), table: "SALES.LINES" };
  assert.is(outcomes([passing, failing, { ...doubtful, table: "SALES.X" }])[0], "fail");
});

evidence("counts a connector as past the check SCN only when it would mine again above it", () => {
  assert.equal([hasPassed(101n, 100n), hasPassed(100n, 100n), hasPassed(undefined, 100n)], [true, false, false]);
});

evidence("rejects an input that has the name of a secret", async () => {
  const tables = [await checked(PASSING)];
  assert.throws(() => evidenceOf(facts(tables, { inputs: { dbPassword: "tiger" } })), /name of a secret/);
});

evidence("has the same digest whatever the memory, the division and the number of readers", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(scenes, cuts, ways, fc.boolean(), async (scene, cut, way, values) => {
      const one = evidenceOf(facts([await checked(scene)], { values }));
      const other = evidenceOf(facts([await checked(scene, cut, way)], { values }));
      assert.is(printEvidence(other), printEvidence(one));
      assert.equal(problemsIn(printEvidence(one)), []);
      seen.set(one.outcome, (seen.get(one.outcome) ?? 0) + 1);
      const later = evidenceOf(
        facts([await checked(scene, cut)], { values, writtenAt: "2027-01-01T00:00:00Z", resumeScn: 9_000_000n }),
      );
      assert.is(later.findings, one.findings);
      assert.is.not(later.digest, one.digest);
    }),
    { numRuns: 150 },
  );
  assert.ok((seen.get("fail") ?? 0) > 10 && (seen.get("inconclusive") ?? 0) > 10, JSON.stringify([...seen]));
});

evidence("passes for any table where nothing is wrong", async () => {
  const rows = fc.uniqueArray(fc.tuple(fc.nat({ max: 99 }), fc.constantFrom("a", "b", null)), {
    selector: ([id]) => id,
  });
  await fc.assert(
    fc.asyncProperty(rows, cuts, ways, async (rows, cut, way) => {
      const records = rows.flatMap((row): SceneRecord[] => [
        told([row[0], "old"], { partition: row[0] % 3 }),
        { op: "u", row, partition: row[0] % 3, scn: 20 },
      ]);
      const document = evidenceOf(facts([await checked({ rows, records }, cut, way)]));
      assert.is(document.outcome, "pass");
      assert.equal(problemsIn(printEvidence(document)), []);
    }),
    { numRuns: 40 },
  );
});

evidence(
  "has the same findings when the topics have grown since: the number of records read is not a finding",
  async () => {
    const above = { op: "u", row: A, scn: Number(CHECK) + 5 } as const;
    for (const [before, after] of [
      [PASSING, { ...PASSING, records: [...PASSING.records, above], legacy: [...(PASSING.legacy ?? []), above] }],
      [FAILING, { ...FAILING, records: [...FAILING.records, { ...above, row: B }] }],
    ] satisfies [Scene, Scene][]) {
      const [one, other] = [evidenceOf(facts([await checked(before)])), evidenceOf(facts([await checked(after)]))];
      assert.is(other.tables[0]?.newRecords.count, (one.tables[0]?.newRecords.count ?? 0n) + 1n);
      assert.is(other.findings, one.findings);
      const junk = { ...after, records: [...after.records, { op: "junk", row: B } as const] };
      assert.is.not(evidenceOf(facts([await checked(junk)])).findings, one.findings);
    }
  },
);

evidence("of format 1 is still checked, by its own rule: counts of records are under its digest", async () => {
  const text = await readFile(new URL("testdata/format-1.json", import.meta.url), "utf8");
  assert.equal(problemsIn(text), []);
  const document = parseJson(text) as unknown as Evidence;
  assert.is(document.formatVersion, 1n);
  const counted = changed(parseJson(text), ["tables", "0", "newRecords", "count"], another) as unknown as Evidence;
  const { digest: _, ...content } = counted;
  const problems = problemsIn(printEvidence({ ...counted, digest: digestOf(content) }));
  assert.equal(problems, ["the digest of its findings does not match"]);
  assert.match(problemsIn(sealed({ ...document, formatVersion: 4n })).join(), /formatVersion is 4/);
});

// ---- Changed afterwards ---------------------------------------------------------------------------------------------

/** Every scalar of a document, by its path. */
function paths(json: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (Array.isArray(json)) return json.flatMap((item, at) => paths(item, [...path, String(at)]));
  if (isObject(json)) return Object.entries(json).flatMap(([name, member]) => paths(member, [...path, name]));
  return [path];
}

function changed(json: Json, [step, ...rest]: readonly string[], change: (old: Json) => Json): Json {
  if (step === undefined) return change(json);
  if (Array.isArray(json)) return json.map((item, at) => (String(at) === step ? changed(item, rest, change) : item));
  return { ...(json as object), [step]: changed((json as Record<string, Json>)[step] as Json, rest, change) };
}

const another = (old: Json): Json =>
  typeof old === "bigint" ? old + 1n : typeof old === "boolean" ? !old : old === null ? "x" : `${String(old)}0`;

evidence("does not match its digest when anything in it was changed", async () => {
  const json = parseJson(printEvidence(evidenceOf(facts([await checked(FAILING)], { values: true }))));
  const all = paths(json);
  assert.ok(all.length > 60);
  for (const path of all) assert.ok(problemsIn(printJson(changed(json, path, another))).length > 0, path.join("."));
});

/** Recomputes digests, as a forger would do. */
function sealed(document: Evidence): string {
  const { digest: _, findings: __, ...content } = document;
  const whole = { ...content, findings: findingsOf(content) };
  return printEvidence({ ...whole, digest: digestOf(whole) });
}

evidence("is rejected when its counts are inconsistent, even with matching digests", async () => {
  const document = evidenceOf(facts([await checked(FAILING)]));
  assert.equal(problemsIn(sealed(document)), []);
  const [table] = document.tables;
  if (table === undefined) throw new Error("a table is expected");
  const NONE = { ...table.failures, "in-neither-topic": 0n, "values-differ": 0n };
  const forgeries: readonly (readonly [RegExp, Partial<Evidence["tables"][number]>])[] = [
    [/its counts result in fail/, { outcome: "pass" }],
    [/its reasons do not contain/, { reasons: [] }],
    [/keys in the table are 2/, { outcome: "pass", failures: NONE, reasons: [], firstFailures: [] }],
    [/are named, of 2/, { firstFailures: table.firstFailures.slice(1) }],
    [/more keys differ than were compared/, { keys: { ...table.keys, compared: 0n, byLegacy: 1n } }],
    [/keys in the table are 3/, { keys: { ...table.keys, inTable: 3n } }],
    [/keys in the topics are 0/, { keys: { ...table.keys, inTopics: 0n } }],
    [/which is not compared/, { columns: ["ID"] }],
    [/could not be read, but reasons/, { rows: { ...table.rows, unreadable: 1n } }],
    [/more legacy records are without a key/, { legacyRecords: { ...table.rows, withoutKey: 1n } }],
  ];
  for (const [problem, forged] of forgeries) {
    const problems = problemsIn(sealed({ ...document, tables: [{ ...table, ...forged }] }));
    assert.ok(
      problems.some((one) => problem.test(one)),
      `${problem}: ${problems.join(" | ")}`,
    );
  }
  assert.match(problemsIn(sealed({ ...document, outcome: "pass" })).join(), /its tables result in fail/);
  assert.match(problemsIn(sealed({ ...document, tables: [table, table] })).join(), /appears twice/);
  const unpassed = { ...document.position, resumeScn: 5n };
  assert.match(problemsIn(sealed({ ...document, position: unpassed })).join(), /position: passed is true/);
});

evidence("is rejected when it passed with differing hashes", async () => {
  const document = evidenceOf(facts([await checked(PASSING)]));
  const [table] = document.tables;
  if (table === undefined) throw new Error("a table is expected");
  for (const name of ["tableKeys", "topicRows"] as const) {
    const hashes = { ...table.hashes, [name]: "0".repeat(32) };
    assert.match(
      problemsIn(sealed({ ...document, tables: [{ ...table, hashes }] })).join(),
      /hashes of the (keys|rows) differ/,
    );
  }
});

evidence("reports what is wrong with a file that is not evidence", async () => {
  assert.match(problemsIn("not JSON")[0] ?? "", /it is not JSON: /);
  assert.match(problemsIn("[]")[0] ?? "", /the document is a list, where a map/);
  assert.match(problemsIn('{"kind":"Plan"}').join(), /kind is "Plan", and only CutoverEvidence is allowed/);
  const document = evidenceOf(facts([await checked(PASSING)]));
  const more = { ...document, remarks: "x" } as unknown as Evidence;
  assert.match(problemsIn(sealed(more)).join(), /the document has no key "remarks"/);
});

evidence.run();
