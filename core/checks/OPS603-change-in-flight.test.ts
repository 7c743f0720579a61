import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, opsEvent, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { changeInFlight } from "./OPS603-change-in-flight.ts";

const check = suite("OPS603 another change in flight");

const young = "2026-11-21T09:10:02Z";
const old = "2026-11-21T08:59:02Z";

check("passes when every change has its outcome, applied or failed", () => {
  const events = [
    opsEvent({ run: "a" }),
    opsEvent({ run: "a", outcome: "applied" }),
    opsEvent({ run: "b" }),
    opsEvent({ run: "b", outcome: "failed", error: "HTTP 500" }),
  ];
  assert.is(effectOf(changeInFlight, reading({ events })), "none");
});

check("names operator, age and run of one without an outcome", () => {
  const verdict = changeInFlight.run(intent(), reading({ events: [opsEvent({ run: "a" }, young)] }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /^ana began a change to 2169287 4 min ago .*run a/);
});

check("is still in flight when a later change came to its end", () => {
  const events = [
    opsEvent({ run: "a" }, old),
    opsEvent({ run: "b" }, young),
    opsEvent({ run: "b", outcome: "applied" }, young),
  ];
  assert.is(effectOf(changeInFlight, reading({ events })), "blocks");
});

check("blocks unless accepted, however old it is", () => {
  for (const at of [young, old]) {
    const on = reading({ events: [opsEvent({}, at)] });
    assert.is(effectOf(changeInFlight, on), "blocks");
    assert.is(effectOf(changeInFlight, on, intent({ accept: ["OPS603"] })), "accepted");
  }
});

check("stops admin while it is younger than 15 minutes, to the second, and is a warning afterwards", () => {
  const admin = intent({ by: "admin" });
  assert.is(effectOf(changeInFlight, reading({ events: [opsEvent({}, "2026-11-21T08:59:03Z")] }), admin), "blocks");
  assert.is(effectOf(changeInFlight, reading({ events: [opsEvent({}, old)] }), admin), "warns");
});

check("one from a clock ahead of ours counts as just begun", () => {
  const on = reading({ events: [opsEvent({}, "2027-01-01T00:00:00Z")] });
  assert.is(effectOf(changeInFlight, on, intent({ by: "admin" })), "blocks");
});

check("another connector's change is none of ours", () => {
  assert.is(effectOf(changeInFlight, reading({ events: [opsEvent({ connector: "other" })] })), "none");
});

check("never passes while the ops topic can't be read", () => {
  const on = reading({ opsHistory: unseen() });
  assert.is(changeInFlight.run(intent(), on).verdict, "unknown");
  assert.is(effectOf(changeInFlight, on), "blocks");
});

check("stops a signal alone too: what is stored now is not what will be stored", () => {
  const events = [opsEvent({ run: "a" }, young)];
  for (const on of [resnapshot.reading({ events }), resnapshot.pastTheGap({ events })])
    assert.is(resnapshot.effectOf(changeInFlight, on), "blocks");
});

check("a signal alone needs no ops topic that can be read; a move past the gap does", () => {
  const parts = { opsHistory: unseen() };
  assert.is(resnapshot.effectOf(changeInFlight, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(changeInFlight, resnapshot.pastTheGap(parts)), "blocks");
});

check("stops the way back of a migration; of another way back says what it began", () => {
  const deleting = [opsEvent({ run: "a", new_resume_scn: "none" }, young)];
  assert.is(migration.effectOf(changeInFlight, migration.goingBack()), "none");
  assert.is(migration.effectOf(changeInFlight, migration.goingBack({ events: deleting })), "blocks");
  assert.match(
    migration.saidBy(changeInFlight, migration.goingBack({ events: deleting })),
    "ana began to delete the stored offset 4 min ago",
  );
  assert.is(migration.effectOf(changeInFlight, migration.goingBack({ opsHistory: unseen() })), "blocks");
});

check.run();
