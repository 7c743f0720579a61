import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, initial, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
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

check("an id without its container is not guessed to be one of the ledger", () => {
  assert.is(effectOf(notInLedger, reading(), intent({ forgetReleased: ["5.2.802"] })), "blocks");
});

check("a connector without an offset has an empty ledger", () => {
  const verdict = notInLedger.run(intent({ forgetReleased: ["1:5.2.802"] }), initial({ to: 9n }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "it holds nothing");
});

check.run();
