import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, Refusal } from "../errors.ts";
import { decodeOffset, sameOffset } from "../facts/offset/stored-offset.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import type { JournalEntry } from "../run/journal.ts";
import { patchInDoubt, runState } from "../run/state.ts";
import { canonicalJson } from "../values/json.ts";
import { type Attempts, attemptsOf, planNow } from "./testing/attempts.ts";
import { anyFates, sometimes } from "./testing/fates.ts";
import { moveTo } from "./testing/intents.ts";
import { type Fate, type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { CONNECTOR, PREVIOUS_SCN } from "./testing/story.ts";

const recovery = suite("recovery");

const anyTarget = fc.bigInt(PREVIOUS_SCN - 30_000n, PREVIOUS_SCN - 20_000n);

/** What world, topic and journal say against one another. */
function contradiction(world: MemoryWorld, { entries }: Attempts): string | undefined {
  const state = runState(entries);
  const change = recordedChanges(world.events, CONNECTOR).at(-1);
  if (state === undefined) return change === undefined ? undefined : "an event without a run";
  if (state.ended === undefined) return "the run is not ended";
  const offset = decodeOffset(world.stored ?? {});
  const scn = offset.ok ? offset.offset.resumeScn : 0n;
  const moved = scn < PREVIOUS_SCN;
  const story = `${state.ended.outcome}, ${change?.outcome ?? "no event"}, at ${scn}`;
  switch (state.ended.outcome) {
    case "rejected":
      return story;
    case "succeeded":
      return change?.outcome === "applied" && (moved || state.unproven !== undefined) ? undefined : story;
    case "failed":
    case "refused":
      return (change === undefined || change.outcome === "failed") && !moved ? undefined : story;
    case "abandoned":
      return change?.outcome === "applying" ? story : undefined;
  }
}

recovery("settles a run that was cut off anywhere, with calls lost, refused or late", async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyTarget, fc.boolean(), anyFates, sometimes(20_000), async (target, resume, fates, late) => {
      const world = memoryWorld();
      world.lateCommitAfter = late;
      const run = attemptsOf(planNow(moveTo(target, { resume }), world), world);
      world.fates = fates;
      await run.apply();
      await run.settle();
      // Nobody watches an offset whose connector stays stopped: what comes late then is for the next plan to see.
      if (resume || late === undefined) assert.is(contradiction(world, run), undefined);
      const outcome = runState(run.entries)?.ended?.outcome ?? "never begun";
      const refusedToResume = run.entries.some((entry) => entry.type === "backed-out" && !entry.resumed);
      if (resume && outcome !== "abandoned" && !refusedToResume) assert.is(world.state, "RUNNING");
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      // What was on its way when the run was settled changes nothing any more.
      if (late !== undefined) return;
      await world.settle();
      assert.is(contradiction(world, run), undefined);
    }),
    { numRuns: 800 },
  );
  for (const outcome of ["succeeded", "failed", "refused"])
    assert.ok(outcomes.has(outcome), `${outcome} never came about: ${JSON.stringify([...outcomes])}`);
});

recovery("reports the offset correctly when another user starts the connector during it", async () => {
  await fc.assert(
    fc.asyncProperty(anyTarget, fc.boolean(), anyFates, fc.nat(8000), async (target, resume, fates, after) => {
      const world = memoryWorld();
      world.startedAfter = after;
      const run = attemptsOf(planNow(moveTo(target, { resume }), world), world);
      world.fates = fates;
      await run.apply();
      await run.settle();
      assert.is(contradiction(world, run), undefined);
    }),
    { numRuns: 800 },
  );
});

recovery("sends only identical PATCHes, to a stopped connector that has the previous or the new offset", async () => {
  await fc.assert(
    fc.asyncProperty(anyTarget, anyFates, sometimes(20_000), async (target, fates, late) => {
      const world = memoryWorld();
      world.lateCommitAfter = late;
      const run = attemptsOf(planNow(moveTo(target), world), world);
      world.fates = fates;
      await run.apply();
      await run.settle();
      const bodies = run.entries.flatMap((entry) => (entry.type === "body-pinned" ? [entry] : []));
      for (const patch of world.patches) {
        const pinned = bodies.find(({ body }) => canonicalJson([body]) === patch.body);
        assert.ok(pinned, "a body that the journal does not know");
        assert.is(patch.state, "STOPPED");
        assert.ok(sameOffset(patch.stored, pinned.previous) || sameOffset(patch.stored, pinned.body.offset));
      }
      assert.ok(new Set(world.patches.map(({ body }) => body)).size <= 1);
      assert.ok(run.entries.filter(({ type }) => type === "patch-sent").length >= world.patches.length);
    }),
    { numRuns: 400 },
  );
});

recovery("never calls a lost reply a success or a failure", async () => {
  for (const fate of ["lost", "lost, applied", "lost, applied later"] as const) {
    const world = memoryWorld();
    const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
    untilPatch(world, run, fate);
    const report = await run.apply();
    assert.is(report === "killed" ? report : report.outcome, "unfinished", fate);
    const state = runState(run.entries);
    assert.ok(state !== undefined && patchInDoubt(state));
    assert.equal(
      world.events.map(({ details }) => details.outcome),
      ["applying"],
    );
    await run.settle();
    assert.is(runState(run.entries)?.ended?.outcome, "succeeded");
  }
});

/** Everything is answered but the PATCHes of this attempt. */
function untilPatch(world: MemoryWorld, run: Attempts, fate: Fate): void {
  const { fate: well } = world;
  world.fate = () => {
    const state = runState(run.entries);
    const patching = state?.ended === undefined && run.entries.at(-1)?.type === "patch-sent";
    const first = !run.entries.some(({ type }) => type === "recovery-started");
    return patching && first ? fate : well();
  };
}

recovery("never takes a rejection as final while an earlier PATCH is unanswered", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
  const fates: Fate[] = ["lost, applied later"];
  const well = world.fate;
  world.fate = () => (run.entries.at(-1)?.type === "patch-sent" ? (fates.shift() ?? "refused") : well());
  const report = await run.apply();
  assert.is(report === "killed" ? report : report.outcome, "unfinished");
  world.fate = well;
  await run.settle();
  assert.is(contradiction(world, run), undefined);
});

recovery("sends no PATCH to a connector that another user has started", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
  const well = world.fate;
  world.fate = () => {
    const last = run.entries.at(-1);
    if (last?.type === "step-done" && last.step === "record-applying") world.state = "RUNNING";
    return well();
  };
  await run.apply();
  assert.equal(world.patches, []);
  assert.is(runState(run.entries)?.ended?.outcome, "failed");
  assert.is(contradiction(world, run), undefined);
});

recovery("can be repeated after it was killed at any point", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
  world.fates = ["answered", "answered", "killed after"];
  assert.is(await run.apply(), "killed");
  for (let kills = 0; kills < 12 && runState(run.entries)?.ended === undefined; kills++) {
    world.fates = [
      ...Array.from<Fate>({ length: kills }).fill("answered"),
      kills % 2 === 0 ? "killed before" : "killed after",
    ];
    await run.recover();
  }
  await run.settle();
  assert.is(contradiction(world, run), undefined);
});

recovery("abandons only when the operator confirms, and records that in the topic", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
  untilPatch(world, run, "lost");
  await run.apply();
  world.stored = { ...world.stored, resume_scn: PREVIOUS_SCN + 77n };
  const report = await run.recover();
  assert.is(report === "killed" ? report : report.code, "APL807");
  assert.is(world.events.length, 1);
  const abandoned = await run.abandon();
  assert.is(abandoned !== "killed" && abandoned.stands, false, "whether it was changed was never known");
  assert.is(runState(run.entries)?.ended?.outcome, "abandoned");
  assert.is(recordedChanges(world.events, CONNECTOR).at(-1)?.outcome, "failed");
  assert.is(world.state, "STOPPED");
});

recovery("never says that nothing remains of a run whose journal was restored from an earlier copy of it", async () => {
  const seen = new Set<string>();
  for (const at of ["applied", "patched", "announced"] as const)
    for (const resume of [true, false])
      for (const abandon of [true, false])
        for (let lines = 1; ; lines++) {
          const world = memoryWorld();
          const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n, { resume }), world), world);
          const well = world.fate;
          world.fate = () => {
            const last = run.entries.at(-1);
            const isDue = at === "patched" ? last?.type === "patch-applied" : last?.type === "patch-sent";
            return at !== "applied" && isDue ? "killed before" : well();
          };
          await run.apply();
          world.fate = well;
          const entries = run.entries as JournalEntry[];
          const whole = entries.length;
          if (lines === whole) break;
          entries.length = lines;
          const [before, patches] = [world.events.length, world.patches.length];
          const moved = BigInt(String(world.stored?.["resume_scn"])) < PREVIOUS_SCN;
          const outcome = await (abandon ? run.abandon() : run.recover()).then(
            (report) => (report === "killed" ? report : report.outcome),
            (failure: unknown) => (failure instanceof Refusal ? failure.code : Promise.reject(failure)),
          );
          const story = `${at}, ${lines} of ${whole} lines: ${outcome}`;
          seen.add(`${outcome}`);
          if (abandon) assert.ok(outcome === "APL822" || outcome === "abandoned", story);
          else assert.ok(["APL822", "succeeded", "unfinished"].includes(outcome), story);
          const added = world.events.slice(before).map(({ details }) => details.outcome);
          if (moved && !abandon) assert.not.ok(added.includes("failed"), story);
          if (outcome === "APL822") assert.equal([added.length, world.patches.length - patches], [0, 0], story);
        }
  assert.ok(seen.has("APL822") && seen.has("succeeded"));
});

recovery("does not call a run unbegun while the ops topic can't be read", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
  await run.apply();
  (run.entries as JournalEntry[]).length = 1;
  const { read } = world.kafka;
  world.kafka.read = () => Promise.reject(new CallFailed("kafka", "timeout", { message: "no broker answers" }));
  for (const attempt of [run.recover, run.abandon]) {
    const report = await attempt();
    assert.equal(report !== "killed" && [report.outcome, report.message], ["unfinished", "no broker answers"]);
  }
  world.kafka.read = read;
  const refused = await run.recover().catch((failure: unknown) => failure);
  assert.ok(refused instanceof Refusal && refused.code === "APL822");
});

recovery.run();
