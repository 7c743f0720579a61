import { suite } from "uvu";
import * as assert from "uvu/assert";
import { archived, CATALOGUE, effectOf, intent, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
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

check.run();
