import { identifier, quoted } from "../doctor/identifier.ts";
import { byTable, type PreflightReading } from "../doctor/reading.ts";
import type { CapturedTable } from "../facts/captured-tables.ts";
import type { LogGroup, PdbLogging, SupplementalLogging } from "../facts/preflight.ts";
import type { Item } from "./check.ts";

/** What is logged of a row that is changed, besides what was changed. */
export type Logged = "all columns" | "key columns" | "nothing";

/**
 * Supplemental logging of each captured table, from the database's own, its PDB's and its log groups. Groups that log only when one of their columns
 * is changed (of unique and foreign keys) do not count: a row that is changed elsewhere can't be told by them.
 *
 * Rule: reference: Oracle, "Preflight rules"; Oracle Database Utilities, "Supplemental Logging".
 */
export function loggingOf(known: {
  readonly logging: SupplementalLogging;
  readonly pdbLogging: readonly PdbLogging[];
  readonly logGroups: readonly LogGroup[];
}): (table: CapturedTable) => { readonly logged: Logged; readonly groups: readonly LogGroup[] } {
  const groupsOf = byTable(known.logGroups);
  const pdbs = new Map(known.pdbLogging.map((one) => [one.container, one]));
  return (table) => {
    const groups = groupsOf(table);
    const whole = [known.logging, pdbs.get(table.container)];
    const always = groups.filter((one) => one.always);
    if (whole.some((one) => one?.all === true) || always.some(({ type }) => type === "ALL COLUMN LOGGING"))
      return { logged: "all columns", groups };
    const some = always.some(({ type }) => type === "PRIMARY KEY LOGGING" || type === "USER LOG GROUP");
    return { logged: some || whole.some((one) => one?.primaryKey === true) ? "key columns" : "nothing", groups };
  };
}

/** What it takes to tell. */
export function loggingFacts({ facts: { logging, pdbLogging, logGroups } }: PreflightReading) {
  return { logging, pdbLogging, logGroups };
}

/** Logs all columns of a table, run in its PDB. */
export function addLogging({ owner, name }: CapturedTable): Pick<Required<Item>, "sql"> {
  return { sql: `ALTER TABLE ${quoted(owner)}.${quoted(name)} ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;` };
}

/** How to get to where the statements are run. @param remedy of the check @param pdbs `cdc.database.pdbs` */
export function inTheirPdbs(remedy: string, tables: readonly CapturedTable[], pdbs: readonly string[]): string[] {
  if (pdbs.length === 0) return [remedy];
  const containers = [...new Set(tables.map(({ container }) => container))];
  return [
    remedy,
    ...containers.map((name) => `In ${name}, first:  ALTER SESSION SET CONTAINER = ${identifier(name)};`),
  ];
}
