import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { created } from "../kinds/migration/testing/story.ts";
import { offsetsOfEarlierConnector } from "./MIG107-offsets-of-earlier-connector.ts";

const check = suite("MIG107 offsets of an earlier connector");

check("is looked for by apply where the connector can be created STOPPED", () => {
  for (const version of ["3.7.0", "4.1.0", "7.7.1-ccs"]) {
    const on = cutover({ worker: { version } });
    assert.is(verdictOf(offsetsOfEarlierConnector, on), "unknown");
    assert.is(effectOf(offsetsOfEarlierConnector, on), "warns");
    assert.match(saidBy(offsetsOfEarlierConnector, on), "looks before it runs");
  }
});

check("can't be looked for on older workers: blocks until it is accepted", () => {
  for (const version of ["3.6.2", "7.6.1-ccs"]) {
    const on = cutover({ worker: { version } });
    assert.is(effectOf(offsetsOfEarlierConnector, on), "blocks");
    assert.is(effectOf(offsetsOfEarlierConnector, on, intent({ accept: ["MIG107"] })), "accepted");
  }
});

check("accepted where it can be looked for means that the new connector resumes from them", () => {
  const accepting = intent({ accept: ["MIG107"] });
  assert.is(effectOf(offsetsOfEarlierConnector, cutover({}, accepting), accepting), "warns");
  assert.match(saidBy(offsetsOfEarlierConnector, cutover({}, accepting), accepting), "lets it resume from them");
});

check("leaves a connector that is there to MIG105", () => {
  assert.is(effectOf(offsetsOfEarlierConnector, cutover({ next: created() })), "none");
});

check.run();
