import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, opsEvent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import { lastChangeUndone } from "./OFF114-last-change-undone.ts";

const check = suite("OFF114 the last change is undone");

const PLANNED: JsonObject = { ...STORED, resume_scn: 2169287n };
const carried = {
  previous_offset: canonicalJson(STORED),
  new_offset: canonicalJson(PLANNED),
  new_resume_scn: "2169287",
  direction: "backward",
};
const applied = (details: object = {}) => [
  opsEvent({ run: "a", ...carried, ...details }),
  opsEvent({ run: "a", ...carried, outcome: "applied", ...details }),
];
const LATE: JsonObject = { ...STORED, resume_scn: 2204600n };

check("warns where the task of before has committed once more, and names run and repair", () => {
  const on = reading({ events: applied(), stored: LATE });
  assert.is(effectOf(lastChangeUndone, on), "warns");
  const verdict = lastChangeUndone.run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /ana moved the offset to 2169287 .*run a.* set it back to 2204600/);
  assert.match(verdict.remedies?.join() ?? "", "cdcctl recover a --resume");
});

check("passes where the change stands, where the connector has run on, and where something else is stored", () => {
  for (const stored of [
    PLANNED,
    { ...PLANNED, resume_scn: 2170000n, journal_generation: 18n },
    { ...STORED, resume_scn: 77n },
    null,
  ])
    assert.is(effectOf(lastChangeUndone, reading({ events: applied(), stored })), "none", canonicalJson(stored));
});

check("concerns no change that failed, is open, or carries no offsets", () => {
  for (const events of [
    [opsEvent({ run: "a", ...carried }), opsEvent({ run: "a", ...carried, outcome: "failed", error: "x" })],
    [opsEvent({ run: "a", ...carried })],
    [opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "applied" })],
    [],
  ])
    assert.is(effectOf(lastChangeUndone, reading({ events, stored: LATE })), "none");
});

check("looks at the latest change only", () => {
  const events = [...applied(), ...applied({ run: "b", new_offset: canonicalJson(LATE), new_resume_scn: "2204600" })];
  assert.is(effectOf(lastChangeUndone, reading({ events, stored: LATE })), "none");
});

check.run();
