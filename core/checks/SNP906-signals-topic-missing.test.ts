import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, pastTheGap, reading, saidBy } from "../kinds/resnapshot/testing/build-facts.ts";
import { signalsTopicMissing } from "./SNP906-signals-topic-missing.ts";

const check = suite("SNP906 a signals topic that is not there");

check("passes when it is there", () => {
  assert.is(effectOf(signalsTopicMissing, reading()), "none");
});

check("refuses a missing one, for a signal alone and past the gap, whoever asks", () => {
  const parts = { signalsTopic: known("missing" as const) };
  for (const on of [reading(parts), pastTheGap(parts)]) {
    assert.is(effectOf(signalsTopicMissing, on, intent({ accept: ["SNP906"] })), "blocks");
    assert.is(effectOf(signalsTopicMissing, on, intent({ by: "admin" })), "blocks");
    assert.match(saidBy(signalsTopicMissing, on), "the brokers have no topic orders.cdc.signals");
  }
});

check("never passes while it can't be seen", () => {
  const on = reading({ signalsTopic: unseen("TOPIC_AUTHORIZATION_FAILED") });
  assert.is(signalsTopicMissing.run(intent(), on).verdict, "unknown");
  assert.is(effectOf(signalsTopicMissing, on), "blocks");
});

check.run();
