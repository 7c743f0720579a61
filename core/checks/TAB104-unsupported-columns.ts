import type { ColumnOfNote } from "../facts/preflight.ts";
import { byTable } from "../facts/tables/tables.ts";
import { type Check, fail, fine, type Item } from "./check.ts";
import { allCaptured, ofCaptured, overTables } from "./preflight-tables.ts";

const TYPES: readonly string[] = ["BFILE", "BOOLEAN", "JSON", "VECTOR"];

/**
 * LogMiner ignores a table whole that has a column of a kind that it does not support.
 *
 * Rule: reference: Oracle, "Preflight rules"; Oracle Database Utilities, "Unsupported Data Types and Table Storage
 * Attributes".
 */
export const unsupportedColumns: Check<"Preflight"> = {
  code: "TAB104",
  title: "Captured tables with columns that the miner does not support",
  problem:
    "The miner ignores the whole table: its changes are not delivered. To exclude the column alone does not help.",
  remedy: "Take the tables out with cdc.tables.exclude, or change the columns.",
  grade: "refusal",

  run(_intent, reading) {
    const { columns, nestedTables } = reading.facts;
    return overTables(reading, { columns, nestedTables }, (tables, known) => {
      const columnsOf = byTable(known.columns);
      const nestedOf = byTable(known.nestedTables);
      const found = tables.flatMap((table): Item[] => {
        const kinds = [
          ...columnsOf(table).flatMap((one) => {
            const kind = kindOf(one);
            return kind === undefined ? [] : `${one.column} ${kind}`;
          }),
          ...nestedOf(table).map(({ column }) => `${column} nested table`),
        ];
        return kinds.length === 0 ? [] : [{ name: table.fullName, seen: kinds.join(", ") }];
      });
      if (found.length === 0) return fine(`${allCaptured(tables)}: every column can be mined`);
      return fail({
        seen: `${ofCaptured(found, tables)}: columns that the miner does not support`,
        items: found,
      });
    });
  },
};

function kindOf({ identity, dataType }: ColumnOfNote): string | undefined {
  if (identity) return "identity";
  return TYPES.includes(dataType) ? dataType : undefined;
}
