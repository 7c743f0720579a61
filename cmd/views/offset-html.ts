import type { DiffRow, Shown } from "../../core/plan/plan.ts";
import { type Html, table } from "./html-elements.ts";
import { clip } from "./layout.ts";
import { showInstant } from "./quantities.ts";

/** The stored offset before and after, field by field. */
export function offsetRows(
  rows: readonly DiffRow[],
  titles: { readonly before: string; readonly after: string },
): Html {
  return table(
    "Field by field; times are UTC",
    ["Field", titles.before, titles.after],
    rows.map(({ field, before, after, change }) => [
      clip(field, 100),
      before === undefined ? "none" : shownValue(before),
      change === "unchanged" || change === "removed" || after === undefined ? change : shownValue(after),
    ]),
  );
}

export function shownValue({ text, at }: Shown): string {
  return `${clip(text, 1000)}${at === undefined ? "" : ` (${showInstant(at)})`}`;
}
