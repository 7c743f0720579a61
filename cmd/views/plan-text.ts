import type { WaitLimits } from "../../core/apply/context.ts";
import type { Finding } from "../../core/checks/finding.ts";
import { type ConnectorPlan, isMigration, type Plan } from "../../core/plan/plan.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Paint, painter } from "./colour.ts";
import type { Consequence } from "./consequence.ts";
import { clip, hanging, layoutWidth, nextLines, pad, remedyLines, widthOf, wrap } from "./layout.ts";
import { migrationLines } from "./migration-text.ts";
import { offsetTable } from "./offset-text.ts";
import {
  byWeight,
  consequences,
  direction,
  findingSentences,
  GOOD_FOR,
  stepSentences,
  subject,
  subjectName,
  zoneNote,
} from "./plan-sentences.ts";
import { counted, grouped, showInstant } from "./quantities.ts";
import { type Rendered, textOf } from "./rendered.ts";
import { wayBack } from "./snapshot-sentences.ts";
import { timelineLines } from "./timeline-text.ts";
import { unlistedLines } from "./unlisted-text.ts";

export interface PlanTextOptions {
  readonly colour: boolean;
  /** Of the terminal, columns. */
  readonly width?: number;
  /** Commands to run next. */
  readonly next?: readonly string[];
  readonly limits?: WaitLimits;
}

/** Of each list this many are shown; the JSON view has them all. */
const MOST_DETAILS = 10;
const MOST_FINDINGS = 100;
const MOST_COMMANDS = 20;
/** A text longer than this says nothing more. */
const LONGEST_TEXT = 3000;
const LABEL = 15;

/**
 * A plan for a person: what will change, what it costs, every finding that is not a pass, the steps, the digest, the
 * next command. A blocked plan begins with its refusals; one without anything to do is one line.
 */
export function renderPlanText(plan: Plan, options: PlanTextOptions): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const next = options.next ?? [];
  if (plan.outcome.state === "no-op")
    return textOf([...nothingToDo(plan, plan.outcome.why, width), ...nextLines(next)]);
  const { blocking, other, passed } = byWeight(plan.findings);
  const back = wayBackLines(plan, width, paint);
  const blocked = blocking.length > 0;
  return textOf([
    ...(blocked ? back : []),
    ...refusals(blocking, plan, width, paint),
    ...header(plan, width, paint),
    "",
    ...(blocked ? [] : back),
    ...(isMigration(plan)
      ? migrationLines(plan, width, paint, (one) => consequenceLines(one, width, paint))
      : connectorBlock(plan, width, paint)),
    ...warnings(other, passed, plan, width, paint),
    ...(plan.outcome.state === "ready" ? steps(plan, options.limits, width) : []),
    `decision ${plan.decision}`,
    `planned ${showInstant(plan.plannedAt)}${plan.outcome.state === "ready" ? `, good for ${GOOD_FOR}` : ", blocked"}`,
    ...nextLines(next),
  ]);
}

function connectorBlock(plan: ConnectorPlan, width: number, paint: Paint): readonly string[] {
  const offset = offsetBlock(plan, width, paint);
  const moved = directionBlock(plan, width, paint);
  const picture = timelineBlock(plan, width, paint);
  // Of a resnapshot the tables are what matters, and what is lost.
  return plan.snapshot === undefined
    ? [...offset, ...moved, ...unlistedLines(plan, width, paint), ...picture]
    : [...moved, ...unlistedLines(plan, width, paint), ...offset, ...picture];
}

function timelineBlock({ timeline }: ConnectorPlan, width: number, paint: Paint): readonly string[] {
  return timeline === undefined ? [] : [...timelineLines(timeline, width, paint), ""];
}

function nothingToDo(plan: Plan, why: string, width: number): readonly string[] {
  const { name } = plan.intent.metadata;
  return wrap(`${clip(name)}: nothing to do for ${clip(subjectName(plan))}: ${why}`, Math.max(width, 120));
}

function header(plan: Plan, width: number, paint: Paint): readonly string[] {
  const { metadata, kind } = plan.intent;
  const name = escapeTerminal(clip(metadata.name));
  const title = [name, kind, ...(metadata.ticket === undefined ? [] : [escapeTerminal(clip(metadata.ticket, 100))])];
  const [first = "", ...more] = wrap(title.join("  "), width);
  return [
    first.startsWith(name) ? `${paint("strong", name)}${first.slice(name.length)}` : first,
    ...more,
    ...wrap(subject(plan), width),
    ...(metadata.reason === "" ? [] : wrap(clip(metadata.reason, 600), width)),
  ];
}

/** Before anything that skips changes: what would bring the redo back. */
function wayBackLines(plan: Plan, width: number, paint: Paint): readonly string[] {
  const back = isMigration(plan) ? undefined : wayBack(plan);
  if (back === undefined) return [];
  const { before, commands, after } = back;
  const left = commands.length - MOST_COMMANDS;
  return [
    ...wrap(before, width).map((line) => paint("bad", line)),
    ...commands
      .slice(0, MOST_COMMANDS)
      .flatMap((command) => wrap(command, width - 4).map((line) => `    ${paint("strong", line)}`)),
    ...(left <= 0 ? [] : [`    and ${counted(left, "more command")}; --format json has them all`]),
    ...(after === undefined ? [] : wrap(after, width)),
    "",
  ];
}

function offsetBlock(plan: ConnectorPlan, width: number, paint: Paint): readonly string[] {
  const note = zoneNote(plan);
  // Without an offset that changes, only a gap has times to show.
  if (plan.offset === undefined && (note === undefined || plan.snapshot?.gap === undefined)) return [];
  return [
    ...(plan.offset === undefined ? [] : offsetTable(plan.offset.rows, width, paint)),
    ...(note === undefined ? [] : wrap(note, width - 2).map((line) => `  ${paint("quiet", line)}`)),
    "",
  ];
}

function directionBlock(plan: ConnectorPlan, width: number, paint: Paint): readonly string[] {
  const moved = direction(plan);
  return [
    ...(moved === undefined ? [] : wrap(moved, width - 2).map((line) => `  ${paint("strong", line)}`)),
    ...consequences(plan, MOST_DETAILS).flatMap((one) => consequenceLines(one, width, paint)),
    "",
  ];
}

function consequenceLines(
  { label, sentence, details, left, tone }: Consequence,
  width: number,
  paint: Paint,
): readonly string[] {
  const margin = " ".repeat(2 + LABEL);
  const [first = "", ...more] = wrap(sentence, width - 2 - LABEL);
  const shown = (line: string) => (tone === undefined ? line : paint(tone, line));
  return [
    `  ${pad(label, LABEL)}${shown(first)}`,
    ...more.map((line) => `${margin}${shown(line)}`),
    ...details.flatMap((detail) => hanging(`${margin}`, 2 + LABEL, detail, width)),
    ...(left === 0 ? [] : [`${margin}and ${grouped(BigInt(left))} more; --format json has them all`]),
  ];
}

function refusals(blocking: readonly Finding[], plan: Plan, width: number, paint: Paint): readonly string[] {
  if (blocking.length === 0) return [];
  return [
    ...blocking.slice(0, MOST_FINDINGS).flatMap((finding) => refusal(finding, plan, width, paint)),
    ...tooMany(blocking.length - MOST_FINDINGS, "refusal"),
    "",
  ];
}

function refusal(finding: Finding, plan: Plan, width: number, paint: Paint): readonly string[] {
  const { seen, remedies, place } = findingSentences(finding, plan);
  const [first = "", ...more] = wrap(`refused: ${clip(seen, LONGEST_TEXT)}`, width);
  return [
    paint("bad", first),
    ...more,
    ...remedies.flatMap((remedy) => remedyLines(clip(remedy, LONGEST_TEXT), 2, width)),
    ...hanging(
      `  ${paint("bad", "✗")} `,
      4,
      `${finding.code}  ${place === undefined ? "" : `${place}  `}${explain(finding)}`,
      width,
    ),
  ];
}

function explain({ code }: Finding): string {
  return `cdcctl explain ${code}`;
}

function warnings(
  other: readonly Finding[],
  passed: number,
  plan: Plan,
  width: number,
  paint: Paint,
): readonly string[] {
  return [
    ...other.slice(0, MOST_FINDINGS).flatMap((finding) => warning(finding, plan, width, paint)),
    ...tooMany(other.length - MOST_FINDINGS, "finding").map((line) => `  ${line}`),
    ...(passed === 0 ? [] : [`  ${counted(passed, `${other.length === 0 ? "" : "other "}check`)} passed`]),
    "",
  ];
}

/** `! CON304  what was seen`, the remedies below it, and at the end of the last line, or below it, how to read more. */
function warning(finding: Finding, plan: Plan, width: number, paint: Paint): readonly string[] {
  const { seen, remedies, place } = findingSentences(finding, plan);
  const accepted = finding.effect === "accepted";
  const label = `  ${accepted ? "✓" : "!"} ${pad(escapeTerminal(finding.code), 6)}  `;
  const indent = widthOf(label);
  const body = [
    ...hanging(label, indent, clip(seen, LONGEST_TEXT), width),
    ...remedies.flatMap((remedy) => remedyLines(clip(remedy, LONGEST_TEXT), indent, width)),
  ];
  const more = wrap(`${place === undefined ? "" : `${place}  `}${explain(finding)}`, width - indent);
  const closing = more.map((line) => `${" ".repeat(width - widthOf(line))}${paint("quiet", line)}`);
  const room = width - widthOf(body.at(-1) ?? "") - 3;
  const [only] = more;
  const joined =
    only !== undefined && more.length === 1 && widthOf(only) <= room
      ? [...body.slice(0, -1), `${pad(body.at(-1) ?? "", width - widthOf(only))}${paint("quiet", only)}`]
      : [...body, ...closing];
  const mark = accepted ? paint("good", "✓") : paint("caution", "!");
  return joined.map((line, i) => (i === 0 ? `  ${mark}${line.slice(3)}` : line));
}

function tooMany(left: number, what: string): readonly string[] {
  return left <= 0 ? [] : [`and ${counted(left, `more ${what}`)}; --format json has them all`];
}

function steps(plan: Plan, limits: WaitLimits | undefined, width: number): readonly string[] {
  if (plan.steps.length === 0) return [];
  return [
    ...stepSentences(plan.steps, limits).flatMap((sentence, i) => hanging(`  ${i + 1}  `, 5, sentence, width)),
    "",
  ];
}
