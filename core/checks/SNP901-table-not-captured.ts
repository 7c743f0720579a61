import { nearest } from "../document/nearest.ts";
import { type Check, fail, pass } from "./check.ts";

/**
 * Only captured tables can be snapshotted by a signal.
 *
 * Rule: specification, `resnapshot`, options.
 */
export const tableNotCaptured: Check<"Resnapshot"> = {
  code: "SNP901",
  title: "A named table is not captured",
  problem: "The connector would answer the signal with an error, and nothing would be snapshotted.",
  remedy: "Correct the name, or capture the table first (cdc.tables.include).",
  grade: "refusal",

  run(_intent, { captured, named }) {
    if (!captured.known) return pass;
    const wrong = named.flatMap((one) => (one.found ? [] : [one]));
    if (wrong.length === 0) return pass;
    const names = captured.tables.map(({ fullName }) => fullName);
    return fail({
      seen: wrong
        .map(({ written, why }) => {
          const meant = why === "not captured" ? nearest(written, names) : undefined;
          return `${written} is ${why === "not captured" ? "no captured table" : why === "ambiguous" ? "the name of several captured tables" : "no name of a table"}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
        })
        .join("; "),
      at: "spec.tables",
    });
  },
};
