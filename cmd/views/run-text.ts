import { describeStep } from "../../core/apply/steps/catalogue.ts";
import { diffRows } from "../../core/plan/diff.ts";
import { runStatus, type StepState } from "../../core/run/state.ts";
import { offsetSubject } from "../../core/run/subject.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { shellWord } from "../../core/values/shell-word.ts";
import { changeSince, needsRepair } from "./change-since.ts";
import { type Paint, painter, type Tone } from "./colour.ts";
import { clip, hanging, layoutWidth, nextLines, pad, wrap } from "./layout.ts";
import { migrationRecords } from "./migration-run.ts";
import { offsetTable } from "./offset-text.ts";
import { showInstant, showMillis } from "./quantities.ts";
import { type Rendered, textOf } from "./rendered.ts";
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
import { columns } from "./table.ts";

export interface RunTextOptions {
  readonly colour: boolean;
  /** Of the terminal, columns. */
  readonly width?: number;
}

const MARKS: { readonly [state in StepState]: readonly [string, Tone] } = {
  pending: [" ", "quiet"],
  started: ["…", "caution"],
  done: ["✓", "good"],
  failed: ["✗", "bad"],
  unclear: ["?", "caution"],
};

/**
 * A run for a person: what it was to do, what came of each step and when, what was changed, where it stands, the next
 * command.
 */
export function renderRunText(run: RunShown, options: RunTextOptions): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  return textOf([
    ...head(run, width, paint),
    "",
    ...offsets(run, width, paint),
    ...records(run, width),
    ...run.steps.flatMap((step) => stepLines(step, width, paint)),
    "",
    ...recoveries(run, width),
    ...outcome(run, width, paint),
    ...nextLines(nextFor(run)),
  ]);
}

function head({ key, state }: RunShown, width: number, paint: Paint): readonly string[] {
  const { subject, operator, cdcctl, at } = state.started;
  const change = offsetSubject(subject);
  const ordered = subject.by === "ops topic" ? "taken over from the ops topic" : `by ${operator}`;
  return [
    ...wrap(`run ${key.run}`, width).map((line) => paint("strong", line)),
    ...wrap(
      `${subject.command} for ${clip(subject.connector)}: ${aim(subject)}${change?.resume ? ", and resume" : ""}`,
      width,
    ),
    ...(change?.snapshot === undefined ? [] : wrap(snapshotSentence(change.snapshot), width)),
    ...wrap(clip(subject.reason, 600), width),
    ...wrap(`begun ${showInstant(at)} ${ordered}, cdcctl ${cdcctl}, Kafka cluster ${key.clusterId}`, width),
    ...wrap(`decision ${subject.decision}`, width),
  ];
}

function offsets({ state }: RunShown, width: number, paint: Paint): readonly string[] {
  if (state.body === undefined) return [];
  const { previous, entry } = state.body;
  return [
    ...offsetTable(diffRows(previous, entry.offset, []), width, paint, { before: "before", after: "planned" }),
    "",
  ];
}

/** What a run of a migration has fixed or found. */
function records({ state }: RunShown, width: number): readonly string[] {
  const all = migrationRecords(state);
  if (all.length === 0) return [];
  return [...all.flatMap(([label, sentence]) => hanging(`  ${pad(label, 10)}`, 12, sentence, width)), ""];
}

function stepLines(step: StepTaken, width: number, paint: Paint): readonly string[] {
  const [mark, tone] = MARKS[step.state];
  const millis = millisOf(step);
  const when =
    step.startedAt === undefined
      ? ""
      : `  ${showInstant(step.startedAt)}${millis === undefined || millis < 100 ? "" : `, ${showMillis(millis)}`}`;
  const label = `  ${step.number}  ${paint(tone, mark)} `;
  return [
    ...hanging(label, 7, `${describeStep(step.planned)}${when}`, width),
    ...(step.note === undefined
      ? []
      : wrap(clip(step.note, 1000), width - 7).map((line) => `       ${paint("quiet", line)}`)),
  ];
}

function recoveries({ recoveries: all }: RunShown, width: number): readonly string[] {
  return all.slice(-5).flatMap(({ at, operator }) => wrap(`gone on with ${showInstant(at)} by ${operator}`, width));
}

function outcome(run: RunShown, width: number, paint: Paint): readonly string[] {
  const { ended, lastProblem } = run.state;
  const tone = toneOf(run);
  const seen = changes(run);
  return [
    ...wrap(
      `${standing(run)}${ended === undefined ? "" : ` ${showInstant(ended.at)}: ${clip(ended.message, 2000)}`}`,
      width,
    ).map((line) => paint(tone, line)),
    ...(ended === undefined && lastProblem !== undefined ? wrap(clip(lastProblem, 2000), width) : []),
    ...(seen.length === 0 ? ["nothing was changed"] : wrap(seen.join("; "), width)),
    ...(run.after === undefined ? [] : wrap(`${sentenceAfter(run.after)} (${showInstant(run.after.at)})`, width)),
  ];
}

function toneOf({ state }: RunShown): Tone {
  if (state.ended === undefined) return "caution";
  return state.ended.outcome === "succeeded" ? "good" : "bad";
}

/** `status`: one line a run, then the next command. */
export function renderStatusText(runs: readonly RunShown[], options: RunTextOptions): Rendered {
  const paint = painter(options.colour);
  if (runs.length === 0) return textOf(["no runs here"]);
  const next = runs.flatMap((run) => {
    if (run.state.ended === undefined) return nextFor(run);
    // What the connector said is what the next command depends on.
    if (needsRepair(run.now)) return nextFor(run);
    return run.state.ended.outcome === "rejected" ? [`cdcctl show ${shellWord(run.key.run)}`] : [];
  });
  const since = runs.flatMap(({ key, now }) => changeSince(key.connector, key.run, now) ?? []);
  const rows = runs.map((run) => [
    escapeTerminal(clip(run.key.connector, 40)),
    `run ${escapeTerminal(run.key.run)}`,
    paint(toneOf(run), escapeTerminal(standing(run))),
  ]);
  return textOf([
    ...columns(rows),
    ...since.flatMap((one) => wrap(clip(one, 2000), layoutWidth(options.width)).map((line) => paint("caution", line))),
    ...nextLines(next),
  ]);
}

/** `history`: one line a run, in the order given. */
export function renderHistoryText(runs: readonly RunShown[], options: RunTextOptions): Rendered {
  const paint = painter(options.colour);
  if (runs.length === 0) return textOf(["no runs here"]);
  return textOf(
    columns(
      runs.map((run) => {
        const { key, state } = run;
        const { started } = state;
        return [
          showInstant(started.at),
          escapeTerminal(key.run),
          escapeTerminal(clip(key.connector, 40)),
          escapeTerminal(aim(started.subject)),
          paint(toneOf(run), runStatus(state)),
          escapeTerminal(clip(started.operator, 60)),
          escapeTerminal(clip(started.subject.reason, 100)),
        ];
      }),
    ),
  );
}
