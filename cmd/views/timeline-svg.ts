import type { Scale } from "../../core/timeline/scale.ts";
import { isOpen, type RedoState, type Timeline } from "../../core/timeline/timeline.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { element, type Html, list, table } from "./html-elements.ts";
import { capital, showInstant } from "./layout.ts";
import { endOf, runsOf, statesOf, statesShown, timelineScale } from "./timeline-scale.ts";
import {
  drawnThreads,
  drawnTransactions,
  gapsOf,
  headline,
  type KeyRow,
  keyRows,
  LETTERS,
  remarks,
  sourceLabel,
  threadSentences,
  transactionLetter,
} from "./timeline-text.ts";

/** Columns of the scale, enough for a wide screen. */
const COLUMNS = 300;
/** Minimum distance between named marks, in columns: a letter's width in a picture of 300 pixels. */
const APART = 14;
/** Percent of the width to the left and to the right of the scale. */
const EDGE = 3;
/** Pixels. */
const LETTER_ROW = 18;
const ROW = 44;
const BAR = 18;
/** Height below the letters, where the guides begin. */
const HEAD = 8;
/** Height of a row's label, which no guide crosses. */
const LABEL = 19;
/** Characters beside the scale in the narrowest picture; longer labels are truncated. */
const LONGEST_LABEL = 32;

/**
 * The timeline of a position for a page. Horizontal units are percent, vertical ones pixels, so that letters keep their
 * size on any screen. A table in order of SCN follows it.
 *
 * @param id unique within the page
 */
export function timelineFigure(timeline: Timeline, id: string): readonly Html[] {
  const scale = timelineScale(timeline, COLUMNS, APART);
  const sentence = headline(timeline);
  return [
    element(
      "figure",
      {},
      ...(scale === undefined ? [] : [picture(timeline, scale, id)]),
      element("figcaption", {}, ...caption(timeline, scale, sentence)),
    ),
    ...keyTable(timeline),
    ...list("ul", [
      ...threadSentences(timeline).map(({ thread, sentence: what }) => `thread ${thread}: ${what}`),
      ...remarks(timeline),
    ]),
  ];
}

function caption(timeline: Timeline, scale: Scale | undefined, sentence: string): readonly Html[] {
  if (scale === undefined) return [element("p", {}, `${capital(sentence)}.`)];
  const states = statesShown(timeline, scale);
  const gap = [...states].some((state) => state !== undefined && CLASSES[state] === "gap");
  return [
    element("p", {}, `${capital(sentence)}.`),
    ...(scale.cut === undefined
      ? []
      : [element("p", { class: "quiet" }, `At // ${showCount(scale.cut.to - scale.cut.from)} SCNs are omitted.`)]),
    ...(scale.proportional || scale.cut !== undefined
      ? []
      : [element("p", { class: "quiet" }, "Not to scale: adjacent marks are spread out.")]),
    element(
      "ul",
      { class: "legend" },
      ...(states.has("archived") ? [swatch("archived redo", { class: "archived" })] : []),
      ...(states.has("online") ? [swatch("online redo", { class: "online" })] : []),
      ...(gap ? [swatch("missing redo", { class: "gap", fill: "none" })] : []),
    ),
  ];
}

function swatch(what: string, attributes: { readonly [name: string]: string }): Html {
  return element(
    "li",
    {},
    element(
      "svg",
      { "aria-hidden": "true", width: 24, height: 12 },
      element("rect", { x: 1, y: 1, width: 22, height: 10, ...attributes }),
      ...(attributes["class"] === "gap" ? [element("path", { class: "gap", d: "M3 11 11 1M11 11 19 1" })] : []),
    ),
    what,
  );
}

function percent(column: number): string {
  return `${(EDGE + (column / COLUMNS) * (100 - 2 * EDGE)).toFixed(2)}%`;
}

function picture(timeline: Timeline, scale: Scale, id: string): Html {
  const threads = drawnThreads(timeline.threads);
  const transactions = drawnTransactions(timeline);
  const letters = letterRows(timeline, scale);
  const top = letters.rows * LETTER_ROW + HEAD;
  const rows = threads.length + transactions.length;
  const height = top + rows * ROW + 4;
  return element(
    "svg",
    {
      role: "img",
      "aria-labelledby": `${id}-title ${id}-desc`,
      width: "100%",
      height,
      xmlns: "http://www.w3.org/2000/svg",
    },
    element("title", { id: `${id}-title` }, "SCN timeline"),
    element("desc", { id: `${id}-desc` }, description(timeline)),
    patterns(id),
    ...threads.flatMap(({ thread, stretches }, i) => {
      const y = top + i * ROW;
      return [
        label(`thread ${thread}`, y),
        ...runsOf(statesOf(stretches, scale), (state) => CLASSES[state]).flatMap(({ state, from, to }) =>
          bar(state, from, to, y + 20, id),
        ),
      ];
    }),
    ...timeline.marks.flatMap(({ mark, scn }) => {
      const x = percent(scale.columnOf(scn));
      const kind = mark === "target" ? "guide target" : "guide";
      return guideParts(top, rows).map(([y1, y2]) => element("line", { class: kind, x1: x, x2: x, y1, y2 }));
    }),
    ...letters.html,
    ...transactions.flatMap((transaction, i) => {
      const y = top + (threads.length + i) * ROW;
      const start = scale.columnOf(transaction.firstScn);
      const end = endOf(timeline, scale);
      const name = `${transactionLetter(i)}  ${sourceLabel(transaction)} ${transaction.xid}`;
      return [
        label(name, y),
        element("line", {
          class: isOpen(transaction) ? "open" : "journaled",
          x1: percent(start),
          x2: percent(Math.max(start, end)),
          y1: y + 29,
          y2: y + 29,
        }),
        element("circle", { class: "start", cx: percent(start), cy: y + 29, r: 5 }),
      ];
    }),
  );
}

function label(text: string, y: number): Html {
  const shown = [...escapeTerminal(text)];
  const cut = shown.length > LONGEST_LABEL ? `${shown.slice(0, LONGEST_LABEL - 1).join("")}…` : text;
  return element("text", { class: "label", x: `${EDGE}%`, dx: 6, y: y + 14 }, cut);
}

/** A mark's line, from its letter down, interrupted at the labels of the rows. */
function guideParts(top: number, rows: number): readonly (readonly [from: number, to: number])[] {
  const bars = Array.from({ length: rows }, (_, at) => [top + at * ROW + LABEL, top + (at + 1) * ROW + 1] as const);
  return [[top - HEAD + 1, top + 1], ...bars];
}

/** A letter that would hide another one is placed below it. */
function letterRows({ marks }: Timeline, scale: Scale): { readonly rows: number; readonly html: readonly Html[] } {
  const rows: number[][] = [];
  const place = (column: number, letter: string, more: { readonly class?: string } = {}) => {
    const free = rows.findIndex((taken) => taken.every((one) => Math.abs(one - column) >= APART));
    const row = free < 0 ? rows.push([]) - 1 : free;
    rows[row]?.push(column);
    const y = (row + 1) * LETTER_ROW - 4;
    return element("text", { x: percent(column), y, "text-anchor": "middle", ...more }, letter);
  };
  const html = marks.map(({ mark, scn }) => place(scale.columnOf(scn), LETTERS[mark]));
  if (scale.cut === undefined) return { rows: Math.max(1, rows.length), html };
  const middle = (scale.columnOf(scale.cut.from) + scale.columnOf(scale.cut.to)) / 2;
  const cut = place(middle, "//", { class: "label" });
  return { rows: rows.length, html: [...html, cut] };
}

const CLASSES: { readonly [state in RedoState]: "archived" | "online" | "gap" } = {
  archived: "archived",
  online: "online",
  missing: "gap",
  purged: "gap",
  unreadable: "gap",
  "in part": "gap",
};

function bar(state: RedoState, from: number, to: number, y: number, id: string): readonly Html[] {
  const width = `${(((to - from) / COLUMNS) * (100 - 2 * EDGE)).toFixed(2)}%`;
  const place = { x: percent(from), y, width, height: BAR };
  const kind = CLASSES[state];
  if (kind === "gap") return [element("rect", { ...place, class: "gap", fill: `url(#${id}-gap)` })];
  const rect = element("rect", { ...place, class: kind });
  return kind === "archived" ? [rect] : [rect, element("rect", { ...place, fill: `url(#${id}-online)` })];
}

/** Patterns, so that states can be distinguished without colour. */
function patterns(id: string): Html {
  const pattern = (name: string, more: { readonly [name: string]: string }, ...content: readonly Html[]) =>
    element(
      "pattern",
      { id: `${id}-${name}`, patternUnits: "userSpaceOnUse", width: 8, height: 8, ...more },
      ...content,
    );
  return element(
    "defs",
    {},
    pattern(
      "gap",
      { patternTransform: "rotate(45)" },
      element("rect", { class: "gap-paper", width: 8, height: 8 }),
      element("rect", { class: "gap-line", width: 3, height: 8 }),
    ),
    pattern("online", {}, element("circle", { class: "dots", cx: 4, cy: 4, r: 1.5 })),
  );
}

/** The text alternative of the picture, in its order. */
function description(timeline: Timeline): string {
  const gaps = gapsOf(timeline).length;
  return [
    headline(timeline),
    `from left to right: ${keyRows(timeline)
      .map(({ sign, what }) => `${sign}, ${what}`)
      .join("; ")}`,
    `${counted(timeline.threads.length, "redo thread")}, ${gaps === 0 ? "no gap" : counted(gaps, "gap")}`,
    "the table below has the SCNs and times",
  ].join(". ");
}

function keyTable(timeline: Timeline): readonly Html[] {
  const rows = keyRows(timeline);
  if (rows.length === 0) return [];
  return [
    table(
      "Marks in order of SCN; times are UTC",
      ["Sign and name", { title: "SCN", end: true }, "Time"],
      rows.map((row) => [
        [element("span", { class: "sign" }, row.sign), ` ${row.what}${row.note ? `, ${row.note}` : ""}`],
        element("span", { class: "number" }, row.to === undefined ? `${row.from}` : `${row.from} to ${row.to}`),
        times(row),
      ]),
    ),
  ];
}

function times({ at, toAt, kind }: KeyRow): string {
  if (at === undefined && toAt === undefined) return "not known";
  if (kind !== "gap") return at === undefined ? "not known" : showInstant(at);
  const from = at === undefined ? [] : [`from ${showInstant(at)}`];
  const to = toAt === undefined ? [] : [`to ${showInstant(toAt)}`];
  return [...from, ...to].join(" ");
}
