import { describeStep } from "../../core/apply/steps/catalogue.ts";
import { diffRows } from "../../core/plan/diff.ts";
import type { StepState } from "../../core/run/state.ts";
import { offsetSubject } from "../../core/run/subject.ts";
import { type Content, element, facts, type Html, list, paragraphs, table } from "./html-elements.ts";
import { renderPage, section } from "./html-page.ts";
import { clip } from "./layout.ts";
import { migrationRecords } from "./migration-run.ts";
import { offsetRows } from "./offset-html.ts";
import { showInstant, showMillis } from "./quantities.ts";
import { sentenceAfter } from "./run-after.ts";
import {
  aim,
  changes,
  millisOf,
  nextFor,
  type RunShown,
  type StepTaken,
  snapshotSentence,
  standing,
} from "./run-timeline.ts";
import { timelineFigure } from "./timeline-svg.ts";

/** A run as a page: where it stands, what was changed, each step, the position as it was when it was planned. */
export function renderRunHtml(run: RunShown, version: string): string {
  const { key, state } = run;
  const { plan } = state.started;
  const timeline = plan?.timeline;
  const records = migrationRecords(state);
  const next = nextFor(run);
  return renderPage({
    title: `Run ${key.run}: ${standing(run)}`,
    subtitle: `${clip(state.started.subject.connector, 200)}, Kafka cluster ${clip(key.clusterId, 100)}`,
    version,
    content: [
      section("run", "The run", ...outcome(run), facts(summary(run)), ...changed(run)),
      section("steps", "Steps", stepTable(run)),
      ...(records.length === 0 ? [] : [section("records", "What it has fixed or found", facts(records))]),
      ...(timeline === undefined
        ? []
        : [section("position", "The position when it was planned", ...timelineFigure(timeline, "svg"))]),
      ...(state.body === undefined
        ? []
        : [
            section(
              "offset",
              "The stored offset",
              offsetRows(diffRows(state.body.previous, state.body.entry.offset, []), {
                before: "Before",
                after: "Planned",
              }),
            ),
          ]),
      ...(next.length === 0
        ? []
        : [
            section(
              "next",
              "What comes next",
              ...list(
                "ul",
                next.map((command) => element("code", {}, command)),
              ),
            ),
          ]),
    ],
  });
}

function outcome(run: RunShown): readonly Html[] {
  const { ended, lastProblem } = run.state;
  const tone = ended === undefined ? "caution" : ended.outcome === "succeeded" ? "good" : "bad";
  const message = ended?.message ?? lastProblem;
  return [
    element("p", {}, element("span", { class: `state ${tone}` }, standing(run))),
    ...paragraphs(message === undefined ? [] : [clip(message, 3000)]),
    ...paragraphs(
      run.after === undefined ? [] : [`Since then: ${sentenceAfter(run.after)} (${showInstant(run.after.at)}).`],
    ),
  ];
}

function summary({ key, state, recoveries }: RunShown): readonly (readonly [string, Content])[] {
  const { subject, operator, cdcctl, at } = state.started;
  const snapshot = offsetSubject(subject)?.snapshot;
  return [
    ["Run", element("code", {}, key.run)],
    ["What", `${subject.command} for ${clip(subject.connector, 200)}: ${aim(subject)}`],
    ...(snapshot === undefined ? [] : [["Snapshot", snapshotSentence(snapshot)] as const]),
    ["Reason", clip(subject.reason, 3000)],
    [
      "Begun",
      `${showInstant(at)} ` +
        `${subject.by === "ops topic" ? "taken over from the ops topic" : `by ${clip(operator, 200)}`}, cdcctl ` +
        `${cdcctl}`,
    ],
    ...recoveries.map(
      ({ at: when, operator: who }) => ["Gone on with", `${showInstant(when)} by ${clip(who, 200)}`] as const,
    ),
    ...(state.ended === undefined ? [] : [["Ended", showInstant(state.ended.at)] as const]),
    ["Decision", element("code", {}, clip(subject.decision, 200))],
  ];
}

function changed(run: RunShown): readonly Html[] {
  const all = changes(run);
  return all.length === 0
    ? paragraphs(["Nothing was changed."])
    : [element("h3", {}, "What was changed"), ...list("ul", all)];
}

const WORDS: { readonly [state in StepState]: string } = {
  pending: "not begun",
  started: "begun",
  done: "done",
  failed: "failed",
  unclear: "not known",
};

function stepTable({ steps }: RunShown): Html {
  return table(
    "In the order in which they are taken; times are UTC",
    ["Step", "State", "Begun", "Took", "Result"],
    steps.map(stepRow),
  );
}

function stepRow(step: StepTaken): readonly Content[] {
  const millis = millisOf(step);
  return [
    `${step.number}  ${describeStep(step.planned)}`,
    WORDS[step.state],
    step.startedAt === undefined ? "" : showInstant(step.startedAt),
    millis === undefined ? "" : showMillis(millis),
    step.note === undefined ? "" : clip(step.note, 1000),
  ];
}
