import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  FAILED,
  intent,
  pastTheGap,
  RUNNING,
  reading,
  STOPPED,
  saidBy,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { noAnswerYet } from "./SNP910-no-answer-yet.ts";

const check = suite("SNP910 a connector that can't answer yet");

const resumed = intent({ resume: true, waitForAck: 300_000n });

check("passes for one that runs, and for any that is resumed", () => {
  assert.is(effectOf(noAnswerYet, reading()), "none");
  for (const status of [RUNNING, STOPPED, FAILED]) {
    assert.is(effectOf(noAnswerYet, reading({ connector: { status } }, resumed), resumed), "none");
    assert.is(effectOf(noAnswerYet, pastTheGap({ connector: { status } }, resumed), resumed), "none");
  }
});

check("warns that one which is stopped or failed takes the signal later", () => {
  const paused = { ...RUNNING, state: "PAUSED" };
  for (const [status, words] of [
    [STOPPED, "is STOPPED"],
    [paused, "is PAUSED"],
    [FAILED, "is FAILED"],
    [{ ...RUNNING, tasks: [] }, "is RUNNING, but not all of its tasks are"],
  ] as const) {
    const on = reading({ connector: { status } });
    assert.is(effectOf(noAnswerYet, on), "warns");
    assert.match(saidBy(noAnswerYet, on), `orders-cdc ${words}: it takes the signal`);
  }
});

check("past the gap it stays stopped, whatever it is now", () => {
  assert.match(saidBy(noAnswerYet, pastTheGap()), "orders-cdc stays stopped");
});

check("says that an answer that was asked for is not waited for", () => {
  const wanted = intent({ waitForAck: 300_000n });
  assert.match(saidBy(noAnswerYet, pastTheGap({}, wanted), wanted), "its answer is not waited for");
  assert.not.match(saidBy(noAnswerYet, pastTheGap()), "not waited for");
});

check("names admin's option to admin", () => {
  assert.match(saidBy(noAnswerYet, pastTheGap(), intent({ by: "admin" })), "Give --resume");
});

check("says nothing while it can't be told what will be done", () => {
  assert.is(effectOf(noAnswerYet, reading({ redo: unseen(), connector: { status: STOPPED } })), "none");
});

check.run();
