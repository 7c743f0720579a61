import { createServer } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CallFailed } from "../../core/errors.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { startOracleDatabase } from "../sandbox/oracle/database.ts";
import { healthyWorld, type OracleWorld } from "../sandbox/oracle/world.ts";
import { type OracleConnection, openOracle } from "./oracle-port.ts";
import { probeLogs } from "./probe-logs.ts";
import type { Session } from "./session.ts";
import { against, failureOf, PASSWORD, settings } from "./testing/against-loopback.ts";

const reads = suite("Oracle reads");

reads("identify the database", async () => {
  await against(healthyWorld(), async (oracle, port) => {
    assert.is(oracle.address, `127.0.0.1:${port}/ORCLCDB`);
    assert.equal(await oracle.database(), {
      dbid: 2_914_731_004n,
      name: "ORCLCDB",
      version: "19.22.0.0.0",
      container: true,
      connectedTo: "CDB$ROOT",
      logMode: "ARCHIVELOG",
      openMode: "READ WRITE",
      role: "PRIMARY",
      currentScn: 2_045_000n,
      resetlogsScn: 1n,
      zone: "+01:00",
    });
  });
});

reads("ask a database before 18 for the version that it has", async () => {
  await against(healthyWorld({ version: "12.1.0.2.0" }), async (oracle) => {
    assert.is((await oracle.database()).version, "12.1.0.2.0");
  });
});

reads("keep SCNs above 2^53 to the last digit", async () => {
  const currentScn = 2n ** 62n + 1n;
  await against(healthyWorld({ currentScn: () => currentScn }), async (oracle) => {
    assert.is((await oracle.database()).currentScn, currentScn);
  });
});

reads("return threads and destinations unchanged, a disable SCN only if there is one", async () => {
  const world = healthyWorld();
  world.threads.push({
    thread: 2n,
    enabled: "DISABLED",
    status: "CLOSED",
    sequence: 9n,
    enableScn: 5n,
    disableScn: 70n,
  });
  await against(world, async (oracle) => {
    const [first, second] = await oracle.threads();
    assert.is(first?.disableScn, undefined);
    assert.equal(second, {
      thread: 2n,
      enabled: "DISABLED",
      status: "CLOSED",
      sequence: 9n,
      enableScn: 5n,
      disableScn: 70n,
    });
    assert.equal(
      (await oracle.destinations()).map(({ id, name, status, type }) => [id, name, status, type]),
      [
        [1n, "LOG_ARCHIVE_DEST_1", "VALID", "LOCAL"],
        [2n, "LOG_ARCHIVE_DEST_2", "INACTIVE", "UNKNOWN"],
      ],
    );
  });
});

reads("return the archived logs that end above an SCN, purged ones without a name, times in UTC", async () => {
  const world = healthyWorld();
  const purged = world.archivedLogs[1];
  if (purged === undefined) throw new Error("no log 119");
  Object.assign(purged, { name: null, deleted: true, status: "D" });
  await against(world, async (oracle) => {
    const logs = await oracle.archivedLogs(2_010_000n);
    assert.equal(
      logs.map(({ sequence }) => sequence),
      [119n, 120n, 121n],
    );
    assert.equal(logs[0], {
      thread: 1n,
      sequence: 119n,
      firstScn: 2_010_000n,
      nextScn: 2_020_000n,
      name: undefined,
      status: "D",
      deleted: true,
      destination: 1n,
      standby: false,
      resetlogsScn: 1n,
      bytes: 419_430_400n,
      firstTime: "2026-11-20T18:16:40Z",
      nextTime: "2026-11-20T18:33:20Z",
    });
  });
});

reads("return all rows of a catalogue larger than one fetch", async () => {
  const world = healthyWorld();
  const [log] = world.archivedLogs;
  if (log === undefined) throw new Error("no log");
  world.archivedLogs = Array.from({ length: 2500 }, (_, at) => ({ ...log, sequence: BigInt(at + 1) }));
  await against(world, async (oracle) => {
    const logs = await oracle.archivedLogs(0n);
    assert.is(logs.length, 2500);
    assert.is(logs[2499]?.sequence, 2500n);
  });
});

reads("return one readable member of each online log group, no end for the current one", async () => {
  const world = healthyWorld();
  const [first, second] = world.onlineLogs;
  if (first === undefined || second === undefined) throw new Error("no groups");
  first.members.unshift({ name: "/a/broken.log", status: "INVALID" });
  second.members = [{ name: "/a/broken.log", status: "DELETED" }];
  await against(world, async (oracle) => {
    const logs = await oracle.onlineLogs();
    assert.equal(
      logs.map(({ sequence, member }) => [sequence, member]),
      [
        [120n, "/u02/oradata/ORCLCDB/redo01.log"],
        [121n, undefined],
        [122n, "/u02/oradata/ORCLCDB/redo03.log"],
      ],
    );
    assert.is(logs[2]?.nextScn, undefined);
    assert.is(logs[1]?.nextScn, 2_040_000n);
  });
});

reads("read the online logs again while a log switch hides the one with the current SCN", async () => {
  const world = healthyWorld();
  const { onlineLogs } = world;
  let queries = 0;
  Object.defineProperty(world, "onlineLogs", {
    get: () => (++queries < 3 ? onlineLogs.filter(({ sequence }) => sequence < 122n) : onlineLogs),
  });
  await against(world, async (oracle) => {
    const current = world.currentScn();
    assert.equal(
      (await oracle.onlineLogs(current)).map(({ sequence }) => sequence),
      [120n, 121n, 122n],
    );
    queries = 0;
    assert.is((await oracle.onlineLogs()).length, 2, "one query without a current SCN");
    queries = -1_000_000;
    assert.is((await oracle.onlineLogs(current)).length, 2, "it gives up");
  });
});

reads("return open transactions, with their users if known", async () => {
  const open = {
    instance: 1n,
    container: 3n,
    usn: 7n,
    slot: 22n,
    sequence: 1180n,
    startTime: Date.UTC(2026, 10, 20, 18, 58),
  };
  const world = healthyWorld({
    transactions: [
      { ...open, startScn: 2_035_000n, user: "ALICE", clientId: "web-7" },
      { ...open, usn: 8n, startScn: 2_034_000n, user: null, clientId: null },
    ],
  });
  await against(world, async (oracle) => {
    assert.equal(await oracle.openTransactions(), [
      {
        xid: { container: 3n, usn: 8n, slot: 22n, sqn: 1180n },
        startScn: 2_034_000n,
        startedAt: "2026-11-20T18:58:00Z",
        user: undefined,
        clientId: undefined,
      },
      {
        xid: { container: 3n, usn: 7n, slot: 22n, sqn: 1180n },
        startScn: 2_035_000n,
        startedAt: "2026-11-20T18:58:00Z",
        user: "ALICE",
        clientId: "web-7",
      },
    ]);
  });
});

reads("return for a login in the root only open transactions of the containers that are visible to it", () => {
  const open = {
    instance: 1n,
    usn: 7n,
    slot: 22n,
    startScn: 2_035_000n,
    startTime: Date.UTC(2026, 10, 20),
    clientId: null,
  };
  const world = healthyWorld({
    containerData: false,
    transactions: [
      { ...open, container: 3n, sequence: 1n, user: "ALICE" },
      { ...open, container: 1n, sequence: 2n, user: "C##BOB" },
    ],
  });
  return against(world, async (oracle) => {
    const sequences = async () => (await oracle.openTransactions()).map(({ xid, user }) => [xid.sqn, user]);
    assert.equal(await sequences(), [[2n, "C##BOB"]]);
    assert.equal(await oracle.containers(), [{ id: 1n, name: "CDB$ROOT", openMode: "READ WRITE" }]);
    world.containerData = true;
    assert.is((await sequences()).length, 2);
  });
});

reads("return the times of many SCNs in one call, undefined if the database no longer knows them", async () => {
  const world = healthyWorld();
  await against(world, async (oracle) => {
    await oracle.database();
    const before = world.roundTrips;
    assert.equal(await oracle.timesOf([2_000_000n, 1n, 2_010_000n]), [
      { scn: 2_000_000n, at: "2026-11-20T18:00:00Z" },
      { scn: 1n, at: undefined },
      { scn: 2_010_000n, at: "2026-11-20T18:16:40Z" },
    ]);
    assert.is(world.roundTrips - before, 1);
    assert.equal(await oracle.timesOf([]), []);
    assert.is(world.roundTrips - before, 1);
    const many = Array.from({ length: 25_000 }, (_, at) => 2_000_000n + BigInt(at));
    const times = await oracle.timesOf(many);
    assert.equal(
      times.map(({ scn }) => scn),
      many,
    );
    assert.is(times[10_000]?.at, "2026-11-20T18:16:40Z");
    assert.is(world.roundTrips - before, 4, "an array that is bound can't be of any length");
  });
});

reads("return the SCN at an instant, undefined outside what the database remembers", async () => {
  await against(healthyWorld({ zone: "-08:00" }), async (oracle) => {
    assert.is(await oracle.scnAt("2026-11-20T18:16:40Z"), 2_010_000n);
    assert.is(await oracle.scnAt("2026-11-20T18:16:40.900Z"), 2_010_000n);
    assert.is(await oracle.scnAt("2001-01-01T00:00:00Z"), undefined);
  });
});

reads("connect by SID as well", async () => {
  await against(healthyWorld(), async (oracle) => assert.is((await oracle.database()).connectedTo, "CDB$ROOT"), {
    service: undefined,
    sid: "ORCLCDB",
  });
});

reads("share one session if made together, and all return their answer", async () => {
  await against(healthyWorld(), async (oracle) => {
    const [database, threads, logs] = await Promise.all([oracle.database(), oracle.threads(), oracle.archivedLogs(0n)]);
    assert.equal([database.name, threads.length, logs.length], ["ORCLCDB", 1, 4]);
  });
});

reads.run();

const probe = suite("the LogMiner probe");

probe("distinguishes the files that open from those that do not, in their order, and ends its session", async () => {
  const world = healthyWorld();
  const [first, second, third] = world.archivedLogs.map(({ name }) => name ?? "");
  if (first === undefined || second === undefined || third === undefined) throw new Error("no logs");
  world.files.delete(first);
  await against(world, async (oracle) => {
    const probes = await oracle.probeLogs([first, second, second, third]);
    assert.equal(
      probes.map(({ file, opened }) => [file, opened]),
      [
        [first, false],
        [second, true],
        [second, true],
        [third, true],
      ],
    );
    assert.is(probes[0]?.opened === false && probes[0].code, "ORA-01284");
    assert.match(world.seen.at(-1) ?? "", "END_LOGMNR");
  });
});

probe("counts a file that opens at the second attempt as opened", async () => {
  const world = healthyWorld();
  const files = [...world.files];
  const locked = files[2] ?? "";
  world.files.delete(locked);
  let calls = 0;
  world.fault = (sql) => {
    if (sql.includes("ADD_LOGFILE") && ++calls === 2) world.files.add(locked);
    return undefined;
  };
  await against(world, async (oracle) => {
    assert.ok((await oracle.probeLogs(files)).every(({ opened }) => opened));
    assert.is(calls, 2);
  });
});

probe("needs at most a call for 500 files and three more", async () => {
  const world = healthyWorld();
  const files = Array.from({ length: 1201 }, (_, at) => `/u03/archive/ORCLCDB/${at}.arc`);
  for (const file of files.slice(1)) world.files.add(file);
  await against(world, async (oracle) => {
    const probes = await oracle.probeLogs(files);
    assert.is(probes.filter(({ opened }) => opened).length, 1200);
    const calls = world.seen.filter((sql) => sql.includes("DBMS_LOGMNR")).length;
    assert.is(calls, 5);
    assert.ok(calls <= files.length / 500 + 3);
  });
});

probe("makes no call if there is no file", async () => {
  const world = healthyWorld();
  await against(world, async (oracle) => {
    assert.equal(await oracle.probeLogs([]), []);
    assert.is(world.roundTrips, 0);
  });
});

probe("names the grant if the login may not use LogMiner", async () => {
  for (const denied of ["DBMS_LOGMNR", "LOGMINING"]) {
    const world = healthyWorld({ denied: new Set([denied]) });
    await against(world, async (oracle) => {
      const failure = await failureOf(oracle.probeLogs([...world.files]));
      assert.is(failure.kind, "forbidden");
      assert.match(linesOf(failure.remedies), "GRANT EXECUTE ON DBMS_LOGMNR TO C##CDC CONTAINER=ALL;");
    });
  }
});

probe("is not possible inside a pluggable database, and says so", async () => {
  const inPdb = sessionThatAnswers({ added: 0, codes: [-65040], messages: ["ORA-65040: operation not allowed"] });
  const failure = await failureOf(probeLogs(inPdb, ["/u03/1.arc"]));
  assert.equal(kindAndCode(failure), ["unsupported", "ORA-65040"]);
});

const RECURSIVE = "ORA-00604: error occurred at recursive SQL level 1";

probe("judges an error of recursive SQL by the one that it wraps", async () => {
  for (const wrapped of ["ORA-01284: file cannot be opened", "ORA-00308", "ORA-01285", "ORA-16226"]) {
    const gone = sessionThatAnswers({ added: 0, codes: [-604], messages: [`${RECURSIVE}\n${wrapped}`] });
    const [found] = await probeLogs(gone, ["/u03/1.arc"]);
    assert.is(found?.opened === false && found.code, wrapped.slice(0, 9));
  }
  const denied = sessionThatAnswers({ added: 0, codes: [-604], messages: [`${RECURSIVE}\nORA-01031: no`] });
  assert.is((await failureOf(probeLogs(denied, ["/u03/1.arc"]))).kind, "forbidden");
});

probe("calls no redo missing for an error that passes or is not known: the file may be there", async () => {
  for (const [code, says] of [
    [-310, /switched, reused or not yet visible/],
    [-334, /switched, reused/],
    [-1291, /switched, reused/],
    [-1368, /switched, reused/],
    [-16331, /PDB .*is not open/],
    [-1292, /ORA-01292/],
    [-604, /ORA-00604/],
  ] as const) {
    const text = `ORA-${String(-code).padStart(5, "0")}: as it is`;
    const passing = sessionThatAnswers({ added: 0, codes: [code], messages: [text] });
    assert.match((await failureOf(probeLogs(passing, ["/u03/1.arc"]))).message, says);
  }
});

const DOING = { address: "db:1521/PDB1", user: "CDC" };

function sessionThatAnswers(answer: unknown): Session {
  return {
    doing: DOING,
    doingAs: () => Promise.resolve(DOING),
    query: () => Promise.reject(new Error("not asked")),
    run: <Out>() => Promise.resolve(answer as Out),
    use: () => Promise.reject(new Error("not asked")),
    close: () => Promise.resolve(),
  };
}

probe.run();

const failures = suite("failures of Oracle");

const GRANTS: readonly (readonly [view: string, ask: (oracle: OracleConnection) => Promise<unknown>])[] = [
  ["V$DATABASE", (oracle) => oracle.database()],
  ["V$INSTANCE", (oracle) => oracle.database()],
  ["V$THREAD", (oracle) => oracle.threads()],
  ["V$ARCHIVE_DEST_STATUS", (oracle) => oracle.destinations()],
  ["V$ARCHIVED_LOG", (oracle) => oracle.archivedLogs(1n)],
  ["V$LOG", (oracle) => oracle.onlineLogs()],
  ["V$LOGFILE", (oracle) => oracle.onlineLogs()],
  ["GV$TRANSACTION", (oracle) => oracle.openTransactions()],
  ["GV$SESSION", (oracle) => oracle.openTransactions()],
];

failures("a GRANT is for the user that the database reports, and leaves a placeholder for the unknown", async () => {
  const remedyOf = async (changes: Partial<OracleWorld>) => {
    let remedy = "";
    const world = healthyWorld({ denied: new Set(["V$THREAD"]), ...changes });
    await against(world, async (oracle) => {
      remedy = linesOf((await failureOf(oracle.threads())).remedies);
    });
    return remedy;
  };
  const users = { "C##CDC": { password: "cdc-secret", common: false } };
  assert.is(await remedyOf({ users }), "GRANT SELECT ON V_$THREAD TO C##CDC;");
  const silent = (sql: string) => (/USER_USERS/.test(sql) ? "disconnect" : undefined);
  assert.match(await remedyOf({ fault: silent }), "TO C##CDC; (with CONTAINER=ALL where it is a common user");
});

for (const [view, ask] of GRANTS)
  failures(`without a grant on ${view} the view and the GRANT are named`, async () => {
    await against(healthyWorld({ denied: new Set([view]) }), async (oracle) => {
      const failure = await failureOf(ask(oracle));
      assert.is(failure.kind, "forbidden");
      assert.match(failure.message, `may not read ${view}`);
      assert.match(linesOf(failure.remedies), `GRANT SELECT ON ${view.replace("V$", "V_$")} TO C##CDC CONTAINER=ALL;`);
    });
  });

failures("a wrong password and a locked account are distinguished, and the password is not printed", async () => {
  await against(
    healthyWorld(),
    async (oracle) => assert.equal(kindAndCode(await failureOf(oracle.threads())), ["unauthorized", "ORA-01017"]),
    { password: secret("wrong-secret") },
  );
  const world = healthyWorld({ users: { "C##CDC": { password: PASSWORD, locked: true } } });
  await against(world, async (oracle) =>
    assert.equal(kindAndCode(await failureOf(oracle.threads())), ["unauthorized", "ORA-28000"]),
  );
});

failures("a listener without the service names the service", async () => {
  await against(
    healthyWorld(),
    async (oracle) => {
      const failure = await failureOf(oracle.threads());
      assert.equal(kindAndCode(failure), ["unreachable", "NJS-518"]);
      assert.match(failure.message, "/NOSUCH");
    },
    { service: "NOSUCH" },
  );
});

failures("a missing listener, and an unknown host, are unreachable", async () => {
  const free = await freePort();
  assert.is((await failureOf(openOracle(settings(free)).threads())).kind, "unreachable");
  const nowhere = openOracle(settings(free, { host: "db.invalid" }));
  assert.is((await failureOf(nowhere.threads())).kind, "unreachable");
});

failures("TLS to a plain port fails quickly and is reported as such", async () => {
  const world = healthyWorld();
  const server = await startOracleDatabase(world);
  const oracle = openOracle(
    settings(server.port, { url: `jdbc:oracle:thin:@tcps://127.0.0.1:${server.port}/ORCLCDB` }),
    { connectMillis: 2000 },
  );
  try {
    const failure = await failureOf(oracle.threads());
    assert.ok(["unreachable", "timeout"].includes(failure.kind), failure.message);
  } finally {
    await oracle.close();
    await server.close();
  }
});

failures(
  "a server that closes the connection during connecting is unreachable, and TLS is named as a likely reason",
  async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const oracle = openOracle(settings(port), { connectMillis: 2000 });
    try {
      const failure = await failureOf(oracle.threads());
      assert.is(failure.kind, "unreachable");
      assert.match(linesOf(failure.remedies), "tcps");
    } finally {
      await oracle.close();
      server.close();
    }
  },
);

failures("a read whose connection breaks is sent once more", async () => {
  const world = healthyWorld();
  let breaks = 1;
  world.fault = (sql) => (sql.includes("V$THREAD") && breaks-- > 0 ? "disconnect" : undefined);
  await against(world, async (oracle) => assert.is((await oracle.threads()).length, 1));
});

failures("a connection that breaks twice is lost", async () => {
  const world = healthyWorld({ fault: (sql) => (sql.includes("V$THREAD") ? "disconnect" : undefined) });
  await against(world, async (oracle) => {
    assert.is((await failureOf(oracle.threads())).kind, "lost");
    assert.is((await oracle.destinations()).length, 2);
  });
});

failures("a probe whose connection breaks begins again in a new session", async () => {
  const world = healthyWorld();
  let breaks = 1;
  world.fault = (sql) => (sql.includes("ADD_LOGFILE") && breaks-- > 0 ? "disconnect" : undefined);
  await against(world, async (oracle) => {
    assert.ok((await oracle.probeLogs([...world.files])).every(({ opened }) => opened));
  });
});

failures("a call that hangs ends at its limit", async () => {
  const world = healthyWorld({ fault: (sql) => (sql.includes("V$THREAD") ? "hang" : undefined) });
  await against(
    world,
    async (oracle) => assert.is((await failureOf(oracle.threads())).kind, "timeout"),
    {},
    { callMillis: 200 },
  );
});

function kindAndCode({ kind, code }: CallFailed) {
  return [kind, code];
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 1));
    });
  });
}

failures.run();
