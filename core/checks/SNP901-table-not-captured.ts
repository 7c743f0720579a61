import { nearTables } from "../kinds/resnapshot/near-tables.ts";
import type { ResnapshotReading } from "../kinds/resnapshot/reading.ts";
import type { NamedTable } from "../kinds/resnapshot/tables.ts";
import { type Check, fail, pass } from "./check.ts";

const MOST = 10;

/**
 * Only captured tables can be snapshotted by a signal. One that is not, the connector would answer with an error, and
 * take none of the others.
 *
 * Rule: specification, `resnapshot`, options.
 */
export const tableNotCaptured: Check<"Resnapshot"> = {
  code: "SNP901",
  title: "A named table is not captured",
  problem: "The connector would answer the signal with an error, and nothing would be snapshotted.",
  remedy: "Correct the name, or capture the table first (cdc.tables.include).",
  grade: "refusal",

  run({ origin }, { captured, named, facts }) {
    if (!captured.known) return pass;
    const wrong = named.flatMap((one) => (one.found ? [] : [one]));
    if (wrong.length === 0) return pass;
    const names = captured.tables.map(({ fullName }) => fullName);
    const shown = wrong.slice(0, MOST).map((one) => sentence(one, names));
    const form = facts.connector.tables.pdbs.length === 0 ? "OWNER.TABLE" : "PDB.OWNER.TABLE";
    return fail({
      seen: `${shown.join("; ")}${wrong.length > MOST ? `; and ${wrong.length - MOST} more` : ""}`,
      remedies: [
        `Correct ${origin.by === "admin" ? "--tables" : "spec.tables"}: this connector names its tables ${form}, ` +
          `and captures ${count(captured)}.`,
        ...(wrong.some(({ why }) => why === "ambiguous")
          ? ['Tell names apart that differ in case only by double quotes: SALES."Orders".']
          : []),
        "Or capture the table first: cdc.tables.include and cdc.tables.exclude of the connector.",
      ],
      at: "spec.tables",
    });
  },
};

function sentence({ written, why }: Extract<NamedTable, { found: false }>, names: readonly string[]): string {
  switch (why) {
    case "no name":
      return `${written} is no name of a table`;
    case "ambiguous":
      return `${written} is the name of several captured tables`;
    case "not captured": {
      const near = nearTables(written, names);
      return `${written} is no captured table${near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`}`;
    }
  }
}

function count({ tables }: Extract<ResnapshotReading["captured"], { known: true }>): string {
  return tables.length === 0 ? "none at all" : `${tables.length}`;
}
