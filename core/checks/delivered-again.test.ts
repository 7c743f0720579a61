import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  effectOf,
  initial,
  intent,
  move,
  opsEvent,
  reading,
  STORED,
} from "../kinds/offset-change/testing/build-facts.ts";
import { canonicalJson } from "../values/json.ts";
import { deliverAgainRefused, recordedPosition } from "./delivered-again.ts";
import { worded } from "./testing/wording.ts";

const { metadata } = intent();
const again = { ...intent({ deliverAgain: true }), metadata: { ...metadata, ticket: "CHG-4711" } };
const OFF116 = suite("OFF116 only a move back with a ticket delivers again");

OFF116("passes for a move back, and wherever nothing is to be delivered again", () => {
  assert.is(effectOf(deliverAgainRefused, move({ from: 10n, to: 9n }), again), "none");
  assert.is(effectOf(deliverAgainRefused, move({ from: 9n, to: 10n }), intent()), "none");
});

OFF116("refuses a forward move, the same SCN and a first offset", () => {
  for (const on of [move({ from: 9n, to: 10n }), move({ from: 9n, to: 9n }), initial({ to: 9n })]) {
    assert.is(worded(deliverAgainRefused).run(again, on).verdict, "fail");
    assert.is(effectOf(deliverAgainRefused, on, again), "blocks");
  }
});

OFF116("refuses a change without a ticket", () => {
  const without = { ...again, metadata: { ...again.metadata, ticket: undefined } };
  assert.is(worded(deliverAgainRefused).run(without, move({ from: 10n, to: 9n })).verdict, "fail");
});

const OFF117 = suite("OFF117 a recorded offset replaces one that can't be read");

const lastRecorded = intent({ position: { to: "lastRecorded" } });
const recorded = (
  offset: string | undefined,
  stored: Parameters<typeof reading>[0] = { stored: { ...STORED, v: null } },
) =>
  reading(
    {
      ...stored,
      events: [
        opsEvent({
          outcome: "applied",
          run: "2026-11-21T09-10-00Z-7f3a",
          ...(offset === undefined ? {} : { new_offset: offset }),
        }),
      ],
    },
    lastRecorded,
  );
const RECORDED = { ...STORED, resume_scn: 2169287n };

OFF117("warns that what was acknowledged since the record is delivered again, and the move is known", () => {
  const on = recorded(canonicalJson(RECORDED));
  const verdict = worded(recordedPosition).run(lastRecorded, on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "run 2026-11-21T09-10-00Z-7f3a stored");
  assert.equal(on.after, RECORDED);
  assert.is(on.move?.direction, "backward");
});

OFF117("names no run where the record of an earlier version does not", () => {
  const events = [opsEvent({ outcome: "applied", new_offset: canonicalJson(RECORDED) })];
  const on = reading({ stored: { ...STORED, v: null }, events }, lastRecorded);
  const verdict = worded(recordedPosition).run(lastRecorded, on);
  assert.match(verdict.verdict === "fail" ? verdict.seen : verdict.verdict, /^the offset that a run stored at /);
});

OFF117("has no move from an SCN that can't be read", () => {
  const on = recorded(canonicalJson(RECORDED), { stored: { ...STORED, resume_scn: "x" } });
  assert.is(on.move?.from, undefined);
  assert.equal(on.after, RECORDED);
});

for (const [what, on, why] of [
  ["no offset is recorded", recorded(undefined), /carries no offset/],
  ["the recorded one is refused too", recorded(canonicalJson({ ...RECORDED, v: 0n })), /v is 0, not 1/],
  ["the recorded one is another database's", recorded(canonicalJson({ ...RECORDED, dbid: 7n })), /with dbid 7/],
  [
    "the task takes the stored offset",
    recorded(canonicalJson(RECORDED), { stored: STORED }),
    /the task takes the stored/,
  ],
  ["none is stored", recorded(canonicalJson(RECORDED), { stored: null }), /none is stored/],
  ["it is of a later version", recorded(canonicalJson(RECORDED), { stored: { ...STORED, v: 2n } }), /none is stored/],
] as const)
  OFF117(`is not planned where ${what}`, () => {
    assert.is(on.replacement, undefined);
    assert.match(on.target.pinned ? "pinned" : on.target.why, why);
    assert.is(effectOf(recordedPosition, on, lastRecorded), "none");
  });

OFF117("replaces an offset without an identity, too", () => {
  const on = recorded(canonicalJson(RECORDED), { stored: { ...STORED, dbid: null } });
  assert.equal(on.after, RECORDED);
});

OFF116.run();
OFF117.run();
