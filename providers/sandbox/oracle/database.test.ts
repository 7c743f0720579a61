import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as statements from "../../oracle/statements.ts";
import { startOracleDatabase } from "./database.ts";
import { type Connection, failureOf, NUMBERS_AS_TEXT, oracledb } from "./test-driver.ts";
import { healthyWorld, type OracleWorld, type TransactionRow } from "./world.ts";

const LOGIN = { user: "C##CDC", password: "cdc-secret" };

async function connected(
  world: OracleWorld,
  work: (connection: Connection) => Promise<void>,
  service = "ORCLCDB",
): Promise<void> {
  const server = await startOracleDatabase(world);
  try {
    const connection = await oracledb.getConnection({
      ...LOGIN,
      connectString: `127.0.0.1:${server.port}/${service}`,
    });
    await work(connection);
    await connection.close();
  } finally {
    await server.close();
  }
}

async function rowsOf(
  connection: Connection,
  sql: string,
  binds: readonly unknown[] = [],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { rows = [] } = await connection.execute(sql, binds, {
    ...NUMBERS_AS_TEXT,
    outFormat: oracledb.OUT_FORMAT_OBJECT,
  });
  return rows as unknown as readonly Readonly<Record<string, unknown>>[];
}

const text = (val: readonly string[]) => ({ dir: oracledb.BIND_IN, type: oracledb.STRING, val, maxSize: 600 });
const outTexts = { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 1000, maxArraySize: 500 };
const outNumbers = { dir: oracledb.BIND_OUT, type: oracledb.NUMBER, maxArraySize: 500 };

const transaction: TransactionRow = {
  instance: 1n,
  container: 3n,
  usn: 7n,
  slot: 22n,
  sequence: 1180n,
  startScn: 2_035_000n,
  startTime: Date.UTC(2026, 10, 20, 18, 58, 20),
  user: "ALICE",
  clientId: "web-7",
};

const catalogue = suite("the loopback database's catalogue, as the product's statements read it");

catalogue("identifies the database, and the session's container", async () => {
  await connected(healthyWorld(), async (connection) => {
    assert.equal(await rowsOf(connection, statements.DATABASE), [
      {
        DBID: "2914731004",
        NAME: "ORCLCDB",
        CDB: "YES",
        LOG_MODE: "ARCHIVELOG",
        OPEN_MODE: "READ WRITE",
        DATABASE_ROLE: "PRIMARY",
        CURRENT_SCN: "2045000",
        "RESETLOGS_CHANGE#": "1",
        VERSION: "19.22.0.0.0",
        CONNECTED_TO: "CDB$ROOT",
        ZONE: "+01:00",
      },
    ]);
  });
  const inPdb = async (connection: Connection) => {
    assert.is((await rowsOf(connection, statements.DATABASE))[0]?.["CONNECTED_TO"], "ORCLPDB1");
  };
  await connected(healthyWorld(), inPdb, "orclpdb1");
});

catalogue("before 18c has no VERSION_FULL, and reports its position in the statement", () =>
  connected(healthyWorld({ version: "12.1.0.2.0" }), async (connection) => {
    const failure = await failureOf(connection.execute(statements.DATABASE));
    assert.is(failure.errorNum, 904);
    assert.is(failure.offset, statements.DATABASE.indexOf("i.VERSION_FULL"));
    assert.is((await rowsOf(connection, statements.DATABASE_BEFORE_18))[0]?.["VERSION"], "12.1.0.2.0");
  }),
);

catalogue("lists threads and destinations", () =>
  connected(healthyWorld(), async (connection) => {
    assert.equal(await rowsOf(connection, statements.THREADS), [
      {
        "THREAD#": "1",
        ENABLED: "PUBLIC",
        STATUS: "OPEN",
        "SEQUENCE#": "122",
        "ENABLE_CHANGE#": "1",
        "DISABLE_CHANGE#": "0",
      },
    ]);
    assert.equal(
      (await rowsOf(connection, statements.DESTINATIONS)).map((row) => row["DEST_NAME"]),
      ["LOG_ARCHIVE_DEST_1", "LOG_ARCHIVE_DEST_2"],
    );
  }),
);

catalogue("lists archived logs that end above an SCN, with UTC times from a server in another zone", () =>
  connected(healthyWorld(), async (connection) => {
    const rows = await rowsOf(connection, statements.ARCHIVED_LOGS, ["2020000"]);
    assert.equal(
      rows.map((row) => row["SEQUENCE#"]),
      ["120", "121"],
    );
    assert.is(rows[0]?.["BYTES"], "419430400");
    assert.is(rows[0]?.["FIRST_UTC"], "2026-11-20T18:33:20");
    const [plain] = await rowsOf(
      connection,
      "SELECT TO_CHAR(FIRST_TIME, 'HH24:MI') AS T FROM V$ARCHIVED_LOG WHERE SEQUENCE# = 120",
    );
    assert.is(plain?.["T"], "19:33");
  }),
);

catalogue("lists online logs with a readable member, or none", async () => {
  const world = healthyWorld();
  const [first, second, third] = world.onlineLogs;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three groups");
  first.members = [{ name: "/bad.log", status: "INVALID" }];
  second.members = [
    { name: "/a.log", status: "INVALID" },
    { name: "/b.log", status: null },
  ];
  await connected(world, async (connection) => {
    const rows = await rowsOf(connection, statements.ONLINE_LOGS);
    assert.equal(
      rows.map((row) => row["MEMBER"]),
      [null, "/b.log", "/u02/oradata/ORCLCDB/redo03.log"],
    );
    assert.is(rows[2]?.["NEXT_CHANGE#"], "18446744073709551615");
  });
});

catalogue("lists open transactions, with or without a session", () => {
  const orphan = { ...transaction, usn: 4n, startScn: 2_030_000n, user: null, clientId: null };
  return connected(healthyWorld({ transactions: [transaction, orphan] }), async (connection) => {
    assert.equal(
      (await rowsOf(connection, statements.OPEN_TRANSACTIONS)).map((row) => [
        row["XIDUSN"],
        row["USERNAME"],
        row["CLIENT_IDENTIFIER"],
        row["START_UTC"],
      ]),
      [
        ["4", null, null, "2026-11-20T18:58:20"],
        ["7", "ALICE", "web-7", "2026-11-20T18:58:20"],
      ],
    );
  });
});

catalogue("refuses views without a grant and views that do not exist, with their position", () =>
  connected(healthyWorld({ denied: new Set(["V$LOGFILE"]) }), async (connection) => {
    for (const [sql, offset] of [
      [statements.ONLINE_LOGS, statements.ONLINE_LOGS.indexOf("V$LOGFILE")],
      ["SELECT * FROM SYS.V_$LOGFILE", 14],
      ["SELECT 1 FROM V$NOTHING", 14],
    ] as const) {
      const failure = await failureOf(connection.execute(sql));
      assert.is(failure.errorNum, 942);
      assert.is(failure.offset, offset);
    }
  }),
);

catalogue("counts statements and round trips", () => {
  const world = healthyWorld();
  return connected(world, async (connection) => {
    const before = world.roundTrips;
    await rowsOf(connection, statements.THREADS);
    await rowsOf(connection, statements.DESTINATIONS);
    assert.equal(world.seen.slice(-2), [statements.THREADS, statements.DESTINATIONS]);
    assert.is(world.roundTrips - before, 2);
  });
});

catalogue.run();

const times = suite("the loopback database's SCNs and times");

times("maps many SCNs to times in one call, and reports those that it does not remember", () =>
  connected(healthyWorld(), async (connection) => {
    const { outBinds } = await connection.execute<{ times: string[]; codes: number[] }>(statements.TIMES_OF_SCNS, {
      scns: text(["2000000", "999999", "2045000", "2045001"]),
      times: outTexts,
      codes: outNumbers,
    });
    assert.equal(outBinds, {
      times: ["2026-11-20T18:00:00", null, "2026-11-20T19:15:00", null],
      codes: [0, -8181, 0, -8181],
    });
    const plain = await failureOf(connection.execute("SELECT SCN_TO_TIMESTAMP(:s) FROM DUAL", ["1"]));
    assert.is(plain.errorNum, 8181);
  }),
);

times("finds the SCN at an instant, in the server's zone, within its memory", () =>
  connected(healthyWorld({ zone: "-03:30" }), async (connection) => {
    assert.equal(await rowsOf(connection, statements.SCN_AT, ["2026-11-20T18:33:20"]), [{ SCN: "2020000" }]);
    for (const outside of ["2026-11-01T00:00:00", "2027-01-01T00:00:00"])
      assert.is((await failureOf(connection.execute(statements.SCN_AT, [outside]))).errorNum, 8180);
  }),
);

times.run();

const miner = suite("the loopback database's LogMiner");

const added = (connection: Connection, files: readonly string[], count = 0) =>
  connection.execute<{ added: number; codes: number[]; messages: (string | null)[] }>(statements.ADD_LOG_FILES, {
    files: text(files),
    added: { dir: oracledb.BIND_INOUT, type: oracledb.NUMBER, val: count },
    codes: outNumbers,
    messages: outTexts,
  });

miner("adds files that can be opened and reports for each other file why not", () => {
  const world = healthyWorld();
  const [first = "", second = "", third = ""] = world.files;
  world.files.delete(second);
  return connected(world, async (connection) => {
    const { outBinds } = await added(connection, [second, first, second, third, first]);
    assert.is(outBinds?.added, 2);
    assert.equal(outBinds?.codes, [-1284, 0, -1284, 0, -1289]);
    assert.match(outBinds?.messages[0] ?? "", `ORA-01284: file ${second} cannot be opened`);
    assert.match(outBinds?.messages[0] ?? "", /ORA-00308[\s\S]*ORA-27037/);
    assert.is((await added(connection, [third], 2)).outBinds?.codes[0], -1289);
    await connection.execute(statements.END_LOGMINER);
    assert.is((await failureOf(connection.execute(statements.END_LOGMINER))).errorNum, 1307);
  });
});

miner("keeps its list per session", async () => {
  const world = healthyWorld();
  const server = await startOracleDatabase(world);
  const open = () => oracledb.getConnection({ ...LOGIN, connectString: `127.0.0.1:${server.port}/ORCLCDB` });
  const [one, other] = [await open(), await open()];
  await added(one, [...world.files]);
  assert.is((await failureOf(other.execute(statements.END_LOGMINER))).errorNum, 1307);
  await one.execute(statements.END_LOGMINER);
  await one.close();
  await other.close();
  await server.close();
});

miner("accepts no files inside a PDB", () => {
  const world = healthyWorld();
  const inPdb = async (connection: Connection) => {
    assert.equal((await added(connection, [...world.files].slice(0, 1))).outBinds?.codes, [-65040]);
    await connection.execute("ALTER SESSION SET CONTAINER = CDB$ROOT");
    assert.equal((await added(connection, [...world.files].slice(0, 1))).outBinds?.codes, [0]);
  };
  return connected(world, inPdb, "ORCLPDB1");
});

miner("does not compile if the package was not granted, and refuses without LOGMINING", async () => {
  await connected(healthyWorld({ denied: new Set(["DBMS_LOGMNR"]) }), async (connection) => {
    const failure = await failureOf(added(connection, ["/x"]));
    assert.is(failure.errorNum, 6550);
    assert.match(failure.message, "PLS-00201: identifier 'DBMS_LOGMNR' must be declared");
  });
  const world = healthyWorld({ denied: new Set(["LOGMINING"]) });
  await connected(world, async (connection) => {
    assert.equal((await added(connection, [...world.files].slice(0, 1))).outBinds?.codes, [-1031]);
  });
});

miner.run();

const trouble = suite("faults of the loopback database");

trouble("breaks the connection, or hangs, at the configured statement", async () => {
  const world = healthyWorld({ fault: (sql) => (sql.includes("V$THREAD") ? "disconnect" : undefined) });
  const server = await startOracleDatabase(world);
  const connectString = `127.0.0.1:${server.port}/ORCLCDB`;
  const broken = await oracledb.getConnection({ ...LOGIN, connectString });
  assert.match((await failureOf(broken.execute(statements.THREADS))).message, /NJS-500|ORA-03113/);
  world.fault = () => "hang";
  const hung = await oracledb.getConnection({ ...LOGIN, connectString });
  hung.callTimeout = 50;
  assert.match((await failureOf(hung.execute(statements.THREADS))).message, /NJS-123/);
  hung.callTimeout = 0;
  const frozen = await new Promise<{ readonly failure: ReturnType<typeof failureOf> }>((resolve) => {
    world.fault = () => {
      resolve({ failure });
      return "freeze";
    };
    const failure = failureOf(hung.execute(statements.DESTINATIONS));
  });
  world.fault = undefined;
  await connectedAgain(connectString);
  await server.close();
  assert.match((await frozen.failure).message, /NJS-500/);
});

async function connectedAgain(connectString: string): Promise<void> {
  const connection = await oracledb.getConnection({ ...LOGIN, connectString });
  assert.is((await rowsOf(connection, statements.THREADS)).length, 1);
  await connection.close();
}

trouble("rejects statements that it does not understand", () =>
  connected(healthyWorld(), async (connection) => {
    const codes: [string, number][] = [
      ["GRANT DBA TO SCOTT", 900],
      ["SELECT NOPE FROM V$DATABASE", 904],
      ["SELECT FROBNICATE(1) FROM DUAL", 904],
      ["SELECT 1", 923],
      ["SELECT 1 FROM DUAL WHERE", 936],
      ["SELECT 1 FROM DUAL CONNECT BY LEVEL < 9", 933],
      ["BEGIN DBMS_STATS.GATHER_EVERYTHING; END;", 6550],
      ["ALTER SESSION SET CONTAINER = NOPDB", 65011],
    ];
    for (const [sql, code] of codes) assert.is((await failureOf(connection.execute(sql))).errorNum, code, sql);
  }),
);

trouble.run();
