import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type CapturedTable, tableFinder } from "../../facts/tables/tables.ts";
import { processorMillis } from "../../values/testing/processor-time.ts";
import { known, unseen } from "../offset-change/testing/build-facts.ts";
import { intent } from "./testing/build-readings.ts";
import { ORDERS, settings, UNTOLD_TOPICS } from "./testing/story.ts";
import { strayKeys, verifiedTables } from "./verified-tables.ts";

const finding = suite("captured tables by the names of a plan file");

const captured = (name: string, owner = "SALES", container = "ORCLPDB1"): CapturedTable => ({
  container,
  owner,
  name,
  fullName: `${container}.${owner}.${name}`,
});
const found = (written: string, ...tables: readonly CapturedTable[]) =>
  tableFinder(tables)(written).map(({ fullName }) => fullName);

finding("a name matches the table of each container, and with a container only that one", () => {
  const both = [captured("ORDERS"), captured("ORDERS", "SALES", "PDB2")];
  assert.equal(found("SALES.ORDERS", ...both), ["ORCLPDB1.SALES.ORDERS", "PDB2.SALES.ORDERS"]);
  assert.equal(found("PDB2.SALES.ORDERS", ...both), ["PDB2.SALES.ORDERS"]);
});

finding("without quotes it also matches upper case; in quotes it is exact", () => {
  assert.equal(found("sales.orders", captured("ORDERS")), ["ORCLPDB1.SALES.ORDERS"]);
  assert.equal(found('"sales".orders', captured("ORDERS")), []);
  assert.equal(found('SALES."orders"', captured("ORDERS"), captured("orders")), ["ORCLPDB1.SALES.orders"]);
  assert.equal(found("SALES.orders", captured("ORDERS"), captured("orders")).length, 2);
});

finding("a name with dots is found in quotes, and in the connector's spelling", () => {
  const dotted = captured("A.B");
  assert.equal(found('SALES."A.B"', dotted), [dotted.fullName]);
  assert.equal(found("ORCLPDB1.SALES.A.B", dotted), [dotted.fullName]);
  assert.equal(found("SALES.A.B", dotted), []);
});

finding("an invalid name matches nothing, unless it is the connector's own spelling", () => {
  for (const written of ["", ".", "ORDERS", 'SALES."', "__proto__", "A.B.C.D"])
    assert.equal(found(written, captured("ORDERS"), captured("__proto__", "constructor")), []);
});

finding("any table is found by its quoted name, and by no other table's", async () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) => !/["\0]/.test(text));
  await fc.assert(
    fc.property(part, part, part, (owner, name, other) => {
      const table = captured(name, owner);
      const found = tableFinder([table, captured(other, `${owner}x`)])(`"${owner}"."${name}"`);
      assert.equal(found, [table]);
    }),
  );
});

finding("10,000 names among 100,000 tables are found quickly", () => {
  const tables = Array.from({ length: 100_000 }, (_, i) => captured(`T${i}`));
  const started = processorMillis();
  const find = tableFinder(tables);
  for (let i = 0; i < 10_000; i++) assert.is(find(`SALES.T${i}`).length, 1);
  assert.ok(processorMillis() - started < 3000);
});

finding.run();

const verified = suite("the tables that are verified");

const of = { settings: settings(), database: { name: "ORCLCDB" } };
const tables = [captured("ORDERS"), captured("LINES"), captured("Orders")];

verified("each have their new topic, and the legacy topic that is named for them", () => {
  const wanted = intent({
    verify: { tables: ["SALES.ORDERS", "SALES.LINES"], legacyTopics: { "SALES.LINES": "old" } },
  });
  assert.equal(
    verifiedTables(wanted, of, tables).flatMap((one) => (one.ok ? [one.verified] : [])),
    [
      { table: "ORCLPDB1.SALES.ORDERS", topic: "orders.ORCLPDB1.SALES.ORDERS", legacyTopic: undefined },
      { table: "ORCLPDB1.SALES.LINES", topic: "orders.ORCLPDB1.SALES.LINES", legacyTopic: "old" },
    ],
  );
});

verified("a table with a named new topic has that one, in quotes or not, even if the template is unusable", () => {
  const wanted = intent({
    verify: { tables: ['SALES."Orders"', "SALES.LINES"], topics: { 'SALES."Orders"': "routed" }, legacyTopics: {} },
  });
  const read = verifiedTables(wanted, of, tables);
  assert.equal(
    read.flatMap((one) => (one.ok ? [[one.verified.table, one.verified.topic, one.named]] : [])),
    [
      ["ORCLPDB1.SALES.Orders", "routed", true],
      ["ORCLPDB1.SALES.LINES", "orders.ORCLPDB1.SALES.LINES", false],
    ],
  );
  const untold = verifiedTables(wanted, { ...of, settings: settings(UNTOLD_TOPICS) }, tables);
  assert.equal(
    untold.map((one) => (one.ok ? one.verified.topic : one.why)),
    ["routed", "topic not told"],
  );
});

verified("no topic is derived from members of every object", () => {
  const wanted = intent({ verify: { tables: ["A.constructor"], legacyTopics: {} } });
  const [one] = verifiedTables(wanted, of, [captured("constructor", "A")]);
  assert.ok(one?.ok && one.verified.legacyTopic === undefined);
});

verified("a blank template is the default one", () => {
  const blank = { ...of, settings: settings({ config: { "cdc.topic.template": "  " } }) };
  const [one] = verifiedTables(intent({ verify: { tables: ["SALES.LINES"] } }), blank, tables);
  assert.ok(one?.ok && one.verified.topic === "orders.ORCLPDB1.SALES.LINES");
});

verified("names that are not captured, ambiguous or given twice are distinguished", () => {
  const wanted = intent({ verify: { tables: ["SALES.Orders", "SALES.LINES", "sales.lines", "X.Y"] } });
  assert.equal(
    verifiedTables(wanted, of, tables).map((one) => (one.ok ? "ok" : one.why)),
    ["ambiguous", "ok", "named twice", "not captured"],
  );
});

verified("a table whose legacy topic is kept has one topic of both, unless another is named", () => {
  const wanted = intent({
    to: { topics: "keep" },
    verify: { tables: ["SALES.ORDERS", "SALES.LINES"], legacyTopics: { "SALES.LINES": "old" } },
  });
  assert.equal(
    verifiedTables(wanted, of, tables).map((one) => one.ok && [one.verified.topic, one.verified.legacyTopic]),
    [
      ["orders.ORCLPDB1.SALES.ORDERS", "orders.ORCLPDB1.SALES.ORDERS"],
      ["orders.ORCLPDB1.SALES.LINES", "old"],
    ],
  );
});

const RETIRED = { topic: "old", run: "r1", at: "2026-11-20T08:00:00Z" };

for (const [what, there, retired, complete, legacyTopic, by] of [
  ["is left out if it is gone and the new topic was complete without it", [], [RETIRED], [ORDERS], undefined, "r1"],
  [
    "is left out, by the last retirement that deleted it",
    [],
    [RETIRED, { ...RETIRED, run: "r2" }],
    [ORDERS],
    undefined,
    "r2",
  ],
  ["is read if it is there again", ["old"], [RETIRED], [ORDERS], "old", undefined],
  ["is wanted if the new topic was not complete without it", [], [RETIRED], [], "old", undefined],
  [
    "is wanted if no retirement is known to have deleted it",
    [],
    [{ ...RETIRED, topic: "other" }],
    [ORDERS],
    "old",
    undefined,
  ],
] as const)
  verified(`a retired legacy topic ${what}`, () => {
    const wanted = intent({ verify: { tables: ["SALES.ORDERS"], legacyTopics: { "SALES.ORDERS": "old" } } });
    const seen = { ...of, topics: known(there), retired: known({ topics: retired, complete }) };
    const [one] = verifiedTables(wanted, seen, [captured("ORDERS")]);
    assert.equal(one?.ok && [one.verified.legacyTopic, one.retired?.run], [legacyTopic, by]);
  });

verified("a legacy topic is wanted while topics or retirements are unknown, or none were asked for", () => {
  const wanted = intent({ verify: { tables: ["SALES.ORDERS"], legacyTopics: { "SALES.ORDERS": "old" } } });
  const retired = known({ topics: [RETIRED], complete: [ORDERS] });
  for (const seen of [
    { topics: known([]) },
    { topics: unseen(), retired },
    { topics: known([]), retired: unseen() },
    { retired },
    {},
  ]) {
    const [one] = verifiedTables(wanted, { ...of, ...seen }, [captured("ORDERS")]);
    assert.equal(one?.ok && [one.verified.legacyTopic, one.retired], ["old", undefined]);
  }
});

verified("a table without a topic that can be told says why, and which names fit one that is not found", () => {
  const wanted = intent({ verify: { tables: ["SALES.LINES", "SALES.Orders"], legacyTopics: {} } });
  const [untold, ambiguous] = verifiedTables(wanted, { ...of, settings: settings(UNTOLD_TOPICS) }, tables);
  assert.match(untold?.ok === false && untold.why === "topic not told" ? untold.problem : "", "region");
  assert.equal(ambiguous?.ok === false && "fits" in ambiguous && ambiguous.fits.map(({ name }) => name), [
    "ORDERS",
    "Orders",
  ]);
  assert.equal(verifiedTables(intent({ verify: null }), of, tables), []);
});

verified("keys in another spelling are unused", () => {
  const wanted = intent({
    verify: {
      tables: ["SALES.ORDERS"],
      topics: { "SALES.LINES": "z" },
      legacyTopics: { "sales.orders": "x", "SALES.ORDERS": "y" },
      ignoreColumns: { "A.B": ["C"] },
    },
  });
  assert.equal(strayKeys(wanted), ["SALES.LINES", "sales.orders", "A.B"]);
  assert.equal(strayKeys(intent({ verify: null })), []);
});

verified.run();
