import { suite } from "uvu";
import * as assert from "uvu/assert";
import { forgottenIds } from "../facts/offset/moved-offset.ts";
import { effectOf, initial, intent, reading, STORED, toScn } from "../kinds/offset-change/testing/build-facts.ts";
import { notInLedger, releasedMinedAgain } from "./orphan-ledger.ts";
import { worded } from "./testing/wording.ts";

const OFF109 = suite("OFF109 an id to forget that is not in the ledger");

OFF109("passes for ids of the ledger, for all of them, and for none", () => {
  for (const forgetReleased of ["none", "all", [], ["1:5.2.802"]] as const)
    assert.is(effectOf(notInLedger, reading(), intent({ forgetReleased })), "none");
});

OFF109("blocks for an unknown id, and shows what the ledger holds, unless accepted", () => {
  const forgetReleased = ["1:5.2.802", "1:5.2.803"];
  const verdict = worded(notInLedger).run(intent({ forgetReleased }), reading());
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
  OFF109(`${id} in a ledger of ${ledger}: ${taken.length === 0 ? "refused" : `removes ${taken.join(", ")}`}`, () => {
    const seen = reading({ stored: { ...STORED, released_xids: ledger } });
    assert.is(effectOf(notInLedger, seen, intent({ forgetReleased: [id] })), effect);
    assert.equal(forgottenIds(ledger.split(","), [id]), taken);
  });

OFF109("blocks under admin too: the ids were typed for this change", () => {
  assert.is(effectOf(notInLedger, reading(), intent({ forgetReleased: ["1:5.2.803"], by: "admin" })), "blocks");
});

OFF109("treats a connector without an offset as having an empty ledger", () => {
  const verdict = worded(notInLedger).run(intent({ forgetReleased: ["1:5.2.802"] }), initial({ to: 9n }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "it holds nothing");
});

const OFF115 = suite("OFF115 released orphans that may be mined again");

const HELD = { ...STORED, resume_scn: 2204511n, released_xids: "1:4.9.771,1:5.2.802" };
const back = toScn(2169287n);

OFF115("warns for a backward move while the ledger holds ids, and names CDC-7001 and them", () => {
  const on = reading({ stored: HELD }, back);
  assert.is(effectOf(releasedMinedAgain, on, back), "warns");
  const verdict = worded(releasedMinedAgain).run(back, on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /1:4\.9\.771, 1:5\.2\.802: mined again from 2169287 onwards, any of them .* CDC-7001/);
});

OFF115("warns of the remaining ids when some are forgotten, and not when all are", () => {
  const some = toScn(2169287n, { forgetReleased: ["1:4.9.771"] });
  const verdict = worded(releasedMinedAgain).run(some, reading({ stored: HELD }, some));
  assert.match(verdict.verdict === "fail" ? verdict.seen : "", /contains 1:5\.2\.802: .* it stops/);
  const all = toScn(2169287n, { forgetReleased: "all" });
  assert.is(effectOf(releasedMinedAgain, reading({ stored: HELD }, all), all), "none");
  const empty = { ...HELD, released_xids: null };
  assert.is(effectOf(releasedMinedAgain, reading({ stored: empty }, back), back), "none");
});

OFF115("names ten of many", () => {
  const many = Array.from({ length: 12 }, (_, at) => `1:1.1.${at}`).join();
  const verdict = worded(releasedMinedAgain).run(back, reading({ stored: { ...HELD, released_xids: many } }, back));
  assert.match(verdict.verdict === "fail" ? verdict.seen : "", /1:1\.1\.9, …: /);
});

OFF115("does not apply to a forward move, to the same SCN, a first offset, or a restored one", () => {
  for (const to of [2204511n, 2230000n]) {
    const wanted = toScn(to, { allowSkip: true });
    assert.is(effectOf(releasedMinedAgain, reading({ stored: HELD }, wanted), wanted), "none");
  }
  assert.is(effectOf(releasedMinedAgain, initial({ to: 2169287n }), back), "none");
  const restore = intent({ position: { to: "restore", run: "a", offset: STORED, replacing: STORED } });
  const later = { ...HELD, resume_scn: 2300000n };
  assert.is(effectOf(releasedMinedAgain, reading({ stored: later }, restore), restore), "none");
});

OFF109.run();
OFF115.run();
