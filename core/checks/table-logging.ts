import { allColumnsLogged } from "../facts/database/needed-grants.ts";
import type { LogGroup, PdbLogging, SupplementalLogging } from "../facts/preflight.ts";
import { byTable, type CapturedTable } from "../facts/tables/tables.ts";
import type { Advice } from "../values/remedy.ts";
import { identifier } from "../values/table-name.ts";
import { fail, fine, type Item, unknown, type Verdict } from "./check.ts";
import { allCaptured, type CheckOfTables, ofCaptured, overTables } from "./tables.ts";

/** Rule: reference: Oracle, "Preflight rules": missing on a captured table, it blocks. */
export const noSupplementalLogging: CheckOfTables<"logging" | "pdbLogging" | "logGroups" | "settings"> = {
  code: "TAB102",
  title: "Captured tables without supplemental logging",
  problem:
    "Redo then holds only the columns that an update changed. No log identifies the row or holds its other columns.",
  remedy: "Run the statements in each table's own PDB. Earlier changes remain incomplete.",
  grade: "refusal",

  run(_intent, reading) {
    return overTables(reading, ["logging", "pdbLogging", "logGroups"], (tables, known) => {
      const logging = loggingOf(known);
      const concerned = tables.filter((table) => logging(table).logged === "nothing");
      const found = concerned.map((table): Item => {
        const { groups } = logging(table);
        const now = [...new Set(groups.filter(({ always }) => !always).map(({ type }) => type))];
        const seen = [
          ...(groups.some(({ holdsKey }) => holdsKey === false) ? ["a log group without the whole key"] : []),
          ...(now.length === 0 ? [] : [`only ${now.join(", ")}, when such a column is changed`]),
        ];
        return {
          name: table.fullName,
          ...(seen.length === 0 ? {} : { seen: seen.join("; ") }),
          sql: allColumnsLogged(table.owner, table.name),
        };
      });
      if (found.length === 0)
        return (
          unclearLogging(tables, logging, noSupplementalLogging.remedy) ??
          fine(`${allCaptured(tables)}: supplemental logging is on`)
        );
      return fail(`${ofCaptured(found, tables)}: no supplemental logging`, {
        items: found,
        remedies: inTheirPdbs(noSupplementalLogging.remedy, concerned, reading.facts.settings.tables.pdbs),
      });
    });
  },
};

/** Rule: reference: Oracle, "Preflight rules": with only the primary key, it warns. */
export const keyColumnsLoggedOnly: CheckOfTables<"logging" | "pdbLogging" | "logGroups" | "settings"> = {
  code: "TAB103",
  title: "Captured tables log only their key columns",
  problem: "An update delivers its key and the changed columns; the other columns have only the placeholder.",
  remedy: "Run the statements in each table's own PDB, if consumers need whole rows.",
  grade: "advisory",

  run(_intent, reading) {
    return overTables(reading, ["logging", "pdbLogging", "logGroups"], (tables, known) => {
      const logging = loggingOf(known);
      const concerned = tables.filter((table) => logging(table).logged === "key columns");
      const found = concerned.map((table): Item => {
        const { groups } = logging(table);
        const own = groups.some(({ always, type }) => always && type === "USER LOG GROUP");
        return {
          name: table.fullName,
          ...(own ? { seen: "columns of its own log group" } : {}),
          sql: allColumnsLogged(table.owner, table.name),
        };
      });
      if (found.length === 0)
        return (
          unclearLogging(tables, logging, keyColumnsLoggedOnly.remedy) ??
          fine("no captured table logs only its key columns")
        );
      return fail(`${ofCaptured(found, tables)}: only key columns are logged`, {
        items: found,
        remedies: inTheirPdbs(keyColumnsLoggedOnly.remedy, concerned, reading.facts.settings.tables.pdbs),
      });
    });
  },
};

/**
 * What is logged of a changed row, besides the changed columns. `own columns`: those of the table's own log groups;
 * without a primary key it is unknown whether they identify a row.
 */
export type Logged = "all columns" | "key columns" | "own columns" | "nothing";

/**
 * Supplemental logging of each captured table, from the database's own, its PDB's and its log groups. Groups that log
 * only when one of their columns is changed (of unique and foreign keys) do not count: they do not identify a row that
 * was changed elsewhere.
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

/** Adds the statements that switch to each table's PDB. @param remedy of the check @param pdbs `cdc.database.pdbs` */
export function inTheirPdbs(
  remedy: string,
  tables: readonly CapturedTable[],
  pdbs: readonly string[],
): readonly Advice[] {
  if (pdbs.length === 0) return [remedy];
  const containers = [...new Set(tables.map(({ container }) => container))];
  return [
    remedy,
    ...containers.map((name) => ({
      text: `In ${name}, first`,
      sql: `ALTER SESSION SET CONTAINER = ${identifier(name)};`,
    })),
  ];
}

/** The tables for which it is unknown whether the logged columns identify a row; undefined if there are none. */
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
        seen: "columns of its own log group, and no primary key to compare them with",
        sql: allColumnsLogged(table.owner, table.name),
      }),
    );
  if (items.length === 0) return undefined;
  return unknown(`${ofCaptured(items, tables)}: whether the logged columns identify a row`, remedy, items);
}
