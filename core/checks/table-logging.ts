import { allColumnsLogged } from "../facts/database/needed-grants.ts";
import type { LogGroup, PdbLogging, SupplementalLogging } from "../facts/preflight.ts";
import type { PreflightReading } from "../facts/preflight-reading.ts";
import type { CapturedTable } from "../facts/tables/captured-tables.ts";
import { byTable } from "../facts/tables/tables.ts";
import { identifier } from "../values/identifier.ts";
import { type Item, unknown, type Verdict } from "./check.ts";
import { ofCaptured } from "./preflight-tables.ts";

/**
 * What is logged of a row that is changed, besides what was changed. `own columns`: those of the table's own log
 * groups, and whether rows can be told by them is not known, because it has no primary key to compare them with.
 */
export type Logged = "all columns" | "key columns" | "own columns" | "nothing";

/**
 * Supplemental logging of each captured table, from the database's own, its PDB's and its log groups. Groups that log
 * only when one of their columns is changed (of unique and foreign keys) do not count: a row that is changed elsewhere
 * can't be told by them.
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
    const own = always.filter(({ type }) => type === "USER LOG GROUP");
    if (
      whole.some((one) => one?.primaryKey === true) ||
      always.some(({ type }) => type === "PRIMARY KEY LOGGING") ||
      own.some(({ holdsKey }) => holdsKey === true)
    )
      return { logged: "key columns", groups };
    return { logged: own.some(({ holdsKey }) => holdsKey === undefined) ? "own columns" : "nothing", groups };
  };
}

/** What it takes to tell. */
export function loggingFacts({ facts: { logging, pdbLogging, logGroups } }: PreflightReading) {
  return { logging, pdbLogging, logGroups };
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

/** The tables of which nobody knows whether what is logged tells their rows apart; undefined where there are none. */
export function unclearLogging(
  tables: readonly CapturedTable[],
  logging: ReturnType<typeof loggingOf>,
  remedy: string,
): Verdict | undefined {
  const items = tables
    .filter((table) => logging(table).logged === "own columns")
    .map(
      (table): Item => ({
        name: table.fullName,
        seen: "columns of a log group of its own, and no primary key to compare them with",
        sql: allColumnsLogged(table.owner, table.name),
      }),
    );
  if (items.length === 0) return undefined;
  return unknown(`${ofCaptured(items, tables)}: whether the columns that are logged tell rows apart`, remedy, items);
}
