import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, pastTheGap, reading, saidBy } from "../kinds/resnapshot/testing/build-facts.ts";
import { noReason } from "./SNP908-no-reason.ts";

const check = suite("SNP908 no reason for moving the offset");

const without = intent({ by: "admin", metadata: { name: "resnapshot", reason: "", ticket: undefined } });

check("a signal alone needs none", () => {
  assert.is(effectOf(noReason, reading({}, without), without), "none");
});

check("past the gap its absence is a refusal, and --reason the remedy", () => {
  for (const reason of ["", "  "]) {
    const wanted = { ...without, metadata: { ...without.metadata, reason } };
    assert.is(effectOf(noReason, pastTheGap({}, wanted), wanted), "blocks");
    assert.match(saidBy(noReason, pastTheGap({}, wanted), wanted), "--reason TEXT");
  }
});

check("passes where there is one", () => {
  assert.is(effectOf(noReason, pastTheGap()), "none");
});

check.run();
