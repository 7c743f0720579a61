import { namedTables } from "../kinds/resnapshot/tables.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * The list has to name the unlisted tables, all of them (see SNP903) and no others.
 */
export const assertionDoesNotFit: Check<"Resnapshot"> = {
  code: "SNP911",
  title: "The asserted tables are not the unlisted ones",
  problem: "An assertion about a table that is none of the unlisted ones was meant for another state of things.",
  remedy: "Correct spec.skipGapForUnlistedTables.",
  grade: "refusal",

  run({ skipGapForUnlistedTables: asserted }, { captured, unlisted }) {
    if (asserted === "all" || asserted === "none" || !captured.known) return pass;
    const wrong = namedTables(asserted, captured.tables).flatMap((one) =>
      one.found
        ? unlisted.includes(one.table)
          ? []
          : [`${one.written} is in spec.tables`]
        : [
            `${one.written} is ${one.why === "ambiguous" ? "the name of several captured tables" : "no captured table"}`,
          ],
    );
    return wrong.length === 0 ? pass : fail({ seen: wrong.join("; "), at: "spec.skipGapForUnlistedTables" });
  },
};
