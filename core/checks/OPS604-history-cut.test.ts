import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, history, intent, known, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { historyCut } from "./OPS604-history-cut.ts";

const check = suite("OPS604 an ops topic that was not read to its beginning");

check("passes when all of it was read", () => {
  assert.is(effectOf(historyCut, reading()), "none");
});

check("warns when only its tail was read, or none of it", () => {
  assert.is(effectOf(historyCut, reading({ opsHistory: known(history([], { whole: false })) })), "warns");
  const on = reading({ opsHistory: unseen() });
  assert.is(historyCut.run(intent(), on).verdict, "unknown");
  assert.is(effectOf(historyCut, on), "warns");
});

check("does not concern a signal alone, which is recorded nowhere", () => {
  const parts = { opsHistory: known(history([], { whole: false })) };
  assert.is(resnapshot.effectOf(historyCut, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(historyCut, resnapshot.pastTheGap(parts)), "warns");
});

check.run();
