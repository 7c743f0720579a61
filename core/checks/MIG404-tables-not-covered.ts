import { type Check, fail, pass, unknown } from "./check.ts";
import { listed } from "./listed.ts";

/** All tables' topics are deleted, so all tables have to be proven. */
export const tablesNotCovered: Check<"Retirement"> = {
  code: "MIG404",
  title: "The evidence does not cover every captured table",
  problem: "Of a table that was not verified nobody knows whether the new topics hold what its legacy topic does.",
  remedy: "Name every captured table in `spec.verify.tables`, and verify again.",
  grade: "refusal",

  run(_intent, { captured, facts: { evidence } }) {
    if (!captured.known) {
      const seen = unknown(`which tables are captured can't be told: ${captured.why}`);
      return captured.remedies.length === 0 ? seen : { ...seen, remedies: captured.remedies };
    }
    if (!evidence.known) return pass;
    if (captured.tables.length === 0)
      return fail({ seen: "the new connector captures no table at all: nothing is proven by that" });
    const covered = new Set(evidence.value.tables.map(({ table }) => table));
    const missing = captured.tables.map(({ fullName }) => fullName).filter((name) => !covered.has(name));
    if (missing.length === 0) return pass;
    return fail({
      seen:
        `${evidence.value.file} does not cover ${missing.length} of ${captured.tables.length} captured tables: ` +
        `${listed(missing, 50)}`,
      at: "spec.verify.tables",
    });
  },
};
