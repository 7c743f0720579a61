import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sameOffset } from "../facts/offset/stored-offset.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { runState } from "../run/state.ts";
import { epochMillis, instantOf } from "../values/instant.ts";
import { type Attempts, attemptsOf, type Hands, planNow } from "./testing/attempts.ts";
import { lived } from "./testing/begun.ts";
import { inTurns } from "./testing/in-turns.ts";
import { moveTo } from "./testing/intents.ts";
import { type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { CONNECTOR, PREVIOUS_SCN } from "./testing/story.ts";

const rivals = suite("two operators");

const RUNS = ["2026-11-21T09-15-40Z-aaaa", "2026-11-21T09-15-40Z-bbbb"] as const;
const BACK = PREVIOUS_SCN - 25_000n;

/** PATCHes that were sent while another run, whose `applying` stands before this one's in the log, was open. */
function watchPatches(world: MemoryWorld, runs: readonly Attempts[]): readonly string[] {
  const wrongs: string[] = [];
  const { patchOffsets } = world.connect;
  world.connect.patchOffsets = (...patch) => {
    const senders = runs.filter(({ entries }) => entries.at(-1)?.type === "patch-sent");
    const sending = senders.map(runOf);
    for (const { entries } of senders) {
      const state = runState(entries);
      if (state?.attempts === 1n && !sameOffset(world.stored, state.body?.previous ?? null))
        wrongs.push(`${state.started.run} replaced an offset that it had not seen`);
    }
    const [first] = recordedChanges(world.events, CONNECTOR).filter(({ outcome }) => outcome === "applying");
    if (sending.length !== 1 || first?.event.details.run !== sending[0])
      wrongs.push(`${sending.join(" and ") || "nobody"} sent a PATCH while ${first?.event.details.run} was first`);
    return patchOffsets(...patch);
  };
  return wrongs;
}

/** Looks at the offset first and at the ops topic much later, as a real observation may. */
function inTwoReads(world: MemoryWorld, turn: () => Promise<unknown>): Hands {
  return {
    async observe() {
      const early = world.facts();
      for (let turns = 0; turns < 20; turns++) await turn();
      return { ...early, opsHistory: world.facts().opsHistory };
    },
  };
}

function runOf({ entries }: Attempts): string {
  return runState(entries)?.started.run ?? "";
}

rivals("never change one offset at the same time, however their calls interleave", async () => {
  const stories = new Map<string, number>();
  const anyTarget = fc.constantFrom(BACK, BACK - 1000n);
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), anyTarget, anyTarget, fc.boolean(), fc.boolean(), async (s, a, b, one, other) => {
      const world = memoryWorld();
      const turn = () => s.schedule(Promise.resolve());
      const slow = inTurns(world, turn);
      const [first, second] = [
        attemptsOf(planNow(moveTo(a, { resume: one }), world), slow, RUNS[0], inTwoReads(world, turn)),
        attemptsOf(planNow(moveTo(b, { resume: other }), world), slow, RUNS[1], inTwoReads(world, turn)),
      ];
      const wrongs = watchPatches(world, [first, second]);
      const reports = await s.waitFor(Promise.all([lived(first.apply()), lived(second.apply())]));
      assert.equal(wrongs, []);
      for (const run of [first, second]) await s.waitFor(run.settle());
      assert.equal(wrongs, [], "while they were recovered");
      const outcomes = recordedChanges(world.events, CONNECTOR).map(({ outcome }) => outcome);
      assert.not.ok(outcomes.includes("applying"), outcomes.join());
      const carriedOut = outcomes.filter((outcome) => outcome === "applied").length;
      assert.ok(carriedOut <= 1, "both were planned before either was carried out");
      for (const [run, report] of [
        [first, reports[0]],
        [second, reports[1]],
      ] as const) {
        if (report.code !== "OPS603" || runState(run.entries)?.attempts !== 0n) continue;
        const other = run === first ? RUNS[1] : RUNS[0];
        assert.ok(report.message.includes(other), report.message);
      }
      const story = reports
        .map(({ outcome, code }) => `${outcome} ${code ?? ""}`)
        .sort()
        .join(", ");
      stories.set(story, (stories.get(story) ?? 0) + 1);
    }),
    { numRuns: 300 },
  );
  const summary = JSON.stringify([...stories]);
  assert.ok(
    [...stories.keys()].some((story) => story.includes("OPS603")),
    summary,
  );
  assert.ok(
    [...stories.keys()].some((story) => story.includes("succeeded")),
    summary,
  );
});

rivals("the second one in the log records that it failed, and names the first by operator, run and time", async () => {
  const world = memoryWorld();
  const [first, second] = RUNS.map((run) => attemptsOf(planNow(moveTo(BACK, { resume: true }), world), world, run));
  if (first === undefined || second === undefined) throw new Error("two runs");
  const { append } = world.kafka;
  // The second has checked everything; before it records its change, the first records its own and goes no further.
  world.kafka.append = async (...record) => {
    world.kafka.append = append;
    const { patchOffsets } = world.connect;
    world.connect.patchOffsets = async () => {
      world.connect.patchOffsets = patchOffsets;
      first.interrupt();
      return { answer: "unanswered", why: "the worker hangs" };
    };
    await first.apply();
    return append(...record);
  };
  const report = await lived(second.apply());
  assert.equal([report.outcome, report.code], ["failed", "OPS603"]);
  assert.match(report.message, new RegExp(`run ${RUNS[0]} by ana \\(self-asserted\\), recorded at 2026-11-21T`));
  assert.is(runState(second.entries)?.attempts, 0n);
  assert.equal(
    recordedChanges(world.events, CONNECTOR).map(({ event, outcome }) => [event.details.run, outcome]),
    [
      [RUNS[0], "applying"],
      [RUNS[1], "failed"],
    ],
  );
  assert.is(world.state, "STOPPED", "the connector is left to the first");
  assert.is((await lived(first.recover())).outcome, "succeeded");
  assert.is(world.state, "RUNNING");
});

rivals("one whose recheck fails names the other's change", async () => {
  const world = memoryWorld();
  const first = attemptsOf(planNow(moveTo(BACK, { resume: true }), world), world, RUNS[0]);
  const second = attemptsOf(planNow(moveTo(BACK - 1000n), world), world, RUNS[1]);
  const { stop } = world.connect;
  world.connect.stop = async () => {
    world.connect.stop = stop;
    await first.apply();
    return { answer: "applied", message: "" };
  };
  const report = await lived(second.apply());
  assert.is(report.code, "APL804");
  assert.match(
    report.message,
    new RegExp(`run ${RUNS[0]} by ana \\(self-asserted\\), recorded at .* to ${BACK}, came in between`),
  );
  assert.is(runState(first.entries)?.ended?.outcome, "succeeded");
});

rivals("a plan carried out after this one was planned was not part of its review", async () => {
  const world = memoryWorld();
  const first = attemptsOf(planNow(moveTo(BACK, { resume: true }), world), world, RUNS[0]);
  const second = attemptsOf(planNow(moveTo(BACK - 1000n, { resume: true }), world), world, RUNS[1]);
  const { stop } = world.connect;
  world.connect.stop = async (connector) => {
    world.connect.stop = stop;
    await first.apply();
    return stop(connector);
  };
  const report = await lived(second.apply());
  assert.equal([report.outcome, report.code], ["refused", "APL803"]);
  assert.match(
    report.message,
    new RegExp(`run ${RUNS[0]} by ana \\(self-asserted\\), .* was carried out after this one was planned`),
  );
  assert.is(runState(second.entries)?.attempts, 0n);
});

rivals("a first commit that is seen after another run proves nothing", async () => {
  const world = memoryWorld();
  const first = attemptsOf(planNow(moveTo(BACK, { resume: true }), world), world, RUNS[0]);
  const { resume } = world.connect;
  world.connect.resume = async (connector) => {
    world.connect.resume = resume;
    const second = attemptsOf(planNow(moveTo(BACK + 1000n, { resume: true }), world), world, RUNS[1]);
    assert.is((await lived(second.apply())).outcome, "succeeded");
    return resume(connector);
  };
  const report = await lived(first.apply());
  assert.is(report.outcome, "succeeded");
  assert.match(report.message, new RegExp(`was set to ${BACK}, as planned; .* not proven: .*it mined from ${BACK}`));
  assert.match(report.message, new RegExp(`run ${RUNS[1]} by ana \\(self-asserted\\), .* came after it`));
});

rivals(
  "the same plan from two machines is carried out once, although the second had stopped the connector before",
  async () => {
    const world = memoryWorld();
    const [first, second] = RUNS.map((run) => attemptsOf(planNow(moveTo(BACK, { resume: false }), world), world, run));
    if (first === undefined || second === undefined) throw new Error("two runs");
    const { stop } = world.connect;
    world.connect.stop = async (connector) => {
      world.connect.stop = stop;
      const answer = await stop(connector);
      await first.apply();
      return answer;
    };
    const report = await lived(second.apply());
    assert.equal([report.outcome, report.code], ["refused", "APL803"]);
    assert.match(
      report.message,
      new RegExp(`run ${RUNS[0]} by ana \\(self-asserted\\), .* has carried out the same decision since`),
    );
    assert.equal([runState(first.entries)?.attempts, runState(second.entries)?.attempts], [1n, 0n]);
  },
);

rivals("the same holds where the other one came between the decision and the first call", async () => {
  const world = memoryWorld();
  const [first, second] = RUNS.map((run) => attemptsOf(planNow(moveTo(BACK, { resume: false }), world), world, run));
  if (first === undefined || second === undefined) throw new Error("two runs");
  const { endOffsets } = world.kafka;
  world.kafka.endOffsets = async (topic) => {
    world.kafka.endOffsets = endOffsets;
    await first.apply();
    return endOffsets(topic);
  };
  const report = await lived(second.apply());
  assert.equal([report.outcome, report.code], ["refused", "APL803"]);
  assert.match(
    report.message,
    new RegExp(`run ${RUNS[0]} by ana \\(self-asserted\\), .* has carried out the same decision since`),
  );
});

rivals("the times of a run's events never go back, although the workers' clocks differ", async () => {
  const world = memoryWorld();
  const { time } = world.connect;
  let calls = 0;
  Object.assign(world.connect, {
    time: () => instantOf(epochMillis(time() ?? "") - 715 * calls++),
  });
  const report = await lived(attemptsOf(planNow(moveTo(BACK, { resume: false }), world), world).apply());
  assert.is(report.outcome, "succeeded");
  const [applying, applied] = world.events.map(({ at }) => epochMillis(at));
  assert.ok(applying !== undefined && applied !== undefined && applied >= applying, `${applying} ${applied}`);
});

rivals(
  "one that starts nothing says in which state it sees the connector, which the other may have started",
  async () => {
    for (const starts of [true, false]) {
      const world = memoryWorld();
      const first = attemptsOf(planNow(moveTo(BACK, { resume: starts }), world), world, RUNS[0]);
      const second = attemptsOf(planNow(moveTo(BACK - 1000n, { resume: true }), world), world, RUNS[1]);
      const { patchOffsets } = world.connect;
      const { append } = world.kafka;
      world.kafka.append = async (...record) => {
        world.kafka.append = append;
        world.connect.patchOffsets = async () => {
          world.connect.patchOffsets = patchOffsets;
          first.interrupt();
          return { answer: "unanswered", why: "the worker hangs" };
        };
        await first.apply();
        return append(...record);
      };
      // While the second backs out, the first continues.
      const { status } = world.connect;
      world.connect.status = async (name) => {
        const isBackedOut = second.entries.at(-1)?.type === "backed-out";
        if (!isBackedOut) return status(name);
        world.connect.status = status;
        if (starts) await lived(first.recover());
        return status(name);
      };
      const report = await lived(second.apply());
      assert.is(report.code, "OPS603");
      const said = report.remedies.map((one) => (typeof one === "string" ? one : one.text)).join(" | ");
      assert.is(/orders-cdc is STOPPED\. To start it/.test(said), !starts, said);
      assert.not.match(said, "stays stopped");
    }
  },
);

rivals.run();
