import type { TableLayout, TableRead } from "../../facts/tables/layout.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { Scn } from "../../values/scn.ts";
import type { TableShape } from "../table-shape.ts";
import { type RowsJob, rangeNamed } from "./table-job.ts";

/** Rows per query: few enough for short queries and little memory, many enough that round trips cost nothing. */
const BATCH = { most: 500n, least: 50n, bytes: 256n * 1024n };
/** A table with fewer rows is not divided: reading it is faster. */
const WORTH_DIVIDING = 200_000n;

/**
 * Determines the ranges in which a table is read.
 *
 * @param names names of the ranges of an interrupted run
 */
export async function rangesOf(
  oracle: OraclePort,
  layout: TableLayout,
  shape: TableShape,
  checkScn: Scn,
  { most, names }: { readonly most: number; readonly names: readonly string[] | undefined },
): Promise<RowsJob> {
  const described = (of: readonly { readonly name: string }[]) =>
    of.flatMap(({ name }) =>
      layout.columns
        .filter((column) => column.name === name)
        .map(({ dataType, precision, scale }) => ({ name, dataType, precision, scale })),
    );
  const { container, owner, name } = layout;
  const read: TableRead = {
    table: { container, owner, name },
    columns: described(shape.columns),
    key: described(shape.key),
    scn: checkScn,
  };
  const rows = layout.rows;
  const ranges =
    names?.map(rangeNamed) ??
    (rows === undefined || rows < WORTH_DIVIDING ? [undefined] : await oracle.ranges(read, rows, most));
  const each = rows === undefined ? undefined : Math.ceil(Number(rows) / ranges.length);
  return { read, ranges, each, batch: batchOf(layout.rowBytes) };
}

/** @param rowBytes average by the statistics; undefined if there are none */
function batchOf(rowBytes: bigint | undefined): number {
  const fitting = BATCH.bytes / (rowBytes === undefined || rowBytes < 1n ? 512n : rowBytes);
  return Number(fitting > BATCH.most ? BATCH.most : fitting < BATCH.least ? BATCH.least : fitting);
}
