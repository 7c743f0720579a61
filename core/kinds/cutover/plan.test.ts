import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../../errors.ts";
import { created as createdOnly, cutOver, takenBack, takenOver } from "../../plan/testing/build-migration-run.ts";
import { buildRun } from "../../plan/testing/build-run.ts";
import { cutover as example } from "../../plan/testing/example-migrations.ts";
import type { JournalEvent } from "../../run/journal.ts";
import { runState } from "../../run/state.ts";
import { planFor } from "../catalogue.ts";
import { cutoverFacts } from "../migration/testing/build-facts.ts";
import { intent } from "../migration/testing/build-readings.ts";
import { LEGACY_OFFSETS } from "../migration/testing/story.ts";
import { RUNNING } from "../offset-change/testing/build-facts.ts";
import { cutover, phaseBack } from "./plan.ts";

const back = suite("the rollback of a cutover, as its run leads to it");

function stateOf(events: readonly JournalEvent[]) {
  const state = runState(buildRun(example, events).entries);
  if (state === undefined) throw new Error("no run");
  return state;
}

function refusalOf(events: readonly JournalEvent[]): Refusal {
  try {
    phaseBack(stateOf(events));
  } catch (error) {
    assert.instance(error, Refusal);
    return error as Refusal;
  }
  throw new Error("not refused");
}

back("goes back between the same two connectors, and deletes no topic", () => {
  const { reason, ticket } = example.intent.metadata;
  const intent = phaseBack(stateOf(cutOver));
  const run = "2026-11-21T09-15-40Z-7f3a";
  assert.equal([intent.phase, intent.from, intent.to], ["rollback", example.intent.from, example.intent.to]);
  assert.equal(intent.metadata, { name: `rollback-of-${run}`, reason: `rollback of ${run}: ${reason}`, ticket });
  assert.equal([intent.deleteTopics, intent.origin.by, intent.origin.file], [false, "rollback", undefined]);
});

back("is refused where nothing of it is in effect, with how the run ended: APL808", () => {
  const { code, message } = refusalOf(takenBack);
  assert.equal(
    [code, message],
    ["APL808", "run 2026-11-21T09-15-40Z-7f3a ended as failed: nothing of it is in effect"],
  );
  const untouched = refusalOf([{ type: "run-ended", outcome: "abandoned", message: "" }]);
  assert.match(untouched.message, "ended as abandoned: nothing of it is in effect");
});

back("is refused while the run is not finished", () => {
  assert.match(refusalOf(takenOver).message, "is not finished");
});

back("is possible for a cutover that was abandoned once it had taken over", () => {
  const abandoned: readonly JournalEvent[] = [...createdOnly, { type: "run-ended", outcome: "abandoned", message: "" }];
  assert.is(phaseBack(stateOf(abandoned)).phase, "rollback");
});

back.run();

const pinned = suite("what a cutover pins, and decides by its plan file alone");

pinned("is where it starts, what the legacy connector has stored, and the configuration with that start", () => {
  for (const [from, startScn] of [
    [{}, 2169287n],
    [{ startScn: 2160000n }, 2160000n],
  ] as const) {
    const wanted = intent({ from });
    const facts = cutoverFacts();
    const plan = planFor(wanted, facts);
    const event = cutover.pin(plan, facts);
    assert.equal(event, {
      type: "takeover-pinned",
      startScn,
      lastDelivered: 2180000n,
      offsets: LEGACY_OFFSETS,
      configuration: { ...plan.decided.configuration, "cdc.start.scn": `${startScn}` },
    });
  }
});

pinned("sets the topic prefix that the plan file names, or else the legacy connector's name", () => {
  const settingsOf = (to: Parameters<typeof intent>[0]) => cutover.byIntent(intent(to)).settings;
  assert.equal(settingsOf({ to: { topicPrefix: "eu", config: { "cdc.lob.mode": "inline" } } }), {
    "cdc.lob.mode": "inline",
    "cdc.topic.prefix": "eu",
  });
  assert.equal(settingsOf({ to: { topicPrefix: undefined } }), { "cdc.topic.prefix": "orders-legacy" });
});

pinned("decides the phase, the connectors, what is left out, the start and what becomes of topics", () => {
  const from = { connector: "old", leaveOut: ["B", "A"], startScn: 7n };
  const { decided } = cutover.byIntent(intent({ from, to: { name: "next", topics: "new" } }));
  const { phase, legacy, connector, leaveOut, startScn, topicChoice } = decided;
  assert.equal([phase, legacy, connector, leaveOut], ["cutover", "old", "next", ["A", "B"]]);
  assert.equal([startScn, topicChoice], [7n, "new"]);
});

pinned("recalls the transactions that were open before the stop, which its run recorded", () => {
  const seen = [{ xid: { container: undefined, usn: 1n, slot: 2n, sequence: 3n }, startScn: 5n }];
  const state = { ...stateOf(takenOver), transactionsSeen: { at: "2026-11-21T09:14:02Z", transactions: seen } };
  const facts = cutoverFacts({ legacy: { status: RUNNING } });
  assert.equal(cutover.asOfRun(facts, state as never).openBefore, state.transactionsSeen as never);
});

pinned.run();
