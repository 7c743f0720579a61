import type { CapturedTable } from "../facts/tables/captured-tables.ts";
import type { ResnapshotReading } from "../kinds/resnapshot/reading.ts";
import { namedTables } from "../kinds/resnapshot/tables.ts";
import { type Check, fail, pass } from "./check.ts";
import { waysBack } from "./ways-back.ts";

/** Of 100,000 names nobody reads more; the plan itself lists them all. */
const MOST = 20;

/**
 * The decision that this kind is about: every captured table loses what happened in the gap, and only those that are
 * snapshotted again get over it. For the others the operator has to say, before anything is done, that nothing
 * happened; all of them, or by name each.
 *
 * Rule: specification, `resnapshot`, 2.
 */
export const unlistedTablesLoseChanges: Check<"Resnapshot"> = {
  code: "SNP903",
  title: "Captured tables that are not named lose changes",
  problem:
    "Moving past the gap skips its changes for every captured table; those that are not snapshotted again never " +
    "get them.",
  remedy:
    "Restore the archived logs if a backup has them: then nothing is lost. Otherwise name the tables in " +
    "spec.tables, or assert that they had no changes: spec.skipGapForUnlistedTables " +
    "(`--skip-gap-for-unlisted-tables`).",
  grade: "refusal",

  run({ skipGapForUnlistedTables: asserted, origin }, { way, gap, unlisted, captured, evidence }) {
    if (way !== "past the gap" || gap?.to === undefined || !captured.known || asserted === "all") return pass;
    const named = asserted === "none" ? [] : namedTables(asserted, captured.tables);
    const covered = new Set(named.flatMap((one) => (one.found ? [one.table] : [])));
    const left = unlisted.filter((table) => !covered.has(table));
    if (left.length === 0) return pass;
    const admin = origin.by === "admin";
    return fail({
      seen:
        `${left.length} captured ${left.length === 1 ? "table is" : "tables are"} ` +
        `${asserted === "none" ? "not named" : "neither named nor asserted"} and would lose what happened in the ` +
        `gap${shown(left, evidence)}`,
      remedies: [
        ...waysBack(gap),
        `Snapshot them as well:  name them in ${admin ? "--tables" : "spec.tables"}`,
        "Only if you know that they had no changes in the gap:  " +
          `${admin ? "--skip-gap-for-unlisted-tables" : `spec.skipGapForUnlistedTables: true${asserted === "none" ? ", or their list" : ", or all of them in its list"}`}`,
      ],
      at: "spec.skipGapForUnlistedTables",
    });
  },
};

/** Those first of which something says that they were changed: they decide the matter. */
function shown(left: readonly CapturedTable[], evidence: ResnapshotReading["evidence"]): string {
  const changed = left.filter((table) => evidence.get(table)?.says === "changed");
  const others = left.filter((table) => evidence.get(table)?.says !== "changed");
  if (changed.length === 0) return `: ${list(others, MOST)}`;
  const rest = MOST - Math.min(changed.length, MOST);
  return (
    `; ${changed.length} ${changed.length === 1 ? "was" : "were"} changed since it began: ` +
    `${list(changed, MOST)}${others.length === 0 ? "" : `; of the others nothing like that is known: ${list(others, rest)}`}`
  );
}

function list(tables: readonly CapturedTable[], most: number): string {
  if (most === 0) return `${tables.length} in all`;
  const names = tables.slice(0, most).map(({ fullName }) => fullName);
  return `${names.join(", ")}${tables.length > most ? `, and ${tables.length - most} more` : ""}`;
}
