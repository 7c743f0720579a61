import { type Check, fail, pass } from "./check.ts";
import { listed, sentences } from "./listed.ts";

/**
 * A table passes by the columns that were compared: whoever deletes the legacy topics by that has to have seen which
 * were not.
 */
export const columnsNotCompared: Check<"Retirement"> = {
  code: "MIG412",
  title: "The evidence leaves columns out",
  problem: "Nothing is proven of these columns; after the retirement the legacy topics can't be asked any more.",
  remedy: "Compare them by other means, or verify again without leaving them out.",
  grade: "advisory",

  run(_intent, { facts: { evidence } }) {
    // What can't be read is MIG401's.
    if (!evidence.known) return pass;
    const tables = evidence.value.tables.filter(({ leftOut }) => leftOut.length > 0);
    if (tables.length === 0) return pass;
    return fail({
      seen: sentences(tables.map(({ table, leftOut }) => `not compared of ${table}: ${listed(leftOut)}`)),
    });
  },
};
