import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { takeoverWarnings } from "./MIG114-takeover-warnings.ts";

const check = suite("MIG114 what is worth a look");

check("passes where there is nothing", () => {
  assert.is(effectOf(takeoverWarnings, cutover()), "none");
});

check("warns of a partition that is left out", () => {
  const wanted = intent({ from: { leaveOut: ["ORCLPDB1.SALES.LINES"] } });
  assert.is(effectOf(takeoverWarnings, cutover({}, wanted), wanted), "warns");
  assert.match(saidBy(takeoverWarnings, cutover({}, wanted), wanted), "ORCLPDB1.SALES.LINES is left out");
});

check("warns of open transactions from before the start, and where they can't be seen", () => {
  const open = {
    xid: { container: 3n, usn: 4n, slot: 9n, sqn: 7n },
    startScn: 1n,
    startedAt: undefined,
    user: "APP",
    clientId: undefined,
  };
  for (const transactions of [known([open]), unseen()])
    assert.is(effectOf(takeoverWarnings, cutover({ transactions })), "warns");
  assert.is(effectOf(takeoverWarnings, cutover({ transactions: known([{ ...open, startScn: 2200000n }]) })), "none");
});

check.run();
