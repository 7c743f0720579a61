import type { TableSelection } from "../../schemas/generated/facts.ts";
import {
  allColumnsLogged,
  grantStatement,
  NEEDED_GRANTS,
  type NeededGrant,
  privilegeOn,
} from "../facts/database/needed-grants.ts";
import { patternsOf } from "../facts/tables/tables.ts";
import { identifier, LONGEST_NAME, parseTableName, type TableName } from "../values/table-name.ts";
import { truncate } from "../values/truncate.ts";
import type { DatabaseForm } from "./database-form.ts";

export interface Setup {
  readonly form: DatabaseForm;
  /** The user as Oracle spells it. */
  readonly user: string;
  /** Captured tables whose names are known. */
  readonly tables: readonly CapturedName[];
  /** Patterns whose tables the script can't determine. */
  readonly patterns: readonly string[];
}

export interface CapturedName {
  /** Set for a table in a container database. */
  readonly pdb: string | undefined;
  readonly owner: string;
  readonly table: string;
}

/**
 * Returns the script that creates the capture user with its grants. It runs unchanged in SQL*Plus and is idempotent: an
 * existing user is kept, an existing grant is given again. It contains no password: a new user has none until an
 * administrator sets one. Supplemental logging costs redo, so its statements are comments.
 *
 * Rule: reference: Oracle, "Capture user's grants". Without containers, and inside a PDB, there is neither SET
 * CONTAINER nor CONTAINER_DATA nor a CONTAINER clause. On RDS objects of SYS are granted by `rdsadmin.rdsadmin_util`
 * (Amazon RDS User Guide, "Common DBA tasks for Oracle").
 */
export function setupSql(setup: Setup): string {
  const { form, user } = setup;
  const grantee = identifier(user);
  const everywhere = form === "container";
  const script = [
    `-- Grants for ${grantee}, the capture user of the Oracle CDC source connector.`,
    ...RUN_AS[form],
    "",
    ...rightPlace(form),
    ...theUser(form, user),
    "",
    // A comment after a semicolon would be read as part of the statement.
    ...NEEDED_GRANTS.filter((grant) => !isOfAnObject(grant) && (grant.containersOnly !== true || everywhere)).flatMap(
      (grant) => [`-- ${grant.why}`, grantStatement(grant, user, everywhere)],
    ),
    "",
    ...objectGrants(form, user),
    "",
    ...(form === "container"
      ? [
          "-- In the root, show the user the rows of every container.",
          `ALTER USER ${grantee} SET CONTAINER_DATA=ALL CONTAINER=CURRENT;`,
          "",
        ]
      : []),
    ...supplementalLogging(setup),
    "",
    ...(isCreated(form, user)
      ? [
          `PROMPT Done. If ${grantee} has no password yet, set one; SQL*Plus prompts for it without echo:`,
          `PROMPT   PASSWORD ${grantee}`,
        ]
      : ["PROMPT Done."]),
  ].join("\n");
  const start = [
    // First of all: SQL*Plus substitutes variables (&NAME) in comments too, and a name may contain one.
    "SET DEFINE OFF",
    "WHENEVER SQLERROR EXIT FAILURE",
    "",
    ...(/^[\0-\x7f]*$/.test(script)
      ? []
      : ["-- This file is UTF-8: set NLS_LANG=.AL32UTF8 before you start SQL*Plus, or it misreads the names.", ""]),
  ];
  return `${start.join("\n")}\n${script}\n`;
}

const RUN_AS: Readonly<Record<DatabaseForm, readonly string[]>> = {
  container: ["-- Run it in CDB$ROOT as SYS:", "--   sqlplus / as sysdba @setup.sql"],
  "non-container": ["-- Run it as SYS:", "--   sqlplus / as sysdba @setup.sql"],
  pdb: [
    "-- For mining from inside one PDB (cdc.mining.mode=range). Run it in that PDB as SYS:",
    "--   sqlplus sys@//HOST:1521/PDB as sysdba @setup.sql",
  ],
  rds: ["-- For Amazon RDS. Run it as the master user:", "--   sqlplus admin@//HOST:1521/SERVICE @setup.sql"],
};

/** Stops the script before it changes anything if it runs in the wrong kind of database. */
function rightPlace(form: DatabaseForm): readonly string[] {
  const refuse = (condition: string, message: string): readonly string[] => [
    "-- Stop before changing anything if this is the wrong kind of database.",
    ...block([
      "BEGIN",
      `  IF ${condition} THEN`,
      `    RAISE_APPLICATION_ERROR(-20001, ${literal(message)});`,
      "  END IF;",
      "END;",
    ]),
    "",
  ];
  const connected = "SYS_CONTEXT('USERENV', 'CON_NAME')";
  /**
   * Null in a non-CDB; otherwise the name of the CDB, in the root and in each PDB (SQL Language Reference,
   * "SYS_CONTEXT").
   */
  const containers = "SYS_CONTEXT('USERENV', 'CDB_NAME')";
  switch (form) {
    case "container":
      return refuse(`${connected} <> 'CDB$ROOT'`, "connect to CDB$ROOT: the capture user is a common user");
    case "pdb":
      return refuse(
        `${containers} IS NULL OR ${connected} IN ('CDB$ROOT', 'PDB$SEED')`,
        "connect to the PDB that is captured",
      );
    case "non-container":
      return refuse(
        `${containers} IS NOT NULL`,
        "this is a container database: generate the script for one, or for a PDB",
      );
    case "rds":
      return [];
  }
}

/** A common user's name begins with C##, unless the database says otherwise (`COMMON_USER_PREFIX`). */
export function isCommonName(user: string): boolean {
  return /^C##./.test(user);
}

/** A common user is created, and gets its password, only in the root. */
function isCreated(form: DatabaseForm, user: string): boolean {
  return form !== "pdb" || !isCommonName(user);
}

function theUser(form: DatabaseForm, user: string): readonly string[] {
  const whereNone = (then: string): readonly string[] =>
    block([
      "DECLARE",
      "  known INTEGER;",
      "BEGIN",
      `  SELECT COUNT(*) INTO known FROM DBA_USERS WHERE USERNAME = ${literal(user)};`,
      "  IF known = 0 THEN",
      `    ${then}`,
      "  END IF;",
      "END;",
    ]);
  if (!isCreated(form, user))
    return [
      "-- A common user is created in CDB$ROOT. The grants below apply only to this PDB.",
      ...whereNone(
        "RAISE_APPLICATION_ERROR(-20001, " +
          `${literal(`user ${identifier(user)} does not exist: create it in CDB$ROOT first`)});`,
      ),
    ];
  const clause = form === "container" ? " CONTAINER=ALL" : "";
  return [
    "-- Create the user if it does not exist. It can't log in until it has a password.",
    ...whereNone(`EXECUTE IMMEDIATE ${literal(`CREATE USER ${identifier(user)} NO AUTHENTICATION${clause}`)};`),
  ];
}

function isOfAnObject(grant: NeededGrant): boolean {
  return privilegeOn(grant) !== undefined;
}

function objectGrants(form: DatabaseForm, user: string): readonly string[] {
  const objects = NEEDED_GRANTS.filter(isOfAnObject);
  if (form !== "rds") return objects.map((grant) => grantStatement(grant, user, form === "container"));
  return block([
    "BEGIN",
    ...objects.map(
      (grant) =>
        `  rdsadmin.rdsadmin_util.grant_sys_object(${literal(grant.name)}, ${literal(user)}, ` +
        `${literal(privilegeOn(grant) ?? "")});`,
    ),
    "END;",
  ]);
}

const MINIMAL: Readonly<Record<DatabaseForm, readonly string[]>> = {
  container: ["-- ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;"],
  "non-container": ["-- ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;"],
  pdb: ["-- In CDB$ROOT, by its owner:", "-- ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;"],
  rds: [
    "-- EXEC rdsadmin.rdsadmin_util.alter_supplemental_logging('ADD');",
    "-- Keep archived logs as long as the connector may be down, for example 72 hours:",
    "-- EXEC rdsadmin.rdsadmin_util.set_configuration('archivelog retention hours', 72);",
  ],
};

function supplementalLogging({ form, tables, patterns }: Setup): readonly string[] {
  const statement = ({ owner, table }: CapturedName): string => `-- ${allColumnsLogged(owner, table)}`;
  const own = tables.filter(({ pdb }) => pdb === undefined);
  const pdbs = [...new Set(tables.flatMap(({ pdb }) => (pdb === undefined ? [] : [pdb])))];
  return [
    "-- Supplemental logging generates more redo, so run these statements yourself. Once for the database:",
    ...MINIMAL[form],
    "-- For every captured table (ORA-32588: it is already enabled):",
    ...own.map(statement),
    ...pdbs.flatMap((pdb) => [
      `-- ALTER SESSION SET CONTAINER = ${identifier(pdb)};`,
      ...tables.filter((one) => one.pdb === pdb).map(statement),
    ]),
    ...(tables.length === 0 && patterns.length === 0
      ? ["-- ALTER TABLE OWNER.TABLE ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;"]
      : []),
    ...patterns.map(
      (pattern) => `-- ... and the tables that ${printable(pattern)} matches: see --ask-database and --table`,
    ),
  ];
}

/** SQL*Plus runs a block at a line with only a slash. */
function block(lines: readonly string[]): readonly string[] {
  return [...lines, "/"];
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Characters of a pattern that are shown: SQL*Plus accepts 2,499 bytes per line. */
const LONGEST_PATTERN = 500;

/** A comment ends with its line, whatever the pattern contains. */
function printable(text: string): string {
  const letters = [...text.replace(/\p{C}/gu, "?")];
  return truncate(letters.join(""), LONGEST_PATTERN);
}

// ---- What the tables are --------------------------------------------------------------------------------------------

/**
 * Parses a table name from an operator or a configuration.
 *
 * @param form in a container database names have three parts, otherwise two; a script for one PDB takes either, and
 * needs no PDB's name
 * @param toTheLetter keeps lower-case letters
 * @returns undefined if it is not a table name, or can't be written into a script
 */
export function capturedName(text: string, form: DatabaseForm, toTheLetter = false): CapturedName | undefined {
  const parts = parseTableName(text)?.parts.map((part) => (toTheLetter ? part.name : spelled(part)));
  if (parts === undefined || parts.some((part) => !writable(part))) return undefined;
  const [table, owner, pdb, ...more] = parts.toReversed();
  if (table === undefined || owner === undefined || more.length > 0) return undefined;
  if (form === "pdb") return { pdb: undefined, owner, table };
  return (pdb !== undefined) === (form === "container") ? { pdb, owner, table } : undefined;
}

/** Oracle converts an unquoted name to upper case. */
function spelled({ name, quoted }: TableName["parts"][number]): string {
  return quoted ? name : name.toUpperCase();
}

/**
 * Whether a name can be written into a script: SQL*Plus ends a line at a line feed, a lone surrogate can't be encoded,
 * and a name can't contain a quotation mark.
 */
export function writable(name: string): boolean {
  return name !== "" && new TextEncoder().encode(name).length <= LONGEST_NAME && !/["\p{Cc}\p{Cs}]/u.test(name);
}

/**
 * Splits a connector's patterns into tables, for patterns that name exactly one (`SALES\\.ORDERS`), and other patterns,
 * unchanged. With an exclusion, the tables can't be determined from the patterns, so all of them are returned as
 * patterns.
 */
export function namedByPatterns(
  { include, exclude, caseSensitive }: Pick<TableSelection, "include" | "exclude" | "caseSensitive">,
  form: DatabaseForm,
): Pick<Setup, "tables" | "patterns"> {
  const patterns = patternsOf(include ?? "");
  if (patternsOf(exclude ?? "").length > 0) return { tables: [], patterns };
  const named = patterns.map((pattern) => ({ pattern, table: tableNamed(pattern, form, caseSensitive) }));
  return {
    tables: named.flatMap(({ table }) => table ?? []),
    patterns: named.flatMap(({ pattern, table }) => (table === undefined ? [pattern] : [])),
  };
}

/** An unescaped dot matches any character but is meant as a dot, so it is read as the separator. */
function tableNamed(pattern: string, form: DatabaseForm, caseSensitive: boolean): CapturedName | undefined {
  if (!/^[A-Za-z](?:[\w#]|\\?\.|\\\$)*$/.test(pattern)) return undefined;
  return capturedName(pattern.replaceAll("\\", ""), form, caseSensitive);
}
