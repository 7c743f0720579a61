import { describeStep } from "../../core/apply/steps/catalogue.ts";
import { diffRows } from "../../core/plan/diff.ts";
import type { StepState } from "../../core/run/state.ts";
import { offsetSubject } from "../../core/run/subject.ts";
import { codeSpan, escapeMarkdown } from "../../core/values/escape.ts";
import { clip } from "./layout.ts";
import { type Block, fitBlocks } from "./markdown-budget.ts";
import { migrationRecords } from "./migration-run.ts";
import { offsetRow } from "./plan-markdown.ts";
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

const MARKS: { readonly [state in StepState]: string } = {
  pending: "",
  started: "…",
  done: "✅",
  failed: "❌",
  unclear: "❓",
};

/** A run as Markdown for a comment: where it stands, what was changed, each step, the offset before and as planned. */
export function renderRunMarkdown(run: RunShown): string {
  return fitBlocks([head(run), ...records(run), ...steps(run), ...offsets(run), ...next(run)]);
}

function head(run: RunShown): Block {
  const { key, state } = run;
  const { subject, at, operator } = state.started;
  const snapshot = offsetSubject(subject)?.snapshot;
  const seen = changes(run);
  const mark = state.ended === undefined ? "⏳" : state.ended.outcome === "succeeded" ? "✅" : "❌";
  const message = state.ended?.message ?? state.lastProblem;
  return {
    rank: 0,
    what: "lines",
    head: [
      `### ${mark} Run ${inline(key.run)}: ${inline(standing(run), 300)}`,
      "",
      `${codeSpan(clip(subject.connector, 200))}: ${inline(`${subject.command}, ${aim(subject)}`)} · ${inline(subject.reason, 500)}`,
      "",
      ...(snapshot === undefined ? [] : [inline(snapshotSentence(snapshot)), ""]),
      `Begun ${showInstant(at)} by ${inline(operator, 200)}; decision ${codeSpan(clip(subject.decision, 200))}`,
      "",
      ...(message === undefined ? [] : [inline(message), ""]),
      inline(seen.length === 0 ? "Nothing was changed." : `${seen.join("; ")}.`),
      "",
      ...(run.after === undefined
        ? []
        : [inline(`Since then: ${sentenceAfter(run.after)} (${showInstant(run.after.at)}).`), ""]),
    ],
    items: [],
    whole: true,
  };
}

function records({ state }: RunShown): readonly Block[] {
  const all = migrationRecords(state);
  if (all.length === 0) return [];
  const items = all.map(([label, sentence]) => `- **${label}**: ${inline(sentence)}`);
  return [{ rank: 0, what: "lines", head: [], items, foot: [""] }];
}

function steps({ steps: all }: RunShown): readonly Block[] {
  return [
    {
      rank: 1,
      what: "steps",
      head: ["| | Step | Begun | Took | Result |", "| --- | --- | --- | --- | --- |"],
      items: all.map(stepRow),
      foot: [""],
    },
  ];
}

function stepRow(step: StepTaken): string {
  const millis = millisOf(step);
  const cells = [
    `${step.number} ${MARKS[step.state]}`.trim(),
    inline(describeStep(step.planned), 300),
    step.startedAt === undefined ? "" : showInstant(step.startedAt),
    millis === undefined ? "" : showMillis(millis),
    step.note === undefined ? step.state : inline(step.note, 500),
  ];
  return `| ${cells.join(" | ")} |`;
}

function offsets({ state }: RunShown): readonly Block[] {
  if (state.body === undefined) return [];
  return [
    {
      rank: 2,
      what: "fields",
      head: ["| Stored offset | Before | Planned |", "| --- | --- | --- |"],
      items: diffRows(state.body.previous, state.body.entry.offset, []).map(offsetRow),
      foot: [""],
    },
  ];
}

function next(run: RunShown): readonly Block[] {
  const commands = nextFor(run);
  if (commands.length === 0) return [];
  const [first = ""] = commands;
  // Two of them are a list, so that each is one line.
  const head =
    commands.length === 1
      ? [`Next: ${codeSpan(first)}`]
      : ["Next:", "", ...commands.map((command) => `- ${codeSpan(command)}`)];
  return [{ rank: 0, what: "commands", head, items: [], whole: true }];
}

function inline(text: string, longest = 2000): string {
  return escapeMarkdown(clip(text, longest));
}
