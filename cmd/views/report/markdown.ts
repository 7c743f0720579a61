import { type Advice, copyOf, mapAdvice } from "../../../core/values/remedy.ts";
import { painter } from "../colour.ts";
import { capital, NO_BREAK, trunc } from "../layout.ts";
import {
  block,
  code,
  EMPTY,
  fenced,
  figure as figureText,
  inline,
  inside,
  joinedBy,
  type Markdown,
  md,
  tableHead,
  tableRow,
} from "../markdown.ts";
import { type Block, bytes, fitBlocks, LONGEST_COMMENT } from "../markdown-budget.ts";
import { timelineLines } from "../timeline-text.ts";
import {
  type Cell,
  called,
  type Detail,
  END,
  type Field,
  type Found,
  type Heading,
  type Items,
  type Mark,
  NO_HEADING,
  type Part,
  RANK,
  type Rank,
  type Reports,
  type Row,
  type Section,
  type Step,
  type Table,
  verdictOf,
  type Words,
} from "./model.ts";

/** Maximum items rendered of a list; more never fit. */
const MOST_ITEMS = 3000;
/** Columns that a comment shows of a code block without scrolling. */
const PICTURE_WIDTH = 96;
/** Bytes for the headings of several reports; the remaining ones are only in the overview. */
const HEADINGS = 20_000;

const MARKS: { readonly [mark in Mark]: Markdown } = {
  good: md`✅`,
  bad: md`❌`,
  unknown: md`❓`,
  caution: md`⚠️`,
  accepted: md`☑️`,
  begun: md`⏳`,
  nothing: md`⚪`,
};

/**
 * Renders reports as Markdown for a comment or a ticket. Long reports are truncated between rows and items, by the
 * ranks of the sections.
 *
 * @param limit UTF-8 bytes; default: the limit of a GitHub comment
 */
export function renderMarkdown(
  { reports, sections = [], next = [] }: Reports,
  limit: number = LONGEST_COMMENT,
): Markdown {
  const heads = reports.map(({ heading = NO_HEADING, lead = [] }) => [
    ...headingBlocks(heading),
    ...partBlocks(lead, RANK.outcome),
  ]);
  return fitBlocks(
    [
      ...sections.flatMap((section) => sectionBlocks(section, "## ")),
      ...reports
        .slice(0, thatFit(heads, HEADINGS))
        .flatMap(({ urgent = [], sections: own, next: after = [] }, at) => [
          ...(heads[at] ?? []),
          ...[...urgent, ...own]
            .filter(({ shown }) => shown !== "in full")
            .flatMap((section) => sectionBlocks(section)),
          ...folded(own),
          ...nextBlock(after),
        ]),
      ...nextBlock(next),
    ],
    limit,
  );
}

/** What is folded, below one line that opens it. */
function folded(sections: readonly Section[]): readonly Block[] {
  const blocks = sections.filter(({ shown }) => shown === "in full").flatMap((section) => sectionBlocks(section));
  if (blocks.length === 0) return [];
  return [
    lines(RANK.outcome, [md`<details><summary>In full</summary>`, EMPTY]),
    ...blocks,
    lines(RANK.outcome, [md`</details>`, EMPTY]),
  ];
}

/** How many of the headings fit into `room` bytes; at least one. */
function thatFit(heads: readonly (readonly Block[])[], room: number): number {
  let used = 0;
  const over = heads.findIndex((blocks) => {
    used += blocks.reduce((sum, { head, items }) => sum + bytes(block([...head, ...items])) + 1, 0);
    return used > room;
  });
  return over < 0 ? heads.length : Math.max(1, over);
}

function headingBlocks({ title, rest = [], outcome }: Heading): readonly Block[] {
  if (title === "") return [];
  const mark = outcome === undefined ? EMPTY : md`${MARKS[outcome.mark]} `;
  const how = outcome === undefined ? EMPTY : md`: ${inline(verdictOf(outcome), 300)}`;
  const about = rest.map((one) => inline(one, 500));
  const more = about.length === 0 ? [] : [joinedBy(" · ", about), EMPTY];
  return [lines(RANK.outcome, [md`### ${mark}${inline(title, 600)}${how}`, EMPTY, ...more])];
}

/** A block that is shown completely or not at all. */
function lines(rank: Rank, head: readonly Markdown[], what = "lines"): Block {
  return { rank, what, head, items: [], whole: true };
}

function sectionBlocks({ title, outcome, rank, only, parts }: Section, level: "## " | "" = ""): readonly Block[] {
  if (only === "terminal") return [];
  const how = outcome === undefined ? EMPTY : md`: ${inline(outcome.word)}`;
  const shown = title === undefined ? [] : [level === "" ? md`**${inline(title)}${how}**` : md`## ${inline(title)}`];
  return [...shown.map((line) => lines(rank, [line, EMPTY])), ...partBlocks(parts, rank)];
}

function partBlocks(parts: readonly Part[], rank: Rank): readonly Block[] {
  return parts.flatMap((part) => blocksOf(part, rank));
}

function blocksOf(part: Part, rank: Rank): readonly Block[] {
  switch (part.is) {
    case "notice": {
      const text = words(part.text);
      return [lines(rank, [part.tone === "bad" || part.tone === "strong" ? md`**${text}**` : text, EMPTY])];
    }
    case "fields":
      return [
        { rank, what: "lines", head: [], items: part.rows.map(fieldItem), foot: [EMPTY] },
        ...part.rows.flatMap(({ label, details }) =>
          details === undefined ? [] : listBlock(RANK.details, details, [md`**${inline(label)}**`, EMPTY], detailItem),
        ),
      ];
    case "table":
      return tableBlock(part, rank);
    case "list":
      return listBlock(rank, part.items, [], (one) => md`- ${words(one)}`);
    case "steps":
      return [stepBlock(part.rows, rank)];
    case "findings":
      return listBlock(rank, part.rows, [], foundItem);
    case "remedies":
      return part.items.length === 0
        ? []
        : [lines(rank, [md`What to do:`, EMPTY, ...part.items.map((one) => md`- ${remedy(one)}`), EMPTY], "remedies")];
    case "code": {
      const { open, lines: shown, close } = fenced(part.lines.first(MOST_ITEMS), part.language);
      return [
        {
          rank,
          what: called(part.lines, 2),
          head: [open],
          items: shown,
          foot: [close, EMPTY],
          total: part.lines.count,
        },
      ];
    }
    case "figure": {
      const { open, lines: shown, close } = fenced(timelineLines(part.timeline, PICTURE_WIDTH, painter(false)));
      return [lines(RANK.figure, [open, ...shown, close, EMPTY], "timeline")];
    }
  }
}

/** A block with one item per element of a list of any length. */
function listBlock<T>(
  rank: Rank,
  list: Items<T>,
  head: readonly Markdown[],
  render: (one: T) => Markdown,
): readonly Block[] {
  if (list.count === 0) return [];
  const shown = list.first(MOST_ITEMS).map(render);
  return [{ rank, what: called(list, 2), head, items: shown, foot: [EMPTY], total: list.count }];
}

function words(text: Words): Markdown {
  if (typeof text === "string") return inline(text.replaceAll(NO_BREAK, " "));
  return joinedBy(
    "",
    text.map((one, at) => (typeof one !== "string" ? code(one.code) : at === 0 ? inline(one) : inside(one))),
  );
}

function fieldItem({ label, text, mark, remedies = [] }: Field): Markdown {
  const sign = mark === undefined || mark.trim() === "" ? EMPTY : md`${MARKS.bad} `;
  return block([md`- ${sign}**${inline(label)}**: ${words(text)}`, ...remedies.map((one) => md`  - ${remedy(one)}`)]);
}

function detailItem(detail: Detail): Markdown {
  if (typeof detail === "string" || !("copied" in detail)) return md`- ${words(detail)}`;
  return md`- ${words(detail.text)}\n  - ${code(detail.copied, 1000)}`;
}

function tableBlock({ columns, rows }: Table, rank: Rank): readonly Block[] {
  const shown = rows.first(MOST_ITEMS);
  const marked = shown.some(({ mark }) => mark !== undefined);
  // Columns with neither title nor content are dropped.
  const used = columns.flatMap(({ title }, at) =>
    title === "" && shown.every(({ cells }) => textOf(cells[at] ?? "") === "") ? [] : [at],
  );
  const head = tableHead([
    ...(marked ? [{ title: "" }] : []),
    ...used.map((at) => ({ ...columns[at], title: capital(columns[at]?.title ?? "") })),
  ]);
  const row = ({ cells, mark }: Row) =>
    tableRow([...(marked ? [signOf(mark)] : []), ...used.map((at) => cellOf(cells[at] ?? "", columns[at]?.end))]);
  return listBlock(rank, { ...rows, first: () => shown }, head, row);
}

function signOf(mark: string | undefined): Markdown {
  return mark === undefined || mark.trim() === "" ? EMPTY : mark === "!" ? md`**!**` : inline(mark);
}

function textOf(cell: Cell): string {
  return (typeof cell === "string" ? cell : cell.text).replaceAll(NO_BREAK, " ");
}

/** @param end whether the cell is right-aligned */
function cellOf(cell: Cell, end = false): Markdown {
  const text = textOf(cell);
  const own = end ? figureText(text) : inline(text, 1000);
  if (typeof cell === "string") return own;
  const shown = cell.as === "code" ? code(text, 200) : own;
  const timed = md`${shown}${cell.at === undefined ? EMPTY : md` (${inline(cell.at)})`}`;
  return cell.tone === "strong" ? md`**${timed}**` : timed;
}

function stepBlock(rows: readonly Step[], rank: Rank): Block {
  if (rows.every(({ taken }) => taken === undefined)) {
    const plain = rows.map(({ text }, at) => md`${at + 1}. ${inline(text)}`);
    return { rank, what: "steps", head: [], items: plain, foot: [EMPTY] };
  }
  return {
    rank,
    what: "steps",
    head: tableHead([
      { title: "" },
      { title: "Step" },
      { title: "Begun" },
      { title: "Took", ...END },
      { title: "Result" },
    ]),
    items: rows.map(({ text, taken }, at) =>
      tableRow([
        taken?.mark === undefined ? md`${at + 1}` : md`${at + 1} ${MARKS[taken.mark]}`,
        inline(text, 300),
        inline(taken?.begun ?? ""),
        figureText(taken?.took ?? ""),
        inline(taken?.note ?? taken?.state ?? "", 500),
      ]),
    ),
    foot: [EMPTY],
  };
}

const EFFECTS: { readonly [effect in Found["effect"]]: Markdown } = {
  refused: MARKS.bad,
  warns: MARKS.caution,
  accepted: MARKS.accepted,
};

function foundItem({ code: named, text, effect, remedies, place }: Found): Markdown {
  const where = place === undefined ? EMPTY : md` (${code(place, 300)})`;
  return block([
    md`- ${EFFECTS[effect]} **${inline(named, 40)}** ${inline(text)}${where}`,
    ...remedies.map((one) => md`  - ${remedy(one)}`),
  ]);
}

/** A remedy: text, with parts to copy as code. */
function remedy(advice: Advice): Markdown {
  const shown = mapAdvice(advice, (text) => trunc(text, 3000));
  if (typeof shown === "string") return inline(shown, Infinity);
  const { text, note } = shown;
  const behind = note === undefined ? EMPTY : md` ${inline(note, Infinity)}`;
  return md`${inline(`${text}:`, Infinity)} ${code(copyOf(shown) ?? "", Infinity)}${behind}`;
}

function nextBlock(next: readonly string[]): readonly Block[] {
  if (next.length === 0) return [];
  const { open, lines: shown, close } = fenced(next, "sh");
  return [lines(RANK.outcome, [md`Next:`, EMPTY, open, ...shown, close, EMPTY], "commands")];
}
