import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import { signalStays } from "./SNP912-signal-stays.ts";

const check = suite("SNP912 a signal that can't be taken back");

const id = "srcdb-cdc-admin-0b5e";

check("does not concern a change that no signal went before", () => {
  assert.is(effectOf(signalStays, reading()), "none");
});

check("a rollback names the signal and its table, or how many there are", () => {
  for (const [names, words] of [
    [["ORCLPDB1.SALES.ORDERS"], "for ORCLPDB1.SALES.ORDERS can't be taken back"],
    [["A.B", "A.C"], "for 2 tables can't be taken back"],
  ] as const) {
    const wanted = intent({ by: "rollback", signalSent: { id, tables: names } });
    const verdict = signalStays.run(wanted, reading());
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, id);
    assert.match(verdict.seen, words);
    assert.is(effectOf(signalStays, reading(), wanted), "warns");
  }
});

check.run();
