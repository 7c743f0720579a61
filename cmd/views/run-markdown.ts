import { describeStep } from "../../core/apply/steps/catalogue.ts";
import { diffRows } from "../../core/plan/diff.ts";
import type { StepState } from "../../core/run/state.ts";
import { offsetSubject } from "../../core/run/subject.ts";
import { code, EMPTY, figure, inline, type Markdown, md, tableHead, tableRow } from "./markdown.ts";
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

const MARKS: { readonly [state in StepState]: Markdown } = {
  pending: EMPTY,
  started: md`…`,
  done: md`✅`,
  failed: md`❌`,
  unclear: md`❓`,
};

/** A run as Markdown for a comment: where it stands, what was changed, each step, the offset before and as planned. */
export function renderRunMarkdown(run: RunShown): Markdown {
  return fitBlocks([head(run), ...records(run), ...steps(run), ...offsets(run), ...next(run)]);
}

function head(run: RunShown): Block {
  const { key, state } = run;
  const { subject, at, operator } = state.started;
  const snapshot = offsetSubject(subject)?.snapshot;
  const seen = changes(run);
  const mark = state.ended === undefined ? md`⏳` : state.ended.outcome === "succeeded" ? md`✅` : md`❌`;
  const message = state.ended?.message ?? state.lastProblem;
  return {
    rank: 0,
    what: "lines",
    head: [
      md`### ${mark} Run ${inline(key.run)}: ${inline(standing(run), 300)}`,
      EMPTY,
      md`${code(subject.connector, 200)}: ${inline(`${subject.command}, ${aim(subject)}`)} · ${inline(subject.reason, 500)}`,
      EMPTY,
      ...(snapshot === undefined ? [] : [inline(snapshotSentence(snapshot)), EMPTY]),
      md`Begun ${inline(showInstant(at))} by ${inline(operator, 200)}; decision ${code(subject.decision, 200)}`,
      EMPTY,
      ...(message === undefined ? [] : [inline(message), EMPTY]),
      inline(seen.length === 0 ? "Nothing was changed." : `${seen.join("; ")}.`),
      EMPTY,
      ...(run.after === undefined
        ? []
        : [inline(`Since then: ${sentenceAfter(run.after)} (${showInstant(run.after.at)}).`), EMPTY]),
    ],
    items: [],
    whole: true,
  };
}

function records({ state }: RunShown): readonly Block[] {
  const all = migrationRecords(state);
  if (all.length === 0) return [];
  const items = all.map(([label, sentence]) => md`- **${inline(label)}**: ${inline(sentence)}`);
  return [{ rank: 0, what: "lines", head: [], items, foot: [EMPTY] }];
}

function steps({ steps: all }: RunShown): readonly Block[] {
  return [
    {
      rank: 1,
      what: "steps",
      head: tableHead(["", "Step", "Begun", "Took", "Result"]),
      items: all.map(stepRow),
      foot: [EMPTY],
    },
  ];
}

function stepRow(step: StepTaken): Markdown {
  const millis = millisOf(step);
  const cells = [
    step.state === "pending" ? md`${step.number}` : md`${step.number} ${MARKS[step.state]}`,
    inline(describeStep(step.planned), 300),
    step.startedAt === undefined ? EMPTY : inline(showInstant(step.startedAt)),
    millis === undefined ? EMPTY : figure(showMillis(millis)),
    step.note === undefined ? inline(step.state) : inline(step.note, 500),
  ];
  return tableRow(cells);
}

function offsets({ state }: RunShown): readonly Block[] {
  if (state.body === undefined) return [];
  return [
    {
      rank: 2,
      what: "fields",
      head: tableHead(["Stored offset", "Before", "Planned"]),
      items: diffRows(state.body.previous, state.body.entry.offset, []).map(offsetRow),
      foot: [EMPTY],
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
      ? [md`Next: ${code(first)}`]
      : [md`Next:`, EMPTY, ...commands.map((command) => md`- ${code(command)}`)];
  return [{ rank: 0, what: "commands", head, items: [], whole: true }];
}
