import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildRun } from "../plan/testing/build-run.ts";
import { backward } from "../plan/testing/example-plans.ts";
import type { JournalEvent } from "./journal.ts";
import { succeeded } from "./sentences.ts";
import { runState } from "./state.ts";

const doubts = suite("what a run leaves unproven");

const STOP = "the old task has ended";
const MINED = "it mined from there";

const done = (step: "stop-connector" | "resume-connector", unproven?: string): JournalEvent => ({
  type: "step-done",
  step,
  note: "",
  millis: 0n,
  ...(unproven === undefined ? {} : { unproven }),
});

function sentence(...events: readonly JournalEvent[]): string {
  const state = runState(buildRun(backward, events).entries);
  if (state === undefined) throw new Error("a run without a beginning");
  return succeeded(state);
}

doubts("a first commit that proves nothing leaves the doubt about the stop, each doubt once", () => {
  const resumed = [done("stop-connector", STOP), done("resume-connector", MINED)];
  assert.match(sentence(...resumed), `; not proven: (1) ${STOP}; (2) ${MINED}; check later: cdcctl status`);
  assert.match(sentence(...resumed, done("resume-connector", MINED)), `(1) ${STOP}; (2) ${MINED}; check later`);
});

doubts("a first commit that proves where it came from answers both", () => {
  assert.not.match(sentence(done("stop-connector", STOP), done("resume-connector")), "not proven");
});

doubts("a doubt that a journal of an earlier version holds as a clause with that is read likewise", () => {
  assert.match(sentence(done("stop-connector", `that ${STOP}`)), `; not proven: ${STOP}; check later: cdcctl status`);
});

doubts.run();
