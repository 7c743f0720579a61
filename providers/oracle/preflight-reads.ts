import { CallFailed } from "../../core/errors.ts";
import type { KeyedTable, LogGroup, SessionRights } from "../../core/facts/preflight.ts";
import { tableId } from "../../core/facts/tables/tables.ts";
import type { PreflightReads } from "../../core/ports/oracle.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import { goTo } from "./containers.ts";
import { oraCode } from "./oracle-failure.ts";
import * as sql from "./preflight-statements.ts";
import { required, tableOf } from "./read-rows.ts";
import { everyTableIn, type Row, type Session } from "./session.ts";
import { SESSION } from "./statements.ts";

/** A constant of each package that is tried: compiling its name requires EXECUTE, and runs nothing. */
const CONSTANTS: Readonly<Record<string, string>> = { DBMS_LOGMNR: "NEW", DBMS_LOGMNR_D: "STORE_IN_REDO_LOGS" };

const TEXT_BYTES = 512;

/**
 * The part of the port that a preflight reads.
 *
 * @param inOwnSession for work that switches between containers
 */
export function preflightReads(
  session: Session,
  inOwnSession: <T>(work: (own: Session) => Promise<T>) => Promise<T>,
): PreflightReads {
  const ofEveryTable = everyTableIn(session);

  return {
    async account() {
      const [row] = await session.query(sql.ACCOUNT);
      const value = required(row ?? [], "USER_USERS");
      return { user: value(0), common: value(1) === "YES" };
    },
    rights: (pdbs) => inOwnSession((own) => rightsIn(own, pdbs)),
    async tryObjects(names) {
      const { codes } = await session.run<{ readonly codes: readonly number[] }>(
        sql.PARSE,
        ({ BIND_IN, BIND_OUT, STRING, NUMBER }) => ({
          texts: { dir: BIND_IN, type: STRING, val: names.map(statementNaming), maxSize: TEXT_BYTES },
          codes: { dir: BIND_OUT, type: NUMBER, maxArraySize: names.length },
        }),
        "once-when-lost",
      );
      return names.map((name, at) => {
        const code = codes[at] ?? 0;
        return code === 0 ? { name, usable: true } : { name, usable: false, code: oraCode(code) };
      });
    },
    async supplementalLogging() {
      const [row] = await session.query(sql.SUPPLEMENTAL_LOGGING);
      const value = required(row ?? [], "V$DATABASE");
      return { minimal: value(0), primaryKey: value(1) === "YES", all: value(2) === "YES" };
    },
    async pdbLogging(pdbs) {
      const rows = await ofEveryTable(sql.pdbLoggingOf, pdbs);
      requireAnswers("CDB_SUPPLEMENTAL_LOGGING", pdbs, rows);
      return rows.map((row) => ({
        container: required(row, "CDB_SUPPLEMENTAL_LOGGING")(0),
        primaryKey: row[1] === "YES",
        all: row[2] === "YES",
      }));
    },
    async logGroups(pdbs) {
      const rows = answered("CDB_LOG_GROUPS", pdbs, await ofEveryTable(sql.logGroupsOf, pdbs));
      const groups = rows.map((row) => ({ ...tableOf(row), type: row[3] ?? "", always: row[4] === "ALWAYS" }));
      if (!groups.some(logsOwnColumns)) return groups;
      const columns = answered("CDB_LOG_GROUP_COLUMNS", pdbs, await ofEveryTable(sql.logGroupColumnsOf, pdbs));
      const holdsKey = keysHeld(columns, await ofEveryTable(sql.keysOfLogGroupsOf, pdbs));
      return groups.map((group) => {
        const holds = logsOwnColumns(group) ? holdsKey(group) : undefined;
        return holds === undefined ? group : { ...group, holdsKey: holds };
      });
    },
    async columnsOfNote(pdbs, names) {
      const binds = Object.fromEntries(names.map((name, at) => [`column${at + 1}`, name]));
      const rows = await ofEveryTable((count) => sql.columnsOfNoteOf(count, names.length), pdbs, binds);
      return answered("CDB_TAB_COLS", pdbs, rows).map((row) => ({
        ...tableOf(row),
        column: required(row, "CDB_TAB_COLS")(3),
        dataType: row[4] ?? "",
        identity: row[5] === "YES",
      }));
    },
    async nestedTables(pdbs) {
      const rows = answered("CDB_TABLES", pdbs, await ofEveryTable(sql.nestedTablesOf, pdbs));
      for (const [container, , parent] of rows)
        if (parent === null) throw omitted("CDB_NESTED_TABLES", container ?? undefined);
      return rows.map((row) => ({ ...tableOf(row), column: required(row, "CDB_NESTED_TABLES")(3) }));
    },
    async keyedTables(pdbs) {
      const primary = answered("CDB_CONSTRAINTS", pdbs, await ofEveryTable(sql.primaryKeysOf, pdbs));
      // A column that is known to be never null shows that the view of columns answered.
      const isNeverNull = (row: Row): boolean => row[5] === "N";
      const unique = answered("CDB_INDEXES", pdbs, await ofEveryTable(sql.uniqueIndexColumnsOf, pdbs), isNeverNull);
      return [...primary.map((row): KeyedTable => ({ ...tableOf(row), by: "primary key" })), ...uniquelyKeyed(unique)];
    },
    movingTables: async (pdbs) =>
      answered("CDB_TABLES", pdbs, await ofEveryTable(sql.movingTablesOf, pdbs)).map((row) => tableOf(row)),
    savedStates: async () =>
      (await session.query(sql.SAVED_STATES)).map((row) => required(row, "DBA_PDB_SAVED_STATES")(0)),
    async dictionaryLogs() {
      return (await session.query(sql.DICTIONARY_LOGS)).map((row) => {
        const value = required(row, "V$ARCHIVED_LOG");
        return {
          thread: BigInt(value(0)),
          sequence: BigInt(value(1)),
          firstScn: BigInt(value(2)),
          begins: row[3] === "YES",
          ends: row[4] === "YES",
        };
      });
    },
    undoRetention: async () => wholeNumber(await session.query(sql.UNDO_RETENTION), "V$PARAMETER"),
    fixedStatistics: async () => wholeNumber(await session.query(sql.FIXED_STATISTICS), "DBA_TAB_STATISTICS"),
    async rdsArchive() {
      if (wholeNumber(await session.query(sql.RDS), "ALL_USERS") === 0n) return { isRds: false };
      return { isRds: true, hours: wholeNumber(await session.query(sql.RDS_RETENTION), "RDSADMIN.RDS_CONFIGURATION") };
    },
  };
}

/** @throws CallFailed if a numeric parameter is not a number */
function wholeNumber([row]: readonly Row[], view: string): bigint {
  const value = required(row ?? [], view)(0).trim();
  if (/^\d{1,18}$/.test(value)) return BigInt(value);
  throw new CallFailed("oracle", "protocol", { message: `${view} shows a value that is not a number` });
}

/** The V$ names are public synonyms of the objects that are granted, `V_$`. */
function statementNaming(name: string): string {
  const constant = CONSTANTS[name];
  return constant === undefined
    ? `SELECT NULL FROM ${name.replace(/^(G?V)_\$/, "$1$")}`
    : `DECLARE n NUMBER := ${name}.${constant}; BEGIN NULL; END;`;
}

async function rightsIn(session: Session, pdbs: readonly string[]): Promise<readonly SessionRights[]> {
  const [here] = await session.query(SESSION);
  const first = required(here ?? [], "the session")(0);
  const found: SessionRights[] = [await inEffect(session, first)];
  for (const container of pdbs) {
    if (container.toUpperCase() === first.toUpperCase()) continue;
    try {
      await session.run(goTo(container), () => ({}));
      found.push(await inEffect(session, container));
    } catch (error) {
      if (!(error instanceof CallFailed) || error.kind === "lost") throw error;
      const { message: problem, remedies } = error;
      found.push({ container, problem, remedies });
    }
  }
  return found;
}

async function inEffect(session: Session, container: string): Promise<SessionRights> {
  const first = (row: Row): string => required(row, "SESSION_PRIVS")(0);
  return {
    container,
    privileges: (await session.query(sql.PRIVILEGES)).map(first),
    roles: (await session.query(sql.ROLES)).map(first),
  };
}

function logsOwnColumns({ type, always }: LogGroup): boolean {
  return always && type === "USER LOG GROUP";
}

/** Returns whether the logged columns of a table include its whole key; undefined if no key is known. */
function keysHeld(columns: readonly Row[], keys: readonly Row[]): (table: TableSeen) => boolean | undefined {
  const columnId = (row: Row, view: string): string => `${tableId(tableOf(row))}\0${required(row, view)(3)}`;
  const logged = new Set(columns.map((row) => columnId(row, "CDB_LOG_GROUP_COLUMNS")));
  const held = new Map<string, boolean>();
  for (const row of keys) {
    const id = tableId(tableOf(row));
    held.set(id, (held.get(id) ?? true) && logged.has(columnId(row, "CDB_CONS_COLUMNS")));
  }
  return (table) => held.get(tableId(table));
}

/**
 * Returns the tables with an index of columns of the table that are never null: otherwise a row without a key could
 * exist twice.
 */
function uniquelyKeyed(rows: readonly Row[]): readonly KeyedTable[] {
  const indexes = new Map<string, { readonly table: TableSeen; whole: boolean }>();
  for (const row of rows) {
    const table = tableOf(row);
    const id = JSON.stringify([table.container, row[3], row[4]]);
    const known = indexes.get(id) ?? { table, whole: true };
    known.whole &&= row[5] === "N";
    indexes.set(id, known);
  }
  const keyed = new Map<string, KeyedTable>();
  for (const { table, whole } of indexes.values())
    if (whole) keyed.set(tableId(table), { ...table, by: "unique index" });
  return [...keyed.values()];
}

/**
 * Returns the rows without those of SYS, which show that their container answered.
 *
 * @param view named in the failure
 * @param pdbs requested PDBs; none: the current container
 * @param shows whether a row of SYS proves it
 * @throws CallFailed if a container did not answer
 */
export function answered(
  view: string,
  pdbs: readonly string[],
  rows: readonly Row[],
  shows: (row: Row) => boolean = () => true,
): readonly Row[] {
  const isOfSys = ([, owner]: Row): boolean => owner === "SYS";
  requireAnswers(
    view,
    pdbs,
    rows.filter((row) => isOfSys(row) && shows(row)),
  );
  return rows.filter((row) => !isOfSys(row));
}

/**
 * @param witnesses rows that a container has if it answered, its name first @throws CallFailed if a container has none
 */
export function requireAnswers(view: string, pdbs: readonly string[], witnesses: readonly Row[]): void {
  const there = new Set(witnesses.map(([container]) => container?.toUpperCase()));
  if (pdbs.length === 0 && there.size === 0) throw omitted(view, undefined);
  for (const pdb of pdbs) if (!there.has(pdb.toUpperCase())) throw omitted(view, pdb);
}

/** A failure: the contents of a view for a container are unknown, not empty. */
export function omitted(view: string, container: string | undefined): CallFailed {
  const from = container === undefined ? "" : `, in ${container}`;
  return new CallFailed("oracle", "rejected", {
    message:
      `${view} shows nothing of ${container === undefined ? "this database" : `the PDB ${container}`}, not even ` +
      "what every database has: it was left out, and its contents are unknown",
    remedy: {
      text: `Find the cause, as this login${from}`,
      sql: `SELECT COUNT(*) FROM ${view.replace(/^CDB_/, "DBA_")};`,
    },
  });
}
