import type { Item } from "../../core/checks/check.ts";
import { LEVELS, type Level } from "../../core/doctor/preflight.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { type Paint, painter, type Tone } from "./colour.ts";
import { clip, hanging, layoutWidth, pad, remedyLines, wrap } from "./layout.ts";
import {
  type Grouped,
  grouped,
  HEADINGS,
  outcomeSentence,
  type PreflightShown,
  subjectSentence,
} from "./preflight-sentences.ts";
import { grouped as digits } from "./quantities.ts";
import { type Rendered, textOf } from "./rendered.ts";

const CODE = 8;
const INDENT = 2 + CODE;
/** Of many tables so many are named. */
const MOST_ITEMS = 10;

const TONES: { readonly [L in Level]: Tone } = {
  blocking: "bad",
  unknown: "caution",
  warning: "caution",
  fine: "good",
};

/** `doctor check`: what is in the way first, and what is fine last. */
export function renderPreflight(
  shown: PreflightShown,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const lines = [
    ...wrap(clip(subjectSentence(shown)), width).map((line) => paint("strong", line)),
    paint(shown.ready ? "good" : "bad", outcomeSentence(shown)),
    ...LEVELS.flatMap((level) => section(grouped(shown.findings, level), level, width, paint)),
  ];
  return textOf(lines);
}

function section(groups: readonly Grouped[], level: Level, width: number, paint: Paint): readonly string[] {
  if (groups.length === 0) return [];
  return ["", paint(TONES[level], HEADINGS[level]), ...groups.flatMap((group) => finding(group, width))];
}

function finding({ codes, finding: { seen, remedies, items } }: Grouped, width: number): readonly string[] {
  const [first = "", ...others] = codes;
  return [
    ...hanging(`  ${pad(first, CODE)}`, INDENT, clip(seen, 1000), width),
    ...(others.length === 0 ? [] : wrap(`so are ${others.join(", ")}`, width - INDENT).map(indented(INDENT))),
    ...remedies.flatMap((remedy) => remedyLines(clip(remedy, 1000), INDENT, width)),
    ...items.slice(0, MOST_ITEMS).flatMap((one) => item(one, width)),
    ...(items.length > MOST_ITEMS
      ? [`${" ".repeat(INDENT + 2)}and ${digits(BigInt(items.length - MOST_ITEMS))} more; --format json lists all`]
      : []),
  ];
}

/** A statement is never broken, so that it can be copied. */
function item({ name, seen, sql }: Item, width: number): readonly string[] {
  const text = seen === undefined ? clip(name) : `${clip(name)}: ${clip(seen, 600)}`;
  return [
    ...hanging(" ".repeat(INDENT + 2), INDENT + 2, text, width),
    ...(sql === undefined ? [] : [indented(INDENT + 4)(escapeTerminal(sql))]),
  ];
}

const indented = (columns: number) => (line: string) => `${" ".repeat(columns)}${line}`;
