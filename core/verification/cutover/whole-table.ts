import type { TableShape } from "../../../schemas/generated/verification-job.ts";
import type { TableLayout } from "../../facts/tables/layout.ts";
import type { Scn } from "../../values/scn.ts";
import type { RowsJob } from "./table-job.ts";

/** Rows per query: few enough for short queries and little memory, many enough that round trips cost nothing. */
const BATCH = { most: 500n, least: 50n, bytes: 256n * 1024n };

/** All rows of a table AS OF the check SCN, not divided into ranges. */
export function wholeTable(layout: TableLayout, shape: TableShape, checkScn: Scn): RowsJob {
  const described = (of: readonly { readonly name: string }[]) =>
    of.flatMap(({ name }) =>
      layout.columns
        .filter((column) => column.name === name)
        .map(({ dataType, precision, scale }) => ({ name, dataType, precision, scale })),
    );
  const { container, owner, name } = layout;
  return {
    read: {
      table: { container, owner, name },
      columns: described(shape.columns),
      key: described(shape.key),
      scn: checkScn,
    },
    ranges: [undefined],
    each: layout.rows === undefined ? undefined : Number(layout.rows),
    batch: batchOf(layout.rowBytes),
  };
}

/** @param rowBytes average by the statistics; undefined if there are none */
function batchOf(rowBytes: bigint | undefined): number {
  const fitting = BATCH.bytes / (rowBytes === undefined || rowBytes < 1n ? 512n : rowBytes);
  return Number(fitting > BATCH.most ? BATCH.most : fitting < BATCH.least ? BATCH.least : fitting);
}
