import { suite } from "uvu";
import * as assert from "uvu/assert";
import { STORED } from "../../kinds/offset-change/testing/build-facts.ts";
import type { JsonObject } from "../../values/json.ts";
import { problemIn } from "./offset-problems.ts";

const problems = suite("what a stored offset must hold for the task to start");

const taken: readonly (readonly [string, JsonObject])[] = [
  ["the connector's own", STORED],
  ["numbers as text", { ...STORED, v: "1", event_index: "14", schema_epoch: "0" }],
  [
    "null where the task writes or reads it",
    {
      ...STORED,
      resume_rs_id: null,
      resume_ssn: null,
      last_commit_xid: null,
      last_commit_thread: null,
      last_commit_rs_id: null,
      last_commit_ssn: null,
      event_index: null,
      journal_generation: null,
      schema_epoch: null,
      released_xids: null,
      snapshot: null,
      threads: null,
    },
  ],
  [
    "a snapshot under way, whose frontier is null",
    { ...STORED, snapshot: '{"v":1,"tables":{"A.B":{"frontier":null}}}' },
  ],
  ["unknown fields of any type", { ...STORED, later: "x", other: { a: null } }],
  ["an ssn of any form without an address", { ...STORED, resume_rs_id: null, resume_ssn: "x" }],
  ["a cut that is not a number, once a commit is acknowledged", { ...STORED, start_floor_scn: "x" }],
];
for (const [what, raw] of taken) problems(`the task takes ${what}`, () => assert.is(problemIn(raw), undefined));

const { v: _v, ...WITHOUT_VERSION } = STORED;
const refused: readonly (readonly [string, JsonObject, RegExp])[] = [
  ["no version", WITHOUT_VERSION, /^v is missing, not 1: .*CDC-3002/],
  ["a version of null", { ...STORED, v: null }, /^v is null, not 1: .*CDC-3002/],
  ["a version of 0", { ...STORED, v: 0n }, /^v is 0, not 1: .*CDC-3002/],
  ["a version of 2", { ...STORED, v: 2n }, /^v is 2, not 1: .*CDC-3002/],
  ["a snapshot that is not JSON", { ...STORED, snapshot: "{" }, /^snapshot is "\{", which is not a JSON.*CDC-3002/],
  ["an empty snapshot", { ...STORED, snapshot: "" }, /^snapshot is "", .*CDC-3002/],
  ["a snapshot that is a number", { ...STORED, snapshot: 7n }, /^snapshot is 7, .*CDC-3002/],
  ["a snapshot without a version", { ...STORED, snapshot: '{"complete":true}' }, /^v in snapshot is missing.*CDC-3002/],
  ["a snapshot of version 2", { ...STORED, snapshot: '{"v":2}' }, /^v in snapshot is 2, not 1: .*CDC-3002/],
  ["a snapshot whose version is text", { ...STORED, snapshot: '{"v":"1"}' }, /^v in snapshot is "1", not 1/],
  ["a snapshot with a null", { ...STORED, snapshot: '{"v":1,"where":null}' }, /^snapshot holds a null.*without a code/],
  ["a table of null in it", { ...STORED, snapshot: '{"v":1,"tables":{"A.B":null}}' }, /^snapshot holds a null/],
  ["threads that are not JSON", { ...STORED, threads: "1:2" }, /^threads is "1:2", .*CDC-3002/],
  ["pending snapshots of null", { ...STORED, snapshot_pending: null }, /^snapshot_pending is null: .*without a code/],
  ["a signal offset of null", { ...STORED, signal_offset: null }, /^signal_offset is null/],
  ["an unknown field of null", { ...STORED, later: null }, /^later is null/],
  ["a blank transaction", { ...STORED, last_commit_xid: " " }, /^last_commit_xid is " ", .*without a code/],
  ["a transaction of another form", { ...STORED, last_commit_xid: "7.22" }, /^last_commit_xid is "7\.22"/],
  [
    "a negative event index",
    { ...STORED, event_index: -1n },
    /^event_index is -1, which is negative: .*without a code/,
  ],
  ["text in the schema epoch", { ...STORED, schema_epoch: "first" }, /^schema_epoch is "first", .*without a code/],
  ["an ssn that is not a number beside its address", { ...STORED, resume_ssn: "x" }, /^resume_ssn is "x"/],
  [
    "a cut that is not a number, while no commit is acknowledged",
    { ...STORED, last_commit_xid: null, start_floor_scn: "x" },
    /^start_floor_scn is "x"/,
  ],
];
for (const [what, raw, problem] of refused)
  problems(`the task stops at ${what}`, () => assert.match(problemIn(raw) ?? "none", problem));

problems.run();
