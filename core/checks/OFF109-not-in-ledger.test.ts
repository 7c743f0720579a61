import { suite } from "uvu";
import * as assert from "uvu/assert";
import { forgottenIds } from "../facts/offset/stored-offset.ts";
import { effectOf, initial, intent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import { notInLedger } from "./OFF109-not-in-ledger.ts";

const check = suite("OFF109 an id to forget that is not in the ledger");

check("passes for ids of the ledger, for all of them, and for none", () => {
  for (const forgetReleased of ["none", "all", [], ["1:5.2.802"]] as const)
    assert.is(effectOf(notInLedger, reading(), intent({ forgetReleased })), "none");
});

check("blocks for a stranger, and shows what the ledger holds, unless accepted", () => {
  const forgetReleased = ["1:5.2.802", "1:5.2.803"];
  const verdict = notInLedger.run(intent({ forgetReleased }), reading());
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "not in the ledger: 1:5.2.803; it holds 1:4.9.771, 1:5.2.802");
  assert.is(effectOf(notInLedger, reading(), intent({ forgetReleased })), "blocks");
  assert.is(effectOf(notInLedger, reading(), intent({ forgetReleased, accept: ["OFF109"] })), "accepted");
});

const NAMES: readonly (readonly [ledger: string, id: string, effect: "none" | "blocks", taken: readonly string[]])[] = [
  ["3:4.9.771", "4.9.771", "none", ["3:4.9.771"]],
  ["4.9.771", "3:4.9.771", "none", ["4.9.771"]],
  ["3:4.9.771", "03:4.09.771", "none", ["3:4.9.771"]],
  ["3:4.9.771,5:4.9.771", "4.9.771", "blocks", []],
  ["3:4.9.771,5:4.9.771", "5:4.9.771", "none", ["5:4.9.771"]],
  ["3:4.9.771,4.9.771", "4.9.771", "none", ["4.9.771"]],
  ["3:4.9.771,3:4.9.771", "4.9.771", "none", ["3:4.9.771", "3:4.9.771"]],
  ["3:4.9.771", "5:4.9.771", "blocks", []],
  ["3:4.9.771", "3:4.9.772", "blocks", []],
];

for (const [ledger, id, effect, taken] of NAMES)
  check(`${id} in a ledger of ${ledger}: ${taken.length === 0 ? "refused" : `takes out ${taken.join(", ")}`}`, () => {
    const seen = reading({ stored: { ...STORED, released_xids: ledger } });
    assert.is(effectOf(notInLedger, seen, intent({ forgetReleased: [id] })), effect);
    assert.equal(forgottenIds(ledger.split(","), [id]), taken);
  });

check("under admin it blocks too: the ids were typed for this very change", () => {
  assert.is(effectOf(notInLedger, reading(), intent({ forgetReleased: ["1:5.2.803"], by: "admin" })), "blocks");
});

check("a connector without an offset has an empty ledger", () => {
  const verdict = notInLedger.run(intent({ forgetReleased: ["1:5.2.802"] }), initial({ to: 9n }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "it holds nothing");
});

check.run();
