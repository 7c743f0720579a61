import { suite } from "uvu";
import * as assert from "uvu/assert";
import { created, cutover, effectOf, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-facts.ts";
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

check("is looked for at once on older workers, which create it running", () => {
  for (const version of ["3.6.2", "7.6.1-ccs"]) {
    const on = cutover({ worker: { version } });
    assert.is(verdictOf(offsetsOfEarlierConnector, on), "unknown");
    assert.is(effectOf(offsetsOfEarlierConnector, on), "warns");
    assert.match(saidBy(offsetsOfEarlierConnector, on), "can't create it STOPPED");
  }
});

check("where they are accepted says that it resumes from them, and still warns", () => {
  const accepting = intent({ accept: ["MIG107"] });
  assert.is(effectOf(offsetsOfEarlierConnector, cutover({}, accepting), accepting), "warns");
  assert.match(saidBy(offsetsOfEarlierConnector, cutover({}, accepting), accepting), "it resumes from them");
});

check("leaves a connector that is there to MIG105", () => {
  assert.is(effectOf(offsetsOfEarlierConnector, cutover({ next: created() })), "none");
});

check.run();
