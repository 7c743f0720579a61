import type { MigrationIntent } from "../../document/intent.ts";
import { type CheckIn, fail, pass } from "../check.ts";
import { listed } from "../listed.ts";
import type { CutoverReading } from "../readings.ts";

/** A cutover rests on an audit if its plan file names one. */
export const auditNotPassed: CheckIn<CutoverReading, never, "audit" | "database", Pick<MigrationIntent, "from">> = {
  code: "MIG128",
  title: "The audit that the plan file names does not show what was delivered",
  problem: "What the legacy connector has missed stays missing, and nobody can tell afterwards who lost it.",
  remedy:
    "Audit every table again (`cdcctl migrate verify --audit --output FILE`), and name that file in `spec.audit`.",
  grade: "refusal",

  run({ from }, { facts: { audit, database } }) {
    if (audit === undefined) return pass;
    const refused = (seen: string) => fail(seen, { at: "spec.audit" });
    if (!audit.known) return refused(`there is no valid evidence: ${audit.why}`);
    const { file, connector, auditedDbid, tables } = audit.value;
    if (auditedDbid === undefined) return refused(`${file} is the evidence of a verification, not of an audit`);
    if (connector !== from.connector) return refused(`${file} is an audit of ${connector}, not of ${from.connector}`);
    if (auditedDbid !== database.dbid.toString())
      return refused(`${file} is an audit in database ${auditedDbid}, but this is database ${database.dbid}`);
    const failed = tables.filter(({ outcome }) => outcome !== "pass").map(({ table }) => table);
    return failed.length === 0 ? pass : refused(`by ${file} an audit has not passed for ${listed(failed)}`);
  },
};
