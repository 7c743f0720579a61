/** The statements that every driver in the tests runs, whatever its language, and the servers it runs them against. */
import { setTimeout as delay } from "node:timers/promises";
import type { Bind, Done, Handler, OracleServerOptions, Rows } from "./options.ts";
import { OraError } from "./ora-error.ts";
import type { Column, Value } from "./values.ts";

/** 38 digits, as many as a NUMBER has. */
export const BIG = "12345678901234567890123456789012345678";
export const PASSWORD = "Pä$$ w0rd-€";

const MOMENT = new Date(Date.UTC(2024, 1, 29, 23, 59, 58));
const MOMENT_AND_MILLIS = new Date(Date.UTC(2024, 1, 29, 23, 59, 58, 123));

/** The options of a server of each version. */
export const SERVERS: Readonly<Record<string, Partial<OracleServerOptions>>> = {
  "12.1": { fieldVersion: 7, serverVersion: "12.1.0.2.0" },
  "19c, 11g verifier": { fieldVersion: 13, verifier: "11g" },
  "19c, 12c verifier": { fieldVersion: 13, verifier: "12c" },
  "21c": { fieldVersion: 16, verifier: "12c", serverVersion: "21.3.0.0.0" },
  "23ai": { fieldVersion: 24, verifier: "12c", serverVersion: "23.4.0.24.5" },
  "23ai, fast authentication": {
    fieldVersion: 24,
    verifier: "12c",
    serverVersion: "23.4.0.24.5",
    fastAuth: true,
    endOfRequest: true,
  },
};

export function testServerOptions(more: Partial<OracleServerOptions> = {}): OracleServerOptions {
  return {
    handler: answerTestStatement,
    users: {
      MINER: { password: PASSWORD },
      C: { password: "tiger" },
      LOCKED: { password: "tiger", locked: true },
      OUTSIDER: { password: "tiger", maySignIn: false },
    },
    services: ["ORCLPDB1"],
    sids: ["ORCL"],
    ...more,
  };
}

const TYPES: Rows = {
  columns: [
    { name: "ID", type: "NUMBER", precision: 10, scale: 0, nullable: false },
    { name: "N38", type: "NUMBER", precision: 38, scale: 0 },
    { name: "N", type: "NUMBER" },
    { name: "F", type: "NUMBER", precision: 10, scale: 2 },
    { name: "S", type: "VARCHAR2", size: 20 },
    { name: "C", type: "CHAR", size: 5 },
    { name: "D", type: "DATE" },
    { name: "TS", type: "TIMESTAMP", scale: 6 },
    { name: "TZ", type: "TIMESTAMP_TZ", scale: 6 },
    { name: "R", type: "RAW", size: 16 },
  ],
  rows: [
    [
      1,
      BIG,
      "-0.000001",
      "-12.5",
      "héllo ✓",
      "abc  ",
      MOMENT,
      MOMENT_AND_MILLIS,
      MOMENT_AND_MILLIS,
      Buffer.from("cafe", "hex"),
    ],
    [2, `-${BIG}`, "0", null, null, null, null, null, null, null],
    [3, "18446744073709551615", "1e125", "100", "x", "y    ", MOMENT, MOMENT, MOMENT, Buffer.from("00", "hex")],
  ],
};

const MORE_TYPES: Rows = {
  columns: [
    { name: "BF", type: "BINARY_FLOAT" },
    { name: "BD", type: "BINARY_DOUBLE" },
    { name: "YM", type: "INTERVAL_YM", precision: 9 },
    { name: "DS", type: "INTERVAL_DS", precision: 9, scale: 9 },
    { name: "LTZ", type: "TIMESTAMP_LTZ" },
    { name: "TS9", type: "TIMESTAMP", scale: 9 },
    { name: "TZ", type: "TIMESTAMP_TZ" },
    { name: "B", type: "BLOB" },
  ],
  rows: [
    [
      1.5,
      -2.25e100,
      "-1-2",
      "3 04:05:06.789",
      MOMENT,
      "2024-01-02 03:04:05.123456789",
      "2024-01-02 03:04:05.5+02:00",
      Buffer.from("00ff10".repeat(3000), "hex"),
    ],
    [null, null, null, null, null, null, null, null],
  ],
};

function* manyRows(count: number): Generator<readonly Value[]> {
  for (let i = 1; i <= count; i++) yield [i, `${"x".repeat(i % 300)}é✓`, i % 7 ? "same" : null];
}

/** A column that returns a bind unchanged. */
function echo(bind: Bind): Column {
  const name = `:${bind.name}`;
  if (bind.type === 2) return { name, type: "NUMBER" };
  if (bind.type === 12) return { name, type: "DATE" };
  if (bind.type === 180 || bind.type === 187) return { name, type: "TIMESTAMP" };
  if ([181, 188, 231].includes(bind.type)) return { name, type: "TIMESTAMP_TZ" };
  if (bind.type === 23) return { name, type: "RAW", size: 2000 };
  return { name, type: "VARCHAR2", size: 32_767 };
}

const single = (bind: Bind | undefined): Value =>
  Array.isArray(bind?.value) ? null : ((bind?.value ?? null) as Value);

const ANSWERS: readonly (readonly [
  pattern: RegExp,
  answer: (binds: readonly Bind[]) => Rows | Done | Promise<Rows | Done>,
])[] = [
  [/FROM TYPES/i, () => TYPES],
  [/FROM MORE/i, () => MORE_TYPES],
  [
    /FROM BIG/i,
    ([count]) => ({
      columns: [
        { name: "ID", type: "NUMBER" },
        { name: "TXT", type: "VARCHAR2", size: 4000 },
        { name: "SAME", type: "VARCHAR2", size: 10 },
      ],
      rows: manyRows(Number(count?.value)),
    }),
  ],
  [/FROM EMPTY/i, () => ({ columns: [{ name: "ID", type: "NUMBER" }], rows: [] })],
  [
    /FROM CLOBS/i,
    () => ({
      columns: [
        { name: "ID", type: "NUMBER" },
        { name: "DDL", type: "CLOB" },
      ],
      rows: [
        [1, "CREATE TABLE é✓ ".repeat(5000)],
        [2, "short"],
        [3, null],
      ],
    }),
  ],
  [
    /FROM LONGS/i,
    () => ({
      columns: [
        { name: "DATA_DEFAULT", type: "LONG" },
        { name: "C", type: "VARCHAR2", size: 30 },
      ],
      rows: [
        ["SYSDATE", "A"],
        [null, "B"],
        ["0123456789".repeat(1000), "C"],
      ],
    }),
  ],
  [/^SELECT :/i, (binds) => ({ columns: binds.map(echo), rows: [binds.map(single)] })],
  [
    /ADD_LOGFILE/i,
    ([file]) => {
      if (file?.value === "/nope") throw new OraError(1284, "file /nope cannot be opened");
      return {};
    },
  ],
  [
    /END_LOGMNR/i,
    () => {
      throw new OraError(1307, "no LogMiner session is currently active");
    },
  ],
  [
    /^BEGIN :\w+ := 1;/i,
    ([first, second, third]) => ({
      out: { [first?.name ?? ""]: BIG, [second?.name ?? ""]: `hello ${third?.value ?? ""}` },
    }),
  ],
  [
    /REVERSED/i, // tables in, tables out, in the other order
    ([words, numbers]) => ({
      out: {
        WORDS_OUT: [...((words?.value as readonly Value[]) ?? [])].reverse(),
        NUMBERS_OUT: [...((numbers?.value as readonly Value[]) ?? [])].reverse(),
      },
    }),
  ],
  [/DOUBLED/i, ([table]) => ({ out: { T: [table?.value, table?.value].flat() as readonly Value[] } })],
  [/^UPDATE/i, () => ({ rowCount: 3 })],
  [/^INSERT/i, () => ({ rowCount: 1 })],
  [
    /SLEEP/i,
    async () => {
      await delay(30_000, undefined, { ref: false });
      return {};
    },
  ],
  [/^(ALTER|CREATE|SET|BEGIN|DECLARE)/i, () => ({})],
  [/FROM DUAL/i, () => ({ columns: [{ name: "DUMMY", type: "VARCHAR2", size: 1 }], rows: [["X"]] })],
];

export const answerTestStatement: Handler = (sql, binds) => {
  const folded = sql.replace(/\s+/g, " ").trim();
  for (const [pattern, answer] of ANSWERS) if (pattern.test(folded)) return answer(binds);
  throw new OraError(942, "table or view does not exist", sql.toUpperCase().indexOf("FROM ") + 5);
};
