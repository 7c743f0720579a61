import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildRun, untilSucceeded } from "../../core/plan/testing/build-run.ts";
import { backward } from "../../core/plan/testing/example-plans.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { anyTimeline } from "../../core/timeline/testing/any-timeline.ts";
import { buildTimeline } from "../../core/timeline/testing/build-timeline.ts";
import { printJson } from "../../core/values/json.ts";
import { type PositionView, positionSection } from "./position.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { runListDocument } from "./run-json.ts";
import { readRun } from "./run-timeline.ts";
import { asMarkdown } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const position = suite("the position of a connector, below its runs");

const report = (shown: PositionView) => ({
  heading: { title: "", outcome: undefined },
  lead: [],
  sections: positionSection(shown),
  next: [],
});
const positionText = (shown: PositionView, options: TerminalOptions) => renderTerminal(report(shown), options);
const positionMarkdown = (shown: PositionView) => asMarkdown(report(shown));

const stands: PositionView = { connector: "orders-cdc", timeline: buildTimeline() };
const unseen: PositionView = { connector: HOSTILE, unknown: `no answer from ${HOSTILE}` };

position("is the picture, or the reason why it cannot be drawn", () => {
  assert.match(positionText(stands, { colour: false }), /^orders-cdc\n {2}SCN timeline: the resume SCN is 36,509 SCNs/);
  assert.match(positionText(unseen, { colour: false }), "position unknown: no answer from");
  assert.match(positionMarkdown(stands), /^\*\*orders-cdc\*\*\n\n```\n {2}SCN timeline: /);
  assert.match(positionMarkdown(unseen), "position unknown: no answer from");
});

position("holds nothing that moves a cursor or opens markup", () => {
  for (const shown of [positionText(unseen, { colour: false }), positionMarkdown(unseen)]) {
    assert.not.match(shown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    assert.is(shown.trim().includes("\n\n\n"), false);
  }
  assert.not.match(positionMarkdown(unseen), "<img");
});

position("matches the published schema of run lists", async () => {
  const run = readRun(buildRun(backward, untilSucceeded(backward)));
  if (run === undefined) throw new Error("a run without its beginning");
  const fits = schemaTester("run.schema.json");
  fits(printJson(runListDocument({ shown: [run] })));
  await fc.assert(
    fc.property(anyTimeline, (timeline) =>
      fits(printJson(runListDocument({ shown: [run], positions: [{ connector: "orders-cdc", timeline }, unseen] }))),
    ),
    { numRuns: 50 },
  );
});

position.run();
