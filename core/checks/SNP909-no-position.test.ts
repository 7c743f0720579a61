import { suite } from "uvu";
import * as assert from "uvu/assert";
import { STORED } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, pastTheGap, reading, saidBy } from "../kinds/resnapshot/testing/build-facts.ts";
import { scnAboveCurrent } from "./OFF101-scn-above-current.ts";
import { noPosition } from "./SNP909-no-position.ts";

const check = suite("SNP909 no stored position");

check("passes for a position that the database has reached", () => {
  assert.is(effectOf(noPosition, reading()), "none");
  assert.is(effectOf(noPosition, pastTheGap()), "none");
  assert.is(effectOf(noPosition, reading({ stored: { ...STORED, resume_scn: 2241020n } })), "none");
});

check("refuses a connector that has stored nothing: its first start takes the snapshot", () => {
  for (const stored of [null, {}]) {
    const on = reading({ stored });
    assert.is(effectOf(noPosition, on, intent({ accept: ["SNP909"] })), "blocks");
    assert.match(saidBy(noPosition, on), "has no stored offset");
    assert.match(saidBy(noPosition, on), "cdc.snapshot.mode=initial");
  }
});

check("leaves a position that the database has not reached to OFF101: one problem, one message", () => {
  const on = reading({ stored: { ...STORED, resume_scn: 2241021n } });
  assert.is(effectOf(noPosition, on), "none");
  assert.is(effectOf(scnAboveCurrent, on, intent({ by: "admin" })), "blocks");
  assert.match(saidBy(scnAboveCurrent, on), "2241021 is above the current SCN of ORCLCDB, which is 2241020");
});

check("leaves an offset that can't be read to the checks before it", () => {
  for (const stored of [{ resume_scn: "x" }, { ...STORED, v: 2n }])
    assert.is(effectOf(noPosition, reading({ stored })), "none");
});

check.run();
