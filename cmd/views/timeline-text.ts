import type { Scale } from "../../core/timeline/scale.ts";
import { isOpen, type Mark, type RedoState, type Timeline } from "../../core/timeline/timeline.ts";
import { showCount } from "../../core/values/amounts.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { largest } from "../../core/values/lists.ts";
import type { Paint, Tone } from "./colour.ts";
import { hanging, NO_BREAK, pad, widthOf, wrap } from "./layout.ts";
import { showInstant } from "./quantities.ts";
import { endOf, runsOf, statesOf, statesShown, timelineScale } from "./timeline-scale.ts";
import {
  drawnThreads,
  drawnTransactions,
  headline,
  type KeyRow,
  keyRows,
  LETTERS,
  remarks,
  sourceLabel,
  threadSentences,
  transactionLetter,
} from "./timeline-sentences.ts";

/** Room for `thread 1`, `journaled`. */
const LABEL = 12;
const MARGIN = "  ";
/** Longest name with its SCN on the same line. */
const LONGEST_NAME = 30;

/**
 * The timeline of a position for a terminal: SCNs rise from left to right, with a line of letters for the marks, and a
 * line per thread and per transaction; below it the key, in order of SCN, with times. In ASCII, and equally readable
 * without colour.
 *
 * @param width at least 40 columns; no line is wider
 */
export function timelineLines(timeline: Timeline, width: number, paint: Paint): readonly string[] {
  const scale = timelineScale(timeline, width - MARGIN.length - LABEL);
  return [
    ...wrap(`SCN timeline: ${headline(timeline)}`, width - 2).map((line) => `${MARGIN}${paint("strong", line)}`),
    ...(scale === undefined ? [] : picture(timeline, scale, paint)),
    ...(scale === undefined ? [] : legend(timeline, scale, width, paint)),
    ...key(keyRows(timeline), width, paint),
    ...threadSentences(timeline).flatMap(({ thread, sentence }) =>
      hanging(`${MARGIN}${pad(`thread ${thread}`, LABEL)}`, MARGIN.length + LABEL, sentence, width),
    ),
    ...remarks(timeline).flatMap((remark) => wrap(remark, width - 2).map((line) => `${MARGIN}${line}`)),
  ];
}

function picture(timeline: Timeline, scale: Scale, paint: Paint): readonly string[] {
  return [
    ...markRows(timeline.marks, scale).map((line) => labelled("", paint("strong", line.trimEnd()))),
    ...drawnThreads(timeline.threads).map(({ thread, stretches }) =>
      labelled(`thread ${thread}`, redoRow(statesOf(stretches, scale), paint)),
    ),
    ...transactionRows(timeline, scale, paint),
  ];
}

function labelled(label: string, line: string): string {
  return `${MARGIN}${pad(label, LABEL)}${line}`.trimEnd();
}

/** Marks of one SCN are placed below each other, so that none hides another. */
function markRows(marks: readonly Mark[], scale: Scale): readonly string[] {
  const rows: string[][] = [];
  const place = (column: number, letter: string) => {
    let row = rows.find((one) => one[column] === " ");
    if (row === undefined) {
      row = Array.from({ length: scale.columns }, () => " ");
      rows.push(row);
    }
    row[column] = letter;
  };
  for (const { mark, scn } of marks) place(scale.columnOf(scn), LETTERS[mark]);
  const [first] = rows;
  if (scale.cut !== undefined && first !== undefined) {
    const middle = Math.floor((scale.columnOf(scale.cut.from) + scale.columnOf(scale.cut.to)) / 2);
    for (const column of [middle, middle + 1]) if (first[column] === " ") first[column] = "/";
  }
  return rows.map((row) => row.join(""));
}

const SIGNS: { readonly [state in RedoState]: readonly [string, Tone] } = {
  archived: ["=", "good"],
  online: ["~", "good"],
  missing: ["x", "bad"],
  purged: ["x", "bad"],
  unreadable: ["x", "bad"],
  "in part": ["%", "bad"],
};

function redoRow(states: readonly (RedoState | undefined)[], paint: Paint): string {
  let end = 0;
  return runsOf(states, (state) => state)
    .map(({ state, from, to }) => {
      const [sign, tone] = SIGNS[state];
      const before = " ".repeat(from - end);
      end = to;
      return `${before}${paint(tone, sign.repeat(to - from))}`;
    })
    .join("");
}

function transactionRows(timeline: Timeline, scale: Scale, paint: Paint): readonly string[] {
  const end = endOf(timeline, scale);
  return drawnTransactions(timeline).map((transaction, i) => {
    const start = scale.columnOf(transaction.firstScn);
    const rest = Math.max(0, end - start);
    const line = `${transactionLetter(i)}${isOpen(transaction) ? openLine(rest) : ".".repeat(rest)}`;
    return labelled(sourceLabel(transaction), `${" ".repeat(start)}${paint("caution", line)}`);
  });
}

function openLine(length: number): string {
  return length === 0 ? "" : `${"-".repeat(length - 1)}>`;
}

/** The legend of the signs in use. */
function legend(timeline: Timeline, scale: Scale, width: number, paint: Paint): readonly string[] {
  const states = statesShown(timeline, scale);
  const drawn = drawnTransactions(timeline);
  const gap = states.has("missing") || states.has("purged") || states.has("unreadable");
  const signs = [
    ...(states.has("archived") ? ["= archived"] : []),
    ...(states.has("online") ? ["~ online"] : []),
    ...(gap ? ["x missing"] : []),
    ...(states.has("in part") ? ["% partly present"] : []),
    ...(drawn.some(isOpen) ? ["-> open transaction"] : []),
    ...(drawn.every(isOpen) ? [] : [".. journaled only"]),
    ...(scale.cut === undefined ? [] : [`// ${showCount(scale.cut.to - scale.cut.from)} SCNs omitted`]),
    ...(scale.proportional || scale.cut !== undefined ? [] : ["adjacent marks spread out"]),
  ].map((sign) => sign.replaceAll(" ", NO_BREAK));
  const indent = MARGIN.length + LABEL;
  return signs.length === 0
    ? []
    : wrap(signs.join("   "), width - indent).map((line) => `${" ".repeat(indent)}${paint("quiet", line)}`);
}

function key(rows: readonly KeyRow[], width: number, paint: Paint): readonly string[] {
  const names = rows.filter(({ kind }) => kind !== "gap").map(({ what }) => widthOf(escapeTerminal(what)));
  const name = Math.min(LONGEST_NAME, largest(names)) + 2;
  const scn = largest(rows.filter(({ kind }) => kind !== "gap").map(({ from }) => `${from}`.length)) + 2;
  return rows.flatMap((row) => {
    const label = `${MARGIN}${paint(row.kind === "gap" ? "bad" : "strong", row.sign)}  `;
    const what = escapeTerminal(row.what);
    const text =
      row.kind === "gap"
        ? `${row.what}: ${row.from} to ${row.to}${gapTimes(row)}`
        : padded(what, name) + padded(`${row.from}`, scn) + timeOf(row) + (row.note ? `${NO_BREAK} ${row.note}` : "");
    return hanging(label, 5, text, width);
  });
}

/** Pads with no-break spaces except the last, so that columns stay aligned. */
function padded(text: string, width: number): string {
  const unbroken = text.replaceAll(" ", NO_BREAK);
  return `${unbroken}${NO_BREAK.repeat(Math.max(1, width - widthOf(text) - 1))} `;
}

function timeOf({ at }: KeyRow): string {
  return (at === undefined ? "time unknown" : showInstant(at)).replaceAll(" ", NO_BREAK);
}

function gapTimes({ at, toAt }: KeyRow): string {
  const from = at === undefined ? "" : ` from ${showInstant(at).replace(" ", NO_BREAK)}`;
  const to = toAt === undefined ? "" : ` to ${showInstant(toAt).replace(" ", NO_BREAK)}`;
  return from === "" && to === "" ? "" : `,${from}${to}`;
}
