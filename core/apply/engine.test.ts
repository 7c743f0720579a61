import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, type System } from "../errors.ts";
import { callName } from "../plan/steps.ts";
import { buildRun } from "../plan/testing/build-run.ts";
import { backward } from "../plan/testing/example-plans.ts";
import type { JournalEvent } from "../run/journal.ts";
import { runState } from "../run/state.ts";
import type { Remedy } from "../values/remedy.ts";
import type { RunContext } from "./context.ts";
import { attempt } from "./engine.ts";
import { attemptsOf, planNow } from "./testing/attempts.ts";
import { lived } from "./testing/begun.ts";
import { moveTo } from "./testing/intents.ts";
import { memoryWorld } from "./testing/memory-world.ts";
import { PREVIOUS_SCN } from "./testing/story.ts";

const engine = suite("a run that a failed call has ended");

const state = runState(buildRun(backward, [{ type: "step-started", step: "stop-connector" }]).entries);

for (const [system, last] of [
  ["state", { text: "Once the journal can be written again", command: "cdcctl recover" }],
  ["connect", { text: "Once it answers again", command: "cdcctl recover" }],
] as const satisfies readonly (readonly [System, Remedy])[]) {
  engine(`names ${system} as the first thing to fix, and then recover`, async () => {
    const interrupt = new AbortController().signal;
    const ctx = { run: "r", state: () => state, interrupt } as unknown as RunContext;
    const failure = new CallFailed(system, "rejected", { message: "no", remedy: "Do something." });
    const report = await attempt(ctx, () => Promise.reject(failure));
    assert.is(report.outcome, "unfinished");
    assert.equal(report.remedies, ["Do something.", last]);
  });
}

for (const [sent, changed] of [
  [[], false],
  [["call-sent"], true],
  [["call-sent", "call-rejected"], false],
  // Somebody has started the connector meanwhile, and the second stop is refused: the first was applied.
  [["call-sent", "call-applied", "call-sent", "call-rejected"], true],
] as const)
  engine(
    `${changed ? "may have changed something" : "has changed nothing"} ${sent.length} entries into its first call`,
    async () => {
      const stop = sent.map((type) => ({ type, call: callName("stop", "orders-cdc") }) as JournalEvent);
      const { entries } = buildRun(backward, [{ type: "step-started", step: "stop-connector" }, ...stop]);
      const interrupt = new AbortController().signal;
      const ctx = { run: "r", state: () => runState(entries), interrupt } as unknown as RunContext;
      const failure = new CallFailed("state", "rejected", { message: "the disk is full" });
      const report = await attempt(ctx, () => Promise.reject(failure));
      assert.equal([report.outcome, report.changed], ["unfinished", changed]);
    },
  );

engine("reports that the offset was changed before the ops topic became unavailable", async () => {
  const world = memoryWorld();
  const plan = planNow(moveTo(PREVIOUS_SCN - 25_000n, { resume: true }), world);
  const run = attemptsOf(plan, world, "2026-11-21T09-15-40Z-aaaa");
  const { patchOffsets } = world.connect;
  const gone = () => Promise.reject(new CallFailed("kafka", "missing", { message: "could not find the topic" }));
  world.connect.patchOffsets = async (...patch) => {
    const answer = await patchOffsets(...patch);
    Object.assign(world.kafka, { append: gone, read: gone, endOffsets: gone });
    return answer;
  };
  const { outcome, message, patched } = await lived(run.apply());
  assert.equal([outcome, message, patched], ["unfinished", "could not find the topic", true]);
});

engine.run();
