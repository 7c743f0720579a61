import { byTable } from "../facts/tables/tables.ts";
import { type Check, fail, fine, type Item } from "./check.ts";
import { allCaptured, ofCaptured, overTables } from "./preflight-tables.ts";

const LONGEST = 30;

/** Rule: reference: Oracle, "Preflight rules": the miner takes names of up to 30 characters. */
export const namesTooLong: Check<"Preflight"> = {
  code: "TAB105",
  title: "Captured tables with names over 30 characters",
  problem:
    "The miner does not support tables whose own name, owner or columns have longer names: changes are not delivered.",
  remedy: "Take the tables out with cdc.tables.exclude, or rename them or their columns.",
  grade: "refusal",

  run(_intent, reading) {
    return overTables(reading, { columns: reading.facts.columns }, (tables, { columns }) => {
      const columnsOf = byTable(columns);
      const found = tables.flatMap((table): Item[] => {
        const long = [
          ...(isLong(table.owner) ? [`its owner, ${length(table.owner)}`] : []),
          ...(isLong(table.name) ? [`its name, ${length(table.name)}`] : []),
          ...columnsOf(table).flatMap(({ column }) => (isLong(column) ? [`column ${column}, ${length(column)}`] : [])),
        ];
        return long.length === 0 ? [] : [{ name: table.fullName, seen: `${long.join("; ")} characters` }];
      });
      if (found.length === 0) return fine(`${allCaptured(tables)}: no name has more than ${LONGEST} characters`);
      return fail({ seen: `${ofCaptured(found, tables)}: names of more than ${LONGEST} characters`, items: found });
    });
  },
};

function length(name: string): number {
  return [...name].length;
}

function isLong(name: string): boolean {
  return length(name) > LONGEST;
}
