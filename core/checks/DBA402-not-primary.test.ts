import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { notPrimary } from "./DBA402-not-primary.ts";

const check = suite("DBA402 not a primary open for writing");

check("passes for a primary that is open read write", () => {
  assert.is(effectOf(notPrimary, reading()), "none");
});

check("passes for a standby whose archived logs alone are captured", () => {
  const on = reading({ connector: { captureMode: "archive_only" }, database: { role: "PHYSICAL STANDBY" } });
  assert.is(effectOf(notPrimary, on), "none");
});

check("blocks for a standby, or a primary open read only, unless accepted", () => {
  for (const database of [{ role: "PHYSICAL STANDBY", openMode: "READ ONLY WITH APPLY" }, { openMode: "READ ONLY" }]) {
    const on = reading({ database });
    assert.is(effectOf(notPrimary, on), "blocks");
    assert.is(effectOf(notPrimary, on, intent({ accept: ["DBA402"] })), "accepted");
    assert.is(effectOf(notPrimary, on, intent({ by: "admin" })), "warns");
  }
});

check("concerns a resnapshot, whichever way it goes", () => {
  const parts = { database: { role: "PHYSICAL STANDBY" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(notPrimary, on), "blocks");
});

check("concerns a cutover, by the settings that the new connector would have", () => {
  const standby = { database: { role: "PHYSICAL STANDBY" } };
  assert.is(migration.effectOf(notPrimary, migration.cutover(standby)), "blocks");
  const settings = { captureMode: "archive_only" as const };
  assert.is(migration.effectOf(notPrimary, migration.cutover({ ...standby, settings })), "none");
});

check.run();
