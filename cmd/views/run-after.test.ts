import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorKind } from "../../core/document/intent.ts";
import { rollbackIntent } from "../../core/kinds/connector/rollback.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { buildRun, untilResumed, untilSucceeded } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import { pastGap } from "../../core/plan/testing/example-snapshots.ts";
import { runsAfter } from "../../core/run/after.ts";
import type { JournalEvent } from "../../core/run/journal.ts";
import { runState } from "../../core/run/state.ts";
import { printJson } from "../../core/values/json.ts";
import { renderHtml } from "./report/page.ts";
import { runReport } from "./run.ts";
import { runDocument } from "./run-json.ts";
import { nextFor, type RunView, readRun } from "./run-timeline.ts";
import { renderRunMarkdown, renderRunText } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const after = suite("the outcome of a run");

function shownRun(plan: Plan<ConnectorKind>, events: readonly JournalEvent[], tail: string): RunView {
  const run = readRun(buildRun(plan, events, tail));
  if (run === undefined) throw new Error("a run without its beginning");
  return run;
}

/** The plan that `rollback` makes of a run. @param moveBack although the connector has run since */
function rollbackMode({ state }: RunView, moveBack = false): Plan<"OffsetChange"> {
  const stored = moveBack
    ? { ...state.body?.entry.offset, resume_scn: 2_300_000n }
    : (state.body?.entry.offset ?? null);
  return { ...backward, intent: rollbackIntent(state, stored, { resume: undefined, moveBack }) };
}

const states = (runs: readonly RunView[]) => runs.map(({ state }) => state);

const refused: JournalEvent = { type: "run-ended", outcome: "rejected", message: "no snapshot is possible" };

const STANDING: Readonly<Record<string, RunView>> = {
  "an offset change": shownRun(backward, untilSucceeded(backward), "0001"),
  "a resnapshot": shownRun(pastGap, untilSucceeded(pastGap), "0002"),
  "a resnapshot whose signal was refused": shownRun(pastGap, [...untilResumed(pastGap), refused], "0003"),
};

for (const [what, run] of Object.entries(STANDING)) {
  after(`${what} that was rolled back names the rollback's run, and offers nothing`, () => {
    assert.ok(nextFor(run).at(-1)?.startsWith(`cdcctl rollback ${run.key.run}`), String(nextFor(run)));
    for (const moveBack of [false, true]) {
      const plan = rollbackMode(run, moveBack);
      const back = shownRun(plan, untilSucceeded(plan), "0009");
      const ended = runsAfter(states([run, back]));
      assert.equal([...ended.keys()], [run.key.run]);
      const shown = { ...run, after: ended.get(run.key.run) as NonNullable<RunView["after"]> };
      assert.equal(nextFor(shown), []);
      for (const text of [
        renderRunText(shown, { colour: false }),
        renderRunMarkdown(shown),
        renderHtml({ what: "run", reports: [runReport(shown)] }, "1"),
      ]) {
        assert.match(
          text.replaceAll(/\s+/g, " ").replaceAll("`", ""),
          `it was rolled back by run ${back.key.run} (2026-11-21`,
        );
        assert.not.match(text, "cdcctl rollback");
      }
      const document = runDocument(shown);
      schemaTester("run.schema.json")(printJson(document));
      assert.equal(document.after, { phase: "rollback", run: back.key.run, at: back.state.ended?.at });
    }
  });
}

after("a run stays in place while its rollback is not done, was refused, or was another run's", () => {
  const run = STANDING["an offset change"] as RunView;
  const plan = rollbackMode(run);
  const whole = untilSucceeded(plan);
  const other = shownRun(backward, untilSucceeded(backward), "0004");
  const failed: JournalEvent = { type: "run-ended", outcome: "refused", message: "it is no longer as planned" };
  for (const back of [
    shownRun(plan, whole.slice(0, -1), "0009"),
    shownRun(plan, [failed], "0009"),
    shownRun(rollbackMode(other), whole, "0009"),
    // Another move of the same connector, even one whose plan file bears such a name.
    shownRun({ ...backward, intent: { ...plan.intent, origin: backward.intent.origin } }, whole, "0009"),
  ])
    assert.not.ok(runsAfter(states([run, back])).has(run.key.run));
  assert.is(runsAfter(states([shownRun(plan, whole, "0009"), run])).size, 0);
});

after("a rollback that was itself rolled back says so; the run that rolled it back stays in place", () => {
  const run = STANDING["an offset change"] as RunView;
  const plan = rollbackMode(run);
  const back = shownRun(plan, untilSucceeded(plan), "0009");
  const forth = shownRun(rollbackMode(back), untilSucceeded(backward), "000a");
  const ended = runsAfter(states([run, back, forth]));
  assert.is(ended.get(run.key.run)?.run, back.key.run);
  assert.is(ended.get(back.key.run)?.run, forth.key.run);
  assert.not.ok(ended.has(forth.key.run));
});

after("a rollback that was taken over from the ops topic has an unknown target", () => {
  const run = STANDING["an offset change"] as RunView;
  const { entries } = buildRun(rollbackMode(run), untilSucceeded(backward), "0009");
  const [first, ...rest] = entries;
  assert.ok(first?.type === "run-started");
  const back = runState([{ ...first, plan: null }, ...rest]);
  assert.ok(back);
  assert.is(runsAfter([run.state, back]).size, 0);
});

after.run();
