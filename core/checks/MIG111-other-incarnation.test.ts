import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { DATABASE, table as stored } from "../legacy/testing/build-legacy.ts";
import { otherIncarnation } from "./MIG111-other-incarnation.ts";

const check = suite("MIG111 a position of another incarnation or database");

check("passes between RESETLOGS and the current SCN", () => {
  assert.is(effectOf(otherIncarnation, cutover()), "none");
});

check("refuses an SCN from before RESETLOGS, and one above the current", () => {
  for (const database of [{ resetlogsScn: 2169287n }, { currentScn: 2170000n }])
    assert.is(effectOf(otherIncarnation, cutover({ database }), intent({ accept: ["MIG111"] })), "blocks");
  assert.match(
    saidBy(otherIncarnation, cutover({ database: { currentScn: 2170000n } })),
    "2180000 is above the current SCN",
  );
});

check("where only tables are that old, says how the plan file leaves them out", () => {
  const offsets = [DATABASE, stored("OLD", 5n), stored("OLDER", 4n)];
  const on = cutover({ database: { resetlogsScn: 1000n }, legacy: { offsets } });
  const said = saidBy(otherIncarnation, on);
  assert.match(said, 'spec.from.leaveOut: ["ORCLPDB1.SALES.OLDER","ORCLPDB1.SALES.OLD"]');
  assert.not.match(said, "--leave-out");
});

check.run();
