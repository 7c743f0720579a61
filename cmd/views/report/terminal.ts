import { showCount } from "../../../core/values/amounts.ts";
import { escapeTerminal } from "../../../core/values/escape.ts";
import { largest } from "../../../core/values/lists.ts";
import { type Paint, painter, type Tone } from "../colour.ts";
import { hanging, layoutWidth, nextLines, pad, remedyLines, trunc, widthOf, wrap } from "../layout.ts";
import { type Rendered, textOf } from "../rendered.ts";
import { timelineLines } from "../timeline-text.ts";
import {
  called,
  type Detail,
  type Extent,
  type Field,
  type Fields,
  type Findings,
  type Found,
  type Heading,
  type Items,
  type List,
  type Mark,
  NO_HEADING,
  type Outcome,
  type Part,
  plainOf,
  type Report,
  type Section,
  type Step,
  type Table,
  verdictOf,
} from "./model.ts";
import { changeLines, tableLines } from "./terminal-table.ts";

export interface TerminalOptions {
  readonly colour: boolean;
  readonly width?: number;
}

export interface Screen {
  readonly width: number;
  readonly paint: Paint;
}

/** Maximum items shown of a list; the JSON has them all. */
const MOST: { readonly [extent in Extent]: number } = { few: 10, some: 30, many: 100, all: Number.POSITIVE_INFINITY };
/** Longest useful text; longer ones are truncated. */
const LONGEST = 3000;
const INDENT = 2;
/** Width of the labels of aligned parts. */
const ALIGNED = 15;

/** How each mark looks: its sign, and its tone. */
const MARKS: { readonly [mark in Mark]: readonly [sign: string, tone: Tone] } = {
  good: ["✓", "good"],
  accepted: ["✓", "good"],
  bad: ["✗", "bad"],
  unknown: ["?", "caution"],
  begun: ["…", "caution"],
  caution: ["!", "caution"],
  nothing: [" ", "quiet"],
};

export function toneOf(mark: Mark): Tone {
  return MARKS[mark][1];
}

export function renderTerminal(report: Report, { colour, width }: TerminalOptions): Rendered {
  const screen = { width: layoutWidth(width), paint: painter(colour) };
  if (report.oneLine !== undefined) return textOf([...wrap(report.oneLine, screen.width), ...nextLines(report.next)]);
  const { heading = NO_HEADING, lead = [], urgent = [], full = false } = report;
  const sections = report.sections.filter(({ shown }) => shown !== (full ? "in short" : "in full"));
  const last = sections.findLast(({ only }) => only !== "page");
  const head = [
    ...headingLines(heading, screen),
    ...lead.flatMap((part) => partLines(part, screen, part.is === "notice" ? 0 : INDENT)),
  ];
  const shown = [
    ...urgent.map((one) => ({ lines: sectionLines(one, screen), close: one.close })),
    { lines: head, close: undefined },
    ...sections.map((one) => ({ lines: sectionLines(one, screen), close: one.close })),
  ].filter(({ lines }) => lines.length > 0);
  const next = nextLines(report.next);
  return textOf([
    ...shown.flatMap(({ lines, close }, at) => (at === 0 || close ? lines : ["", ...lines])),
    ...(next.length === 0 || last === undefined || last.flush ? next : ["", ...next]),
  ]);
}

/** Renders parts without a heading, for output while a command runs. */
export function renderParts(parts: readonly Part[], { colour, width }: TerminalOptions, indent = 0): Rendered {
  const screen = { width: layoutWidth(width), paint: painter(colour) };
  return textOf(parts.flatMap((part) => partLines(part, screen, indent)));
}

function headingLines(
  { title, rest = [], terminal, outcome, tone = "strong" }: Heading,
  { width, paint }: Screen,
): readonly string[] {
  if (title === "" || terminal === "no title") return [];
  const whole = outcome?.shown === "in the title" ? `${title}: ${outcome.word}` : title;
  const name = escapeTerminal(trunc(whole, LONGEST));
  const [first = "", ...more] = wrap([name, ...rest.map((one) => trunc(one))].join("  "), width);
  // Every line of a title is painted.
  const painted = first.startsWith(name) ? `${paint(tone, name)}${first.slice(name.length)}` : paint(tone, first);
  const lines = [painted, ...more.map((line) => (rest.length === 0 ? paint(tone, line) : line))];
  return outcome?.shown === true ? withOutcome(lines, more.at(-1) ?? first, outcome, width, paint) : lines;
}

/**
 * Appends the outcome to the last line of a title if there is room, otherwise below it. @param last that line, not
 * painted
 */
function withOutcome(
  lines: readonly string[],
  last: string,
  outcome: Outcome,
  width: number,
  paint: Paint,
): readonly string[] {
  const tone = toneOf(outcome.mark);
  const behind = escapeTerminal(verdictOf(outcome));
  if (widthOf(last) + 2 + widthOf(behind) <= width)
    return [...lines.slice(0, -1), `${lines.at(-1)}  ${paint(tone, behind)}`];
  return [...lines, ...wrap(verdictOf(outcome), width - INDENT).map((line) => `  ${paint(tone, line)}`)];
}

function sectionLines(
  { title, outcome, tone = "strong", terminal, only, flush, parts }: Section,
  screen: Screen,
): readonly string[] {
  if (only === "page") return [];
  const { width, paint } = screen;
  const titles = title === undefined || terminal === "no title" ? [] : wrap(title, width);
  const painted = titles.map((line) => paint(tone, line));
  return [
    ...(outcome === undefined || titles.length === 0
      ? painted
      : withOutcome(painted, titles.at(-1) ?? "", outcome, width, paint)),
    ...parts.flatMap((part) => partLines(part, screen, flush ? 0 : INDENT)),
  ];
}

function partLines(part: Part, screen: Screen, indent: number): readonly string[] {
  const { width, paint } = screen;
  const margin = " ".repeat(indent);
  switch (part.is) {
    case "notice":
      return wrap(trunc(plainOf(part.text), LONGEST), width - indent).map(
        (line) => `${margin}${toned(part.tone, line, paint)}`,
      );
    case "fields":
      return fieldLines(part, screen, indent);
    case "table":
      return tableOf(part, screen, indent);
    case "list":
      return listLines(part, screen, indent);
    case "steps":
      return part.rows.flatMap((step, at) => stepLines(step, at + 1, screen));
    case "findings":
      return findingLines(part, screen, indent);
    case "remedies":
      return part.items.flatMap((remedy) => remedyLines(remedy, indent, width, LONGEST));
    case "code":
      return listed(part.lines, "    ", (line) =>
        wrap(line, width - 4).map((shown) => `    ${paint("strong", shown)}`),
      );
    case "figure":
      return timelineLines(part.timeline, width, paint);
  }
}

function toned(tone: Tone | undefined, line: string, paint: Paint): string {
  return tone === undefined ? line : paint(tone, line);
}

function visibleOf<T>(list: Items<T>): readonly T[] {
  return list.first(Math.min(list.count, MOST[list.extent]));
}

/** The line that counts the items not shown. */
function left(list: Items<unknown>, margin: string, shown: number): readonly string[] {
  const more = list.count - shown;
  return more > 0 ? [`${margin}and ${showCount(more)} more ${called(list, more)}; --format json has them all`] : [];
}

/** The lines of the shown items of a list, and the number of the others. */
function listed<T>(list: Items<T>, margin: string, linesOf: (one: T) => readonly string[]): readonly string[] {
  const shown = visibleOf(list);
  return [...shown.flatMap(linesOf), ...left(list, margin, shown.length)];
}

function tableOf(table: Table, screen: Screen, indent: number): readonly string[] {
  const rows = visibleOf(table.rows);
  const inner = indent + (rows[0]?.mark === undefined ? 0 : 2);
  const drawn = table.change ? changeLines(rows, screen, indent, ALIGNED) : tableLines(table, rows, screen, indent);
  return [...drawn, ...left(table.rows, " ".repeat(inner), rows.length)];
}

function fieldLines({ rows, aligned, quiet }: Fields, screen: Screen, indent: number): readonly string[] {
  const wide = aligned ? ALIGNED : largest(rows.map(({ label }) => widthOf(escapeTerminal(label)))) + 2;
  return rows.flatMap((row) => oneField(row, wide, quiet === true, screen, indent));
}

function oneField(
  { label, text, tone, mark, remedies = [], details }: Field,
  wide: number,
  quiet: boolean,
  { width, paint }: Screen,
  indent: number,
): readonly string[] {
  const margin = " ".repeat(indent + wide);
  const name = pad(escapeTerminal(label), wide);
  const begin = mark === undefined ? " ".repeat(indent) : `${" ".repeat(indent - 2)}${paint("bad", mark)} `;
  return [
    ...wrap(trunc(plainOf(text), LONGEST), width - indent - wide).map(
      (line, at) =>
        `${at === 0 ? `${begin}${quiet ? paint("quiet", name) : name}` : margin}${toned(tone, line, paint)}`,
    ),
    ...remedies.flatMap((remedy) => remedyLines(remedy, indent + wide, width, LONGEST)),
    ...(details === undefined ? [] : listed(details, margin, (one) => detailLines(one, margin, width))),
  ];
}

/** Text to copy is never wrapped. */
function detailLines(detail: Detail, margin: string, width: number): readonly string[] {
  const copied = typeof detail === "object" && "copied" in detail ? detail : undefined;
  const text = plainOf(copied === undefined ? (detail as Exclude<Detail, { readonly copied: string }>) : copied.text);
  return [
    ...hanging(margin, margin.length, trunc(text, LONGEST), width),
    ...(copied === undefined ? [] : [`${margin}  ${escapeTerminal(copied.copied)}`]),
  ];
}

function listLines({ items, sign = "-", tone }: List, { width, paint }: Screen, indent: number): readonly string[] {
  const margin = " ".repeat(indent);
  const begin = sign === "" ? margin : `${margin}${toned(tone, sign, paint)} `;
  return listed(items, margin, (one) => hanging(begin, indent + 2, trunc(plainOf(one), LONGEST), width));
}

function stepLines({ text, taken }: Step, number: number, { width, paint }: Screen): readonly string[] {
  const label = `  ${number}  `;
  if (taken === undefined) return hanging(label, label.length, text, width);
  const { mark, begun, took, note } = taken;
  const when = begun === undefined ? "" : `  ${begun}${took === undefined ? "" : `, ${took}`}`;
  const [sign, tone] = MARKS[mark ?? "nothing"];
  const wide = label.length + 2;
  return [
    ...hanging(`${label}${paint(tone, sign)} `, wide, `${text}${when}`, width),
    ...(note === undefined
      ? []
      : wrap(trunc(note, 1000), width - wide).map((line) => `${" ".repeat(wide)}${paint("quiet", line)}`)),
  ];
}

function findingLines({ rows }: Findings, screen: Screen, indent: number): readonly string[] {
  return listed(rows, " ".repeat(indent), (one) =>
    one.effect === "refused" ? refusal(one, screen) : warning(one, screen),
  );
}

function refusal({ text, remedies, code, place }: Found, { width, paint }: Screen): readonly string[] {
  const [first = "", ...more] = wrap(`refused: ${trunc(text, LONGEST)}`, width);
  return [
    paint("bad", first),
    ...more,
    ...remedies.flatMap((remedy) => remedyLines(remedy, INDENT, width, LONGEST)),
    ...hanging(`  ${paint("bad", "✗")} `, 4, `${code}  ${explained(code, place)}`, width),
  ];
}

function explained(code: string, place: string | undefined): string {
  return `${place === undefined ? "" : `${place}  `}cdcctl explain ${code}`;
}

/** `! CON304  what was seen`, the remedies below it, and at the end of the last line, or below it, how to read more. */
function warning({ text, remedies, code, place, effect }: Found, { width, paint }: Screen): readonly string[] {
  const sign = effect === "accepted" ? "✓" : "!";
  const label = `  ${sign} ${pad(escapeTerminal(code), 6)}  `;
  const indent = widthOf(label);
  const body = [
    ...hanging(label, indent, trunc(text, LONGEST), width),
    ...remedies.flatMap((remedy) => remedyLines(remedy, indent, width, LONGEST)),
  ];
  const more = wrap(explained(code, place), width - indent);
  const [only] = more;
  const room = width - widthOf(body.at(-1) ?? "") - 3;
  const joined =
    only !== undefined && more.length === 1 && widthOf(only) <= room
      ? [...body.slice(0, -1), `${pad(body.at(-1) ?? "", width - widthOf(only))}${paint("quiet", only)}`]
      : [...body, ...more.map((line) => `${" ".repeat(width - widthOf(line))}${paint("quiet", line)}`)];
  const mark = paint(effect === "accepted" ? "good" : "caution", sign);
  return joined.map((line, at) => (at === 0 ? `  ${mark}${line.slice(3)}` : line));
}
