import { allColumnsLogged } from "../facts/database/needed-grants.ts";
import type { LogGroup, PdbLogging, SupplementalLogging } from "../facts/preflight.ts";
import { byTable, type CapturedTable } from "../facts/tables/tables.ts";
import type { Advice } from "../values/remedy.ts";
import { identifier } from "../values/table-name.ts";
import { type CheckPage, fail, fine, type Item, unknown, type Verdict } from "./check.ts";
import { allCaptured, type CheckOfTables, ofCaptured, overTables } from "./tables.ts";

/** Rule: reference: Oracle, "Preflight rules": missing on a captured table, it blocks. */
export const noSupplementalLogging = tablesLogging("nothing", {
  code: "TAB102",
  title: "Captured tables without supplemental logging",
  problem:
    "Redo then holds only the columns that an update changed. No log identifies the row or holds its other columns.",
  remedy: "Run the statements in each table's own PDB. Earlier changes remain incomplete.",
  grade: "refusal",

  found: "no supplemental logging",
  none: (tables) => `${allCaptured(tables)}: supplemental logging is on`,
  seen(groups) {
    const now = [...new Set(groups.filter(({ always }) => !always).map(({ type }) => type))];
    return [
      ...(groups.some(({ holdsKey }) => holdsKey === false) ? ["a log group without the whole key"] : []),
      ...(now.length === 0 ? [] : [`only ${now.join(", ")}, when such a column is changed`]),
    ];
  },
});

/** Rule: reference: Oracle, "Preflight rules": with only the primary key, it warns. */
export const keyColumnsLoggedOnly = tablesLogging("key columns", {
  code: "TAB103",
  title: "Captured tables log only their key columns",
  problem: "An update delivers its key and the changed columns; the other columns have only the placeholder.",
  remedy: "Run the statements in each table's own PDB, if consumers need whole rows.",
  grade: "advisory",

  found: "only key columns are logged",
  none: () => "no captured table logs only its key columns",
  seen: (groups) =>
    groups.some(({ always, type }) => always && type === "USER LOG GROUP") ? ["columns of its own log group"] : [],
});

interface LoggingPage extends CheckPage {
  /** What such tables have. */
  readonly found: string;
  none(tables: readonly CapturedTable[]): string;
  seen(groups: readonly LogGroup[]): readonly string[];
}

/** Builds a check that no captured table logs only this. */
function tablesLogging(
  only: Logged,
  { found, none, seen, ...page }: LoggingPage,
): CheckOfTables<"logging" | "pdbLogging" | "logGroups" | "settings"> {
  return {
    ...page,
    run(_intent, reading) {
      return overTables(reading, ["logging", "pdbLogging", "logGroups"], (tables, known) => {
        const logging = loggingOf(known);
        const concerned = tables.filter((table) => logging(table).logged === only);
        if (concerned.length === 0) return unclearLogging(tables, logging, page.remedy) ?? fine(none(tables));
        const items = concerned.map((table) => withStatement(table, seen(logging(table).groups)));
        return fail(`${ofCaptured(items, tables)}: ${found}`, {
          items,
          remedies: inTheirPdbs(page.remedy, concerned, reading.facts.settings.tables.pdbs),
        });
      });
    },
  };
}

function withStatement({ fullName, owner, name }: CapturedTable, seen: readonly string[]): Item {
  return {
    name: fullName,
    ...(seen.length === 0 ? {} : { seen: seen.join("; ") }),
    sql: allColumnsLogged(owner, name),
  };
}

/**
 * What is logged of a changed row, besides the changed columns. `own columns`: those of the table's own log groups;
 * without a primary key it is unknown whether they identify a row.
 */
type Logged = "all columns" | "key columns" | "own columns" | "nothing";

/**
 * Supplemental logging of each captured table, from the database's own, its PDB's and its log groups. Groups that log
 * only when one of their columns is changed (of unique and foreign keys) do not count: they do not identify a row that
 * was changed elsewhere.
 *
 * Rule: reference: Oracle, "Preflight rules"; Oracle Database Utilities, "Supplemental Logging".
 */
function loggingOf(known: {
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
function inTheirPdbs(remedy: string, tables: readonly CapturedTable[], pdbs: readonly string[]): readonly Advice[] {
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
function unclearLogging(
  tables: readonly CapturedTable[],
  logging: ReturnType<typeof loggingOf>,
  remedy: string,
): Verdict | undefined {
  const items = tables
    .filter((table) => logging(table).logged === "own columns")
    .map((table) => withStatement(table, ["columns of its own log group, and no primary key to compare them with"]));
  if (items.length === 0) return undefined;
  return unknown(`${ofCaptured(items, tables)}: whether the logged columns identify a row`, remedy, items);
}
