import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DATABASE, table } from "../../legacy/testing/build-legacy.ts";
import type { Plan } from "../../plan/plan.ts";
import { type Mark, MOST_STORED } from "../../timeline/timeline.ts";
import { planFor } from "../catalogue.ts";
import { unseen } from "../offset-change/testing/build-facts.ts";
import { cutoverFacts, retirementFacts, returnFacts, verificationFacts } from "./testing/build-facts.ts";
import { intent } from "./testing/build-readings.ts";
import { created } from "./testing/story.ts";

const position = suite("the SCN timeline of a phase");

const over = (parts: Parameters<typeof cutoverFacts>[0] = {}, wanted = intent()) =>
  planFor(wanted, cutoverFacts(parts)).timeline;
const back = (parts: Parameters<typeof returnFacts>[0] = {}) =>
  planFor(intent({ phase: "rollback" }), returnFacts(parts)).timeline;
const marks = (timeline: Plan<"Migration">["timeline"]) => (timeline?.marks ?? []).map(markText);
const markText = ({ mark, scn, of, more, leftOut }: Mark) =>
  [mark, scn, of, more === undefined ? undefined : `and ${more} more`, leftOut ? "left out" : undefined]
    .filter((part) => part !== undefined)
    .join(" ");
position("of a cutover shows the current start, the legacy partitions, the last delivered commit, and now", () => {
  const timeline = over();
  assert.equal(marks(timeline), [
    "target 2169287 orders-cdc",
    "stored scn 2169287 ORCLCDB.ORCLPDB1",
    "stored scn 2170000 ORCLPDB1.SALES.ORDERS",
    "stored scn 2172000 ORCLPDB1.SALES.LINES",
    "last commit 2180000 orders-legacy",
    "current SCN 2241020",
  ]);
  assert.ok(timeline?.threads.some(({ stretches }) => stretches.length > 0));
  assert.equal(timeline?.unseen, []);
});

position("of a rollback shows where the legacy connector resumes, and the new connector's position", () => {
  const offset = { v: 1n, resume_scn: 2204511n, last_commit_scn: 2204498n, last_commit_xid: "1:7.22.1180" };
  const at = (value: typeof offset) =>
    back({ next: created({ offsets: [{ partition: { server: "orders" }, offset: value }] }) });
  assert.equal(
    marks(at(offset)).filter((mark) => !mark.startsWith("stored scn")),
    [
      "target 2169287 orders-legacy",
      "last commit 2180000 orders-legacy",
      "last commit 2204498 orders-cdc",
      "resume SCN 2204511 orders-cdc",
      "current SCN 2241020",
    ],
  );
  assert.equal(
    at({ ...offset, v: 9n })?.unseen.map(({ what }) => what),
    ["journaled transactions", "stored offset"],
  );
  assert.not.ok(marks(back({ next: null })).some((mark) => mark.startsWith("resume SCN")));
});

position("has no last commit where none is stored", () => {
  const offsets = [DATABASE, table("ORDERS", 2170000n)];
  assert.equal(marks(over({ legacy: { offsets } })), [
    "target 2169287 orders-cdc",
    "stored scn 2169287 ORCLCDB.ORCLPDB1",
    "stored scn 2170000 ORCLPDB1.SALES.ORDERS",
    "current SCN 2241020",
  ]);
});

position("partitions with the same SCN have one mark, those that are left out another", () => {
  const leaveOut = ["ORCLPDB1.SALES.LINES"];
  const offsets = [DATABASE, table("ORDERS", 2169287n), table("LINES", 2169287n), table("ITEMS", 2170000n)];
  const seen = marks(over({ legacy: { offsets } }, intent({ from: { leaveOut } })));
  assert.equal(
    seen.filter((mark) => mark.startsWith("stored scn")),
    [
      "stored scn 2169287 ORCLCDB.ORCLPDB1 and 1 more",
      "stored scn 2169287 ORCLPDB1.SALES.LINES left out",
      "stored scn 2170000 ORCLPDB1.SALES.ITEMS",
    ],
  );
});

position("of very many partitions the lowest and the highest have marks, and the others are counted", () => {
  const offsets = Array.from({ length: 500 }, (_, i) => table(`T${i}`, 2170000n + BigInt(i)));
  const timeline = over({ legacy: { offsets: [DATABASE, ...offsets] } });
  const stored = (timeline?.marks ?? []).filter(({ mark }) => mark === "stored scn");
  assert.is(stored.length, MOST_STORED);
  assert.is(stored.at(-1)?.scn, 2170499n);
  assert.is(timeline?.moreStored, 501n - BigInt(MOST_STORED));
});

position("names what is unknown, and invents nothing", () => {
  const timeline = over({ redo: unseen(), transactions: unseen(), times: unseen() });
  assert.equal(timeline?.threads, []);
  assert.ok(timeline?.marks.every(({ at }) => at === undefined));
  assert.equal(
    timeline?.unseen.map(({ what }) => what),
    ["redo", "open transactions", "times"],
  );
  assert.is(over({ legacy: { offsets: [] } }), undefined);
  assert.is(
    back({ legacy: { offsets: [{ partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: "x" } }] } }),
    undefined,
  );
});

position("is not part of the decision, since it changes while the connectors run", () => {
  const at = (currentScn: bigint) => planFor(intent(), cutoverFacts({ database: { currentScn } }));
  assert.is.not(at(2241020n).timeline, undefined);
  assert.is(at(2241020n).decision, at(2241999n).decision);
});

position("does not exist for a verification and a retirement", () => {
  for (const facts of [verificationFacts(), retirementFacts()])
    assert.not.ok("timeline" in planFor(intent({ phase: facts.phase }), facts));
});

position.run();
