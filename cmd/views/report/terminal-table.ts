import { escapeTerminal } from "../../../core/values/escape.ts";
import { largest } from "../../../core/values/lists.ts";
import { hanging, NO_BREAK, pad, trunc, widthOf, wrap } from "../layout.ts";
import type { Cell, Column, Row, Table } from "./model.ts";
import type { Screen } from "./terminal.ts";

const GAP = 2;
/** Minimum readable width of a wrapped column. */
const NARROW = 26;
/** Times are aligned after values of up to this many columns. */
const SHORT = 20;

/** A column as drawn: its index among the cells, and its width. */
interface Drawn extends Column {
  readonly at: number;
  readonly width: number;
}

/**
 * Lays out rows in columns, two spaces apart, without borders. A table that is too wide wraps the cells that may be
 * wrapped; without such cells it is shown row by row.
 */
export function tableLines(
  table: Table,
  rows: readonly Row[],
  { width, paint }: Screen,
  margin: number,
): readonly string[] {
  const texts = textsOf(rows);
  const below = table.columns.flatMap((column, at) => (column.below ? [at] : []));
  const indent = margin + (rows.some(({ mark }) => mark !== undefined) ? 2 : 0);
  const natural = table.columns.flatMap((column, at) => naturalOf(table, column, at, texts));
  const room = width - indent - GAP * (natural.length - 1);
  const columns = sum(natural) <= room ? natural : (narrowed(natural, room) ?? (table.bare ? natural : undefined));
  if (columns === undefined)
    return [
      paint("quiet", `${" ".repeat(margin)}${table.columns[0]?.title ?? ""}`),
      ...rows.flatMap((_, at) => rowItem(table, texts[at] ?? [], width, margin)),
    ];
  const head = columns.map(({ title, width: wide, end }) => aligned(title, wide, end));
  return [
    ...(table.bare === true ? [] : [paint("quiet", `${" ".repeat(indent)}${head.join("  ")}`.trimEnd())]),
    ...rows.flatMap((row, at) => [
      ...rowLines(row, texts[at] ?? [], columns, { width, paint }, indent),
      ...below.flatMap((one) => underneath(texts[at]?.[one] ?? "", indent + 2, width)),
    ]),
  ];
}

function underneath(text: string, indent: number, width: number): readonly string[] {
  return text === "" ? [] : hanging(" ".repeat(indent), indent, text, width);
}

/** The cells of each row as text, with aligned times. */
function textsOf(rows: readonly Row[]): readonly (readonly string[])[] {
  const timed = (cell: Cell): number =>
    typeof cell === "string" || cell.at === undefined || cell.text.length > SHORT ? 0 : cell.text.length;
  const wide = largest(rows.flatMap(({ cells }) => cells.map(timed)));
  return rows.map(({ cells }) =>
    cells.map((cell) => {
      if (typeof cell === "string") return trunc(cell, 1000);
      const text = trunc(cell.text, 1000);
      return cell.at === undefined ? text : `${pad(text, wide)}   ${cell.at.replaceAll(" ", NO_BREAK)}`;
    }),
  );
}

function naturalOf(
  { bare, columns }: Table,
  column: Column,
  at: number,
  texts: readonly (readonly string[])[],
): readonly Drawn[] {
  if (column.below) return [];
  const widest = largest(texts.map((cells) => widthOf(escapeTerminal(cells[at] ?? ""))));
  if (widest === 0 && column.title === "") return [];
  const title = bare === true ? 0 : widthOf(column.title);
  // One more space after cells that may be wrapped.
  const spare = column.wraps && at > 0 && at < columns.length - 1 ? 1 : 0;
  const width = Math.min(column.most ?? Infinity, Math.max(title, widest + spare, column.least ?? 0));
  return [{ ...column, at, width }];
}

function sum(columns: readonly Drawn[]): number {
  return columns.reduce((all, { width }) => all + width, 0);
}

/** Columns that may be wrapped share the remaining width; the first column leaves them enough. */
function narrowed(columns: readonly Drawn[], room: number): readonly Drawn[] | undefined {
  const breakable = columns.filter(({ wraps, most }) => wraps && most === undefined);
  const last = breakable.at(-1);
  if (last === undefined) return undefined;
  const [first] = columns;
  const fixed = sum(columns) - sum(breakable);
  const over = Math.max(0, NARROW * breakable.length - (room - fixed));
  const spare = first === undefined || first.wraps ? 0 : Math.min(over, Math.max(0, first.width - 5));
  const left = room - fixed + spare;
  const lastWide = breakable.length === 1 ? left : Math.min(Math.floor((left + GAP) / 2), last.width);
  const each = Math.floor((left - lastWide) / Math.max(1, breakable.length - 1));
  return columns.map((column) => {
    if (column === first && spare > 0) return { ...column, width: column.width - spare };
    if (column === last) return { ...column, width: Math.max(1, lastWide) };
    return breakable.includes(column) ? { ...column, width: Math.max(1, each) } : column;
  });
}

/** A first cell that is too long for its column gets separate lines, so that it can be copied. */
function rowLines(
  { cells, mark, tone }: Row,
  texts: readonly string[],
  columns: readonly Drawn[],
  { width, paint }: Screen,
  indent: number,
): readonly string[] {
  const margin = " ".repeat(indent);
  const broken = columns.map(({ at, wraps, width: wide }): readonly string[] => {
    const text = texts[at] ?? "";
    return wraps ? wrap(text, wide) : [escapeTerminal(text).replaceAll(NO_BREAK, " ")];
  });
  const alone =
    widthOf(broken[0]?.[0] ?? "") > (columns[0]?.width ?? 0)
      ? wrap(texts[columns[0]?.at ?? 0] ?? "", width - indent)
      : [];
  const shown = alone.length === 0 ? broken : [[], ...broken.slice(1)];
  const height = largest(shown.map((lines) => lines.length));
  const lines = [
    ...alone.map((line) => `${margin}${line}`),
    ...Array.from({ length: height }, (_, line) => {
      const parts = columns.map(({ at, width: wide, end }, place) => {
        const cell = cells[at];
        const cellTone = typeof cell === "object" ? cell.tone : undefined;
        const text = aligned(shown[place]?.[line] ?? "", place === columns.length - 1 && !end ? 0 : wide, end);
        return cellTone === undefined
          ? text
          : paint(cellTone, text.trimEnd()) + " ".repeat(text.length - text.trimEnd().length);
      });
      return `${margin}${parts.join("  ")}`.trimEnd();
    }),
  ];
  return lines.map((line, at) => {
    const marked = at === 0 && mark !== undefined ? `${margin.slice(2)}${mark}${line.slice(indent - 1)}` : line;
    return tone === undefined ? marked : paint(tone, marked);
  });
}

function aligned(text: string, width: number, end: boolean | undefined): string {
  return end ? " ".repeat(Math.max(0, width - widthOf(text))) + text : pad(text, width);
}

/** Shows a row as a list: the first cell, below it the others with the names of their columns. */
function rowItem(
  { columns }: Table,
  [first = "", ...others]: readonly string[],
  width: number,
  indent: number,
): readonly string[] {
  const parts: string[] = [];
  others.forEach((text, at) => {
    const title = columns[at + 1]?.title ?? "";
    if (text === "") return;
    if (title === "" && parts.length > 0) parts[parts.length - 1] += `, ${text}`;
    else parts.push(title === "" ? text : `${title} ${text}`);
  });
  const margin = " ".repeat(indent);
  return [...hanging(margin, indent + 2, first, width), ...underneath(parts.join("; "), indent + 4, width)];
}

/** Widest label of a change that has its values behind it. */
const LABEL = 34;

/**
 * Lays out rows of a change: label, value before, `→` and value after in one line; in two if they do not fit, or have
 * times, which stand below each other then. The note follows.
 *
 * @param least width of the labels
 */
export function changeLines(
  rows: readonly Row[],
  { width, paint }: Screen,
  margin: number,
  least: number,
): readonly string[] {
  const labels = rows.map(({ cells: [label = ""] }) => widthOf(escapeTerminal(plain(label))) + GAP);
  const wide = Math.max(least, largest(labels.filter((one) => one <= LABEL)));
  const times = largest(
    rows.flatMap(({ cells }) => cells.map((cell) => (timeOf(cell) === "" ? 0 : widthOf(plain(cell))))),
  );
  return rows.flatMap(({ cells, mark, tone }) => {
    const [label = "", before = "", after = "", note = ""] = cells;
    const begin = `${mark === undefined ? " ".repeat(margin) : `${" ".repeat(margin - 2)}${mark} `}`;
    const name = escapeTerminal(plain(label));
    const values = [before, after].map((cell) => valued(cell, times));
    const [was = "", becomes = ""] = values;
    const arrow = was === "" || becomes === "" ? `${was}${becomes}` : `${was}  →  ${becomes}`;
    const together = [arrow, plain(note)].filter((text) => text !== "").join("  ");
    const isTimed = timeOf(before) !== "" && becomes !== "";
    // A value that would be broken stands below its label.
    const longest = largest(
      [was, becomes, plain(note)].flatMap((text) => text.split(" ").map((word) => widthOf(word))),
    );
    const isShort = widthOf(name) + GAP <= wide && longest <= width - margin - wide;
    const below = " ".repeat(margin + (isShort ? wide : 4));
    const lines =
      !isTimed && widthOf(escapeTerminal(together)) <= width - below.length
        ? [`${below}${escapeTerminal(together).replaceAll(NO_BREAK, " ")}`]
        : [
            ...(was === "" ? [] : hanging(below, below.length, was, width)),
            ...(becomes === ""
              ? []
              : hanging(was === "" ? below : `${below.slice(3)}→  `, below.length, becomes, width)),
            ...(note === "" ? [] : hanging(below, below.length, plain(note), width)),
          ];
    const [first = "", ...others] = lines;
    const shown = isShort
      ? [`${begin}${pad(name, wide)}${first.slice(below.length)}`.trimEnd(), ...others]
      : [...hanging(begin, margin, plain(label), width), ...lines];
    return shown.map((line) => (tone === undefined ? line : paint(tone, line)));
  });
}

function plain(cell: Cell): string {
  return typeof cell === "string" ? cell : trunc(cell.text, 1000);
}

function timeOf(cell: Cell): string {
  return typeof cell === "string" ? "" : (cell.at ?? "");
}

function valued(cell: Cell, wide: number): string {
  const at = timeOf(cell);
  return at === "" ? plain(cell) : `${pad(plain(cell), Math.min(wide, SHORT))}   ${at.replaceAll(" ", NO_BREAK)}`;
}
