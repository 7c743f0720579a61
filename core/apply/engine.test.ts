import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type System } from "../errors.ts";
import { buildRun } from "../plan/testing/build-run.ts";
import { backward } from "../plan/testing/example-plans.ts";
import { runState } from "../run/state.ts";
import type { RunContext } from "./context.ts";
import { sitting } from "./engine.ts";

const engine = suite("a run that a call has ended");

const state = runState(buildRun(backward, [{ type: "step-started", step: "stop-connector" }]).entries);

for (const [system, last] of [
  ["state", "When the journal can be written again:  cdcctl recover"],
  ["connect", "When it answers again:  cdcctl recover"],
] as const satisfies readonly (readonly [System, string])[]) {
  engine(`says what to do about ${system} first, and then to recover`, async () => {
    const ctx = { run: "r", state: () => state } as unknown as RunContext;
    const failure = new CallFailed({ system, kind: "rejected", message: "no", remedy: "Do something." });
    const report = await sitting(ctx, () => Promise.reject(failure));
    assert.is(report.outcome, "unfinished");
    assert.equal(report.remedies, ["Do something.", last]);
  });
}

engine.run();
