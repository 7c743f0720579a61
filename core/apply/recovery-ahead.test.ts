/** What `recover` asks for, and that it sends nothing that it did not ask for. */
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JournalEvent } from "../run/journal.ts";
import { runState } from "../run/state.ts";
import { recoveryAhead, resumeAhead } from "./recovery-ahead.ts";
import { attemptsOf, type Hands, planNow } from "./testing/attempts.ts";
import { anyFates, sometimes } from "./testing/fates.ts";
import { moveTo } from "./testing/intents.ts";
import { type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { PREVIOUS_SCN } from "./testing/story.ts";

const ahead = suite("what a recovery asks for");

/** Events by which a journal shows that a call left, or may have. */
const isCall = ({ type }: { readonly type: JournalEvent["type"] }) => type === "call-sent" || type === "patch-sent";

const stateOf = (run: { readonly entries: Parameters<typeof runState>[0] }) => {
  const state = runState(run.entries);
  if (state === undefined) throw new Error("a run without its first entry");
  return state;
};

ahead("what nobody was asked for is not sent, whatever the systems do between", async () => {
  let recorded = 0;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), anyFates, sometimes(4000), fc.boolean(), async (resume, fates, late, other) => {
      const world = memoryWorld();
      world.lateCommitAfter = late;
      const hands: { agreed?: Hands["agreed"] } = {};
      const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n, { resume }), world), world, undefined, hands);
      world.fates = fates;
      await run.apply();
      for (let attempt = 0; attempt < 8 && runState(run.entries)?.ended === undefined; attempt++) {
        const state = runState(run.entries);
        if (state === undefined) return;
        const asks = recoveryAhead(state, world.stored ?? null) !== undefined;
        // Another user restores the previous offset after it was looked at.
        if (other && !asks && state.body !== undefined && world.state === "STOPPED") {
          world.stored = state.body.previous ?? null;
        }
        const before = run.entries.length;
        hands.agreed = asks ? undefined : new Set();
        await run.recover();
        hands.agreed = undefined;
        if (asks) continue;
        assert.equal(run.entries.slice(before).filter(isCall), []);
        if (runState(run.entries)?.ended !== undefined) recorded++;
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(recorded > 0, "no recovery only recorded");
});

ahead("a call that has become necessary since is withheld, and asked for by the next recovery", async () => {
  const { run, world, hands } = await cutAt("step-done", "patch-offset", memoryWorld(), false);
  const { body } = stateOf(run);
  world.stored = body?.previous ?? null;
  world.fates = [];
  hands.agreed = new Set();
  const report = await run.recover();
  assert.is(report === "killed" ? report : report.outcome, "unfinished");
  assert.match(report === "killed" ? report : report.message, /nobody was asked for it; it was not sent/);
  assert.is(world.patches.length, 1, "of the apply");
  assert.is(recoveryAhead(stateOf(run), world.stored ?? null)?.is, "finish");
  hands.agreed = undefined;
  const agreed = await run.recover();
  assert.is(agreed === "killed" ? agreed : agreed.outcome, "succeeded");
  assert.is(world.patches.length, 2);
});

ahead(
  "asked with what it shows, as often as that changes, a recovery sends nothing else and comes to an end",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), anyFates, sometimes(4000), fc.nat(12), async (resume, fates, late, other) => {
        const world = memoryWorld();
        world.lateCommitAfter = late;
        const hands: { agreed?: Hands["agreed"] } = {};
        const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n, { resume }), world), world, undefined, hands);
        world.fates = fates;
        await run.apply();
        for (let attempt = 0; attempt < 30 && runState(run.entries)?.ended === undefined; attempt++) {
          const state = runState(run.entries);
          if (state === undefined) return;
          const seen = recoveryAhead(state, world.stored ?? null);
          const steps = seen?.is === "back out" ? undefined : new Set(seen?.steps.map(({ step }) => step));
          // Another user restores the previous offset while the question waits.
          if (attempt === other && state.body !== undefined && world.state === "STOPPED")
            world.stored = state.body.previous;
          const before = run.entries.length;
          hands.agreed = steps;
          const report = await run.recover();
          hands.agreed = undefined;
          const sent = run.entries.slice(before);
          if (steps?.has("patch-offset") === false) assert.not(sent.some(({ type }) => type === "patch-sent"));
          if (steps?.size === 0) assert.equal(sent.filter(isCall), []);
          if (report !== "killed" && report.code === "APL807") await run.abandon();
        }
        assert.ok(runState(run.entries)?.ended !== undefined, runState(run.entries)?.lastProblem);
      }),
      { numRuns: 300 },
    );
  },
);

/** A run that is cut off at the first entry of a type, of a step if one is named. */
async function cutAt(type: JournalEvent["type"], step: string | undefined, world: MemoryWorld, resume = true) {
  const plan = planNow(moveTo(PREVIOUS_SCN - 25_000n, { resume }), world);
  for (let well = 0; ; well++) {
    const fresh = memoryWorld();
    const hands: { agreed?: Hands["agreed"] } = {};
    const run = attemptsOf(plan, fresh, undefined, hands);
    fresh.fates = [...Array.from<"answered">({ length: well }).fill("answered"), "killed after"];
    await run.apply();
    const last = run.entries.at(-1);
    if (last?.type === type && (step === undefined || ("step" in last && last.step === step)))
      return { run, world: fresh, hands };
    if (well > 60) throw new Error(`no run is cut off at ${type} ${step}`);
  }
}

ahead("a run that was interrupted in step 1 would carry out the whole change", async () => {
  const { run, world } = await cutAt("step-started", "stop-connector", memoryWorld());
  const seen = recoveryAhead(stateOf(run), world.stored ?? null);
  assert.equal(seen?.is === "finish" ? seen.steps.map(({ step }) => step) : seen, [
    "stop-connector",
    "recheck",
    "record-applying",
    "patch-offset",
    "record-outcome",
    "resume-connector",
  ]);
});

ahead("a PATCH that somebody has undone is shown before the start, of a settled run too", async () => {
  const { run } = await cutAt("step-done", "record-outcome", memoryWorld());
  const state = stateOf(run);
  const shown = (seen: ReturnType<typeof recoveryAhead>) =>
    seen?.is === "back out" ? seen : seen?.steps.map(({ step }) => step);
  const undone = state.body?.previous ?? null;
  assert.equal(shown(recoveryAhead(state, undone)), ["patch-offset", "resume-connector"]);
  assert.equal(shown(recoveryAhead(state, state.body?.entry.offset ?? null)), ["resume-connector"]);
  const settled = { ...state, ended: { outcome: "succeeded" } } as unknown as typeof state;
  assert.equal(shown(resumeAhead(settled, undone)), ["patch-offset", "resume-connector"]);
});

ahead("nothing was begun: it is only recorded", async () => {
  const { run, world } = await cutAt("run-started", undefined, memoryWorld());
  assert.is(recoveryAhead(stateOf(run), world.stored ?? null), undefined);
});

ahead(
  "patched, and the connector stays stopped: only the record is left, while the offset is the planned one",
  async () => {
    const { run, world } = await cutAt("step-done", "patch-offset", memoryWorld(), false);
    const state = stateOf(run);
    assert.is(recoveryAhead(state, world.stored ?? null), undefined);
    for (const stored of [state.body?.previous ?? null, undefined]) {
      const seen = recoveryAhead(state, stored);
      assert.equal(seen?.is === "finish" ? seen.steps.map(({ step }) => step) : seen, [
        "patch-offset",
        "record-outcome",
      ]);
    }
  },
);

for (const [resume, says] of [
  [true, ['record "failed" in orders.cdc.ops', "start orders-cdc again"]],
  [false, undefined],
] as const)
  ahead(`a step has failed, and the plan ${resume ? "resumes" : "leaves the connector stopped"}`, async () => {
    const { run, world } = await cutAt("step-started", "patch-offset", memoryWorld(), resume);
    const entries = [
      ...run.entries,
      {
        ...run.entries[0],
        seq: BigInt(run.entries.length),
        type: "step-failed",
        step: "patch-offset",
        error: "HTTP 400",
      },
    ] as Parameters<typeof runState>[0];
    const seen = recoveryAhead(stateOf({ entries }), world.stored ?? null);
    assert.equal(seen?.is === "back out" ? seen.undoes : seen, says);
    if (seen?.is === "back out") assert.is(seen.why, "HTTP 400");
  });

ahead("--resume of a settled run starts its connector, and of another also finishes it", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
  await run.apply();
  const settled = resumeAhead(stateOf(run), world.stored ?? null);
  assert.is(settled.is, "start");
  assert.equal(settled.is === "back out" ? [] : settled.steps.map(({ step }) => step), ["resume-connector"]);
  const cut = await cutAt("step-done", "patch-offset", memoryWorld(), false);
  const both = resumeAhead(stateOf(cut.run), cut.world.stored ?? null);
  assert.is(both.is, "finish");
  assert.equal(both.is === "back out" ? [] : both.steps.map(({ step }) => step), ["resume-connector"]);
});

ahead.run();
