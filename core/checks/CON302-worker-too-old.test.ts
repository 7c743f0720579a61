import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { workerTooOld } from "./CON302-worker-too-old.ts";

const check = suite("CON302 a worker too old to change offsets");

for (const version of ["3.6.0", "3.9.2", "4.3.1", "7.6.1-ccs", "8.0.0-ce"])
  check(`passes for ${version}`, () => {
    assert.is(workerTooOld.run(intent(), reading({ worker: { version } })).verdict, "pass");
  });

for (const version of ["2.8.1", "3.5.2", "7.5.3-ccs"])
  check(`refuses ${version}`, () => {
    assert.is(effectOf(workerTooOld, reading({ worker: { version } }), intent({ accept: ["CON302"] })), "blocks");
  });

check("only warns of a version that says nothing: PATCH itself will tell", () => {
  const seen = reading({ worker: { version: "2024.1.0" } });
  assert.is(workerTooOld.run(intent(), seen).verdict, "unknown");
  assert.is(effectOf(workerTooOld, seen), "warns");
});

check("does not concern a signal alone: only a move past the gap needs PATCH", () => {
  const parts = { worker: { version: "3.5.2" } };
  assert.is(resnapshot.effectOf(workerTooOld, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(workerTooOld, resnapshot.pastTheGap(parts)), "blocks");
});

check("a cutover needs 3.5, to stop and to read offsets; the way back 3.6, to delete them", () => {
  const at = (version: string) => ({ worker: { version } });
  assert.is(migration.effectOf(workerTooOld, migration.cutover(at("3.5.1"))), "none");
  assert.is(migration.effectOf(workerTooOld, migration.cutover(at("3.4.0"))), "blocks");
  assert.is(migration.effectOf(workerTooOld, migration.goingBack(at("3.5.1"))), "blocks");
  assert.is(migration.effectOf(workerTooOld, migration.goingBack(at("3.6.0"))), "none");
  assert.is(migration.effectOf(workerTooOld, migration.goingBack({ ...at("3.5.1"), next: null })), "none");
  assert.is(migration.effectOf(workerTooOld, migration.cutover(at("2024.1"))), "warns");
});

check.run();
