import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Plan } from "./plan.ts";
import { configurationLines, decisionDiff, differences } from "./preconditions.ts";
import { backward as planned } from "./testing/example-plans.ts";
import { pastGapWhole } from "./testing/example-snapshots.ts";

const decisions = suite("differences between the decisions of two plans");

const changed = (decided: Partial<Plan<"OffsetChange">["decided"]>): Plan<"OffsetChange"> => ({
  ...planned,
  decided: { ...planned.decided, ...decided },
});

decisions("are none if they are the same, whatever the order of the settings", () => {
  const configuration = Object.fromEntries(
    Object.entries({ ...planned.decided.configuration, z: "1", a: "2" }).reverse(),
  );
  const other = changed({ configuration: { ...planned.decided.configuration, z: "1", a: "2" } });
  assert.equal(differences(other, changed({ configuration })), []);
  assert.equal(decisionDiff(other, changed({ configuration })), []);
});

decisions("a changed setting is named, with its old and new value", () => {
  const now = changed({ configuration: { ...planned.decided.configuration, "cdc.tables.include": "HR[.].*" } });
  assert.match(differences(planned, now).join(), /configuration was changed: cdc\.tables\.include/);
  assert.equal(
    decisionDiff(planned, now).filter((line) => line.startsWith("+")),
    ['+ "cdc.tables.include": "HR[.].*"'],
  );
});

decisions("a reversed direction is described in words", () => {
  const now = changed({ direction: planned.decided.direction === "forward" ? "backward" : "forward" });
  assert.match(differences(planned, now).join(), /the direction was \w+ and is \w+/);
  assert.is(decisionDiff(planned, now).length, 2);
});

decisions(
  "a connector that has reached a forward target by itself is no difference: nothing is skipped any more",
  () => {
    const ahead = changed({ direction: "forward" });
    assert.equal(differences(ahead, changed({ direction: "same" })), []);
    assert.is(differences(ahead, changed({ direction: "backward" })).length, 1);
    assert.is(differences(changed({ direction: "backward" }), changed({ direction: "same" })).length, 1);
  },
);

const TABLES = Array.from({ length: 100_000 }, (_, i) => `ORCLPDB1.SALES.T${i}`);
const GAP = ["CDC-2002 thread 1 sequence 121 purged: marked deleted in the catalogue: /arch/1_121_1.arc"];
const ahead: Plan<"Resnapshot"> = {
  ...pastGapWhole,
  decided: {
    ...pastGapWhole.decided,
    gap: GAP,
    scn: 2220000n,
    direction: "forward",
    unlisted: TABLES,
    skipGapForUnlistedTables: "all",
  },
};
const since = (decided: Partial<Plan<"Resnapshot">["decided"]>): Plan<"Resnapshot"> => ({
  ...ahead,
  decided: { ...ahead.decided, ...decided },
});

decisions("of 100,000 tables only the added and removed ones are named", () => {
  const now = since({ unlisted: [...TABLES.slice(1), "ORCLPDB1.SALES.NEW"] });
  assert.equal(differences(ahead, now), [
    "the unlisted tables changed: now also ORCLPDB1.SALES.NEW; no longer ORCLPDB1.SALES.T0",
  ]);
  assert.ok(decisionDiff(ahead, now).length < 10);
});

decisions("of very many added ones a few are named, with the number of the others", () => {
  const [difference = ""] = differences(since({ unlisted: [] }), ahead);
  assert.match(difference, /now also ORCLPDB1\.SALES\.T0, .*T4 and 99995 more$/);
  assert.ok(difference.length < 300);
  assert.ok(decisionDiff(since({ unlisted: [] }), ahead).length <= 400);
});

decisions("an assertion that became a list is reported briefly", () => {
  const [difference = ""] = differences(ahead, since({ skipGapForUnlistedTables: TABLES }));
  assert.match(difference, /^skipGapForUnlistedTables was all and is ORCLPDB1\.SALES\.T0, .* and 99995 more$/);
  assert.ok(difference.length < 300);
});

decisions("the same names in another order are reported as such", () => {
  assert.equal(differences(since({ tables: ["A.B", "A.C"] }), since({ tables: ["A.C", "A.B"] })), [
    "the tables changed: in another order",
  ]);
});

decisions("restored or newly missing redo is one difference, not everything that follows from it", () => {
  const { gap: _gap, unlisted: _unlisted, scn: _scn, direction: _direction, ...rest } = ahead.decided;
  const whole: Plan<"Resnapshot"> = { ...ahead, decided: { ...rest, scn: undefined, direction: undefined } };
  assert.equal(differences(ahead, whole), ["redo was missing, and is now complete"]);
  assert.equal(differences(whole, ahead), [`redo was complete, and is now missing: ${GAP[0]}`]);
});

decisions("a larger gap is described by the redo that is missing now", () => {
  assert.equal(differences(ahead, since({ gap: [...GAP, "CDC-2001 thread 1 sequence 122 missing"], scn: 2230000n })), [
    "the target SCN was 2220000 and is 2230000",
    "the gap changed: now also CDC-2001 thread 1 sequence 122 missing",
  ]);
});

decisions("what the run itself has removed is not missed, but nothing more is removed", () => {
  const planned = since({ removedTransactions: ["3:1.1.1", "3:2.2.2"], removedSchemas: ["ORCLPDB1.SALES.ORDERS"] });
  const partly = since({ removedTransactions: ["3:2.2.2"] });
  assert.is(differences(planned, partly).length, 2);
  assert.equal(differences(planned, partly, true), []);
  assert.equal(differences(planned, since({ removedTransactions: ["3:3.3.3"] }), true), [
    "the journaled transactions to remove changed: now also 3:3.3.3; no longer 3:1.1.1, 3:2.2.2",
  ]);
});

decisions("of two configurations the changed settings are shown as lines, before and after", () => {
  const before = { a: "1", "cdc.lob.mode": "skip", same: "x" };
  const after = { same: "x", "cdc.lob.mode": "reselect", z: "two\nlines" };
  assert.equal(configurationLines(before, after), [
    "- a: 1",
    "- cdc.lob.mode: skip",
    "+ cdc.lob.mode: reselect",
    "+ z: two\\nlines",
  ]);
  assert.equal(configurationLines(before, { ...before }), []);
});

decisions.run();
