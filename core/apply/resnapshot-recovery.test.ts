import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ResnapshotIntent } from "../document/intent.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { signalIdOf } from "../facts/ops/signal.ts";
import { planResnapshot } from "../kinds/resnapshot/plan.ts";
import { runState } from "../run/state.ts";
import { type Attempts, attemptsOf, planNow } from "./testing/attempts.ts";
import { anyFates, FATES } from "./testing/fates.ts";
import { snapshotAgain } from "./testing/intents.ts";
import { type Fate, type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { CONNECTOR, GAP_END, SIGNALS_TOPIC, STORED } from "./testing/story.ts";

const recovery = suite("recovery of a resnapshot");

/** Both ways, each with and without what may be asked for; `never` answers are given up by the operator. */
interface Case {
  readonly purged: boolean;
  readonly state: "RUNNING" | "STOPPED" | "PAUSED";
  /** Its task has failed: with all redo there it is stopped and started anew, once the signal is written. */
  readonly failing: boolean;
  readonly resume: boolean;
  readonly waitForAck: bigint | undefined;
  readonly answer: "ok" | "rejected" | "invalid" | "unknown" | "failed" | "of a later version" | "never";
  readonly fates: Fate[];
  readonly late: number;
}
const anyCase: fc.Arbitrary<Case> = fc.record({
  purged: fc.boolean(),
  state: fc.constantFrom("RUNNING", "STOPPED", "PAUSED"),
  failing: fc.boolean(),
  resume: fc.boolean(),
  waitForAck: fc.constantFrom(undefined, 5000n),
  answer: fc.constantFrom("ok", "ok", "rejected", "invalid", "unknown", "failed", "of a later version", "never"),
  fates: anyFates,
  late: fc.oneof(fc.nat(4000), fc.nat(20_000)),
});

function begin({ purged, state, failing, resume, waitForAck, answer, late }: Omit<Case, "fates">): {
  readonly world: MemoryWorld;
  readonly intent: ResnapshotIntent;
  readonly run: Attempts;
} {
  const world = memoryWorld(STORED, state);
  world.purged = purged;
  if (failing && state === "RUNNING") world.taskFails = "until stopped";
  world.answers = answer === "never" ? undefined : { outcome: answer, message: "because" };
  world.appendsLateBy = late;
  const intent = snapshotAgain({ resume, waitForAck });
  return { world, intent, run: attemptsOf(planNow(intent, world), world) };
}

/** What world, both topics and journal say against one another. */
function contradictions(world: MemoryWorld, run: Attempts, { purged, answer }: Case): readonly string[] {
  const state = runState(run.entries);
  const change = recordedChanges(world.events, CONNECTOR).at(-1);
  if (state === undefined)
    return change === undefined && world.signals.length === 0 ? [] : ["something was written without a run"];
  if (state.ended === undefined) return ["the run is not ended"];
  const { outcome, message } = state.ended;
  const decoded = decodeOffset(world.stored ?? {});
  const moved = decoded.ok && purged && decoded.offset.resumeScn >= GAP_END;
  const stands = world.signals.length > 0;
  const reported = change?.outcome;
  const claims: readonly (readonly [string, boolean])[] = [
    [
      "an offset that was not to be moved is announced",
      purged || (reported === undefined && world.patches.length === 0),
    ],
    ["a signal that is not in the journal", world.signals.every((id) => id === state.signal?.id)],
    ["a second id", run.entries.filter(({ type }) => type === "signal-pinned").length <= 1],
    [
      "a signal that is written is named",
      outcome === "abandoned" || !stands || message.includes(world.signals[0] ?? "-"),
    ],
    [
      "a signal that is not written is named",
      outcome === "abandoned" || stands || !message.includes("srcdb-cdc-admin-"),
    ],
  ];
  const byOutcome: Record<typeof outcome, readonly (readonly [string, boolean])[]> = {
    succeeded: [
      ["succeeded without a signal", stands],
      ["succeeded, contradicted by the offset", !purged || (moved && reported === "applied")],
      ["succeeded, contradicted by the answer", state.steps.get("wait-for-ack") !== "done" || answer === "ok"],
    ],
    rejected: [
      ["rejected without a signal", stands],
      ["rejected, contradicted by the offset", !purged || (moved && reported === "applied")],
      [
        "rejected, contradicted by the answer",
        answer !== "ok" && answer !== "never" && message.includes(`"${answer}"`),
      ],
    ],
    failed: [["failed, and the offset moved", !moved && (reported === undefined || reported === "failed")]],
    refused: [["refused, and the offset moved", !moved && (reported === undefined || reported === "failed")]],
    abandoned: [["abandoned, but not recorded in the topic", reported !== "applying"]],
  };
  const story =
    `${outcome}, ${reported ?? "no event"}, ${moved ? "moved" : "not moved"}, ${world.signals.length} signals: ` +
    `${message}`;
  return [...claims, ...byOutcome[outcome]].flatMap(([claim, holds]) => (holds ? [] : [`${claim} (${story})`]));
}

recovery("settles either kind of run that was cut off anywhere, with calls lost, refused or late", async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyCase, async (one) => {
      const { world, run } = begin(one);
      world.fates = [...one.fates];
      await run.apply();
      await run.settle();
      assert.equal(contradictions(world, run, one), []);
      const outcome = runState(run.entries)?.ended?.outcome ?? "never begun";
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }),
    { numRuns: 500 },
  );
  for (const outcome of ["succeeded", "failed", "rejected", "abandoned"])
    assert.ok(outcomes.has(outcome), `${outcome} never came about: ${JSON.stringify([...outcomes])}`);
});

const plain: readonly Omit<Case, "fates">[] = [true, false].flatMap((purged) =>
  (["ok", "rejected"] as const).map((answer) => ({
    purged,
    state: purged || answer === "ok" ? "RUNNING" : "STOPPED",
    failing: true,
    resume: true,
    waitForAck: 5000n,
    answer,
    late: 700,
  })),
);

recovery("settles after any one fault at any call and any journal entry", async () => {
  for (const one of plain) {
    for (const fault of FATES) {
      let met = true;
      for (let well = 0; met; well++) {
        const { world, run } = begin(one);
        world.fates = [...Array.from<Fate>({ length: well }).fill("answered"), fault];
        await run.apply();
        met = world.fates.length === 0;
        await run.settle();
        assert.equal(contradictions(world, run, { ...one, fates: [] }), [], `${fault} after ${well}`);
        assert.is.not(runState(run.entries)?.ended?.outcome, "abandoned", `${fault} after ${well}`);
        if (one.state === "RUNNING") assert.is(world.state, "RUNNING", `${fault} after ${well}`);
        assert.ok(world.signals.length <= 1, `${fault} after ${well}`);
      }
    }
  }
});

recovery(
  "sends no signal that is not journalled, and no PATCH before signal and announcement are written",
  async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (one) => {
        const { world, run } = begin(one);
        const { append } = world.kafka;
        Object.assign(world.kafka, {
          append: (topic: string, record: Parameters<typeof append>[1]) => {
            for (const { key, value } of topic === SIGNALS_TOPIC ? [record].flat() : []) {
              assert.is(runState(run.entries)?.signal?.id, signalIdOf(value));
              assert.is(new TextDecoder().decode(key ?? undefined), CONNECTOR);
            }
            return append(topic, record);
          },
        });
        world.fates = [...one.fates];
        await run.apply();
        await run.settle();
        for (const patch of world.patches) {
          assert.ok(patch.announced, "a PATCH that was not announced");
          assert.ok(patch.signals.length > 0, "a PATCH before its signal");
        }
      }),
      { numRuns: 200 },
    );
  },
);

recovery("writes a signal once, unless its acknowledgement was lost and it arrived long after", async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async (one) => {
      const { world, run } = begin(one);
      world.fates = [...one.fates];
      await run.apply();
      await run.settle();
      await world.settle();
      const cameLate = one.late > 4900 && one.fates.includes("lost, applied later");
      assert.ok(world.signals.length <= 1 || cameLate, `${world.signals.length} copies`);
    }),
    { numRuns: 200 },
  );
});

recovery("does not write a second signal for a plan file that has moved an offset past its gap", async () => {
  let carriedOut = 0;
  await fc.assert(
    fc.asyncProperty(anyCase, async (any) => {
      const one = { ...any, purged: true };
      const { world, run, intent } = begin(one);
      world.fates = [...one.fates];
      await run.apply();
      await run.settle();
      const outcome = runState(run.entries)?.ended?.outcome;
      const again = planResnapshot(intent, world.snapshotFacts()).outcome.state;
      if (outcome === "succeeded" || outcome === "rejected") {
        carriedOut += 1;
        assert.is(again, "no-op");
      } else if (outcome !== "abandoned") assert.is(again, "ready");
    }),
    { numRuns: 100 },
  );
  assert.ok(carriedOut > 25);
});

recovery.run();
