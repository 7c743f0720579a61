import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { settings } from "../kinds/migration/testing/story.ts";
import { effectOf, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { worded } from "./testing/wording.ts";
import { classNotInstalled, noRollbackByRest, workerTooOld } from "./worker.ts";

const CON302 = suite("CON302 a worker too old to change offsets");

for (const version of ["3.6.0", "3.9.2", "4.3.1", "7.6.1-ccs", "8.0.0-ce"])
  CON302(`passes for ${version}`, () => {
    assert.is(worded(workerTooOld).run(intent(), reading({ worker: { version } })).verdict, "pass");
  });

for (const version of ["2.8.1", "3.5.2", "7.5.3-ccs"])
  CON302(`refuses ${version}`, () => {
    assert.is(effectOf(workerTooOld, reading({ worker: { version } }), intent({ accept: ["CON302"] })), "blocks");
  });

CON302("only warns of an unrecognized version: PATCH itself will show it", () => {
  const seen = reading({ worker: { version: "2024.1.0" } });
  assert.is(worded(workerTooOld).run(intent(), seen).verdict, "unknown");
  assert.is(effectOf(workerTooOld, seen), "warns");
});

CON302("does not apply to a signal alone: only a move past the gap needs PATCH", () => {
  const parts = { worker: { version: "3.5.2" } };
  assert.is(resnapshot.effectOf(workerTooOld, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(workerTooOld, resnapshot.pastTheGap(parts)), "blocks");
});

CON302("requires 3.5 for a cutover, to stop and to read offsets; 3.6 for a rollback, to delete them", () => {
  const at = (version: string) => ({ worker: { version } });
  assert.is(migration.effectOf(workerTooOld, migration.cutover(at("3.5.1"))), "none");
  assert.is(migration.effectOf(workerTooOld, migration.cutover(at("3.4.0"))), "blocks");
  assert.is(migration.effectOf(workerTooOld, migration.goingBack(at("3.5.1"))), "blocks");
  assert.is(migration.effectOf(workerTooOld, migration.goingBack(at("3.6.0"))), "none");
  assert.is(migration.effectOf(workerTooOld, migration.goingBack({ ...at("3.5.1"), next: null })), "none");
  assert.is(migration.effectOf(workerTooOld, migration.cutover(at("2024.1"))), "warns");
});

const MIG115 = suite("MIG115 workers that cannot delete offsets");
const on = (version: string) => migration.cutover({ worker: { version } });

MIG115("passes for workers that can", () => {
  for (const version of ["3.6.0", "3.9.2", "4.1.0", "7.6.1-ccs"])
    assert.is(migration.effectOf(noRollbackByRest, on(version)), "none");
});

MIG115("warns of those that cannot, and of unknown ones", () => {
  for (const version of ["3.5.1", "7.5.0-ce", "2025.1"])
    assert.is(migration.effectOf(noRollbackByRest, on(version)), "warns", version);
  assert.match(migration.resultOf(noRollbackByRest, on("3.5.1")), /Kafka Connect 3\.5\.1, which can't delete offsets/);
});

const MIG103 = suite("MIG103 the new class on the workers");

MIG103("passes where it is installed", () => {
  assert.is(migration.effectOf(classNotInstalled, migration.cutover()), "none");
});

MIG103("refuses where it is not, and names it", () => {
  const on = migration.cutover({ installed: known(false) });
  assert.is(migration.effectOf(classNotInstalled, on, migration.intent({ accept: ["MIG103"] })), "blocks");
  assert.match(migration.resultOf(classNotInstalled, on), /connect\.prod:8083 has no sh\.oso\.connect\./);
  const other = { config: { ...settings().config, "connector.class": "org.example.Source" } };
  assert.match(
    migration.resultOf(classNotInstalled, migration.cutover({ installed: known(false), settings: other })),
    "neither org.example.Source nor sh.oso.connect",
  );
  const fork = "com.example.cdc.OracleCdcSourceConnector";
  assert.match(
    migration.resultOf(classNotInstalled, migration.cutover({ installed: known(false), builds: [fork] })),
    fork,
  );
});

MIG103("never passes while it is unknown", () => {
  const on = migration.cutover({ installed: unseen() });
  assert.is(migration.effectOf(classNotInstalled, on), "blocks");
  assert.match(migration.resultOf(classNotInstalled, on), "GET /connector-plugins");
  assert.not.match(migration.resultOf(classNotInstalled, on), "Install");
});

CON302.run();
MIG115.run();
MIG103.run();
