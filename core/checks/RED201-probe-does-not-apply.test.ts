import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, known, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { probeDoesNotApply } from "./RED201-probe-does-not-apply.ts";

const check = suite("RED201 log files that can't be probed");

check("passes where the task adds log files itself", () => {
  assert.is(effectOf(probeDoesNotApply, reading()), "none");
});

check("warns when mining from inside a PDB: neither a pass nor a refusal", () => {
  for (const parts of [{ connector: { miningMode: "range" } }, { database: { connectedTo: "PDB1" } }])
    assert.is(effectOf(probeDoesNotApply, reading(parts), intent()), "warns");
});

check("a resnapshot then goes by the catalogue, with the warning, whichever way", () => {
  const parts = { connector: { miningMode: "range" }, probes: known({ applies: false, files: [] }) };
  for (const [on, way] of [
    [resnapshot.reading(parts), "signal"],
    [resnapshot.pastTheGap(parts), "past the gap"],
  ] as const) {
    assert.is(resnapshot.effectOf(probeDoesNotApply, on), "warns");
    assert.is(on.way, way);
  }
});

check.run();
