/**
 * Every SQL and PL/SQL text that cdcctl sends to an Oracle database, valid from 12.1 to 23ai. Sources: Oracle Database
 * Reference (views), PL/SQL Packages and Types Reference (DBMS_LOGMNR), SQL Language Reference (date functions).
 *
 * Column names are those of the views unless there is an alias. NUMBER columns are fetched as text, never as a double.
 *
 * Times: `FIRST_TIME`, `NEXT_TIME`, `START_DATE` and `SCN_TO_TIMESTAMP` carry no zone; they are in the zone of the
 * server's operating system, which `SYSTIMESTAMP` shows. They are converted to UTC here and printed
 * `YYYY-MM-DDTHH24:MI:SS`. The server's *present* offset is applied: no view shows the rules of its zone. So a time
 * before a change of daylight saving can be an hour off; views of times note this
 * (`core/facts/database/database.ts`).
 */

import { ofContainers } from "./containers.ts";

const ZONE = "TO_CHAR(SYSTIMESTAMP, 'TZR')";
const ISO = `'YYYY-MM-DD"T"HH24:MI:SS'`;

/** @returns the SQL expression of a server-local DATE or TIMESTAMP as UTC text */
function utc(time: string): string {
  return `TO_CHAR(SYS_EXTRACT_UTC(FROM_TZ(CAST(${time} AS TIMESTAMP), ${ZONE})), ${ISO})`;
}

/** Selects the rows of a `CDB_` view about one table. Binds `:container`, `:owner`, `:table_name`. */
function ofTable(view: string, owner = "OWNER"): string {
  return `JOIN V$CONTAINERS c ON c.CON_ID = ${view}.CON_ID
 WHERE c.NAME = :container
   AND ${view}.${owner} = :owner
   AND ${view}.TABLE_NAME = :table_name`;
}

/**
 * The database, its state, and the container of this session. One row. `V$DATABASE`, `V$INSTANCE`, and the session:
 * `CONNECTED_TO` is `CDB$ROOT`, a PDB, or the name of a database that has no containers; `ZONE` is an offset such as
 * `+01:00`. `VERSION_FULL` exists since 18c.
 */
export const DATABASE = `SELECT d.DBID, d.NAME, d.CDB, d.LOG_MODE, d.OPEN_MODE, d.DATABASE_ROLE, d.CURRENT_SCN,
       d.RESETLOGS_CHANGE#,
       i.VERSION_FULL AS VERSION,
       SYS_CONTEXT('USERENV', 'CON_NAME') AS CONNECTED_TO,
       TO_CHAR(SYSTIMESTAMP, 'TZH:TZM') AS ZONE
  FROM V$DATABASE d CROSS JOIN V$INSTANCE i`;

/** The same for 12.1 and 12.2, whose `V$INSTANCE` has `VERSION` only. */
export const DATABASE_BEFORE_18 = DATABASE.replace("i.VERSION_FULL AS VERSION", "i.VERSION AS VERSION");

/** Redo threads, disabled ones included; `DISABLE_CHANGE#` is 0 for one that was never disabled. `V$THREAD`. */
export const THREADS = `SELECT THREAD#, ENABLED, STATUS, SEQUENCE#, ENABLE_CHANGE#, DISABLE_CHANGE#
  FROM V$THREAD
 ORDER BY THREAD#`;

/** Every archive destination, in use or not. `V$ARCHIVE_DEST_STATUS`. */
export const DESTINATIONS = `SELECT DEST_ID, DEST_NAME, STATUS, TYPE
  FROM V$ARCHIVE_DEST_STATUS
 ORDER BY DEST_ID`;

/**
 * Archived logs that end above an SCN, in all destinations and incarnations. `NEXT_CHANGE#` is exclusive; `NAME` is
 * null once a log was purged. `V$ARCHIVED_LOG`.
 *
 * Bind `:from_scn`: text of digits.
 */
export const ARCHIVED_LOGS = `SELECT THREAD#, SEQUENCE#, FIRST_CHANGE#, NEXT_CHANGE#, NAME, STATUS, DELETED,
       DEST_ID, STANDBY_DEST, RESETLOGS_CHANGE#,
       BLOCKS * BLOCK_SIZE AS BYTES,
       ${utc("FIRST_TIME")} AS FIRST_UTC,
       ${utc("NEXT_TIME")} AS NEXT_UTC
  FROM V$ARCHIVED_LOG
 WHERE NEXT_CHANGE# > TO_NUMBER(:from_scn)
 ORDER BY RESETLOGS_CHANGE#, THREAD#, SEQUENCE#, DEST_ID`;

/**
 * Online log groups, each with one readable member. `MEMBER` is null when a group has none; `NEXT_CHANGE#` of the
 * current log is 18446744073709551615 or 281474976710655. `V$LOG`, `V$LOGFILE`.
 */
export const ONLINE_LOGS = `SELECT l.THREAD#, l.SEQUENCE#, l.FIRST_CHANGE#, l.NEXT_CHANGE#, l.STATUS, l.ARCHIVED,
       l.BYTES,
       (SELECT MIN(f.MEMBER)
          FROM V$LOGFILE f
         WHERE f.GROUP# = l.GROUP#
           AND f.TYPE = 'ONLINE'
           AND (f.STATUS IS NULL OR f.STATUS NOT IN ('INVALID', 'DELETED'))) AS MEMBER
  FROM V$LOG l
 ORDER BY l.THREAD#, l.SEQUENCE#`;

/**
 * Transactions that are open now, in every instance and container, oldest first. One without a session (being
 * recovered, or in doubt) has no user. `GV$TRANSACTION`, `GV$SESSION`.
 */
export const OPEN_TRANSACTIONS = `SELECT t.CON_ID, t.XIDUSN, t.XIDSLOT, t.XIDSQN, t.START_SCN,
       ${utc("t.START_DATE")} AS START_UTC,
       s.USERNAME, s.CLIENT_IDENTIFIER
  FROM GV$TRANSACTION t
  LEFT JOIN GV$SESSION s ON s.INST_ID = t.INST_ID AND s.SADDR = t.SES_ADDR
 ORDER BY t.START_SCN, t.XIDUSN, t.XIDSLOT, t.XIDSQN`;

/**
 * The containers that this login sees: in the root, all of its CONTAINER_DATA; in a PDB, only that one. `V$CONTAINERS`.
 */
export const CONTAINERS = `SELECT NAME, OPEN_MODE, RESTRICTED, CON_ID
  FROM V$CONTAINERS
 ORDER BY CON_ID`;

/**
 * The tables that a connector could capture, of the given number of named PDBs, or with 0 of the current container:
 * without Oracle's own, temporary, nested and overflow tables, and the recycle bin. A PDB that is mounted or restricted
 * shows none. `CDB_TABLES`, `CDB_USERS`, `V$CONTAINERS`.
 *
 * Binds `:pdb1`, `:pdb2`, …: names of PDBs.
 */
export function tablesOf(pdbs: number): string {
  const of = ofContainers("t", pdbs);
  return `SELECT ${of.name} AS CONTAINER, t.OWNER, t.TABLE_NAME
  FROM CDB_TABLES t
  JOIN CDB_USERS u ON u.CON_ID = t.CON_ID AND u.USERNAME = t.OWNER${of.where}
   AND u.ORACLE_MAINTAINED = 'N'
   AND t.TEMPORARY = 'N'
   AND t.NESTED = 'NO'
   AND NVL(t.DROPPED, 'NO') = 'NO'
   AND (t.IOT_TYPE IS NULL OR t.IOT_TYPE = 'IOT')`;
}

/**
 * The containers that show the user SYS, which all of them have: a `CDB_` view silently omits a container in which it
 * failed. `CDB_USERS`, `V$CONTAINERS`. Binds as for the tables.
 */
export function answeringOf(pdbs: number): string {
  const of = ofContainers("u", pdbs);
  return `SELECT ${of.name} AS CONTAINER
  FROM CDB_USERS u${of.where}
   AND u.USERNAME = 'SYS'`;
}

/**
 * When each table was last defined, for the same containers. Times of partitions are not included: the table's own is
 * as late. `CDB_OBJECTS`, `V$CONTAINERS`. Binds as for the tables.
 */
export function lastDdlOf(pdbs: number): string {
  const of = ofContainers("o", pdbs);
  return `SELECT ${of.name} AS CONTAINER, o.OWNER, o.OBJECT_NAME,
       ${utc("o.LAST_DDL_TIME")} AS LAST_DDL_UTC
  FROM CDB_OBJECTS o${of.where}
   AND o.OBJECT_TYPE = 'TABLE'
   AND o.ORACLE_MAINTAINED = 'N'`;
}

/**
 * Modifications since statistics were gathered, for the same containers: one row for each table, and one for each
 * partition and subpartition, whose changes are included in the table's row. `CDB_TAB_MODIFICATIONS`, `V$CONTAINERS`.
 * Binds as for the tables.
 */
export function modificationsOf(pdbs: number): string {
  const of = ofContainers("m", pdbs);
  return `SELECT ${of.name} AS CONTAINER, m.TABLE_OWNER, m.TABLE_NAME, m.PARTITION_NAME, m.SUBPARTITION_NAME,
       m.INSERTS, m.UPDATES, m.DELETES, m.TRUNCATED,
       ${utc("m.TIMESTAMP")} AS LAST_UTC
  FROM CDB_TAB_MODIFICATIONS m${of.where}`;
}

/**
 * When the statistics of each table were last gathered, for the same containers; a table without statistics has no row.
 * `CDB_TABLES`, `V$CONTAINERS`. Binds as for the tables.
 */
export function lastAnalyzedOf(pdbs: number): string {
  const of = ofContainers("t", pdbs);
  return `SELECT ${of.name} AS CONTAINER, t.OWNER, t.TABLE_NAME,
       ${utc("t.LAST_ANALYZED")} AS LAST_ANALYZED_UTC
  FROM CDB_TABLES t${of.where}
   AND t.LAST_ANALYZED IS NOT NULL`;
}

/**
 * The columns of one table, in order; those that Oracle added for itself have no `COLUMN_ID`. `DATA_PRECISION` of a
 * FLOAT is in binary digits. `CDB_TAB_COLS`, `V$CONTAINERS`.
 *
 * Binds `:container`, `:owner`, `:table_name`: names as the dictionary has them.
 */
export const COLUMNS_OF_TABLE = `SELECT t.COLUMN_NAME, t.DATA_TYPE, t.DATA_PRECISION, t.DATA_SCALE, t.NULLABLE,
       t.VIRTUAL_COLUMN, t.HIDDEN_COLUMN, t.USER_GENERATED,
       t.DEFAULT_LENGTH
  FROM CDB_TAB_COLS t
  ${ofTable("t")}
 ORDER BY t.COLUMN_ID, t.INTERNAL_COLUMN_ID`;

/**
 * The defaults of the columns of one table in the current container, as written. `DATA_DEFAULT` is a LONG: a `CDB_`
 * view may not return those of other containers, and no expression may contain it. `DBA_TAB_COLS`.
 *
 * Binds `:owner`, `:table_name`: names as the dictionary has them.
 */
export const DEFAULTS_OF_TABLE = `SELECT t.COLUMN_NAME, t.DATA_DEFAULT
  FROM DBA_TAB_COLS t
 WHERE t.OWNER = :owner
   AND t.TABLE_NAME = :table_name
   AND t.DEFAULT_LENGTH > 0`;

/**
 * The columns of one table's enforced primary key, in order. `CDB_CONSTRAINTS`, `CDB_CONS_COLUMNS`. Binds as for the
 * columns.
 */
export const PRIMARY_KEY_OF_TABLE = `SELECT k.CONSTRAINT_NAME, p.COLUMN_NAME
  FROM CDB_CONSTRAINTS k
  JOIN CDB_CONS_COLUMNS p ON p.CON_ID = k.CON_ID AND p.OWNER = k.OWNER AND p.CONSTRAINT_NAME = k.CONSTRAINT_NAME
  ${ofTable("k")}
   AND k.CONSTRAINT_TYPE = 'P'
   AND k.STATUS = 'ENABLED'
 ORDER BY p.POSITION`;

/**
 * The columns of one table's unique indexes, index by index by name. `CDB_INDEXES`, `CDB_IND_COLUMNS`. Binds as for the
 * columns.
 */
export const UNIQUE_INDEXES_OF_TABLE = `SELECT i.OWNER, i.INDEX_NAME, p.COLUMN_NAME
  FROM CDB_INDEXES i
  JOIN CDB_IND_COLUMNS p ON p.CON_ID = i.CON_ID AND p.INDEX_OWNER = i.OWNER AND p.INDEX_NAME = i.INDEX_NAME
  ${ofTable("i", "TABLE_OWNER")}
   AND i.UNIQUENESS = 'UNIQUE'
   AND i.STATUS <> 'UNUSABLE'
 ORDER BY i.INDEX_NAME, i.OWNER, p.COLUMN_POSITION`;

/**
 * The size of one table when statistics were last gathered; nulls if they never were. `CDB_TABLES`. Binds as for the
 * columns.
 */
export const SIZE_OF_TABLE = `SELECT t.NUM_ROWS, t.AVG_ROW_LEN
  FROM CDB_TABLES t
  ${ofTable("t")}`;

/**
 * When each of many SCNs was current, in one call. `SCN_TO_TIMESTAMP`, available to every user, as are the table types
 * of `DBMS_SQL`, which accept bound arrays. An SCN that the database does not know (any more, or yet) fails with
 * ORA-08181, which is returned in its place and does not end the call.
 *
 * Binds, arrays of one length: `:scns` in, text of digits; `:times` out, UTC text or null; `:codes` out, SQLCODE (0, or
 * negative).
 */
export const TIMES_OF_SCNS = `DECLARE
  scns SYS.DBMS_SQL.VARCHAR2_TABLE;
  times SYS.DBMS_SQL.VARCHAR2_TABLE;
  codes SYS.DBMS_SQL.NUMBER_TABLE;
  zone VARCHAR2(64) := ${ZONE};
BEGIN
  scns := :scns;
  FOR i IN 1 .. scns.COUNT LOOP
    BEGIN
      times(i) := TO_CHAR(SYS_EXTRACT_UTC(FROM_TZ(SCN_TO_TIMESTAMP(TO_NUMBER(scns(i))), zone)), ${ISO});
      codes(i) := 0;
    EXCEPTION
      WHEN OTHERS THEN
        times(i) := NULL;
        codes(i) := SQLCODE;
    END;
  END LOOP;
  :times := times;
  :codes := codes;
END;`;

/**
 * The SCN at an instant. `TIMESTAMP_TO_SCN` takes a server-local time, so the instant is converted into the server's
 * zone first. ORA-08180, ORA-08181 or ORA-08186 outside the range that the database records.
 *
 * Bind `:instant`: UTC text `YYYY-MM-DDTHH24:MI:SS`, fractions of a second truncated so that the answer is rounded
 * down.
 */
export const SCN_AT = `SELECT TIMESTAMP_TO_SCN(
         CAST(FROM_TZ(TO_TIMESTAMP(:instant, ${ISO}), '+00:00') AT TIME ZONE (${ZONE}) AS TIMESTAMP)
       ) AS SCN
  FROM DUAL`;

/**
 * Adds files to the session's LogMiner list, which is never started; errors are collected per file.
 * `DBMS_LOGMNR.ADD_LOGFILE`: NEW begins a list, so it is used until one file has been added, ADDFILE after that.
 *
 * Binds: `:files` in, array of names; `:added` in and out, how many files the list holds; out, arrays as long as
 * `:files`: `:codes`, SQLCODE (0, or negative), and `:messages`, SQLERRM or null.
 *
 * Without EXECUTE on DBMS_LOGMNR the block does not compile: ORA-06550 with PLS-00201 or PLS-00904.
 */
export const ADD_LOG_FILES = `DECLARE
  files SYS.DBMS_SQL.VARCHAR2_TABLE;
  messages SYS.DBMS_SQL.VARCHAR2_TABLE;
  codes SYS.DBMS_SQL.NUMBER_TABLE;
  added NUMBER;
BEGIN
  files := :files;
  added := :added;
  FOR i IN 1 .. files.COUNT LOOP
    BEGIN
      IF added = 0 THEN
        DBMS_LOGMNR.ADD_LOGFILE(LOGFILENAME => files(i), OPTIONS => DBMS_LOGMNR.NEW);
      ELSE
        DBMS_LOGMNR.ADD_LOGFILE(LOGFILENAME => files(i), OPTIONS => DBMS_LOGMNR.ADDFILE);
      END IF;
      added := added + 1;
      codes(i) := 0;
      messages(i) := NULL;
    EXCEPTION
      WHEN OTHERS THEN
        codes(i) := SQLCODE;
        messages(i) := SUBSTR(SQLERRM, 1, 1000);
    END;
  END LOOP;
  :added := added;
  :codes := codes;
  :messages := messages;
END;`;

/**
 * Starts a session of LogMiner over the files that were added, with the database's own dictionary. Binds: `:start_scn`
 * and `:end_scn`, both inclusive, text of digits. ORA-01291 if files are missing.
 */
export const START_LOGMINER = `BEGIN
  DBMS_LOGMNR.START_LOGMNR(STARTSCN => TO_NUMBER(:start_scn), ENDSCN => TO_NUMBER(:end_scn),
    OPTIONS => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG);
END;`;

/** The mined rows of a started session, counted by table. ORA-01306 if none is started. */
export const MINED_ROWS = `SELECT c.SRC_CON_NAME AS CONTAINER, c.SEG_OWNER AS OWNER,
    c.TABLE_NAME AS TABLE_NAME, c.OPERATION AS OPERATION, COUNT(*) AS MINED,
    SUM(CASE WHEN c.OPERATION = 'DDL' AND UPPER(LTRIM(SUBSTR(c.SQL_REDO, 1, 40))) LIKE 'TRUNCATE%'
      THEN 1 ELSE 0 END) AS TRUNCATES
  FROM V$LOGMNR_CONTENTS c
  GROUP BY c.SRC_CON_NAME, c.SEG_OWNER, c.TABLE_NAME, c.OPERATION`;

/** Ends the LogMiner session. ORA-01307 without one, which is ignored. */
export const END_LOGMINER = "BEGIN DBMS_LOGMNR.END_LOGMNR; END;";

/**
 * Switches to a container; its last word is the name. Needs SET CONTAINER. ORA-65011 if the container does not exist.
 */
export const GO_TO_ROOT = "ALTER SESSION SET CONTAINER = CDB$ROOT";

/** The container of the session, and its last `CLIENT_INFO`; null without one. */
export const SESSION = `SELECT SYS_CONTEXT('USERENV', 'CON_NAME') AS CONTAINER,
       SYS_CONTEXT('USERENV', 'CLIENT_INFO') AS DOING
  FROM DUAL`;

/**
 * The latest change to a row of each of many tables, in one call; errors are collected per table. `ORA_ROWSCN` of a
 * whole table may take a scan, so no table is begun once the time is used up, and the session reports which one it
 * reads (`DBMS_APPLICATION_INFO`, available to every user, as is `DBMS_ASSERT`, which quotes names unchanged).
 *
 * Binds: `:owners` and `:names` in, arrays of one length; `:mark` in, the text that the session reports before the
 * number of the table, counted from 1; `:hundredths` in, the time in hundredths of a second. Out: `:done`, how many
 * tables were read, and arrays of that length: `:scns`, text of digits or null, `:codes`, SQLCODE (0, or negative), and
 * `:messages`, SQLERRM or null.
 */
export const ROW_SCNS = `DECLARE
  owners SYS.DBMS_SQL.VARCHAR2_TABLE;
  names SYS.DBMS_SQL.VARCHAR2_TABLE;
  scns SYS.DBMS_SQL.VARCHAR2_TABLE;
  messages SYS.DBMS_SQL.VARCHAR2_TABLE;
  codes SYS.DBMS_SQL.NUMBER_TABLE;
  mark VARCHAR2(30) := :mark;
  begun NUMBER := SYS.DBMS_UTILITY.GET_TIME;
  hundredths NUMBER := :hundredths;
  done NUMBER := 0;
  newest NUMBER;
BEGIN
  owners := :owners;
  names := :names;
  FOR i IN 1 .. names.COUNT LOOP
    EXIT WHEN i > 1 AND SYS.DBMS_UTILITY.GET_TIME - begun > hundredths;
    SYS.DBMS_APPLICATION_INFO.SET_CLIENT_INFO(mark || ' ' || i);
    BEGIN
      EXECUTE IMMEDIATE 'SELECT MAX(ORA_ROWSCN) FROM ' || SYS.DBMS_ASSERT.ENQUOTE_NAME(owners(i), FALSE)
        || '.' || SYS.DBMS_ASSERT.ENQUOTE_NAME(names(i), FALSE) INTO newest;
      scns(i) := TO_CHAR(newest);
      codes(i) := 0;
      messages(i) := NULL;
    EXCEPTION
      WHEN OTHERS THEN
        scns(i) := NULL;
        codes(i) := SQLCODE;
        messages(i) := SUBSTR(SQLERRM, 1, 1000);
    END;
    done := i;
  END LOOP;
  :done := done;
  :scns := scns;
  :codes := codes;
  :messages := messages;
END;`;
