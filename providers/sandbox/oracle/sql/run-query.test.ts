import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Bind } from "../options.ts";
import { OraError } from "../ora-error.ts";
import { runQuery } from "./run-query.ts";
import type { Relation, Surroundings } from "./scope.ts";

const LOGS: Relation = {
  columns: [
    { name: "SEQ", type: "NUMBER" },
    { name: "THREAD#", type: "NUMBER" },
    { name: "NAME", type: "VARCHAR2", size: 20 },
  ],
  rows: [
    [3n, 1n, "c"],
    [1n, 1n, null],
    [2n, 2n, "b"],
  ],
};
const THREADS: Relation = { columns: [{ name: "THREAD#", type: "NUMBER" }], rows: [[1n], [2n], [3n]] };
const DUAL: Relation = { columns: [{ name: "DUMMY", type: "VARCHAR2", size: 1 }], rows: [["X"]] };
const RELATIONS: Readonly<Record<string, Relation>> = { LOGS, THREADS, DUAL };

const surroundings: Surroundings = {
  user: "ME",
  zone: 60,
  now: () => Date.UTC(2026, 10, 20, 18, 0, 0, 250),
  sysContext: () => "CDB$ROOT",
  timeOfScn: (scn) => Number(scn) * 1000,
  scnAtTime: (epoch) => BigInt(Math.floor(epoch / 1000)),
  view: (name, offset) => {
    const relation = RELATIONS[name];
    if (relation === undefined) throw new OraError(942, "table or view does not exist", offset);
    return relation;
  },
};

const bind = (name: string, value: string, type = 1): Bind => ({
  name,
  type,
  maxSize: 40,
  maxElements: undefined,
  value,
});

function rows(sql: string, ...binds: Bind[]): readonly unknown[] {
  return [...runQuery(sql, binds, surroundings).rows];
}

function one(expression: string, ...binds: Bind[]): unknown {
  return (rows(`SELECT ${expression} FROM DUAL`, ...binds)[0] as readonly unknown[])[0];
}

function code(sql: string): readonly [number, number] {
  try {
    rows(sql);
  } catch (error) {
    if (error instanceof OraError) return [error.code, error.offset];
    throw error;
  }
  throw new Error("it did not fail");
}

const query = suite("queries over relations");

query("filters, orders and limits; a null compares with nothing", () => {
  assert.equal(rows("SELECT SEQ FROM LOGS WHERE NAME <> 'b'"), [[3n]]);
  assert.equal(rows("SELECT SEQ FROM LOGS WHERE NOT (NAME = 'b')"), [[3n]]);
  assert.equal(rows("SELECT SEQ FROM LOGS WHERE NAME IS NULL OR SEQ BETWEEN 3 AND 9 ORDER BY SEQ"), [[1n], [3n]]);
  assert.equal(rows("SELECT SEQ s FROM LOGS ORDER BY s DESC FETCH FIRST 2 ROWS ONLY"), [[3n], [2n]]);
  assert.equal(rows("SELECT SEQ FROM LOGS WHERE ROWNUM <= 2"), [[3n], [1n]]);
  assert.equal(rows("SELECT NAME FROM LOGS ORDER BY NAME"), [["b"], ["c"], [null]]);
});

query("gives a client each digit of a fraction", () => {
  const to = (type: string, text: string, model: string): unknown => one(`TO_${type}('${text}', '${model}')`);
  const micros = "2023-11-14 23:36:40.000003";
  assert.is(to("TIMESTAMP", micros, "YYYY-MM-DD HH24:MI:SS.FF6"), `${micros}000`);
  assert.is(to("TIMESTAMP_TZ", `${micros}+02:00`, "YYYY-MM-DD HH24:MI:SS.FF6TZH:TZM"), `${micros}000+02:00`);
  assert.equal(
    to("TIMESTAMP", "2023-11-14 23:36:40.25", "YYYY-MM-DD HH24:MI:SS.FF2"),
    new Date("2023-11-14T23:36:40.250Z"),
  );
});

query("joins, and keeps rows without a partner in an outer join", () => {
  assert.equal(rows("SELECT t.THREAD#, l.SEQ FROM THREADS t LEFT JOIN LOGS l ON l.THREAD# = t.THREAD# ORDER BY 1, 2"), [
    [1n, 1n],
    [1n, 3n],
    [2n, 2n],
    [3n, null],
  ]);
  assert.is(rows("SELECT 1 FROM THREADS t, LOGS l WHERE t.THREAD# = l.THREAD#").length, 3);
});

query("groups, and evaluates subqueries", () => {
  assert.equal(rows("SELECT THREAD#, COUNT(*), MAX(SEQ) FROM LOGS GROUP BY THREAD# HAVING COUNT(*) > 1"), [
    [1n, 2n, 3n],
  ]);
  assert.equal(rows("SELECT COUNT(NAME), MIN(SEQ) FROM LOGS WHERE SEQ > 9"), [[0n, null]]);
  assert.equal(
    rows("SELECT t.THREAD#, (SELECT MIN(l.SEQ) FROM LOGS l WHERE l.THREAD# = t.THREAD#) AS FIRST FROM THREADS t"),
    [
      [1n, 1n],
      [2n, 2n],
      [3n, null],
    ],
  );
  assert.equal(
    rows("SELECT THREAD# FROM THREADS t WHERE NOT EXISTS (SELECT 1 FROM LOGS l WHERE l.THREAD# = t.THREAD#)"),
    [[3n]],
  );
  assert.equal(
    rows("WITH x AS (SELECT SEQ FROM LOGS) SELECT SUM(SEQ) FROM (SELECT * FROM x UNION ALL SELECT 4 FROM DUAL)"),
    [[10n]],
  );
});

query("keeps SCNs exact", () => {
  assert.is(one("TO_NUMBER(:scn) + 1", bind("SCN", "18446744073709551614")), 18446744073709551615n);
  assert.is(one("TO_CHAR(:scn)", bind("SCN", "9007199254740993", 2)), "9007199254740993");
  assert.is(one("CASE WHEN 9007199254740993 > 9007199254740992 THEN 'above' ELSE 'not' END"), "above");
});

query("converts between the server's zone and others", () => {
  assert.is(one("TO_CHAR(SYSTIMESTAMP, 'YYYY-MM-DD\"T\"HH24:MI:SS.FF3TZH:TZM')"), "2026-11-20T19:00:00.250+01:00");
  assert.is(one("TO_CHAR(SYS_EXTRACT_UTC(SYSTIMESTAMP), 'HH24:MI')"), "18:00");
  assert.is(one("TO_CHAR(SYSTIMESTAMP AT TIME ZONE '-05:30', 'HH24:MI TZR')"), "12:30 -05:30");
  assert.is(one("TIMESTAMP_TO_SCN(SCN_TO_TIMESTAMP(1234567))"), 1234567n);
  assert.is(one("TO_CHAR(SYSDATE - 1/24, 'HH24:MI:SS')"), "18:00:00");
});

query("refuses what the database would refuse, with its position", () => {
  assert.equal(code("SELECT 1 FROM NOWHERE"), [942, 14]);
  assert.equal(code("SELECT SEQ, NOPE FROM LOGS WHERE 1 = 0"), [904, 12]);
  assert.equal(code("SELECT THREAD# FROM LOGS, THREADS"), [918, 7]);
  assert.equal(code("SELECT SEQ FROM LOGS WHERE NAME = 1")[0], 1722);
  assert.equal(code("SELECT TO_CHAR(SYSDATE, 'YYYY-MM-DDTHH24') FROM DUAL")[0], 1821);
  assert.equal(code("SELECT 'x FROM DUAL")[0], 1756);
  assert.equal(code("SELECT (SELECT SEQ FROM LOGS) FROM DUAL")[0], 1427);
  assert.equal(code("SELECT SEQ FROM LOGS ; DROP")[0], 911);
});

query.run();
