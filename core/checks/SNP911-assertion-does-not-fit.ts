import { namedTables } from "../kinds/resnapshot/tables.ts";
import { type Check, fail, pass } from "./check.ts";

const MOST = 10;

/**
 * The list has to name the unlisted tables, all of them (see SNP903) and no others. Where nothing is skipped, nothing
 * is asserted.
 */
export const assertionDoesNotFit: Check<"Resnapshot"> = {
  code: "SNP911",
  title: "The asserted tables are not the unlisted ones",
  problem: "An assertion about a table that is none of the unlisted ones was meant for another state of things.",
  remedy: "Correct spec.skipGapForUnlistedTables.",
  grade: "refusal",

  run({ skipGapForUnlistedTables: asserted }, { way, captured, unlisted }) {
    if (typeof asserted === "string" || way !== "past the gap" || !captured.known) return pass;
    const loses = new Set(unlisted);
    const wrong = namedTables(asserted, captured.tables).flatMap((one) => {
      if (one.found) return loses.has(one.table) ? [] : [`${one.written} is in spec.tables`];
      const what = { "no name": "no name of a table", ambiguous: "the name of several captured tables" } as const;
      return [`${one.written} is ${one.why === "not captured" ? "no captured table" : what[one.why]}`];
    });
    if (wrong.length === 0) return pass;
    return fail({
      seen: `${wrong.slice(0, MOST).join("; ")}${wrong.length > MOST ? `; and ${wrong.length - MOST} more` : ""}`,
      at: "spec.skipGapForUnlistedTables",
    });
  },
};
