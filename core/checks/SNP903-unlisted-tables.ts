import { namedTables } from "../kinds/resnapshot/tables.ts";
import { type Check, fail, pass } from "./check.ts";

const MOST = 20;

/**
 * Rule: specification, `resnapshot`, 2.
 */
export const unlistedTablesLoseChanges: Check<"Resnapshot"> = {
  code: "SNP903",
  title: "Captured tables that are not named lose changes",
  problem:
    "Moving past the gap skips its changes for every captured table; those that are not snapshotted again never get them.",
  remedy: "Name them in spec.tables, or assert that they had no changes: spec.skipGapForUnlistedTables.",
  grade: "refusal",

  run({ skipGapForUnlistedTables: asserted, origin }, { way, unlisted, captured }) {
    if (way !== "past the gap" || !captured.known || unlisted.length === 0 || asserted === "all") return pass;
    const named = asserted === "none" ? [] : namedTables(asserted, captured.tables);
    const covered = new Set(named.flatMap((one) => (one.found ? [one.table] : [])));
    const left = unlisted.filter((table) => !covered.has(table));
    if (left.length === 0) return pass;
    const shown = left.slice(0, MOST).map(({ fullName }) => fullName);
    const option = origin.by === "admin" ? "--skip-gap-for-unlisted-tables" : "spec.skipGapForUnlistedTables: true";
    return fail({
      seen: `${left.length} captured ${left.length === 1 ? "table is" : "tables are"} not named and would lose what happened in the gap: ${shown.join(", ")}${left.length > MOST ? `, and ${left.length - MOST} more` : ""}`,
      remedies: [
        `Name them as well: ${origin.by === "admin" ? "--tables" : "spec.tables"}.`,
        `Only if you know that they had no changes in the gap:  ${option}`,
      ],
      at: "spec.skipGapForUnlistedTables",
    });
  },
};
