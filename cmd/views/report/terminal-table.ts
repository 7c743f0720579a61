import CliTable from "cli-table3";
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
/** More rows are padded here: the time that the library takes grows with the square of their number. */
const MOST_DRAWN = 100;
const SIDES = ["top", "bottom", "mid", "left", "right"].flatMap((side) => [
  side,
  `${side}-left`,
  `${side}-mid`,
  `${side}-right`,
]);
const NO_BORDERS = { ...Object.fromEntries(SIDES.map((side) => [side, ""])), middle: " " };

/** A column as drawn: its index among the cells, and its width. */
interface Drawn extends Column {
  readonly at: number;
  readonly width: number;
}

/** The lines of each cell, escaped; a single cell goes across the table. */
type DrawnRow = readonly (readonly string[])[];

/**
 * Lays out rows in columns, two spaces apart, without borders. A table that is too wide wraps the cells that may be
 * wrapped; without such cells it is shown row by row.
 */
export function tableLines(table: Table, rows: readonly Row[], screen: Screen, margin: number): readonly string[] {
  const { width, paint } = screen;
  const texts = textsOf(rows);
  const below = table.columns.flatMap((column, at) => (column.below ? [at] : []));
  const natural = table.columns.flatMap((column, at) => naturalOf(table, column, at, texts));
  const room = width - margin - GAP * (natural.length - 1);
  const columns = sum(natural) <= room ? natural : (narrowed(natural, room) ?? (table.bare ? natural : undefined));
  if (columns === undefined)
    return [
      paint("quiet", `${" ".repeat(margin)}${table.columns[0]?.title ?? ""}`),
      ...rows.flatMap((_, at) => rowItem(table, texts[at] ?? [], width, margin)),
    ];
  const lines = rows.flatMap((row, at) => [
    ...rowLines(row, texts[at] ?? [], columns, screen, margin),
    ...below.map((one) => [underneath(texts[at]?.[one] ?? "", 2, width - margin)]),
  ]);
  const head = table.bare === true ? [] : [columns.map(({ title }) => [paint("quiet", title)])];
  return drawn([...head, ...lines], columns, width).map((line) => `${" ".repeat(margin)}${line}`.trimEnd());
}

/** Draws rows whose cells are no wider than their columns. */
function drawn(rows: readonly DrawnRow[], columns: readonly Drawn[], width: number): readonly string[] {
  const shown = rows.filter((cells) => cells.some((lines) => lines.length > 0));
  if (shown.length > MOST_DRAWN)
    return shown.flatMap((cells) => (cells.length === 1 ? cells.flat() : padded(cells, columns)));
  const table = new CliTable({
    chars: NO_BORDERS,
    style: { "padding-left": 0, "padding-right": GAP - 1, head: [], border: [], compact: true },
    // The last column is empty: lines across the table have room.
    colWidths: [...columns.map((column) => column.width + GAP - 1), width],
    colAligns: columns.map(({ end }) => (end ? "right" : "left")),
  });
  for (const cells of shown) {
    const [first = "", ...others] = cells.map((lines) => lines.join("\n"));
    table.push(others.length === 0 ? [{ content: first, colSpan: columns.length + 1 }] : [first, ...others, ""]);
  }
  return shown.length === 0 ? [] : table.toString().split("\n");
}

function padded(cells: DrawnRow, columns: readonly Drawn[]): readonly string[] {
  return Array.from({ length: largest(cells.map((lines) => lines.length)) }, (_, line) =>
    columns.map(({ width, end }, at) => pad(cells[at]?.[line] ?? "", width, end)).join(" ".repeat(GAP)),
  );
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
  const spare =
    first === undefined || first.wraps
      ? 0
      : Math.min(over, Math.max(0, first.width - Math.max(5, widthOf(first.title))));
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
  { cells }: Row,
  texts: readonly string[],
  columns: readonly Drawn[],
  { width, paint }: Screen,
  margin: number,
): readonly DrawnRow[] {
  const shown = columns.map(({ at, wraps, width: wide }) => {
    const [text = "", cell] = [texts[at], cells[at]];
    const tone = typeof cell === "object" ? cell.tone : undefined;
    const lines = wraps ? wrap(text, wide) : [escapeTerminal(text).replaceAll(NO_BREAK, " ")];
    return tone === undefined ? lines : lines.map((line) => paint(tone, line));
  });
  if (widthOf(shown[0]?.[0] ?? "") <= (columns[0]?.width ?? 0)) return [shown];
  return [[wrap(texts[columns[0]?.at ?? 0] ?? "", width - margin)], [[], ...shown.slice(1)]];
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
