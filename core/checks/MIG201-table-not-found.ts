import type { CapturedTable } from "../facts/tables/captured-tables.ts";
import type { TableToVerify } from "../facts/tables/verified-table.ts";
import { nearTables } from "../kinds/resnapshot/near-tables.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { listed, sentences } from "./listed.ts";

/** Only captured tables have topics to be compared with. */
export const tableNotFound: Check<"Verification"> = {
  code: "MIG201",
  title: "A table to verify is not captured, or not told from others",
  problem: "A table that is not compared proves nothing, and the evidence would not cover it.",
  remedy: "Correct `spec.verify.tables`, or capture the table (cdc.tables.include of the new connector).",
  grade: "refusal",

  run(_intent, { captured, tables }) {
    if (!captured.known) {
      const seen = unknown(`which tables are captured can't be told: ${captured.why}`);
      return captured.remedies.length === 0 ? seen : { ...seen, remedies: captured.remedies };
    }
    const wrong = tables.flatMap((table) => (table.ok ? [] : [table]));
    if (wrong.length === 0) return pass;
    return fail({ seen: sentences(wrong.map((one) => sentence(one, captured.tables))), at: "spec.verify.tables" });
  },
};

function sentence(table: Extract<TableToVerify, { ok: false }>, captured: readonly CapturedTable[]): string {
  const { written } = table;
  switch (table.why) {
    case "not captured": {
      const near =
        [
          nearTables(
            written,
            captured.map(({ fullName }) => fullName),
          ),
          nearTables(
            written,
            captured.map(({ owner, name }) => `${owner}.${name}`),
          ),
        ].find((names) => names.length > 0) ?? [];
      return `${written} is no captured table${near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`}`;
    }
    case "ambiguous":
      return `${written} is the name of several: ${listed(table.fits.map(({ fullName }) => fullName))}`;
    case "named twice":
      return `${written} is ${listed(table.fits.map(({ fullName }) => fullName))}, which is named already`;
    case "topic not told":
      return `the topic of ${written} can't be told: ${table.problem}; name it in spec.verify.topics`;
  }
}
