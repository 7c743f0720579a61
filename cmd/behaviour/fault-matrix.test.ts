/**
 * Every step × before, during, after × everything that can go wrong, once and lasting: after `recover`, world, topics
 * and journal tell the same story in every cell. An offset change is shown all of it; a resnapshot all of it at its own
 * steps, and what differs at the others.
 */

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { callName } from "../../core/plan/calls.ts";
import { succeeded } from "../../core/run/sentences.ts";
import { runState } from "../../core/run/state.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { quietRun, unreportedDoubts } from "./cell.ts";
import { type Arrival, openChangedWorld } from "./changed-world.ts";
import { type Change, OFFSET_CHANGE, PAST_GAP, SIGNAL_ONLY } from "./changes.ts";
import { CELLS, nameOf } from "./fault-cells.ts";
import { inLanes, isChosen, matrixReport } from "./matrix.ts";
import { collected, contradictions, type Evidence, unannounced } from "./story.ts";

const matrix = suite("fault matrix");
const quiet = await evidenceOfQuietRun(OFFSET_CHANGE);
const pastGap = await evidenceOfQuietRun(PAST_GAP);
const bySignal = await evidenceOfQuietRun(SIGNAL_ONLY);
const started = performance.now();
const results = await inLanes(
  CELLS.filter(({ cell }) => isChosen(nameOf(cell))),
  (planned) => planned.run(),
);
const seconds = Math.round((performance.now() - started) / 1000);

matrix("accepts a consistent story without faults, and detects an inconsistent one", () => {
  assert.equal(contradictions(quiet), []);
  const [first] = quiet.events;
  if (first === undefined) throw new Error("a run without an event");
  const otherwise = { ...first, details: { ...first.details, outcome: "failed" as const } };
  assert.is(contradictions({ ...quiet, events: [first, otherwise] }).length, 1);
  assert.is(contradictions({ ...quiet, entries: quiet.entries.slice(0, -1) }).length, 1);
  assert.is(contradictions({ ...quiet, stored: { resume_scn: OFFSET_CHANGE.before } }).length, 1);
  assert.is(contradictions({ ...quiet, entries: [] }).length, 2);
});

matrix("detects a signal too many, a missing signal, and an unanswered one", () => {
  for (const one of [pastGap, bySignal]) {
    assert.equal(contradictions(one), []);
    assert.is(one.signals.length, 1);
    assert.match(contradictions({ ...one, signals: [...one.signals, "another"] }).join(), /2 signals of one run/);
    assert.match(contradictions({ ...one, signals: ["another"] }).join(), /the journal does not know/);
    assert.match(contradictions({ ...one, signals: [] }).join(), /no signal stands/);
    assert.match(contradictions({ ...one, acks: [] }).join(), /without an answer/);
    assert.match(contradictions({ ...one, entries: [] }).join(), /a signal without a run/);
  }
  assert.match(contradictions({ ...pastGap, events: [] }).join(), /the topic says undefined/);
  assert.match(contradictions({ ...bySignal, events: pastGap.events.map(ofRun(bySignal)) }).join(), /the offset stays/);
});

matrix("detects a call that was not recorded, a call made twice for one entry, and a call in another step", () => {
  const [stop, resume] = [callName("stop", CONNECTOR), callName("start", CONNECTOR)];
  const put = (does: string): Arrival => ({
    system: "connect",
    method: "PUT",
    path: `/connectors/${CONNECTOR}/${does}`,
    n: 1,
  });
  const upTo = (call: string) =>
    quiet.entries.slice(0, quiet.entries.findIndex((entry) => entry.type === "call-sent" && entry.call === call) + 1);
  for (const [does, call] of [
    ["stop", stop],
    ["resume", resume],
  ] as const) {
    const announced = unannounced();
    assert.match(announced(put(does), upTo(call).slice(0, -1)) ?? "", `${call} came after the journal's step-started`);
    assert.is(announced(put(does), upTo(call)), undefined);
    assert.match(announced(put(does), upTo(call)) ?? "", `${call} came twice for one entry of the journal`);
    assert.match(
      unannounced()(put(does), upTo(call === stop ? resume : stop)) ?? "",
      `${call} came after the journal's call-sent`,
    );
  }
  const early = upTo(resume).filter((entry) => !("step" in entry) || entry.step === "stop-connector");
  assert.is(unannounced()(put("resume"), early), "resume came in the step stop-connector");
});

matrix("detects a doubt that is not reported, and one reported without reason", () => {
  const { ended } = runState(quiet.entries) ?? {};
  if (ended === undefined) throw new Error("a run without an end");
  assert.equal(unreportedDoubts(quiet.entries, ended.message), []);
  const stop = callName("stop", CONNECTOR);
  const repeated = quiet.entries.flatMap((entry) =>
    entry.type === "call-sent" && entry.call === stop ? [entry, entry] : [entry],
  );
  assert.equal(unreportedDoubts(repeated, ended.message), [`an attempt of ${stop} may come late, which is not said`]);
  const state = runState(repeated);
  assert.ok(state !== undefined);
  assert.equal(unreportedDoubts(repeated, succeeded(state)), []);
  assert.equal(unreportedDoubts(quiet.entries, succeeded(state)), [`${stop} is said to be unanswered`]);
});

for (const { cell, wrong } of results) matrix(nameOf(cell), () => assert.is(wrong.join("\n"), ""));

matrix.after(() => {
  process.stdout.write(
    `\n${matrixReport(results, { what: "change", nameOf: ({ change }) => change.name, seconds })}\n`,
  );
});
matrix.run();

async function evidenceOfQuietRun(change: Change): Promise<Evidence> {
  const world = await openChangedWorld({}, change);
  try {
    const { exit, output } = await quietRun(world);
    assert.is(exit, 0, output);
    return await collected(world);
  } finally {
    await world.close();
  }
}

/** The same event, of another's run. */
function ofRun({ entries }: Evidence): (event: Evidence["events"][number]) => Evidence["events"][number] {
  const [first] = entries;
  if (first?.type !== "run-started") throw new Error("a journal without its first entry");
  return (event) => ({ ...event, details: { ...event.details, run: first.run } });
}
