import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeOpsEvent, type OffsetsSetEvent } from "../facts/ops/ops-event.ts";
import { runState } from "../run/state.ts";
import { attemptsOf, planNow } from "./testing/attempts.ts";
import { type Begun, fatesOf, killedAfter, lived, pastTheGap, signalOnly } from "./testing/begun.ts";
import { snapshotAgain } from "./testing/intents.ts";
import { GAP_END, OPS_TOPIC, SIGNALS_TOPIC } from "./testing/story.ts";

const hands = suite("a resnapshot and other users");

const OTHER = "2026-11-21T09-15-40Z-beef";

/** Somebody else does the whole change, from another machine. */
async function repairedMeanwhile({ world }: Begun): Promise<void> {
  const other = attemptsOf(planNow(snapshotAgain(), world), world, OTHER);
  assert.is((await lived(other.apply())).outcome, "succeeded");
}

hands("what was repaired meanwhile is not stopped again by a recovery, nor is a second signal written", async () => {
  const begun = pastTheGap({ resume: false });
  killedAfter("step-done", begun);
  await begun.run.apply();
  assert.is(runState(begun.run.entries)?.steps.get("stop-connector"), "done");
  await repairedMeanwhile(begun);
  const report = await lived(begun.run.recover());
  assert.equal([report.outcome, report.code], ["refused", "APL803"]);
  assert.is(begun.world.state, "RUNNING");
  assert.is(begun.world.signals.length, 1);
});

hands("a signal that was not sent yet is not sent by a recovery once redo is gone", async () => {
  const begun = signalOnly();
  killedAfter("step-started", begun);
  await begun.run.apply();
  assert.equal(begun.world.signals, []);
  begun.world.purged = true;
  const report = await lived(begun.run.recover());
  assert.equal([report.outcome, report.code], ["refused", "APL803"]);
  assert.equal(begun.world.signals, []);
});

hands("a run whose signal is already written continues, whatever happened to the redo since", async () => {
  const begun = signalOnly();
  fatesOf(SIGNALS_TOPIC, begun, "killed after");
  await begun.run.apply();
  assert.is(begun.world.signals.length, 1);
  begun.world.purged = true;
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
});

hands("a signal is not sent for a connector that another user has started since the recheck", async () => {
  const begun = pastTheGap();
  const { status } = begun.world.connect;
  Object.assign(begun.world.connect, {
    status: async (name: string) => {
      // The moment is between the recheck and the signal.
      if (runState(begun.run.entries)?.steps.get("write-signal") === "started") begun.world.state = "RUNNING";
      return status(name);
    },
  });
  const report = await lived(begun.run.apply());
  assert.equal([report.outcome, report.code], ["failed", "APL804"]);
  assert.equal([begun.world.signals, begun.world.events], [[], []]);
});

hands("a connector is not started while another user's later change is in flight", async () => {
  const begun = pastTheGap();
  const { stop } = begun.world.connect;
  Object.assign(begun.world.connect, {
    stop: async (name: string) => {
      const answer = await stop(name);
      await begun.world.kafka.append(OPS_TOPIC, encodeOpsEvent(begunByAnotherUser(begun), "json"));
      return answer;
    },
  });
  const report = await lived(begun.run.apply());
  assert.equal([report.outcome, report.code, report.changed], ["refused", "OPS603", true]);
  assert.is(begun.world.state, "STOPPED");
});

hands("a run whose signal is written does not say that nothing was sent", async () => {
  for (const from of ["another run", "the connector"]) {
    const begun = pastTheGap();
    const { append } = begun.world.kafka;
    let announced = false;
    Object.assign(begun.world.kafka, {
      append: async (topic: string, record: Parameters<typeof append>[1]) => {
        // The moment is after the signal, and before this run's own record.
        if (topic === OPS_TOPIC && !announced) {
          announced = true;
          if (from === "another run") await append(OPS_TOPIC, encodeOpsEvent(begunByAnotherUser(begun), "json"));
          else begun.world.state = "RUNNING";
        }
        return append(topic, record);
      },
    });
    const report = await lived(begun.run.apply());
    assert.equal([report.outcome, report.changed, report.moved], ["failed", true, false]);
    assert.match(report.message, /; no PATCH was sent.*; the signal .* is written and can't be revoked$/);
  }
});

hands.run();

function begunByAnotherUser({ world, run }: Begun): OffsetsSetEvent {
  return {
    at: run.entries.at(-1)?.at ?? "",
    server: "orders",
    details: {
      connector: "orders-cdc",
      command: "resnapshot",
      reason: "the same repair",
      operator: "ben",
      direction: "forward",
      previous_resume_scn: String(world.stored?.["resume_scn"] ?? ""),
      new_resume_scn: String(GAP_END),
      outcome: "applying",
      run: OTHER,
    },
  };
}
