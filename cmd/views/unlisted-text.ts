import type { Evidence } from "../../core/facts/tables/evidence.ts";
import type { ConnectorPlan } from "../../core/plan/plan.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { largest } from "../../core/values/extremes.ts";
import type { Paint, Tone } from "./colour.ts";
import { pad, widthOf, wrap } from "./layout.ts";
import { grouped } from "./quantities.ts";
import { type UnlistedRow, unlistedShown } from "./unlisted-tables.ts";

const MOST_TABLES = 30;
/** `2026-11-20 19:02:11Z`. */
const TIME = 20;
const MODIFICATIONS = 26;
const INDENT = 4;
const GAP = 2;

const MARKS: { readonly [says in Evidence["says"]]: readonly [string, Tone | undefined] } = {
  changed: ["!", "bad"],
  unknown: ["?", "caution"],
  "nothing seen": [" ", undefined],
};

/** The captured tables that are not named, the telling ones first, in columns. */
export function unlistedLines(plan: ConnectorPlan, width: number, paint: Paint): readonly string[] {
  const shown = unlistedShown(plan, MOST_TABLES);
  if (shown === undefined) return [];
  const { sentence, rows, all, unseen } = shown;
  const widths = columnsFor(rows, width);
  return [
    ...wrap(sentence, width - 2).map((line) => `  ${line}`),
    "",
    paint("quiet", rowLine(["table", "last DDL", "modifications", "row SCN"], widths)),
    ...rows.flatMap((row) => rowLines(row, widths, width, paint)),
    ...(all > rows.length ? [`    and ${grouped(BigInt(all - rows.length))} more; --format json has them all`] : []),
    ...unseen.flatMap((why) => wrap(why, width - INDENT).map((line) => `    ${line}`)),
    "",
  ];
}

/** Name, last DDL, modifications, row SCN; the last is 0 where none was asked for. */
type Widths = readonly [number, number, number, number];

function columnsFor(rows: readonly UnlistedRow[], width: number): Widths {
  const rowScn = largest(rows.map((row) => (row.rowScn === undefined ? 0 : Math.max(8, row.rowScn.length))));
  const others = INDENT + GAP + TIME + GAP + (rowScn === 0 ? 0 : GAP + rowScn);
  const room = width - others - MODIFICATIONS;
  const widest = largest(
    rows.map(({ table }) => widthOf(escapeTerminal(table))),
    5,
  );
  const name = Math.max(5, Math.min(room, widest));
  return [name, TIME, width - others - name, rowScn];
}

/** A name that is too long for its column has lines of its own, so that it can be copied. */
function rowLines(row: UnlistedRow, widths: Widths, width: number, paint: Paint): readonly string[] {
  const [mark, tone] = MARKS[row.says];
  const name = wrap(row.table, width - INDENT);
  const beside = name.length === 1 && widthOf(name[0] ?? "") <= widths[0];
  const cells = [
    beside ? name : [],
    wrap(row.lastDdl, widths[1]),
    wrap(row.modifications, widths[2]),
    row.rowScn === undefined ? [] : wrap(row.rowScn, widths[3]),
  ];
  const height = largest(cells.map((cell) => cell.length));
  const lines = [
    ...(beside ? [] : name.map((line) => `    ${line}`)),
    ...Array.from({ length: height }, (_, i) =>
      rowLine(
        cells.map((cell) => cell[i] ?? ""),
        widths,
      ),
    ),
  ];
  return lines.map((line, i) => {
    const marked = i === 0 ? `  ${mark}${line.slice(3)}` : line;
    return tone === undefined ? marked : paint(tone, marked);
  });
}

function rowLine(cells: readonly string[], widths: Widths): string {
  const shown = cells.filter((_, i) => (widths[i] ?? 0) > 0).map((cell, i) => pad(cell, widths[i] ?? 0));
  return `    ${shown.join("  ")}`.trimEnd();
}
