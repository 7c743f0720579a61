import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetEntry } from "../../../facts/offset/stored-offset.ts";
import { DEBEZIUM_CLASS } from "../../../legacy/connector-class.ts";
import { type CutoverParts, cutoverFacts } from "../../migration/testing/build-facts.ts";
import { cutover, intent } from "../../migration/testing/build-readings.ts";
import { LINES, ORDERS, UNTOLD_TOPICS } from "../../migration/testing/story.ts";
import { known, unseen } from "../../offset-change/testing/build-facts.ts";
import { planCutover } from "../plan.ts";

const CONFIG = { "connector.class": DEBEZIUM_CLASS, "topic.prefix": "shop", "table.include.list": "SALES\\..*" };
const debezium = (offset: OffsetEntry["offset"] = { scn: "2169287", commit_scn: "2180000:1:" }) => ({
  connectorClass: DEBEZIUM_CLASS,
  config: CONFIG,
  offsets: [{ partition: { server: "shop" }, offset }],
});

const notes = suite("what a cutover says of the legacy connector's topics");

const noteOf = (topics: "keep" | "new" | undefined, parts: CutoverParts) => {
  const plan = planCutover(intent({ to: { topics } }), cutoverFacts(parts));
  return plan.notes.find(({ label }) => label === "topics");
};

notes("new ones are below the prefix, and consumers of the others get nothing more", () => {
  const said = noteOf("new", { legacy: debezium() });
  assert.is(said?.text, "new ones, below orders; those of orders-legacy stay, and get nothing more");
  assert.equal([said?.tone, said?.shown, said?.list], [undefined, "always", undefined]);
});

notes("a prefix that is long is cut off", () => {
  const said = noteOf("new", { legacy: debezium(), settings: { prefix: "p".repeat(100) } });
  assert.ok((said?.text.length ?? 0) < 130, said?.text);
});

const twice = (what: string) => `their consumers see ${what} twice in one stream, source.scn going back`;

for (const [name, parts, text] of [
  [
    "the commits of the overlap, and how long it is",
    {
      legacy: debezium(),
      times: known([
        { scn: 2169287n, at: "2026-11-21T09:00:00Z" },
        { scn: 2180000n, at: "2026-11-21T09:01:30Z" },
      ]),
    },
    twice("the commits of 10,713 SCNs (1 min 30 s)"),
  ],
  [
    "the commits of the overlap, if how long it is is unknown",
    { legacy: debezium(), times: unseen() },
    twice("the commits of 10,713 SCNs"),
  ],
  [
    "nothing, if the last commit is before the start",
    { legacy: debezium({ scn: "2169287", commit_scn: "2160000:1:" }) },
    "no commit reaches them twice, but rows that a snapshot read may come again as changes",
  ],
  [
    "an overlap of unknown size, without a last commit",
    { legacy: debezium({ scn: "2169287" }) },
    twice("an unknown number of commits"),
  ],
  [
    "an overlap of unknown size, without a position",
    { legacy: debezium({ scn: "x" }) },
    twice("an unknown number of commits"),
  ],
] as readonly (readonly [string, CutoverParts, string])[])
  notes(`consumers of kept ones see twice: ${name}`, () => {
    const said = noteOf("keep", parts);
    assert.is(said?.text, `those of orders-legacy are kept: ${text}`);
    assert.equal([said?.tone, said?.shown, said?.list?.what], ["caution", "always", "change for consumers"]);
    assert.is(said?.list?.items.length, 3);
  });

notes("nothing, while the plan file does not decide it, and of a connector whose topics can't be kept", () => {
  assert.is(noteOf(undefined, { legacy: debezium() }), undefined);
  assert.is(noteOf("new", {}), undefined);
});

notes.run();

const topics = suite("the topic of each captured table by both connectors' settings");

topics("are the legacy connector's and the new one's, where each can be told", () => {
  assert.equal(cutover({ legacy: debezium() }).tableTopics, [
    { table: LINES, was: "shop.SALES.LINES", is: "orders.ORCLPDB1.SALES.LINES" },
    { table: ORDERS, was: "shop.SALES.ORDERS", is: "orders.ORCLPDB1.SALES.ORDERS" },
  ]);
  const untold = cutover({ legacy: debezium(), settings: UNTOLD_TOPICS });
  assert.equal(
    untold.tableTopics.map(({ is }) => is),
    [undefined, undefined],
  );
});

topics("are of no table while the captured tables are unknown", () => {
  assert.equal(cutover({ legacy: debezium(), dictionary: unseen() }).tableTopics, []);
});

topics.run();
