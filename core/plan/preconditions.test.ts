import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Plan } from "./plan.ts";
import { decisionDiff, differences } from "./preconditions.ts";
import { backward as planned } from "./testing/example-plans.ts";

const decisions = suite("what two plans decide differently");

const changed = (decided: Partial<Plan["decided"]>): Plan => ({
  ...planned,
  decided: { ...planned.decided, ...decided },
});

decisions("nothing, where they are the same, whatever the order of the settings", () => {
  const configuration = Object.fromEntries(
    Object.entries({ ...planned.decided.configuration, z: "1", a: "2" }).reverse(),
  );
  const other = changed({ configuration: { ...planned.decided.configuration, z: "1", a: "2" } });
  assert.equal(differences(other, changed({ configuration })), []);
  assert.equal(decisionDiff(other, changed({ configuration })), []);
});

decisions("a setting that was changed is named, and shown as it was and is", () => {
  const now = changed({ configuration: { ...planned.decided.configuration, "cdc.tables.include": "HR[.].*" } });
  assert.match(differences(planned, now).join(), /configuration was changed: cdc\.tables\.include/);
  assert.equal(
    decisionDiff(planned, now).filter((line) => line.startsWith("+")),
    ['+ "cdc.tables.include": "HR[.].*"'],
  );
});

decisions("a direction that has turned is said in words", () => {
  const now = changed({ direction: planned.decided.direction === "forward" ? "backward" : "forward" });
  assert.match(differences(planned, now).join(), /the direction was \w+ and is \w+/);
  assert.is(decisionDiff(planned, now).length, 2);
});

decisions(
  "a connector that has come to a forward target by itself is no difference: nothing is skipped any more",
  () => {
    const ahead = changed({ direction: "forward" });
    assert.equal(differences(ahead, changed({ direction: "same" })), []);
    assert.is(differences(ahead, changed({ direction: "backward" })).length, 1);
    assert.is(differences(changed({ direction: "backward" }), changed({ direction: "same" })).length, 1);
  },
);

decisions.run();
