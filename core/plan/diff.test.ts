import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { STORED } from "../kinds/offset-change/testing/build-facts.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { diffRows, shownItems } from "./diff.ts";

const diff = suite("the diff of a stored offset");

const rows = (before: JsonObject | null, after: JsonObject | null) =>
  diffRows(before, after, []).map(({ label, change }) => `${label}: ${change}`);

diff("shows the decoded items in the order of the specification, then the other fields", () => {
  const { resume_rs_id: _rsId, resume_ssn: _ssn, ...kept } = STORED;
  assert.equal(rows({ ...STORED, signal_offset: 7n }, { ...kept, resume_scn: 5n, signal_offset: 7n }), [
    "resume SCN: changed",
    "redo address: removed",
    "last commit: unchanged",
    "journal generation: unchanged",
    "schema epoch: unchanged",
    "database identity: unchanged",
    "released orphans: unchanged",
    "snapshot progress: unchanged",
    "signal_offset: unchanged",
  ]);
});

diff("a first offset is all added", () => {
  assert.ok(rows(null, { v: 1n, resume_scn: 5n }).every((row) => row.endsWith(": added")));
});

diff("an SCN has its time if that is known", () => {
  const times = [{ scn: 2204511n, at: "2026-11-20T19:02:11Z" }];
  assert.equal(shownItems(STORED, times).get("resume SCN"), { text: "2204511", at: "2026-11-20T19:02:11Z" });
  assert.equal(shownItems(STORED, []).get("resume SCN"), { text: "2204511" });
});

diff("half an identity is shown as half", () => {
  assert.is(
    shownItems({ v: 1n, resume_scn: 5n, resetlogs_scn: 1n }, []).get("database identity")?.text,
    "dbid unknown, resetlogs 1",
  );
});

const CUT = { start_floor_scn: 2044000n, start_open_scn: 2043990n, start_open_xids: "1:4.9.771,1:5.2.802" };

diff("the first-start cut is named by what is not delivered, in place of its three fields", () => {
  const items = shownItems({ ...STORED, last_commit_xid: null, ...CUT }, []);
  assert.is(
    items.get("first-start cut")?.text,
    "nothing below 2044000 is delivered, except rows of 1:4.9.771,1:5.2.802 and transactions that began at or after " +
      "2043990",
  );
  assert.not(items.has("start_floor_scn"));
  assert.ok(shownItems({ ...STORED, ...CUT }, []).has("start_floor_scn"), "not in force once a commit is acknowledged");
});

diff("threads that disagree with the position are shown as ignored", () => {
  const threads = '{"1":{"resume_scn":5}}';
  assert.match(shownItems({ ...STORED, threads }, []).get("threads")?.text ?? "", /^ignored, as it disagrees/);
});

diff("an unreadable offset is shown field by field as it is", () => {
  assert.equal(
    [...shownItems({ v: 2n, resume_scn: "x" }, [])],
    [
      ["v", { text: "2" }],
      ["resume_scn", { text: "x" }],
    ],
  );
});

diff("an offset compared with itself is unchanged, whatever it contains, and no unknown field is omitted", async () => {
  const value: fc.Arbitrary<Json> = fc.oneof(fc.string(), fc.bigInt(), fc.boolean(), fc.constant(null));
  await fc.assert(
    fc.property(fc.dictionary(fc.string(), value, { noNullPrototype: true }), (more) => {
      const offset = { ...more, ...STORED };
      for (const { change } of diffRows(offset, offset, [])) assert.is(change, "unchanged");
      for (const name of Object.keys(more)) assert.ok(name in STORED || shownItems(offset, []).has(name), name);
    }),
  );
});

diff.run();
