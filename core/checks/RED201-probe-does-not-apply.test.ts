import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import { probeDoesNotApply } from "./RED201-probe-does-not-apply.ts";

const check = suite("RED201 log files that can't be probed");

check("passes where the task adds log files itself", () => {
  assert.is(effectOf(probeDoesNotApply, reading()), "none");
});

check("warns when mining from inside a PDB: neither a pass nor a refusal", () => {
  for (const parts of [{ connector: { miningMode: "range" } }, { database: { connectedTo: "PDB1" } }])
    assert.is(effectOf(probeDoesNotApply, reading(parts), intent()), "warns");
});

check.run();
