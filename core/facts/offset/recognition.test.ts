import { suite } from "uvu";
import * as assert from "uvu/assert";
import { STORED } from "../../kinds/offset-change/testing/build-facts.ts";
import type { JsonObject } from "../../values/json.ts";
import { decodeOffset, nothingLost, recognitionBy, type StoredOffset, trustsThreads } from "./stored-offset.ts";

function read(raw: JsonObject): StoredOffset {
  const decoded = decodeOffset(raw);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.offset;
}

const recognised = suite("what the task recognises as delivered");

const ADDRESS = { last_commit_rs_id: "0x00002a.00000f1b.0100", last_commit_ssn: 2n };
const cases: readonly (readonly [string, JsonObject, string, RegExp?])[] = [
  ["all, with transaction, thread and address", { ...STORED, ...ADDRESS }, "all"],
  ["all, with transaction, thread and SCN", STORED, "all"],
  ["all, with SCN 0 beside an address", { ...STORED, ...ADDRESS, last_commit_scn: 0n }, "all"],
  ["all, of an older transaction id beside an address", { ...STORED, ...ADDRESS, last_commit_xid: "7.22.1180" }, "all"],
  ["nothing, without a transaction, whatever the SCN", { ...STORED, last_commit_xid: null }, "none", /transaction id/],
  ["nothing, without any last commit", { ...STORED, last_commit_xid: null, last_commit_scn: 0n }, "none", /no last/],
  [
    "nothing, without a thread beside an address",
    { ...STORED, ...ADDRESS, last_commit_thread: null },
    "none",
    /thread/,
  ],
  ["nothing, with SCN 0 and no address", { ...STORED, last_commit_scn: 0n }, "none", /without its SCN/],
  [
    "all but the last, without thread and address",
    { ...STORED, last_commit_thread: null },
    "all but the last",
    /thread/,
  ],
  [
    "all but the last, of an older transaction id without an address",
    { ...STORED, last_commit_xid: "7.22.1180" },
    "all but the last",
    /without a container/,
  ],
];
for (const [what, raw, is, why = /^$/] of cases)
  recognised(what, () => {
    const found = recognitionBy(read(raw));
    assert.is(found.is, is);
    assert.match("why" in found ? found.why : "", why);
  });

recognised.run();

const threads = suite("the marks of several redo threads");

const mark = (resume: number, commit = 2204498, xid = "1:7.22.1180") =>
  `{"resume_scn":${resume},"commit_scn":${commit},"commit_xid":"${xid}"}`;
const trusted = (text: string, more: JsonObject = {}) => trustsThreads(read({ ...STORED, threads: text, ...more }));

threads("are trusted while the lowest resume SCN and the last commit are the offset's", () => {
  assert.ok(trusted(`{"1":${mark(2204511)}}`));
  assert.ok(trusted(`{"2":{"resume_scn":2300000},"1":${mark(2204511)}}`));
  assert.ok(trusted('{"1":{"resume_scn":2204511}}', { last_commit_xid: null, last_commit_scn: 0n }));
});

threads("are ignored when an older connector has carried them along", () => {
  assert.not(trusted(`{"1":${mark(2204510)}}`), "another resume SCN");
  assert.not(trusted(`{"1":${mark(2204511, 2204497)}}`), "another SCN of the last commit");
  assert.not(trusted(`{"1":${mark(2204511, 2204498, "1:7.22.1181")}}`), "another transaction");
  assert.not(trusted(`{"2":${mark(2204511)}}`), "another thread");
  assert.not(trusted(`{"1":${mark(2204511)}}`, { last_commit_xid: null }), "no commit is acknowledged");
  assert.not(trusted("{}"));
});

threads.run();

const lost = suite("what a move ahead loses");

lost("no commit, up to the last acknowledged one", () => {
  assert.is(nothingLost(read(STORED), 2204498n)?.upTo, 2204498n);
  assert.is(nothingLost(read(STORED), 2204499n), undefined);
});

lost("commits, where only an SCN is stored: none is acknowledged", () => {
  assert.is(nothingLost(read({ ...STORED, last_commit_xid: null }), 2204498n), undefined);
});

lost("no commit below the floor of the first-start cut, which leaves them out anyway", () => {
  const first = { ...STORED, last_commit_xid: null, last_commit_scn: 0n, start_floor_scn: 2300000n };
  assert.match(nothingLost(read(first), 2300000n)?.why ?? "", "first-start cut leaves out every commit below 2300000");
  assert.is(nothingLost(read(first), 2300001n), undefined);
});

lost.run();
