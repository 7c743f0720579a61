import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../values/json.ts";
import { type ChangeNow, changeNow } from "./stored-change.ts";

const outcomes = suite("the outcome of a change of the stored offset");

const offset = (scn: bigint, generation: bigint, more: JsonObject = {}): JsonObject => ({
  v: 1n,
  dbid: 2914731004n,
  resetlogs_scn: 1n,
  resume_scn: scn,
  last_commit_scn: 2030000n,
  last_commit_xid: "3:3.19.63987",
  last_commit_thread: 1n,
  event_index: 3n,
  journal_generation: generation,
  schema_epoch: 0n,
  ...more,
});
const AT_WORK = { resume_rs_id: "0x000000.001eee0f.0010", resume_ssn: 0n };
const CHANGE = {
  previous: offset(2030132n, 2n, AT_WORK),
  planned: offset(2004500n, 2n),
  scn: 2004500n,
  direction: "backward",
};

const CASES: readonly (readonly [what: string, stored: JsonObject | null, is: ChangeNow])[] = [
  ["what was patched is stored", CHANGE.planned, "stands"],
  ["a task that started since has committed", offset(2004600n, 3n, AT_WORK), "ran on"],
  ["the stopped task has committed again", offset(2030140n, 2n, AT_WORK), "undone"],
  ["exactly the previous offset is back", CHANGE.previous, "undone"],
  ["a task of an earlier life, on a worker that hung, has committed", offset(2030102n, 1n, AT_WORK), "undone"],
  ["another user has moved it with the same generation", offset(2010000n, 2n), "changed"],
  ["another user has moved it and kept an earlier generation", offset(2010000n, 1n), "changed"],
  ["it is removed", null, "changed"],
];

for (const [what, stored, is] of CASES)
  outcomes(`${what}: ${is}`, () => {
    assert.is(changeNow(stored, CHANGE), is);
  });

outcomes.run();
