import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OracleServerOptions } from "./options.ts";
import { type OracleServer, startOracleServer } from "./server.ts";
import { type Connection, failureOf, type Lob, NUMBERS_AS_TEXT, oracledb } from "./test-driver.ts";
import { BIG, PASSWORD, SERVERS, testServerOptions } from "./test-statements.ts";

async function withServer(
  options: Partial<OracleServerOptions>,
  work: (server: OracleServer, address: string) => Promise<void>,
): Promise<void> {
  const server = await startOracleServer(testServerOptions(options));
  try {
    await work(server, `127.0.0.1:${server.port}/ORCLPDB1`);
  } finally {
    await server.close();
  }
}

async function withConnection(
  options: Partial<OracleServerOptions>,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  await withServer(options, async (_, connectString) => {
    const connection = await oracledb.getConnection({ user: "miner", password: PASSWORD, connectString });
    await work(connection);
    await connection.close();
  });
}

for (const [name, options] of Object.entries(SERVERS)) {
  const server = suite(`node-oracledb against the Oracle server, ${name}`);

  server("reads every type, the second time from a cached cursor too", () =>
    withConnection(options, async (connection) => {
      for (let time = 0; time < 2; time++) {
        const { rows = [] } = await connection.execute("SELECT * FROM TYPES", [], NUMBERS_AS_TEXT);
        const [first = [], second = [], third = []] = rows;
        assert.equal(first.slice(0, 6), ["1", BIG, "-.000001", "-12.5", "héllo ✓", "abc  "]);
        assert.instance(first[6], Date);
        assert.is((first[8] as Date).toISOString(), "2024-02-29T23:59:58.123Z");
        assert.equal(first[9], Buffer.from("cafe", "hex"));
        assert.equal(second.slice(1), [`-${BIG}`, "0", null, null, null, null, null, null, null]);
        assert.is(third[1], "18446744073709551615");
      }
      const { rows: [more = []] = [] } = await connection.execute("SELECT * FROM MORE");
      assert.equal(more.slice(0, 2), [1.5, -2.25e100]);
      assert.is((await (more[7] as Lob).getData()).length, 9000);
    }),
  );

  server("reads large texts and LONG columns", () =>
    withConnection(options, async (connection) => {
      const whole = { fetchInfo: { DDL: { type: oracledb.STRING } } };
      for (let time = 0; time < 2; time++) {
        const { rows = [] } = await connection.execute("SELECT ID, DDL FROM CLOBS", [], whole);
        assert.equal(
          rows.map(([, ddl]) => ddl),
          ["CREATE TABLE é✓ ".repeat(5000), "short", null],
        );
      }
      const { rows: [, located = []] = [] } = await connection.execute("SELECT ID, DDL FROM CLOBS /* 2 */");
      assert.is(await (located[1] as Lob).getData(), "short");
      const { rows: longs = [] } = await connection.execute("SELECT * FROM LONGS");
      assert.equal(longs, [
        ["SYSDATE", "A"],
        [null, "B"],
        ["0123456789".repeat(1000), "C"],
      ]);
    }),
  );

  server("accepts binds by name and by position, also longer than a packet", () =>
    withConnection(options, async (connection) => {
      const echoed = await connection.execute("SELECT :1, :2, :3 FROM DUAL", [BIG, "héé", null], NUMBERS_AS_TEXT);
      assert.equal(echoed.rows, [[BIG, "héé", null]]);
      const long = await connection.execute("SELECT :a, :b FROM DUAL", { a: 7, b: "é".repeat(16_000) });
      assert.equal(long.rows, [[7, "é".repeat(16_000)]]);
    }),
  );

  server("returns every row, in batches", () =>
    withConnection(options, async (connection) => {
      for (const fetchArraySize of [7, 1000]) {
        const { resultSet } = await connection.execute("SELECT ID, TXT, SAME FROM BIG WHERE N <= :n", [3000], {
          resultSet: true,
          fetchArraySize,
        });
        let seen = 0;
        for await (const [id, text, same] of resultSet) {
          seen++;
          assert.is(id, seen);
          assert.is(text, `${"x".repeat(seen % 300)}é✓`);
          assert.is(same, seen % 7 ? "same" : null);
        }
        assert.is(seen, 3000);
        await resultSet.close();
      }
      assert.equal((await connection.execute("SELECT * FROM EMPTY")).rows, []);
    }),
  );

  server("passes PL/SQL values in and out", () =>
    withConnection(options, async (connection) => {
      const block = "BEGIN :scn := 1; :txt := :i; END;";
      for (const i of ["you", "them"]) {
        const { outBinds } = await connection.execute<{ scn: string; txt: string }>(block, {
          scn: { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 40 },
          txt: { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 40 },
          i,
        });
        assert.equal(outBinds, { scn: BIG, txt: `hello ${i}` });
      }
    }),
  );

  server("passes PL/SQL tables in and out", () =>
    withConnection(options, async (connection) => {
      const reversed = (words: string[], numbers: number[]) =>
        connection.execute<{ words_out: string[]; numbers_out: number[] }>(
          "BEGIN REVERSED(:words, :numbers, :words_out, :numbers_out); END;",
          {
            words: { dir: oracledb.BIND_IN, type: oracledb.STRING, val: words },
            numbers: { dir: oracledb.BIND_IN, type: oracledb.NUMBER, val: numbers },
            words_out: { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 600, maxArraySize: 600 },
            numbers_out: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER, maxArraySize: 600 },
          },
        );
      for (const count of [3, 500, 1]) {
        const words = Array.from({ length: count }, (_, i) => `é${i}${"x".repeat(i)}`);
        const numbers = Array.from({ length: count }, (_, i) => i * 1_000_003);
        const { outBinds } = await reversed(words, numbers);
        assert.equal(outBinds, { words_out: words.toReversed(), numbers_out: numbers.toReversed() });
      }
      const doubled = await connection.execute<{ t: string[] }>("BEGIN DOUBLED(:t); END;", {
        t: { dir: oracledb.BIND_INOUT, type: oracledb.STRING, val: ["a", "b"], maxArraySize: 4 },
      });
      assert.equal(doubled.outBinds?.t, ["a", "b", "a", "b"]);
      const small = { dir: oracledb.BIND_INOUT, type: oracledb.STRING, val: ["a", "b"], maxArraySize: 3 };
      assert.is((await failureOf(connection.execute("BEGIN DOUBLED(:t); END;", { t: small }))).errorNum, 6513);
    }),
  );

  server("reports errors with their code and position, and continues", () =>
    withConnection(options, async (connection) => {
      const missing = await failureOf(connection.execute("SELECT * FROM NOPE"));
      assert.is(missing.errorNum, 942);
      assert.is(missing.offset, 14);
      const ended = await failureOf(connection.execute("BEGIN DBMS_LOGMNR.END_LOGMNR; END;"));
      assert.is(ended.errorNum, 1307);
      assert.equal((await connection.execute("SELECT DUMMY FROM DUAL")).rows, [["X"]]);
    }),
  );

  server("keeps track of the transaction", () =>
    withConnection(options, async (connection) => {
      const open = () => connection.transactionInProgress;
      assert.is((await connection.execute("UPDATE T SET A = :a", ["€".repeat(6000)])).rowsAffected, 3);
      assert.is(open(), true);
      await connection.commit();
      assert.is(open(), false);
      const many = Array.from({ length: 2000 }, (_, i) => [i, "z".repeat(100)]);
      assert.is((await connection.executeMany("INSERT INTO T VALUES (:1, :2)", many)).rowsAffected, 2000);
      await connection.rollback();
      assert.is(open(), false);
      await connection.ping();
    }),
  );

  server("cancels a call that takes too long, and the connection stays usable", () =>
    withConnection(options, async (connection) => {
      connection.callTimeout = 100;
      assert.match((await failureOf(connection.execute("BEGIN SLEEP(30); END;"))).message, /NJS-123|DPI-1067/);
      connection.callTimeout = 0;
      assert.equal((await connection.execute("SELECT DUMMY FROM DUAL")).rows, [["X"]]);
    }),
  );

  server("reports why a login is rejected", () =>
    withServer(options, async ({ port }, connectString) => {
      const why = async (user: string, password: string, where = connectString) =>
        await failureOf(oracledb.getConnection({ user, password, connectString: where }));
      assert.match((await why("miner", "wrong")).message, /ORA-01017/);
      assert.match((await why("nobody", "tiger")).message, /ORA-01017/);
      assert.match((await why("locked", "tiger")).message, /ORA-28000/);
      assert.match((await why("outsider", "tiger")).message, /ORA-01045/);
      assert.match((await why("c", "tiger", `127.0.0.1:${port}/NOPE`)).message, /NJS-518|ORA-12514/);
      const sid = (name: string) =>
        `(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=${port}))(CONNECT_DATA=(SID=${name})))`;
      assert.match((await why("c", "tiger", sid("NOPE"))).message, /NJS-519|ORA-12505/);
      const padded = sid("ORCL").replace("(SID", `(CLIENT_NOTE=${"x".repeat(300)})(SID`);
      const connection = await oracledb.getConnection({ user: "c", password: "tiger", connectString: padded });
      assert.equal((await connection.execute("SELECT DUMMY FROM DUAL")).rows, [["X"]]);
      await connection.close();
    }),
  );

  server.run();
}
