import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { archived, CATALOGUE, effectOf, intent, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { restoredElsewhere } from "./RED202-restored-elsewhere.ts";

const check = suite("RED202 copies under another destination");

const gap = CATALOGUE.archived.filter(({ sequence }) => sequence !== 119n);
const copy = archived(119n, 2170000n, 2190000n, { destination: 2n, name: "/restore/1_119_1.arc" });

check("passes when nothing is missing, or nothing was restored elsewhere", () => {
  assert.is(
    effectOf(restoredElsewhere, reading({ catalogue: { ...CATALOGUE, archived: [...CATALOGUE.archived, copy] } })),
    "none",
  );
  assert.is(effectOf(restoredElsewhere, reading({ catalogue: { ...CATALOGUE, archived: gap } })), "none");
});

check("names a copy of a missing log that the connector does not read", () => {
  const on = reading({ catalogue: { ...CATALOGUE, archived: [...gap, copy] } });
  const verdict = restoredElsewhere.run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "thread 1 sequence 119 under destination 2");
  assert.is(effectOf(restoredElsewhere, on), "warns");
});

check("does not pass while the catalogue can't be seen", () => {
  assert.is(restoredElsewhere.run(intent(), reading({ redo: unseen() })).verdict, "unknown");
});

check("of a resnapshot, names copies of what is missing from the stored position on", () => {
  const copied = archived(121n, 2204000n, 2220000n, { destination: 2n, name: "/restore/1_121_1.arc" });
  const before = resnapshot.reading({
    catalogue: { ...resnapshot.PURGED, archived: [...resnapshot.PURGED.archived, copied] },
  });
  assert.is(before.way, "past the gap", "a copy elsewhere closes no gap");
  assert.match(resnapshot.saidBy(restoredElsewhere, before), "thread 1 sequence 121 under destination 2");
  assert.is(resnapshot.effectOf(restoredElsewhere, before), "warns");
  const there = resnapshot.reading({ catalogue: { ...CATALOGUE, archived: [...CATALOGUE.archived, copied] } });
  assert.is(resnapshot.effectOf(restoredElsewhere, there), "none");
});

check("of a cutover, names copies of what is missing from the start on", () => {
  const catalogue = { ...CATALOGUE, archived: [...gap, copy] };
  assert.is(migration.effectOf(restoredElsewhere, migration.cutover()), "none");
  assert.is(migration.effectOf(restoredElsewhere, migration.cutover({ catalogue })), "warns");
  assert.is(migration.effectOf(restoredElsewhere, migration.cutover({ redo: unseen() })), "warns");
});

check.run();
