import { largest } from "../../core/values/extremes.ts";
import { pad, widthOf } from "./layout.ts";

/** Rows of cells in columns, two blanks apart, without borders; one line a row. Cells are escaped by the caller. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const count = largest(rows.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, at) =>
    largest(
      rows.map((row) => widthOf(row[at] ?? "")),
      1,
    ),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
