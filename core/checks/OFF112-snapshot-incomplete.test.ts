import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { snapshotIncomplete } from "./OFF112-snapshot-incomplete.ts";

const check = suite("OFF112 a snapshot that is not complete");

const withSnapshot = (snapshot: string | bigint | null) => reading({ stored: { ...STORED, snapshot } });

check("passes when it is complete, or none was ever begun", () => {
  assert.is(effectOf(snapshotIncomplete, reading()), "none");
  assert.is(effectOf(snapshotIncomplete, withSnapshot(null)), "none");
});

check("warns of one under way, with its progress", () => {
  const on = withSnapshot('{"v":1,"complete":false,"tables":{"A.B":{"done":true},"A.C":{"done":false}}}');
  const verdict = snapshotIncomplete.run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "1 of 2 tables done");
  assert.is(effectOf(snapshotIncomplete, on), "warns");
});

check("warns of progress in a form that is not known, and carries it along", () => {
  for (const snapshot of ["", "{", "[]", '{"complete":1}', 7n]) {
    const on = withSnapshot(snapshot);
    assert.is(effectOf(snapshotIncomplete, on), "warns");
    assert.is(on.after?.["snapshot"], snapshot);
  }
});

check("warns of one under way when another is asked for, whichever way", () => {
  const parts = {
    stored: { v: 1n, resume_scn: 2204511n, snapshot: '{"v":1,"complete":false,"tables":{"A.B":{"done":false}}}' },
  };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(snapshotIncomplete, on), "warns");
});

check.run();
