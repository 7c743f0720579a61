import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, initial, intent, reading, STORED, toScn } from "../kinds/offset-change/testing/build-facts.ts";
import { releasedMinedAgain } from "./OFF115-released-mined-again.ts";

const check = suite("OFF115 released orphans that may be mined again");

const HELD = { ...STORED, resume_scn: 2204511n, released_xids: "1:4.9.771,1:5.2.802" };
const back = toScn(2169287n);

check("warns of a move back while the ledger holds ids, and names CDC-7001 and them", () => {
  const on = reading({ stored: HELD }, back);
  assert.is(effectOf(releasedMinedAgain, on, back), "warns");
  const verdict = releasedMinedAgain.run(back, on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /1:4\.9\.771, 1:5\.2\.802: mined again from 2169287 on, any of them .* CDC-7001/);
});

check("warns of what is left when some are forgotten, and not when none is", () => {
  const some = toScn(2169287n, { forgetReleased: ["1:4.9.771"] });
  const verdict = releasedMinedAgain.run(some, reading({ stored: HELD }, some));
  assert.match(verdict.verdict === "fail" ? verdict.seen : "", /keeps 1:5\.2\.802: .* it stops/);
  const all = toScn(2169287n, { forgetReleased: "all" });
  assert.is(effectOf(releasedMinedAgain, reading({ stored: HELD }, all), all), "none");
  const empty = { ...HELD, released_xids: null };
  assert.is(effectOf(releasedMinedAgain, reading({ stored: empty }, back), back), "none");
});

check("names ten of many", () => {
  const many = Array.from({ length: 12 }, (_, at) => `1:1.1.${at}`).join();
  const verdict = releasedMinedAgain.run(back, reading({ stored: { ...HELD, released_xids: many } }, back));
  assert.match(verdict.verdict === "fail" ? verdict.seen : "", /1:1\.1\.9, …: /);
});

check("does not concern a move forward, to the same SCN, a first offset, or one that is restored", () => {
  for (const to of [2204511n, 2230000n]) {
    const wanted = toScn(to, { allowSkip: true });
    assert.is(effectOf(releasedMinedAgain, reading({ stored: HELD }, wanted), wanted), "none");
  }
  assert.is(effectOf(releasedMinedAgain, initial({ to: 2169287n }), back), "none");
  const restore = intent({ position: { to: "restore", run: "a", offset: STORED, replacing: STORED } });
  const later = { ...HELD, resume_scn: 2300000n };
  assert.is(effectOf(releasedMinedAgain, reading({ stored: later }, restore), restore), "none");
});

check.run();
