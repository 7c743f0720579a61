import type { ResnapshotIntent } from "../document/intent.ts";
import { NOT_INSPECTED } from "../facts/tables/evidence.ts";
import { type NamedTable, namedTables, nearTables } from "../facts/tables/named-tables.ts";
import type { CapturedTable } from "../facts/tables/tables.ts";
import { counted, showCount } from "../values/amounts.ts";
import { orMeant } from "../values/nearest.ts";
import { setUnknown } from "./access-remedies.ts";
import { type Check, type CheckIn, fail, pass, unseen } from "./check.ts";
import { sentences } from "./listed.ts";
import type { ResnapshotReading } from "./readings.ts";
import { gapRemedies } from "./snapshot-gap.ts";

const MOST = 10;

/**
 * Only captured tables can be snapshotted by a signal. For any other table the connector would answer with an error and
 * snapshot none of them.
 *
 * Rule: specification, `resnapshot`, options.
 */
export const tableNotCaptured: CheckIn<
  ResnapshotReading,
  "captured" | "named",
  "connector",
  Pick<ResnapshotIntent, "origin">
> = {
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
    const shown = wrong.slice(0, MOST).map((one) => whyNamed(one, names));
    const form = facts.connector.tables.pdbs.length === 0 ? "OWNER.TABLE" : "PDB.OWNER.TABLE";
    return fail(`${shown.join("; ")}${wrong.length > MOST ? `; and ${showCount(wrong.length - MOST)} more` : ""}`, {
      remedies: [
        `Correct ${origin.by === "admin" ? "--tables" : "spec.tables"}: this connector names its tables ${form}, ` +
          `and captures ${names.length === 0 ? "none" : showCount(names.length)}.`,
        ...(wrong.some(({ why }) => why === "ambiguous")
          ? ['Put double quotes around names that differ only in case: SALES."Orders".']
          : []),
        "Or capture the table first: cdc.tables.include and cdc.tables.exclude of the connector.",
      ],
      at: "spec.tables",
    });
  },
};

function whyNamed({ written, why }: Extract<NamedTable, { found: false }>, names: readonly string[]): string {
  switch (why) {
    case "no name":
      return `${written} is not a valid table name`;
    case "ambiguous":
      return `${written} is the name of several captured tables`;
    case "not captured":
      return `${written} is not a captured table${orMeant(...nearTables(written, names))}`;
  }
}

/**
 * A pattern that cdcctl can't evaluate exactly, or a container that shows no tables, makes the captured set unknown.
 *
 * Rule: reference: connector settings, on Java regular expressions.
 */
export const capturedSetUnknown: Check<unknown, Pick<ResnapshotReading, "captured">> = {
  code: "SNP902",
  title: "Which tables are captured is unknown",
  problem: "The tables that lose changes could not be named, and cdcctl does not guess about lost data.",
  remedy: "Provide a privilege, an open container, a simpler pattern, or the tables by name (spec.capturedTables).",
  grade: "refusal",

  run(_intent, { captured }) {
    return captured.known ? pass : setUnknown(captured);
  },
};

/** The most names in one sentence; the plan itself lists them all. */
export const MOST_UNLISTED = 20;

/**
 * The central decision of a resnapshot: every captured table loses what happened in the gap, and only those that are
 * snapshotted again recover. For the others the operator has to assert in advance that nothing happened: for all of
 * them, or each by name.
 *
 * Rule: specification, `resnapshot`, 2.
 */
export const unlistedTablesLoseChanges: Check<
  Pick<ResnapshotIntent, "skipGapForUnlistedTables" | "origin">,
  Pick<ResnapshotReading, "way" | "gap" | "unlisted" | "captured" | "evidence">
> = {
  code: "SNP903",
  title: "Captured tables that are not named lose changes",
  problem:
    "Moving past the gap skips its changes for every captured table; those that are not snapshotted again never " +
    "get them.",
  remedy:
    "If a backup has the archived logs, restore them: then nothing is lost. Otherwise name the tables in " +
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
    return fail(
      `${counted(left.length, "captured table is", "captured tables are")} ` +
        `${asserted === "none" ? "not named" : "neither named nor asserted"} and would lose what happened in the ` +
        `gap${shown(left, evidence)}`,
      {
        remedies: [
          ...gapRemedies(gap),
          `Snapshot them too: name them in ${admin ? "--tables" : "spec.tables"}.`,
          {
            text: "If they had no changes in the gap, say so",
            setting: admin
              ? "--skip-gap-for-unlisted-tables"
              : "spec.skipGapForUnlistedTables: " +
                `true${asserted === "none" ? ", or their list" : ", or all of them in its list"}`,
          },
        ],
        at: "spec.skipGapForUnlistedTables",
      },
    );
  },
};

/** Lists first the tables with evidence of changes, because they decide. */
function shown(left: readonly CapturedTable[], evidence: ResnapshotReading["evidence"]): string {
  const changed = left.filter((table) => evidence.get(table)?.says === "changed");
  const others = left.filter((table) => evidence.get(table)?.says !== "changed");
  if (changed.length === 0) return `: ${list(others, MOST_UNLISTED)}`;
  const rest = MOST_UNLISTED - Math.min(changed.length, MOST_UNLISTED);
  return (
    `; ${counted(changed.length, "was", "were")} changed since it began: ` +
    list(changed, MOST_UNLISTED) +
    (others.length === 0 ? "" : `; no changes are known for the others: ${list(others, rest)}`)
  );
}

function list(tables: readonly CapturedTable[], most: number): string {
  if (most === 0) return `${showCount(tables.length)} in all`;
  const names = tables.slice(0, most).map(({ fullName }) => fullName);
  return `${names.join(", ")}${tables.length > most ? `, and ${showCount(tables.length - most)} more` : ""}`;
}

/**
 * The list has to name all unlisted tables (see SNP903) and no others. When nothing is skipped, nothing is asserted.
 */
export const assertionDoesNotFit: Check<
  Pick<ResnapshotIntent, "skipGapForUnlistedTables">,
  Pick<ResnapshotReading, "way" | "captured" | "unlisted">
> = {
  code: "SNP911",
  title: "The asserted tables are not the unlisted ones",
  problem: "An assertion about a table that is not among the unlisted ones was made for another situation.",
  remedy: "Correct `spec.skipGapForUnlistedTables`.",
  grade: "refusal",

  run({ skipGapForUnlistedTables: asserted }, { way, captured, unlisted }) {
    if (typeof asserted === "string" || way !== "past the gap" || !captured.known) return pass;
    const loses = new Set(unlisted);
    const wrong = namedTables(asserted, captured.tables).flatMap((one) => {
      if (!one.found) return [whyNamed(one, [])];
      return loses.has(one.table) ? [] : [`${one.written} is in spec.tables`];
    });
    return wrong.length === 0 ? pass : fail(sentences(wrong), { at: "spec.skipGapForUnlistedTables" });
  },
};

/**
 * The database's information about tables that would lose changes is not proof, but it is all there is to decide with.
 */
export const evidenceUnseen: CheckIn<ResnapshotReading, "way" | "unlisted", "activity"> = {
  code: "SNP915",
  title: "Evidence about the unlisted tables is not available",
  problem: "Without their last DDL and modification counts, it is unclear whether they changed in the gap.",
  remedy: "Grant SELECT ANY DICTIONARY to the connector's user.",
  grade: "advisory",

  run(_intent, { way, unlisted, facts: { activity } }) {
    if (way !== "past the gap" || unlisted.length === 0 || activity.known || activity.why === NOT_INSPECTED)
      return pass;
    return unseen(activity);
  },
};
