import { ofContainers } from "./containers.ts";
/**
 * The statements that only a preflight reads: SQL valid from 12.1 to 23ai, as in `statements.ts`. Each statement about
 * tables reads all of them at once, so that the number of round trips does not depend on how many there are.
 *
 * Sources: Oracle Database Reference (views), SQL Language Reference and Utilities, "Supplemental Logging".
 */

/** Supplemental logging of the whole database. `V$DATABASE`. */
export const SUPPLEMENTAL_LOGGING = `SELECT d.SUPPLEMENTAL_LOG_DATA_MIN, d.SUPPLEMENTAL_LOG_DATA_PK,
       d.SUPPLEMENTAL_LOG_DATA_ALL
  FROM V$DATABASE d`;

/** The user of the session; `COMMON` is `YES` for a user of all containers. `USER_USERS`, readable by every user. */
export const ACCOUNT = "SELECT u.USERNAME, u.COMMON FROM USER_USERS u";

/**
 * System privileges in effect, roles' included, in the container that the session is in. `SESSION_PRIVS`, readable by
 * every user.
 */
export const PRIVILEGES = "SELECT p.PRIVILEGE FROM SESSION_PRIVS p";

/** Roles in effect there. `SESSION_ROLES`, readable by every user. */
export const ROLES = "SELECT r.ROLE FROM SESSION_ROLES r";

/**
 * Supplemental logging of whole PDBs, for the given number of named ones. `CDB_SUPPLEMENTAL_LOGGING`. Binds as for the
 * tables.
 */
export function pdbLoggingOf(pdbs: number): string {
  const of = ofContainers("s", pdbs);
  return `SELECT ${of.name} AS CONTAINER, s.PRIMARY_KEY, s.ALL_COLUMN
  FROM CDB_SUPPLEMENTAL_LOGGING s${of.where}`;
}

/**
 * A `CDB_` view silently omits a container in which it failed. So each of the queries below also selects an object of
 * SYS that every database has: a container without that row did not answer.
 */

/**
 * Supplemental logging of each table; for SYS, the groups that every database has since 11.2.0.3 (`SEQ$_LOG_GRP`).
 * `CDB_LOG_GROUPS`, `CDB_USERS`, `V$CONTAINERS`. Binds as for the tables.
 */
export function logGroupsOf(pdbs: number): string {
  const of = ofContainers("g", pdbs);
  return `SELECT ${of.name} AS CONTAINER, g.OWNER, g.TABLE_NAME, g.LOG_GROUP_TYPE, g.ALWAYS
  FROM CDB_LOG_GROUPS g
  JOIN CDB_USERS u ON u.CON_ID = g.CON_ID AND u.USERNAME = g.OWNER${of.where}
   AND (u.ORACLE_MAINTAINED = 'N' OR g.OWNER = 'SYS')`;
}

/**
 * The columns that each table's own groups always log; for SYS as above. `CDB_LOG_GROUPS`, `CDB_LOG_GROUP_COLUMNS`,
 * `CDB_USERS`, `V$CONTAINERS`. Binds as for the tables.
 */
export function logGroupColumnsOf(pdbs: number): string {
  const of = ofContainers("g", pdbs);
  return `SELECT ${of.name} AS CONTAINER, g.OWNER, g.TABLE_NAME, p.COLUMN_NAME
  FROM CDB_LOG_GROUPS g
  JOIN CDB_LOG_GROUP_COLUMNS p ON p.CON_ID = g.CON_ID AND p.OWNER = g.OWNER AND p.LOG_GROUP_NAME = g.LOG_GROUP_NAME
   AND p.TABLE_NAME = g.TABLE_NAME
  JOIN CDB_USERS u ON u.CON_ID = g.CON_ID AND u.USERNAME = g.OWNER${of.where}
   AND (u.ORACLE_MAINTAINED = 'N' OR g.OWNER = 'SYS')
   AND g.LOG_GROUP_TYPE = 'USER LOG GROUP'
   AND g.ALWAYS = 'ALWAYS'
   AND p.LOGGING_PROPERTY = 'LOG'`;
}

/**
 * The primary keys' columns of the tables that have such groups. `CDB_LOG_GROUPS`, `CDB_CONSTRAINTS`,
 * `CDB_CONS_COLUMNS`, `CDB_USERS`, `V$CONTAINERS`. Binds as for the tables.
 */
export function keysOfLogGroupsOf(pdbs: number): string {
  const of = ofContainers("g", pdbs);
  return `SELECT ${of.name} AS CONTAINER, g.OWNER, g.TABLE_NAME, n.COLUMN_NAME
  FROM CDB_LOG_GROUPS g
  JOIN CDB_CONSTRAINTS k ON k.CON_ID = g.CON_ID AND k.OWNER = g.OWNER AND k.TABLE_NAME = g.TABLE_NAME
   AND k.CONSTRAINT_TYPE = 'P' AND k.STATUS = 'ENABLED'
  JOIN CDB_CONS_COLUMNS n ON n.CON_ID = k.CON_ID AND n.OWNER = k.OWNER AND n.CONSTRAINT_NAME = k.CONSTRAINT_NAME
  JOIN CDB_USERS u ON u.CON_ID = g.CON_ID AND u.USERNAME = g.OWNER${of.where}
   AND u.ORACLE_MAINTAINED = 'N'
   AND g.LOG_GROUP_TYPE = 'USER LOG GROUP'
   AND g.ALWAYS = 'ALWAYS'`;
}

/**
 * Columns that LogMiner does not read, by their type or by the length of their name, those of LOB, XMLTYPE and LONG
 * types, those whose names Avro can't write, and columns with the given number of names; without those that Oracle
 * added for itself. For SYS, the column of DUAL. `CDB_TAB_COLS`, `CDB_USERS`, `V$CONTAINERS`.
 *
 * Binds as for the tables, and `:column1`, `:column2`, …: names in upper case.
 */
export function columnsOfNoteOf(pdbs: number, names = 0): string {
  const of = ofContainers("t", pdbs);
  return `SELECT ${of.name} AS CONTAINER, t.OWNER, t.TABLE_NAME, t.COLUMN_NAME, t.DATA_TYPE, t.IDENTITY_COLUMN
  FROM CDB_TAB_COLS t
  JOIN CDB_USERS u ON u.CON_ID = t.CON_ID AND u.USERNAME = t.OWNER${of.where}
   AND (t.OWNER = 'SYS' AND t.TABLE_NAME = 'DUAL'
        OR u.ORACLE_MAINTAINED = 'N'
   AND (t.HIDDEN_COLUMN = 'NO' OR t.USER_GENERATED = 'YES')
   AND (t.DATA_TYPE IN ('BFILE', 'BOOLEAN', 'JSON', 'VECTOR', 'BLOB', 'CLOB', 'NCLOB', 'XMLTYPE', 'LONG', 'LONG RAW')
        OR t.IDENTITY_COLUMN = 'YES'
        OR LENGTH(t.COLUMN_NAME) > 30
        OR REGEXP_INSTR(t.COLUMN_NAME, '${NOT_OF_AVRO}') > 0${named("UPPER(t.COLUMN_NAME)", names)}))`;
}

/** Single letters: the content of a range such as A-Z depends on the session's language. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const NOT_OF_AVRO = `[^${LETTERS}0123456789_]|^[0123456789]`;

/** ORA-01795: maximum length of a list (Oracle Database Reference, "Logical Database Limits"). */
const MOST_IN_A_LIST = 1000;

function named(column: string, names: number): string {
  const binds = Array.from({ length: names }, (_, at) => `:column${at + 1}`);
  const lists = Array.from({ length: Math.ceil(names / MOST_IN_A_LIST) }, (_, at) =>
    binds.slice(at * MOST_IN_A_LIST, (at + 1) * MOST_IN_A_LIST),
  );
  return lists.map((list) => `\n        OR ${column} IN (${list.join(", ")})`).join("");
}

/**
 * Columns that are nested tables, by the tables that store them: one whose column is not found, null, shows that
 * `CDB_NESTED_TABLES` did not answer. For SYS, the table DUAL. `CDB_TABLES`, `CDB_NESTED_TABLES`, `CDB_USERS`,
 * `V$CONTAINERS`. Binds as for the tables.
 */
export function nestedTablesOf(pdbs: number): string {
  const of = ofContainers("t", pdbs);
  return `SELECT ${of.name} AS CONTAINER, t.OWNER, n.PARENT_TABLE_NAME, n.PARENT_TABLE_COLUMN
  FROM CDB_TABLES t
  JOIN CDB_USERS u ON u.CON_ID = t.CON_ID AND u.USERNAME = t.OWNER
  LEFT JOIN CDB_NESTED_TABLES n ON n.CON_ID = t.CON_ID AND n.OWNER = t.OWNER AND n.TABLE_NAME = t.TABLE_NAME${of.where}
   AND (t.OWNER = 'SYS' AND t.TABLE_NAME = 'DUAL'
        OR u.ORACLE_MAINTAINED = 'N' AND t.NESTED = 'YES' AND NVL(t.DROPPED, 'NO') = 'NO')`;
}

/**
 * Tables with an enforced primary key, including those of SYS. `CDB_CONSTRAINTS`, `CDB_USERS`, `V$CONTAINERS`. Binds as
 * for the tables.
 */
export function primaryKeysOf(pdbs: number): string {
  const of = ofContainers("k", pdbs);
  return `SELECT ${of.name} AS CONTAINER, k.OWNER, k.TABLE_NAME
  FROM CDB_CONSTRAINTS k
  JOIN CDB_USERS u ON u.CON_ID = k.CON_ID AND u.USERNAME = k.OWNER${of.where}
   AND (u.ORACLE_MAINTAINED = 'N' OR k.OWNER = 'SYS')
   AND k.CONSTRAINT_TYPE = 'P'
   AND k.STATUS = 'ENABLED'`;
}

/**
 * The columns of unique indexes of the tables without such a primary key; `NULLABLE` is null for an expression, which
 * is not a column of the table. For SYS, those of OBJ$, which has unique indexes on columns that are never null.
 * `CDB_INDEXES`, `CDB_IND_COLUMNS`, `CDB_TAB_COLS`, `CDB_CONSTRAINTS`, `CDB_USERS`, `V$CONTAINERS`. Binds as for the
 * tables.
 */
export function uniqueIndexColumnsOf(pdbs: number): string {
  const container = ofContainers("i", pdbs);
  return `SELECT ${container.name} AS CONTAINER, i.TABLE_OWNER, i.TABLE_NAME, i.OWNER, i.INDEX_NAME, t.NULLABLE
  FROM CDB_INDEXES i
  JOIN CDB_USERS u ON u.CON_ID = i.CON_ID AND u.USERNAME = i.TABLE_OWNER
  JOIN CDB_IND_COLUMNS p ON p.CON_ID = i.CON_ID AND p.INDEX_OWNER = i.OWNER AND p.INDEX_NAME = i.INDEX_NAME
  LEFT JOIN CDB_TAB_COLS t ON t.CON_ID = i.CON_ID AND t.OWNER = i.TABLE_OWNER AND t.TABLE_NAME = i.TABLE_NAME
   AND t.COLUMN_NAME = p.COLUMN_NAME AND t.USER_GENERATED = 'YES'
  LEFT JOIN CDB_CONSTRAINTS k ON k.CON_ID = i.CON_ID AND k.OWNER = i.TABLE_OWNER AND k.TABLE_NAME = i.TABLE_NAME
   AND k.CONSTRAINT_TYPE = 'P' AND k.STATUS = 'ENABLED'${container.where}
   AND (u.ORACLE_MAINTAINED = 'N' OR i.TABLE_OWNER = 'SYS' AND i.TABLE_NAME = 'OBJ$')
   AND i.UNIQUENESS = 'UNIQUE'
   AND i.STATUS <> 'UNUSABLE'
   AND k.CONSTRAINT_NAME IS NULL`;
}

/**
 * Tables whose rows may move. For SYS, the table DUAL. `CDB_TABLES`, `CDB_USERS`, `V$CONTAINERS`. Binds as for the
 * tables.
 */
export function movingTablesOf(pdbs: number): string {
  const of = ofContainers("t", pdbs);
  return `SELECT ${of.name} AS CONTAINER, t.OWNER, t.TABLE_NAME
  FROM CDB_TABLES t
  JOIN CDB_USERS u ON u.CON_ID = t.CON_ID AND u.USERNAME = t.OWNER${of.where}
   AND (t.OWNER = 'SYS' AND t.TABLE_NAME = 'DUAL'
        OR u.ORACLE_MAINTAINED = 'N' AND t.ROW_MOVEMENT = 'ENABLED')`;
}

/** PDBs that are opened when the instance starts; inside a PDB, only that one. `DBA_PDB_SAVED_STATES`. */
export const SAVED_STATES = `SELECT s.CON_NAME
  FROM DBA_PDB_SAVED_STATES s
 WHERE s.STATE = 'OPEN'
 ORDER BY s.CON_NAME`;

/**
 * Archived logs in which a dictionary in the redo begins or ends, of this incarnation. `V$ARCHIVED_LOG`, `V$DATABASE`.
 */
export const DICTIONARY_LOGS = `SELECT l.THREAD#, l.SEQUENCE#, l.FIRST_CHANGE#, l.DICTIONARY_BEGIN, l.DICTIONARY_END
  FROM V$ARCHIVED_LOG l
  JOIN V$DATABASE d ON d.RESETLOGS_CHANGE# = l.RESETLOGS_CHANGE#
 WHERE (l.DICTIONARY_BEGIN = 'YES' OR l.DICTIONARY_END = 'YES')
   AND l.STANDBY_DEST = 'NO'
 ORDER BY l.FIRST_CHANGE#`;

/** Seconds. `V$PARAMETER`. */
export const UNDO_RETENTION = "SELECT p.VALUE FROM V$PARAMETER p WHERE p.NAME = 'undo_retention'";

/** How many fixed tables have statistics. `DBA_TAB_STATISTICS`. */
export const FIXED_STATISTICS = `SELECT COUNT(*) AS ANALYZED
  FROM DBA_TAB_STATISTICS s
 WHERE s.OBJECT_TYPE = 'FIXED TABLE'
   AND s.LAST_ANALYZED IS NOT NULL`;

/**
 * Amazon RDS has this user (Amazon RDS User Guide, "Common DBA tasks for Oracle"). `ALL_USERS`, readable by every user.
 */
export const RDS = "SELECT COUNT(*) AS FOUND FROM ALL_USERS u WHERE u.USERNAME = 'RDSADMIN'";

/** Hours (the same, "Retaining archived redo logs"). */
export const RDS_RETENTION = `SELECT c.VALUE
  FROM RDSADMIN.RDS_CONFIGURATION c
 WHERE c.NAME = 'archivelog retention hours'`;

/**
 * Parses statements and returns which are refused: a query without INTO is parsed by EXECUTE IMMEDIATE and never run
 * (PL/SQL Language Reference, "EXECUTE IMMEDIATE Statement"), and the blocks do nothing. So a privilege is tested by
 * use, however it was granted.
 *
 * Binds, arrays of one length: `:texts` in; `:codes` out, SQLCODE (0, or negative).
 */
export const PARSE = `DECLARE
  texts SYS.DBMS_SQL.VARCHAR2_TABLE;
  codes SYS.DBMS_SQL.NUMBER_TABLE;
BEGIN
  texts := :texts;
  FOR i IN 1 .. texts.COUNT LOOP
    BEGIN
      EXECUTE IMMEDIATE texts(i);
      codes(i) := 0;
    EXCEPTION
      WHEN OTHERS THEN
        codes(i) := SQLCODE;
    END;
  END LOOP;
  :codes := codes;
END;`;
