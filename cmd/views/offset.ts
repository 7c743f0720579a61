import type { DiffRow, Shown } from "../../core/plan/plan.ts";
import type { Tone } from "./colour.ts";
import { clip } from "./layout.ts";
import { showInstant } from "./quantities.ts";
import { type Cell, items, type Table } from "./report/model.ts";

/** A field's raw name can be of any length. */
const LONGEST_FIELD = 60;
/** Columns, so that every stored offset looks alike. */
const FIELD = 19;
const VALUE = 18;

const TONES: { readonly [change in DiffRow["change"]]: Tone | undefined } = {
  unchanged: "quiet",
  changed: "strong",
  added: "good",
  removed: "bad",
};

/** The stored offset before (`now`, as long as nothing is done) and after the change, field by field. */
export function offsetTable(rows: readonly DiffRow[], before = "now", after = "after"): Table {
  return {
    is: "table",
    caption: "Field by field; times are UTC",
    columns: [
      { title: "stored offset", wraps: true, least: FIELD, most: FIELD },
      { title: before, wraps: true, least: VALUE },
      { title: after, wraps: true },
    ],
    rows: items(
      rows,
      "field",
      (row) => ({
        cells: [
          clip(row.field, LONGEST_FIELD),
          row.before === undefined ? "none" : cellOf(row.before),
          { ...afterCell(row), tone: TONES[row.change] },
        ],
      }),
      "all",
    ),
  };
}

function afterCell({ change, after }: DiffRow): Exclude<Cell, string> {
  return change === "unchanged" || change === "removed" || after === undefined ? { text: change } : cellOf(after);
}

function cellOf({ text, at }: Shown): Exclude<Cell, string> {
  return { text: clip(text), ...(at === undefined ? {} : { at: showInstant(at) }) };
}

/** The decoded items of a stored offset, with the time of each SCN. */
export function itemTable(of: ReadonlyMap<string, Shown>, caption: string): Table {
  return {
    is: "table",
    caption,
    bare: true,
    columns: [
      { title: "Field", wraps: true, least: FIELD, most: FIELD },
      { title: "Value", wraps: true },
    ],
    rows: items([...of], "field", ([name, shown]) => ({ cells: [clip(name, LONGEST_FIELD), cellOf(shown)] }), "all"),
  };
}
