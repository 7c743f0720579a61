import type { Observed } from "../../core/facts/observed.ts";
import { type RedoExamination, restoreCommands } from "../../core/facts/redo/redo.ts";
import type { DiffRow, Shown } from "../../core/plan/plan.ts";
import type { Timeline } from "../../core/timeline/timeline.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { largest } from "../../core/values/extremes.ts";
import { remediesOf } from "../../core/values/remedies.ts";
import { type Paint, painter, type Tone } from "./colour.ts";
import { clip, hanging, layoutWidth, NO_BREAK, pad, remedyLines, widthOf, wrap } from "./layout.ts";
import { isUtc, showInstant } from "./quantities.ts";
import { redoSentences } from "./redo-sentences.ts";
import { type Rendered, textOf } from "./rendered.ts";
import { timelineLines } from "./timeline-text.ts";

const FIELD = 21;
/** A field's raw name can be of any length. */
const LONGEST_FIELD = 60;

/** The stored offset before (`now`, as long as nothing is done) and after the change, field by field. */
export function offsetTable(
  rows: readonly DiffRow[],
  width: number,
  paint: Paint,
  titles: { readonly before: string; readonly after: string } = { before: "now", after: "after" },
): readonly string[] {
  const timed = widestTimed(rows.flatMap(({ before, after }) => [before, after]));
  const cells = rows.map((row) => ({
    field: clip(row.field, LONGEST_FIELD),
    now: row.before === undefined ? "none" : shownText(row.before, timed),
    after: afterText(row, timed),
    tone: TONES[row.change],
  }));
  const room = width - 2 - FIELD;
  const widest = (texts: readonly string[]) => largest(texts.map((text) => widthOf(escapeTerminal(text))));
  const afterNeeds = Math.min(Math.floor(room / 2), widest(cells.map((cell) => cell.after)));
  const nowWidth = Math.min(room - afterNeeds, Math.max(20, widest(cells.map((cell) => cell.now)) + 3));
  const afterWidth = width - 2 - FIELD - nowWidth;
  return [
    paint("quiet", `  ${pad("stored offset", FIELD)}${pad(titles.before, nowWidth)}${titles.after}`),
    ...cells.flatMap(({ field, now, after, tone }) =>
      side(wrap(field, FIELD - 2), wrap(now, nowWidth - 2), wrap(after, afterWidth), nowWidth, (text) =>
        tone === undefined ? text : paint(tone, text),
      ),
    ),
  ];
}

const TONES: { readonly [change in DiffRow["change"]]: Tone | undefined } = {
  unchanged: "quiet",
  changed: "strong",
  added: "good",
  removed: "bad",
};

function afterText({ change, after }: DiffRow, timed: number): string {
  return change === "unchanged" || change === "removed" || after === undefined ? change : shownText(after, timed);
}

/** Cells side by side, each as many lines as it needs. */
function side(
  field: readonly string[],
  now: readonly string[],
  after: readonly string[],
  nowWidth: number,
  tint: (text: string) => string,
): readonly string[] {
  const height = Math.max(field.length, now.length, after.length);
  return Array.from({ length: height }, (_, i) => {
    const left = `  ${pad(field[i] ?? "", FIELD)}`;
    const right = after[i] ?? "";
    return right === "" ? `${left}${now[i] ?? ""}`.trimEnd() : `${left}${pad(now[i] ?? "", nowWidth)}${tint(right)}`;
  });
}

/** Times of short values stand below each other. */
function widestTimed(values: readonly (Shown | undefined)[]): number {
  const widths = values.flatMap((shown) =>
    shown?.at === undefined || shown.text.length > 20 ? [] : [shown.text.length],
  );
  return largest(widths);
}

function shownText({ text, at }: Shown, timed: number): string {
  return at === undefined ? clip(text) : `${pad(clip(text), timed)}   ${showInstant(at).replace(" ", NO_BREAK)}`;
}

export interface OffsetShown {
  readonly connector: string;
  /** As `GET /connectors/{name}/offsets` has it, printed. */
  readonly partition: string;
  /** As `shownItems` gives them; empty when nothing is stored. */
  readonly items: ReadonlyMap<string, Shown>;
  /** Why the items are raw; undefined where they are decoded. */
  readonly undecoded?: string | undefined;
  /** The database server's zone; undefined when the database was not asked. */
  readonly zone: string | undefined;
  /** With `--check-redo`: redo from the resume SCN on. */
  readonly redo?: Observed<RedoExamination>;
  /** Left out where the database was not asked, or the offset can't be read. */
  readonly timeline?: Timeline;
}

/**
 * The decoded items of a stored offset, one a line, with the time of each SCN, and what the check of the redo found.
 */
export function renderOffsetShow(
  { connector, partition, items, undecoded, zone, redo, timeline }: OffsetShown,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const timed = widestTimed([...items.values()]);
  const note = zone === undefined || isUtc(zone) ? [] : [`times are UTC; the database server's zone is ${zone}`];
  const body = [
    ...wrap(`stored offset of ${clip(connector)}, partition ${clip(partition)}`, width).map((line) =>
      paint("strong", line),
    ),
    ...(items.size === 0 ? ["  none is stored"] : []),
    ...(undecoded === undefined ? [] : wrap(undecoded, width - 2).map((line) => paint("bad", `  ${line}`))),
    ...[...items].flatMap(([field, shown]) => item(clip(field, LONGEST_FIELD), shownText(shown, timed), width)),
    ...note.flatMap((text) => wrap(text, width - 2).map((line) => paint("quiet", `  ${line}`))),
    ...(redo === undefined ? [] : redoLines(redo, width, paint)),
    ...(timeline === undefined ? [] : ["", ...timelineLines(timeline, width, paint)]),
  ];
  return textOf(body);
}

function item(field: string, text: string, width: number): readonly string[] {
  const name = escapeTerminal(field);
  if (widthOf(name) <= FIELD - 2) return hanging(`  ${pad(name, FIELD)}`, 2 + FIELD, text, width);
  return [
    ...wrap(field, width - 2).map((line) => `  ${line}`),
    ...hanging(" ".repeat(2 + FIELD), 2 + FIELD, text, width),
  ];
}

function redoLines(redo: Observed<RedoExamination>, width: number, paint: Paint): readonly string[] {
  const label = `  ${pad("redo", FIELD)}`;
  if (!redo.known) {
    return [
      ...hanging(label, 2 + FIELD, `can't be seen: ${redo.why}`, width),
      ...remediesOf(redo.remedy).flatMap((one) => remedyLines(one, 2 + FIELD, width)),
    ];
  }
  const { sentence, details } = redoSentences(redo.value);
  const [first = "", ...more] = hanging("", 2 + FIELD, sentence, width);
  return [
    `${label}${paint(redo.value.complete ? "good" : "bad", first)}`,
    ...more,
    ...details.flatMap((detail) => hanging(" ".repeat(2 + FIELD), 2 + FIELD, detail, width)),
    ...restoreCommands(redo.value.faults).map(
      (command) => `${" ".repeat(2 + FIELD)}to bring the logs back (RMAN):  ${escapeTerminal(command)}`,
    ),
  ];
}
