import type { LagCause } from "../../core/doctor/lag/explain-lag.ts";
import { type Paint, painter, type Tone } from "./colour.ts";
import {
  answerSentence,
  evidenceSentences,
  type LagFact,
  type LagShown,
  lagFacts,
  lagRemedies,
  unseenSentences,
} from "./lag-sentences.ts";
import { lagTimeline } from "./lag-timeline.ts";
import { clip, hanging, layoutWidth, pad, remedyLines, wrap } from "./layout.ts";
import { type Rendered, textOf } from "./rendered.ts";
import { timelineLines } from "./timeline-text.ts";

const FIELD = 15;
/** A trace's first line can be long. */
const LONGEST = 1000;

/** `doctor explain-lag`: the answer with its evidence and what to do, then all that was seen, and what was not. */
export function renderLag(shown: LagShown, options: { readonly colour: boolean; readonly width?: number }): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const { explanation } = shown;
  const { also, ruledOut, remarks } = explanation;
  const trace = traceLines(shown, width, paint);
  return textOf([
    ...wrap(answerSentence(shown), width).map((line) => paint(toneOf(shown), line)),
    ...evidenceSentences(shown).flatMap((one) => hanging("  - ", 4, clip(one, LONGEST), width)),
    ...trace,
    ...lagRemedies(shown).flatMap((remedy) => remedyLines(remedy, 2, width)),
    "",
    ...factLines(lagFacts(shown), width, paint),
    "",
    ...timelineLines(lagTimeline(explanation.reading), width, paint),
    ...section("besides:", also.flatMap(causeLines), width),
    ...section("note:", remarks, width),
    ...section("not known:", unseenSentences(shown), width),
    ...section(
      "ruled out:",
      ruledOut.map(({ rule, because }) => `${rule.title}: ${because}`),
      width,
    ),
  ]);
}

function toneOf({ explanation: { answer } }: LagShown): Tone {
  if (answer.is === "none") return "good";
  if (answer.is === "unclear") return "caution";
  return answer.rule.cause === "not behind" ? "good" : "bad";
}

function factLines(facts: readonly LagFact[], width: number, paint: Paint): readonly string[] {
  const told = new Set<string>();
  return facts.flatMap(({ name, lines }) => {
    const texts = lines.known ? lines.value : [told.has(lines.why) ? "unknown, as above" : `unknown: ${lines.why}`];
    if (!lines.known) told.add(lines.why);
    return texts.flatMap((text, at) =>
      hanging(`  ${paint("quiet", pad(at === 0 ? name : "", FIELD))}`, 2 + FIELD, clip(text, LONGEST), width),
    );
  });
}

function causeLines({ title, evidence }: LagCause): readonly string[] {
  return [`${title}: ${evidence.join("; ")}`];
}

function section(title: string, lines: readonly string[], width: number): readonly string[] {
  if (lines.length === 0) return [];
  return ["", title, ...lines.flatMap((line) => hanging("  - ", 4, clip(line, LONGEST), width))];
}

/** Of a trace so many lines are shown; `--format json` has all of it. */
const MOST_TRACE = 12;

/** The trace of what has failed, where that is the answer. */
function traceLines({ explanation: { answer, reading } }: LagShown, width: number, paint: Paint): readonly string[] {
  if (answer.is !== "cause" || (answer.rule.cause !== "failed" && answer.rule.cause !== "redo gone")) return [];
  const { status } = reading.facts.second;
  const trace = [status.trace, ...status.tasks.map((task) => task.trace)].find((one) => one !== undefined);
  const lines = (trace ?? "").replaceAll("\t", "  ").trimEnd().split("\n").slice(1);
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MOST_TRACE).flatMap((line) => wrap(clip(line, LONGEST), width - 6).slice(0, 2));
  const more = lines.length - MOST_TRACE;
  return [...shown, ...(more > 0 ? [`… ${more} more lines (--format json)`] : [])].map(
    (line) => `      ${paint("quiet", line)}`,
  );
}
