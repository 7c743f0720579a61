import type { VerificationFacts } from "../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../document/intent.ts";
import { nearTables } from "../facts/tables/named-tables.ts";
import type { CapturedTable, TableToVerify } from "../facts/tables/tables.ts";
import { nearest, orMeant } from "../values/nearest.ts";
import { setUnknown } from "./access-remedies.ts";
import { type Check, type CheckOf, fail, pass } from "./check.ts";
import { listed, sentences } from "./listed.ts";
import type { VerificationReading } from "./readings.ts";

/** Only captured tables have topics to compare. */
export const tableNotFound: Check<unknown, Pick<VerificationReading, "captured" | "tables">> = {
  code: "MIG201",
  title: "A table to verify is not captured or is ambiguous",
  problem: "A table that is not compared proves nothing, and the evidence would not cover it.",
  remedy: "Correct `spec.verify.tables`, or capture the table (cdc.tables.include of the new connector).",
  grade: "refusal",

  run(_intent, { captured, tables }) {
    if (!captured.known) return setUnknown(captured);
    const wrong = tables.flatMap((table) => (table.ok ? [] : [table]));
    if (wrong.length === 0) return pass;
    return fail(sentences(wrong.map((one) => sentence(one, captured.tables))), { at: "spec.verify.tables" });
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
      return `${written} is not a captured table${orMeant(...near)}`;
    }
    case "ambiguous":
      return `${written} is the name of several: ${listed(table.fits.map(({ fullName }) => fullName))}`;
    case "named twice":
      return `${written} is ${listed(table.fits.map(({ fullName }) => fullName))}, which is already named`;
    case "topic not told":
      return `the topic of ${written} is unknown: ${table.problem}; name it in spec.verify.topics`;
  }
}

/**
 * The verification waits until its stored position has passed the check SCN.
 *
 * Rule: specification, "Start, verification and rollback".
 */
export const newConnectorMissing: CheckOf<VerificationFacts, "next" | "worker", Pick<MigrationIntent, "to">> = {
  code: "MIG202",
  title: "The new connector does not exist",
  problem: "Without its stored position, nothing shows that it has delivered everything up to the check SCN.",
  remedy: "Apply the cutover first (`phase: cutover`), or check `spec.to.name`.",
  grade: "refusal",

  run({ to }, { facts: { next, worker } }) {
    return next === undefined
      ? fail(`the workers at ${worker.url} have no connector ${to.name}`, { at: "spec.to.name" })
      : pass;
  },
};

/** The plan file names what is compared, so that a reviewer can decide on it. */
export const nothingToVerify: Check<Pick<MigrationIntent, "verify">, unknown> = {
  code: "MIG203",
  title: "The plan file names nothing to verify",
  problem: "A verification of no table would pass, and prove nothing.",
  remedy: "Name the tables, and the legacy connector's topic of each, in `spec.verify`.",
  grade: "refusal",

  run({ verify }) {
    return verify === undefined ? fail("spec.verify is missing", { at: "spec" }) : pass;
  },
};

/** A topic or columns of a table that is not verified under that name would be silently ignored. */
export const strayTables: Check<Pick<MigrationIntent, "verify">, Pick<VerificationReading, "strays">> = {
  code: "MIG207",
  title: "A topic or columns are named for a table not verified",
  problem: "Names are looked up as `spec.verify.tables` writes them, so these would be ignored.",
  remedy: "Write the table as in `spec.verify.tables`, or add it there.",
  grade: "refusal",

  run({ verify }, { strays }) {
    if (strays.length === 0) return pass;
    return fail(
      sentences(
        strays.map((name) => `${name} is not among spec.verify.tables${orMeant(nearest(name, verify?.tables ?? []))}`),
      ),
      { at: "spec.verify" },
    );
  },
};
