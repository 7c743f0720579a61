import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import { sameOffset } from "../facts/offset/stored-offset.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { runFromOps } from "../run/from-ops.ts";
import type { JournalEntry } from "../run/journal.ts";
import { runState } from "../run/state.ts";
import { type Attempts, attemptsOf, planAgain, planNow } from "./testing/attempts.ts";
import { lived } from "./testing/begun.ts";
import { inTurns } from "./testing/in-turns.ts";
import { moveTo } from "./testing/intents.ts";
import { type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { CONNECTOR, OPS_TOPIC, PREVIOUS_SCN, SIGNALS_TOPIC } from "./testing/story.ts";

const taken = suite("a run that another machine took over");

const BACK = PREVIOUS_SCN - 25_000n;

interface Scene {
  readonly world: MemoryWorld;
  readonly home: Attempts;
  /** The same run on a machine that knows the ops topic only. */
  away(seenBy?: MemoryWorld): Attempts;
}

/** `apply` was killed after its `applying`, before it sent anything. */
async function killedAfterApplying(resume = true, seenBy = (world: MemoryWorld) => world): Promise<Scene> {
  const world = memoryWorld();
  const home = attemptsOf(planNow(moveTo(BACK, { resume }), world), seenBy(world));
  const { fate } = world;
  world.fate = () => {
    const last = home.entries.at(-1);
    return last?.type === "step-started" && last.step === "patch-offset" ? "killed before" : fate();
  };
  assert.is(await home.apply(), "killed");
  world.fate = fate;
  assert.is(runState(home.entries)?.attempts, 0n);
  return {
    world,
    home,
    away(as = world) {
      const over = runFromOps(world.events, CONNECTOR, {
        settings: { prefix: "orders", opsTopic: OPS_TOPIC, signalsTopic: SIGNALS_TOPIC } as ConnectorSettings,
        connectUrl: "http://w:8083",
        context: undefined,
        clusterId: "k",
        operator: "ben",
        cdcctl: "test",
      });
      if (over === undefined) throw new Error("no change is in flight");
      const run = attemptsOf(planAgain(moveTo(BACK, { resume }), world), as, over.started.run);
      const entries = run.entries as JournalEntry[];
      for (const event of over.events) entries.push({ seq: BigInt(entries.length), at: world.clock.now(), ...event });
      return run;
    },
  };
}

const outcomes = ({ world }: Scene) => recordedChanges(world.events, CONNECTOR).map(({ outcome }) => outcome);
const scn = ({ world }: Scene) => BigInt(String(world.stored?.["resume_scn"]));

taken("and settled: its own machine takes over what is recorded, and continues", async () => {
  const scene = await killedAfterApplying();
  assert.is((await lived(scene.away().recover())).outcome, "succeeded");
  assert.is(scn(scene), BACK);
  assert.is((await lived(scene.home.recover())).outcome, "succeeded");
  assert.equal(outcomes(scene), ["applied"]);
  assert.is(scene.world.state, "RUNNING");
});

taken("and was killed after its PATCH: its own machine records no failure of a change that is in place", async () => {
  const scene = await killedAfterApplying();
  const away = scene.away();
  const { fate } = scene.world;
  scene.world.fate = () => (away.entries.at(-1)?.type === "patch-applied" ? "killed before" : fate());
  assert.is(await away.recover(), "killed");
  scene.world.fate = fate;
  assert.equal([scn(scene), outcomes(scene)], [BACK, ["applying"]]);
  assert.is((await lived(scene.home.recover())).outcome, "succeeded");
  assert.equal(outcomes(scene), ["applied"]);
});

taken("and whose PATCH may be under way: while the previous offset is stored, the identical one is sent", async () => {
  const scene = await killedAfterApplying();
  const away = scene.away();
  const { fate } = scene.world;
  const late = () => away.entries.at(-1)?.type === "patch-sent" && !scene.world.fates.includes("lost, applied later");
  let sent = 0;
  scene.world.fate = () => (late() && ++sent === 1 ? "lost, applied later" : sent > 0 ? "killed before" : fate());
  assert.is(await away.recover(), "killed");
  scene.world.fate = fate;
  assert.is((await lived(scene.home.recover())).outcome, "succeeded");
  assert.is(new Set(scene.world.patches.map(({ body }) => body)).size, 1);
  assert.equal(outcomes(scene), ["applied"]);
});

taken("and whose offset changed again: the outcome is unknown, and nothing is recorded as failed", async () => {
  const scene = await killedAfterApplying();
  const away = scene.away();
  const { fate } = scene.world;
  scene.world.fate = () => (away.entries.at(-1)?.type === "patch-applied" ? "killed before" : fate());
  assert.is(await away.recover(), "killed");
  scene.world.fate = fate;
  scene.world.stored = { ...scene.world.stored, resume_scn: 77n };
  const report = await lived(scene.home.recover());
  assert.equal([report.outcome, report.code], ["unfinished", "APL807"]);
  assert.equal([scn(scene), outcomes(scene), scene.world.state], [77n, ["applying"], "STOPPED"]);
});

taken("not: where the last line of its journal is lost, a stored offset is not reported as failed", async () => {
  for (const lines of [1, 2]) {
    const world = memoryWorld();
    const home = attemptsOf(planNow(moveTo(BACK), world), world);
    const { fate } = world;
    const wanted = lines === 1 ? "patch-sent" : "patch-applied";
    let patched = false;
    world.fate = () => {
      const is = home.entries.at(-1)?.type === wanted;
      if (lines === 1 && is && !patched) {
        patched = true;
        return "killed after";
      }
      return is ? "killed before" : fate();
    };
    assert.is(await home.apply(), "killed");
    world.fate = fate;
    (home.entries as JournalEntry[]).length -= lines;
    assert.equal([runState(home.entries)?.attempts, BigInt(String(world.stored?.["resume_scn"]))], [0n, BACK]);
    assert.is((await lived(home.recover())).outcome, "succeeded");
    assert.equal(
      recordedChanges(world.events, CONNECTOR).map(({ outcome }) => outcome),
      ["applied"],
    );
    assert.is(world.state, "RUNNING");
  }
});

taken("not, and its connector has continued from the previous offset: the change is not in place", async () => {
  const scene = await killedAfterApplying(false);
  scene.world.state = "RUNNING";
  await scene.world.settle();
  scene.world.state = "STOPPED";
  const report = await lived(scene.home.recover());
  assert.is(report.outcome, "failed", report.message);
  assert.equal(outcomes(scene), ["failed"]);
  assert.ok(scn(scene) > PREVIOUS_SCN);
});

taken("not, but another operator has changed the connector since: it is left untouched", async () => {
  const scene = await killedAfterApplying();
  const other = attemptsOf(
    planNow(moveTo(BACK - 1000n, { resume: false, accept: ["OPS603"] }), scene.world),
    scene.world,
    "2026-11-21T09-15-40Z-beef",
  );
  assert.is((await lived(other.apply())).outcome, "succeeded");
  const report = await lived(scene.home.recover());
  assert.equal([report.outcome, report.code], ["failed", "OPS603"]);
  assert.match(report.message, "2026-11-21T09-15-40Z-beef");
  assert.equal([scn(scene), scene.world.state, outcomes(scene)], [BACK - 1000n, "STOPPED", ["failed", "applied"]]);
});

taken("while its own machine recovers it: one outcome is recorded, and it is correct", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), async (s, resume) => {
      let turns = false;
      const turn = () => (turns ? s.schedule(Promise.resolve()) : Promise.resolve());
      const scene = await killedAfterApplying(resume, (world) => inTurns(world, turn));
      const away = scene.away(inTurns(scene.world, turn));
      turns = true;
      await s.waitFor(Promise.all([scene.home.recover(), away.recover()]));
      for (const run of [scene.home, away, scene.home]) await s.waitFor(run.settle());
      const recorded = new Set(scene.world.events.map(({ details }) => details.outcome));
      const summary = `${[...recorded].join()}, at ${scn(scene)}`;
      assert.is(recorded.has("applied"), BACK <= scn(scene) && scn(scene) < PREVIOUS_SCN, summary);
      assert.not.ok(recorded.has("applied") && recorded.has("failed"), summary);
    }),
    { numRuns: 150 },
  );
});

taken.run();

const late = suite("a late commit after the end of a run");

/** A run that leaves the connector stopped, and whose task commits once more afterwards. */
async function undone(): Promise<{ readonly world: MemoryWorld; readonly run: Attempts }> {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(BACK, { resume: false }), world), world);
  const report = await lived(run.apply());
  assert.is(report.outcome, "succeeded");
  assert.match(report.message, "the old task has ended");
  const previous = runState(run.entries)?.body?.previous ?? null;
  world.stored = { ...previous, resume_scn: BigInt(String(previous?.["resume_scn"])) + 5n };
  return { world, run };
}

late(
  "cannot be ruled out where the end of the tasks was not observed: the stop was cut off, or made by another machine",
  async () => {
    const world = memoryWorld();
    const run = attemptsOf(planNow(moveTo(BACK, { resume: false }), world), world);
    const { fate } = world;
    world.fate = () => (run.entries.at(-1)?.type === "call-sent" ? "killed after" : fate());
    assert.is(await run.apply(), "killed");
    world.fate = fate;
    await world.settle();
    assert.is(world.state, "STOPPED");
    const scene = await killedAfterApplying(false);
    for (const report of [await lived(run.recover()), await lived(scene.away().recover())]) {
      assert.is(report.outcome, "succeeded", report.message);
      assert.match(report.message, "the old task has ended");
    }
  },
);

late("is repaired by the journalled body before the connector is started", async () => {
  const { world, run } = await undone();
  const report = await lived(run.resume());
  assert.is(report.outcome, "succeeded", report.message);
  assert.not.match(report.message, "not proven");
  const [first, second] = world.patches;
  assert.is(second?.body, first?.body);
  assert.is(world.state, "RUNNING");
  assert.ok(BigInt(String(world.stored?.["resume_scn"])) < PREVIOUS_SCN);
  assert.is(runState(run.entries)?.ended?.outcome, "succeeded");
});

late("that did not come is not repaired: the connector is started as it is", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(BACK, { resume: false }), world), world);
  await run.apply();
  assert.is((await lived(run.resume())).outcome, "succeeded");
  assert.equal([world.patches.length, world.state], [1, "RUNNING"]);
});

late("is not what another operator or user has stored: that is left untouched, and the connector stopped", async () => {
  const { world, run } = await undone();
  const theirs = { ...world.stored, resume_scn: 77n };
  world.stored = theirs;
  const report = await lived(run.resume());
  assert.equal([report.outcome, world.state], ["unfinished", "STOPPED"]);
  assert.ok(sameOffset(world.stored, theirs));
  const other = attemptsOf(planNow(moveTo(BACK - 1n, { resume: false }), world), world, "2026-11-21T09-15-40Z-beef");
  await other.apply();
  await run.recover();
  assert.is(world.state, "STOPPED");
});

late("can be cut off anywhere while it is repaired", async () => {
  for (let at = 0; at < 14; at++)
    for (const fate of ["killed before", "killed after", "lost", "lost, applied later"] as const) {
      const { world, run } = await undone();
      world.fates = [...Array.from<"answered">({ length: at }).fill("answered"), fate];
      await run.resume();
      await run.settle();
      if (runState(run.entries)?.steps.get("resume-connector") !== "done") {
        assert.is((await lived(run.resume())).outcome, "succeeded", `${fate} at ${at}`);
      }
      assert.is(world.state, "RUNNING", `${fate} at ${at}`);
      assert.ok(BigInt(String(world.stored?.["resume_scn"])) < PREVIOUS_SCN, `${fate} at ${at}`);
    }
});

/**
 * A run that has started its connector, which was stopped since: by a stop that a worker carried out late, or by
 * somebody.
 */
async function stoppedSince(isUndone: boolean): Promise<{ readonly world: MemoryWorld; readonly run: Attempts }> {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(BACK, { resume: true }), world), world);
  assert.is((await lived(run.apply())).outcome, "succeeded");
  world.state = "STOPPED";
  const previous = runState(run.entries)?.body?.previous ?? null;
  if (isUndone) world.stored = { ...previous, resume_scn: BigInt(String(previous?.["resume_scn"])) + 5n };
  return { world, run };
}

for (const isUndone of [false, true])
  late(
    isUndone
      ? "and a late stop, after the run had started its connector: both are repaired"
      : "did not come, but a late stop of what the run had started did: the connector is started again",
    async () => {
      const { world, run } = await stoppedSince(isUndone);
      assert.is((await lived(run.resume())).outcome, "succeeded");
      assert.equal([world.patches.length, world.state], [isUndone ? 2 : 1, "RUNNING"]);
      assert.ok(BigInt(String(world.stored?.["resume_scn"])) < PREVIOUS_SCN);
      for (let at = 0; at < 10; at++)
        for (const fate of ["killed before", "killed after", "lost", "lost, applied later"] as const) {
          const again = await stoppedSince(isUndone);
          again.world.fates = [...Array.from<"answered">({ length: at }).fill("answered"), fate];
          await again.run.resume();
          await again.run.settle();
          if (again.world.state !== "RUNNING")
            assert.is((await lived(again.run.resume())).outcome, "succeeded", `${fate} at ${at}`);
          assert.is(again.world.state, "RUNNING", `${fate} at ${at}`);
          assert.ok(BigInt(String(again.world.stored?.["resume_scn"])) < PREVIOUS_SCN, `${fate} at ${at}`);
        }
    },
  );

late.run();

const held = suite("a call that a frozen worker holds");

held("is sent again until it is answered, and the outcome warns that it may still be carried out", async () => {
  for (const [call, wanted] of [
    [
      "PUT stop orders-cdc",
      "no worker still carries out an unanswered PUT stop orders-cdc, which would stop orders-cdc again",
    ],
    [
      "PUT resume orders-cdc",
      "an unanswered PUT resume orders-cdc, which would start orders-cdc again after it is stopped",
    ],
    ["PATCH", `an unanswered PATCH, which would set the offset to ${BACK} again`],
  ] as const) {
    const world = memoryWorld();
    const run = attemptsOf(planNow(moveTo(BACK), world), world);
    const { fate } = world;
    let lost = false;
    world.fate = () => {
      const last = run.entries.at(-1);
      const sent = last?.type === "patch-sent" ? "PATCH" : last?.type === "call-sent" ? last.call : undefined;
      if (lost || sent !== call) return fate();
      lost = true;
      return "lost";
    };
    const report = await lived(run.apply());
    assert.is(report.outcome, "succeeded");
    assert.match(report.message, "not proven: ");
    assert.match(report.message, wanted);
  }
});

held("costs a PATCH 15 s at first: the same body is sent again, and each later attempt waits longer", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(BACK), world), world);
  const { patchOffsets } = world.connect;
  const waits: (number | undefined)[] = [];
  world.connect.patchOffsets = async (name, entries, patience) => {
    waits.push(patience);
    if (waits.length === 4) return patchOffsets(name, entries);
    await world.clock.sleep(Math.min(patience ?? 100_000, 50_000));
    return { answer: "unanswered", why: "the worker hangs" };
  };
  const report = await lived(run.apply());
  assert.is(report.outcome, "succeeded");
  assert.match(report.message, "not proven: ");
  assert.match(report.message, "an unanswered PATCH");
  assert.equal(waits, [15_000, 30_000, 60_000, 120_000]);
});

held("leaves no doubt where the only attempt was carried out and only its answer was lost", async () => {
  for (const type of ["patch-sent", "call-sent"] as const) {
    const world = memoryWorld();
    const run = attemptsOf(planNow(moveTo(BACK), world), world);
    const { fate } = world;
    const seen = new Set<string>();
    world.fate = () => {
      const last = run.entries.at(-1);
      if (last?.type !== type) return fate();
      const name = last.type === "call-sent" ? last.call : "PATCH";
      if (seen.has(name)) return fate();
      seen.add(name);
      return "lost, applied";
    };
    const report = await lived(run.apply());
    assert.is(report.outcome, "succeeded");
    assert.not.match(report.message, "not proven");
    assert.ok(run.entries.some((entry) => entry.type === type && entry.seen === true));
  }
});

held.run();
