import { tableId } from "../../core/facts/tables/tables.ts";
import type { TableActivity } from "../../schemas/generated/facts.ts";
import type { TableModifications, TableSeen } from "../../schemas/generated/shared.ts";
import { instant, required, tableOf } from "./read-rows.ts";
import type { Row } from "./session.ts";

/** The level of a row of `CDB_TAB_MODIFICATIONS`: a table, one of its partitions, or a subpartition. */
type Level = "table" | "partition" | "subpartition";

interface Seen {
  readonly table: TableSeen;
  lastDdl: TableActivity["lastDdl"];
  modifications: Partial<Record<Level, TableModifications>>;
  analyzed: TableActivity["analyzed"];
}

/** Joins the definitions, modifications and statistics of tables, in the order of their first occurrence. */
export function activityOf(
  definitions: readonly Row[],
  modifications: readonly Row[],
  statistics: readonly Row[],
): readonly TableActivity[] {
  const byTable = new Map<string, Seen>();
  const seenOf = (row: Row): Seen => {
    const table = tableOf(row);
    const known = byTable.get(tableId(table)) ?? { table, lastDdl: undefined, modifications: {}, analyzed: undefined };
    byTable.set(tableId(table), known);
    return known;
  };
  for (const row of definitions) seenOf(row).lastDdl = instant(row[3]);
  for (const row of modifications) {
    const { modifications: counts } = seenOf(row);
    const level = row[4] !== null ? "subpartition" : row[3] !== null ? "partition" : "table";
    counts[level] = added(counts[level], modificationsOf(row));
  }
  for (const row of statistics) {
    // Statistics alone show no changes: a table that appears nowhere else is omitted.
    const known = byTable.get(tableId(tableOf(row)));
    if (known !== undefined) known.analyzed = instant(row[3]);
  }
  return Array.from(byTable.values(), ({ table, lastDdl, modifications: counts, analyzed }) => ({
    ...table,
    lastDdl,
    modifications: [counts.table, counts.partition, counts.subpartition].reduce(greater, undefined),
    analyzed,
  }));
}

function modificationsOf(row: Row): TableModifications {
  const value = required(row, "CDB_TAB_MODIFICATIONS");
  return {
    inserts: BigInt(value(5)),
    updates: BigInt(value(6)),
    deletes: BigInt(value(7)),
    truncated: row[8] === "YES",
    at: instant(row[9]),
  };
}

/** The sum of the modifications of two parts. */
function added(one: TableModifications | undefined, other: TableModifications): TableModifications {
  return one === undefined ? other : joined(one, other, (count, more) => count + more);
}

/** The larger counts of two levels, which count the same changes, each since its own statistics were gathered. */
function greater(
  one: TableModifications | undefined,
  other: TableModifications | undefined,
): TableModifications | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return joined(one, other, (count, more) => (count > more ? count : more));
}

function joined(
  one: TableModifications,
  other: TableModifications,
  both: (count: bigint, more: bigint) => bigint,
): TableModifications {
  return {
    inserts: both(one.inserts, other.inserts),
    updates: both(one.updates, other.updates),
    deletes: both(one.deletes, other.deletes),
    truncated: one.truncated || other.truncated,
    at: one.at === undefined || (other.at !== undefined && other.at > one.at) ? other.at : one.at,
  };
}
