import { nearest } from "../document/nearest.ts";
import { type Check, fail, pass } from "./check.ts";
import { sentences } from "./listed.ts";

/** A topic or columns of a table that is not verified under that name would be ignored in silence. */
export const strayTables: Check<"Verification"> = {
  code: "MIG207",
  title: "A topic or columns are named for a table not verified",
  problem: "They are looked up by the name as `spec.verify.tables` has it, and would be ignored.",
  remedy: "Write the table as in `spec.verify.tables`, or add it there.",
  grade: "refusal",

  run({ verify }, { strays }) {
    if (strays.length === 0) return pass;
    return fail({
      seen: sentences(
        strays.map((name) => {
          const meant = nearest(name, verify?.tables ?? []);
          return `${name} is not among spec.verify.tables${meant === undefined ? "" : `; did you mean ${meant}?`}`;
        }),
      ),
      at: "spec.verify",
    });
  },
};
