import { counted, showCount } from "../../../core/values/amounts.ts";
import { type Advice, copyOf, lineOf, mapAdvice } from "../../../core/values/remedy.ts";
import { type Content, element, facts, type Html, list, table } from "../html-elements.ts";
import { renderPage, section as sectionOf, verdict } from "../html-page.ts";
import { capital, NO_BREAK, trunc } from "../layout.ts";
import { timelineFigure } from "../timeline-svg.ts";
import {
  type Cell,
  called,
  type Detail,
  type Field,
  type Findings,
  type Found,
  type Items,
  lines,
  type Mark,
  NO_HEADING,
  type Outcome,
  type Part,
  RANK,
  type Report,
  type Reports,
  type Section,
  type Step,
  section,
  type Table,
  type Words,
} from "./model.ts";

/** Maximum items per list; the JSON has them all. */
const MOST = 1000;
const LONGEST = 3000;

/** Renders reports as one self-contained page. @param version of the cdcctl that writes it */
export function renderHtml({ what, reports, sections = [], next = [] }: Reports, version: string): string {
  const [first] = reports;
  const only = reports.length === 1 ? (first?.heading ?? NO_HEADING) : undefined;
  const title = only === undefined ? counted(reports.length, what) : trunc(only.title, 300);
  const outcome = only === undefined ? outcomeOfAll(reports) : only.outcome;
  return renderPage({
    title,
    outcome,
    subtitle: reports
      .slice(0, 10)
      .map(({ heading: { rest = [], title: own } = NO_HEADING }) =>
        (reports.length === 1 ? rest : [own, ...rest]).map((one) => trunc(one, 200)).join(" · "),
      )
      .join(", "),
    version,
    content: [
      ...sections.flatMap((one, at) => sectionHtml(one, `i${at + 1}`)),
      ...reports.flatMap((report, at) => reportHtml(report, `r${at + 1}`, reports.length > 1)),
      ...nextSection(next).flatMap((last) => sectionHtml(last, "next")),
    ],
  });
}

/** The worst first: the outcome of several reports is the worst of them. */
const WEIGHTS: readonly Mark[] = ["bad", "unknown", "begun", "caution", "accepted", "good", "nothing"];

/** `1 refused, 2 ready` */
function outcomeOfAll(reports: readonly Report[]): Outcome | undefined {
  const outcomes = reports.flatMap(({ heading: { outcome } = NO_HEADING }) => (outcome === undefined ? [] : [outcome]));
  const marks = WEIGHTS.filter((mark) => outcomes.some((one) => one.mark === mark));
  const words = new Set(marks.flatMap((mark) => outcomes.filter((one) => one.mark === mark).map(({ word }) => word)));
  const [mark] = marks;
  if (mark === undefined) return undefined;
  const word = [...words]
    .slice(0, 5)
    .map((one) => `${showCount(outcomes.filter(({ word: of }) => of === one).length)} ${trunc(one, 100)}`);
  return { mark, word: word.join(", ") };
}

function nextSection(next: readonly string[]): readonly Section[] {
  const commands = { is: "code", language: "sh", lines: lines(next, "command", "all") } as const;
  return section(RANK.outcome, next.length === 0 ? [] : [commands], { title: "Next steps" });
}

function reportHtml(
  { heading = NO_HEADING, lead = [], urgent = [], sections, next = [] }: Report,
  id: string,
  several: boolean,
): readonly Html[] {
  const { outcome } = heading;
  const about = lead.flatMap((part, at) => partHtml(part, `${id}-s0-${at}`));
  // The verdict of a single report is below the page's title.
  const first = several ? [...verdict(outcome), ...about] : about;
  return [
    ...(several || about.length > 0
      ? [sectionOf(`${id}-s0`, several ? trunc(heading.title, 300) : "Summary", ...first)]
      : []),
    ...[...urgent, ...sections, ...nextSection(next)].flatMap((one, at) => sectionHtml(one, `${id}-s${at + 1}`)),
  ];
}

function sectionHtml({ title, outcome, only, shown: extent, parts }: Section, id: string): readonly Html[] {
  if (only === "terminal" || extent === "in short") return [];
  const shown = [...verdict(outcome), ...parts.flatMap((part, at) => partHtml(part, `${id}-${at}`))];
  // Titles with a colon are of the terminal, where a list stands behind them.
  const heading = title?.endsWith(":") ? capital(title.slice(0, -1)) : title;
  return heading === undefined ? shown : [sectionOf(id, heading, ...shown)];
}

function partHtml(part: Part, id: string): readonly Html[] {
  switch (part.is) {
    case "notice":
      return [
        element("p", part.tone === undefined || part.tone === "strong" ? {} : { class: part.tone }, words(part.text)),
      ];
    case "fields":
      return [facts(part.rows.map((row) => [row.label, fieldHtml(row)]))];
    case "table":
      return [...tableHtml(part), ...left(part.rows)];
    case "list":
      return [...list("ul", part.items.first(MOST).map(words)), ...left(part.items)];
    case "steps":
      return stepsHtml(part.rows);
    case "findings":
      return findingsHtml(part);
    case "remedies":
      return remediesHtml(part.items);
    case "code":
      return [
        ...list(
          "ul",
          part.lines.first(MOST).map((line) => element("code", {}, trunc(line, LONGEST))),
        ),
        ...left(part.lines),
      ];
    case "figure":
      return timelineFigure(part.timeline, `${id}-svg`);
  }
}

function words(text: Words): Content {
  if (typeof text === "string") return plain(text);
  return text.map((one) => (typeof one === "string" ? plain(one) : element("code", {}, trunc(one.code, LONGEST))));
}

function plain(text: string): string {
  return trunc(text, LONGEST).replaceAll(NO_BREAK, " ");
}

function left(items: Items<unknown>): readonly Html[] {
  const more = items.count - MOST;
  const count = counted(more, `more ${called(items, 1)}`, `more ${called(items, 2)}`);
  return more > 0 ? [element("p", {}, `And ${count}.`)] : [];
}

function fieldHtml({ text, tone, remedies = [], details }: Field): Content {
  return [
    element("span", tone === undefined ? {} : { class: tone }, words(text)),
    ...remediesHtml(remedies),
    ...(details === undefined ? [] : [...list("ul", details.first(MOST).map(detailHtml)), ...left(details)]),
  ];
}

function detailHtml(detail: Detail): Content {
  if (typeof detail === "string" || !("copied" in detail)) return words(detail);
  return [words(detail.text), " ", element("code", {}, detail.copied)];
}

function remediesHtml(remedies: readonly Advice[]): readonly Html[] {
  return list(
    "ul",
    remedies.map((one) =>
      element("span", { class: "remedies" }, adviceHtml(mapAdvice(one, (text) => trunc(text, LONGEST)))),
    ),
  );
}

function adviceHtml(advice: Advice): Content {
  const copied = copyOf(advice);
  if (typeof advice === "string" || copied === undefined) return lineOf(advice);
  return [`${advice.text}: `, element("code", {}, copied), advice.note === undefined ? "" : ` ${advice.note}`];
}

function tableHtml({ caption, columns, rows }: Table): readonly Html[] {
  const shown = rows.first(MOST);
  return [
    table(
      caption,
      columns.map(({ title, ...column }) => ({ ...column, title: capital(title) })),
      shown.map(({ cells, mark }) =>
        cells.map((cell, at) =>
          at === 0 && mark !== undefined && mark.trim() !== "" ? [`${mark} `, cellHtml(cell)] : cellHtml(cell),
        ),
      ),
      shown.map(({ changed }) => (changed ? "changed" : undefined)),
      longestWords(
        columns.map(({ title }) => title),
        shown.map(({ cells }) => cells),
      ) > SHEET,
    ),
  ];
}

/** Characters that fit beside each other on a printed sheet, and in a window of 900 pixels. */
const SHEET = 90;

/** How wide a table is at least where no word is broken, in characters, with two between columns. */
function longestWords(titles: readonly string[], rows: readonly (readonly Cell[])[]): number {
  const longest = (text: string): number => text.split(/\s/).reduce((most, { length }) => Math.max(most, length), 0);
  const textOf = (cell: Cell | undefined): string => (typeof cell === "string" ? cell : (cell?.text ?? ""));
  return titles.reduce(
    (sum, title, at) => sum + 2 + rows.reduce((most, row) => Math.max(most, longest(textOf(row[at]))), title.length),
    0,
  );
}

function cellHtml(cell: Cell): Content {
  if (typeof cell === "string") return plain(cell);
  const { text, at, tone, as } = cell;
  const time: Content = at === undefined ? "" : [" ", element("span", { class: "short" }, `(${at})`)];
  if (as === "code") return [element("code", {}, plain(text)), time];
  const shown = [plain(text), time];
  return tone === undefined || tone === "strong" ? shown : element("span", { class: tone }, shown);
}

function stepsHtml(rows: readonly Step[]): readonly Html[] {
  if (rows.every(({ taken }) => taken === undefined))
    return list(
      "ol",
      rows.map(({ text }) => text),
    );
  return [
    table(
      "In order of execution; times are UTC",
      ["Step", "State", "Begun", { title: "Took", end: true }, "Result"],
      rows.map(({ text, taken }, at) => [
        `${at + 1}  ${text}`,
        taken?.state ?? "",
        taken?.begun ?? "",
        taken?.took ?? "",
        trunc(taken?.note ?? "", 1000),
      ]),
    ),
  ];
}

const EFFECTS: { readonly [effect in Found["effect"]]: string } = {
  refused: "refuses",
  warns: "warns",
  accepted: "accepted",
};

function findingsHtml({ rows }: Findings): readonly Html[] {
  return [
    table(
      "Findings and remedies",
      ["Code", "Seen", "Effect"],
      rows
        .first(MOST)
        .map(({ code, text, effect, remedies, place }) => [
          element("code", { class: "short" }, trunc(code, 40)),
          [element("span", {}, `${plain(text)}${place === undefined ? "" : ` (${place})`}`), ...remediesHtml(remedies)],
          element("span", { class: "short" }, EFFECTS[effect]),
        ]),
    ),
    ...left(rows),
  ];
}
