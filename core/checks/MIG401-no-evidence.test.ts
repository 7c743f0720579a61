import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { noEvidence } from "./MIG401-no-evidence.ts";

const check = suite("MIG401 evidence that is missing");

check("passes where there is evidence that holds together", () => {
  assert.is(effectOf(noEvidence, retirement()), "none");
});

check("refuses where there is none, and says why", () => {
  const on = retirement({ evidence: unseen("orders.evidence.json: its digest does not fit") });
  assert.is(effectOf(noEvidence, on, intent({ accept: ["MIG401"] })), "blocks");
  assert.match(saidBy(noEvidence, on), /^orders\.evidence\.json: its digest does not fit\n.*phase: verify/);
});

check.run();
