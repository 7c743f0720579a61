import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TableRead } from "../../schemas/generated/verification-job.ts";

import { allRows, canBeBound, everyNthKey, largeObject, nextRows, SETTLE_NLS, selectList } from "./table-statements.ts";
import { complaints } from "./testing/oracle-grammar.ts";

const TYPES = [
  "NUMBER",
  "FLOAT",
  "BINARY_FLOAT",
  "BINARY_DOUBLE",
  "DATE",
  "TIMESTAMP(6)",
  "TIMESTAMP(9) WITH TIME ZONE",
  "TIMESTAMP(6) WITH LOCAL TIME ZONE",
  "INTERVAL DAY(2) TO SECOND(6)",
  "INTERVAL YEAR(2) TO MONTH",
  "RAW",
  "CHAR",
  "VARCHAR2",
  "NCHAR",
  "NVARCHAR2",
];

const column = (name: string, dataType = "NUMBER") => ({ name, dataType, precision: undefined, scale: undefined });

function read(key: readonly string[], types: readonly string[] = []): TableRead {
  return {
    table: { container: "ORCLPDB1", owner: "SALES", name: "Price List" },
    columns: [...key.map((name) => column(name)), ...types.map((type, at) => column(`c ${at}`, type))],
    key: key.map((name) => column(name)),
    scn: 2_040_000n,
  };
}

const texts = suite("the statements that read a table");

const ALL = read(["ID", "LINE", "PART"], [...TYPES, "CLOB", "NCLOB", "BLOB", "LONG", "ROWID"]);

const KEYED = { ...read([]), key: TYPES.map((type, at) => column(`K${at}`, type)) };

for (const [what, sql] of [
  ["all rows", allRows(ALL.table, selectList(ALL.columns, [], true))],
  ["the first rows", nextRows(ALL, selectList(ALL.columns, ALL.key, false), undefined, false)],
  ["the first rows up to a key", nextRows(ALL, selectList(ALL.columns, ALL.key, false), undefined, true)],
  ["the rows after a key", nextRows(ALL, selectList(ALL.columns, ALL.key, false), 0, true)],
  ["the rest of the rows with the same first columns", nextRows(ALL, selectList(ALL.columns, ALL.key, false), 2, true)],
  ["every so-many-th key", everyNthKey(ALL)],
  ["a large object by its key", largeObject(ALL.table, column("DOC", "CLOB"), ALL.key)],
  ["a large object by its ROWID", largeObject(ALL.table, column("DOC", "CLOB"), [])],
  [
    "a key of every type that a key can have",
    nextRows(KEYED, selectList([], KEYED.key, false), TYPES.length - 1, false),
  ],
] as const)
  texts(`${what}: is accepted by an independent Oracle grammar`, () => assert.equal(complaints(`${sql};`), []));

texts("the session's settings are accepted by an independent Oracle grammar", () =>
  assert.equal(complaints(`${SETTLE_NLS};`), []),
);

texts("a batch is one range of the key's index, read as of the SCN, and ends by itself", () => {
  const sql = nextRows(read(["A", "B"]), selectList(read(["A", "B"]).columns, read(["A", "B"]).key, false), 1, true);
  assert.is(
    sql,
    `SELECT * FROM (
  SELECT t."A" AS C1, t."B" AS C2
    FROM "SALES"."Price List" AS OF SCN TO_NUMBER(:scn) t
   WHERE t."A" = TO_NUMBER(:a1)
     AND t."B" > TO_NUMBER(:a2)
     AND t."A" <= TO_NUMBER(:u1)
     AND (t."A" < TO_NUMBER(:u1) OR (t."A" = TO_NUMBER(:u1) AND t."B" <= TO_NUMBER(:u2)))
   ORDER BY t."A", t."B"
) WHERE ROWNUM <= :most`,
  );
});

texts("an invalid Oracle name is inserted into no statement", () => {
  for (const name of ['"; DROP TABLE X; --', "a\0b"])
    assert.throws(
      () => allRows({ container: "P", owner: "SALES", name }, selectList([], [], true)),
      /not a valid Oracle name/,
    );
});

texts("rows are ordered only if every column of the key can be bound", () => {
  assert.ok(canBeBound([column("A"), column("B", "TIMESTAMP(3)")]));
  assert.not.ok(canBeBound([]));
  assert.not.ok(canBeBound([column("A"), column("R", "ROWID")]));
});

texts.run();
