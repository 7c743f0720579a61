import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, reading, saidBy, topic } from "../kinds/resnapshot/testing/build-facts.ts";
import { noRightToSignal } from "./SNP907-no-right-to-signal.ts";

const check = suite("SNP907 no right to write to the signals topic");

check("passes when this login may write", () => {
  assert.is(effectOf(noRightToSignal, reading()), "none");
});

check("refuses when the brokers say that it may not", () => {
  const on = reading({ signalsTopic: known(topic({ mayWrite: known(false) })) });
  assert.is(effectOf(noRightToSignal, on), "blocks");
  assert.is(effectOf(noRightToSignal, on, intent({ by: "admin", accept: ["SNP907"] })), "blocks");
  assert.match(saidBy(noRightToSignal, on), "this login may not write to orders.cdc.signals");
});

check("only warns where the protocol does not tell", () => {
  for (const signalsTopic of [known(topic({ mayWrite: unseen("an old broker") })), unseen()]) {
    const on = reading({ signalsTopic });
    assert.is(noRightToSignal.run(intent(), on).verdict, "unknown");
    assert.is(effectOf(noRightToSignal, on), "warns");
  }
});

check("leaves a missing topic to SNP906", () => {
  assert.is(effectOf(noRightToSignal, reading({ signalsTopic: known("missing" as const) })), "none");
});

check.run();
