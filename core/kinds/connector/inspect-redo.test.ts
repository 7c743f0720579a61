import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ContainerSeen, OpenTransaction } from "../../../schemas/generated/facts.ts";
import { memoryWorld } from "../../apply/testing/memory-world.ts";
import { CURRENT_SCN, STORED } from "../../apply/testing/story.ts";
import { CallFailed } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { observerAt } from "../../facts/observer.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { xidOf } from "../../transactions/testing/build-transactions.ts";
import { linesOf } from "../../values/remedy.ts";
import { printXid } from "../../values/xid.ts";
import { facts } from "../offset-change/testing/build-facts.ts";
import { inspectRedo, readRedo, timesOf, timesOfMore } from "./inspect-position.ts";
import { lentSettings } from "./testing/journaled-world.ts";

const transactions = suite("open transactions of configured PDBs");

const ROOT: ContainerSeen = { name: "CDB$ROOT", openMode: "READ WRITE" };
const PDB: ContainerSeen = { name: "ORCLPDB1", openMode: "READ WRITE" };
const OPEN = { startScn: 7n, startedAt: undefined, user: undefined, clientId: undefined };
const CLOCK = { now: () => "2026-11-21T09:14:02Z" } as Clock;
const DENIED = new CallFailed("oracle", "forbidden", { message: "denied", remedy: "GRANT it." });
const denied = (): Promise<never> => Promise.reject(DENIED);
const AT_ROOT = { container: true, connectedTo: "CDB$ROOT" };

/** @returns the fact, and how often the containers were asked for */
async function observe(
  pdbs: readonly string[],
  containers: readonly ContainerSeen[] | CallFailed,
  database: Partial<DatabaseSeen> = AT_ROOT,
  open: readonly OpenTransaction[] = [],
  failing: Partial<OraclePort> = {},
) {
  let asked = 0;
  const { address, ...seen } = facts().database;
  const oracle = {
    address,
    database: async () => ({ ...seen, ...database }),
    threads: async () => [],
    destinations: async () => [],
    onlineLogs: async () => [],
    archivedLogs: async () => [],
    openTransactions: async () => open,
    containers: async () => {
      asked++;
      if (containers instanceof CallFailed) throw containers;
      return containers;
    },
    ...failing,
  } as unknown as OraclePort;
  return { ...(await readRedo(oracle, pdbs, async () => 1n, observerAt(CLOCK))), asked };
}

/** Why they are not known, and what to do. */
async function unknown(...of: Parameters<typeof observe>): Promise<string> {
  const { transactions: seen } = await observe(...of);
  if (seen.known) throw new Error("known");
  return `${seen.why}\n${linesOf(seen.remedies ?? [])}`;
}

transactions("are known if all are visible to the login, and open", async () => {
  const { transactions: seen, asked } = await observe(["orclpdb1"], [ROOT, PDB]);
  assert.ok(seen.known);
  assert.is(asked, 1);
});

transactions("are unknown for a PDB that is hidden from the login, or not open", async () => {
  assert.match(
    await unknown(["ORCLPDB1"], [ROOT]),
    /does not see the PDB ORCLPDB1[\s\S]*SET CONTAINER_DATA=ALL CONTAINER=CURRENT;/,
  );
  assert.match(
    await unknown(["ORCLPDB1"], [ROOT, { ...PDB, openMode: "MOUNTED" }]),
    /is MOUNTED[\s\S]*ALTER PLUGGABLE DATABASE ORCLPDB1 OPEN;/,
  );
});

transactions("are unknown if the containers are unreadable", async () => {
  const denied = new CallFailed("oracle", "forbidden", {
    message: "may not read V$CONTAINERS",
    remedy: "GRANT SELECT ON V_$CONTAINERS TO C##CDC CONTAINER=ALL;",
  });
  assert.match(await unknown(["ORCLPDB1"], denied), /may not read V\$CONTAINERS\nGRANT SELECT ON V_\$CONTAINERS/);
});

transactions("that can't be read are unknown for that reason, also where a PDB is hidden", async () => {
  assert.match(await unknown(["ORCLPDB1"], [ROOT], AT_ROOT, [], { openTransactions: denied }), /^denied\nGRANT it\.$/);
});

transactions("are those of the captured PDBs only, as far as their numbers are known", async () => {
  const all = ["1:8.1.7", "3:8.1.7", "4:8.1.7", "0:8.1.7", "8.1.7"].map((text) => ({ ...OPEN, xid: xidOf(text) }));
  const of = async (pdb: ContainerSeen) => {
    const { transactions: seen } = await observe(
      ["orclpdb1"],
      [ROOT, pdb, { ...PDB, id: 4n, name: "OTHER" }],
      AT_ROOT,
      all,
    );
    return seen.known ? seen.value.map(({ xid }) => printXid(xid)) : seen.why;
  };
  assert.equal(await of({ ...PDB, id: 3n }), ["3:8.1.7", "0:8.1.7", "8.1.7"]);
  assert.is((await of(PDB)).length, all.length);
});

transactions("are unknown inside another PDB, or inside one of several", async () => {
  const inside = { container: true, connectedTo: "OTHER" };
  assert.match(
    await unknown(["ORCLPDB1"], [{ name: "OTHER", openMode: "READ WRITE" }], inside),
    /inside OTHER and does not see the PDB ORCLPDB1[\s\S]*to the root/,
  );
  assert.match(
    await unknown(["ORCLPDB1", "OTHER"], [{ name: "OTHER", openMode: "READ WRITE" }], inside),
    /does not see the PDB ORCLPDB1/,
  );
});

transactions("are those of the session's own container if none is configured, or that one is", async () => {
  for (const [pdbs, database] of [
    [[], AT_ROOT],
    [["ORCLPDB1"], { container: true, connectedTo: "ORCLPDB1" }],
    [["ORCLPDB1"], { container: false, connectedTo: "ORCL" }],
  ] as const) {
    const { transactions: seen, asked } = await observe(pdbs, [], database);
    assert.ok(seen.known);
    assert.is(asked, 0);
  }
});

transactions("of two captured PDBs are those of both", async () => {
  const second: ContainerSeen = { ...PDB, name: "ORCLPDB2", id: 4n };
  const all = ["3:8.1.7", "4:8.1.7", "5:8.1.7"].map((text) => ({ ...OPEN, xid: xidOf(text) }));
  const { transactions: seen } = await observe(
    ["ORCLPDB1", "ORCLPDB2"],
    [ROOT, { ...PDB, id: 3n }, second],
    AT_ROOT,
    all,
  );
  assert.equal(seen.known && seen.value.map(({ xid }) => printXid(xid)), ["3:8.1.7", "4:8.1.7"]);
});

for (const [failing, source] of [
  [{ openTransactions: denied }, "GV$TRANSACTION, GV$SESSION"],
  [{ containers: denied }, "GV$TRANSACTION, GV$SESSION, V$CONTAINERS"],
] as const)
  transactions(`name ${source} if these are unreadable`, async () => {
    const { transactions: seen } = await observe(["ORCLPDB1"], [ROOT, PDB], AT_ROOT, [], failing);
    assert.equal([seen.known, seen.source], [false, source]);
  });

transactions.run();

const catalogue = suite("the redo catalogue");

for (const [failing, source] of [
  [{ threads: denied }, "V$THREAD"],
  [{ destinations: denied }, "V$ARCHIVE_DEST_STATUS"],
  [{ archivedLogs: denied }, "V$ARCHIVED_LOG"],
  [{ onlineLogs: denied }, "V$LOG, V$LOGFILE"],
  [{ threads: denied, archivedLogs: denied }, "V$THREAD, V$ARCHIVED_LOG"],
] as const)
  catalogue(`is unknown without ${source}, with the reason and a remedy`, async () => {
    const { redo } = await observe(["ORCLPDB1"], [ROOT, PDB], AT_ROOT, [], failing);
    const views = Object.keys(failing).length;
    assert.equal(redo, {
      known: false,
      why: Array(views).fill("denied").join("; "),
      remedies: Array(views).fill("GRANT it."),
      source,
    });
  });

catalogue("after a failure without a remedy has none", async () => {
  const plain = new CallFailed("oracle", "forbidden", { message: "gone" });
  const { redo } = await observe([], [], AT_ROOT, [], { threads: () => Promise.reject(plain) });
  assert.not("remedies" in redo);
});

catalogue.run();

const probed = suite("files tried with LogMiner");

for (const [where, above, tried] of [
  ["below the current SCN", -7n, true],
  ["at the current SCN", 0n, true],
  ["above it, where nothing is mined yet", 1n, false],
] as const)
  probed(`are ${tried ? "those from a position" : "none from a position"} ${where}`, async () => {
    const { oracle } = memoryWorld(STORED, "STOPPED");
    const from = CURRENT_SCN + above;
    let trips = 0;
    const { probes, times: read } = await inspectRedo(
      { ...oracle, probeLogs: async (files) => oracle.probeLogs(files.slice(0, ++trips * files.length)) },
      lentSettings({ "cdc.topic.prefix": "orders", "cdc.database.host": "db" }),
      { lowest: async () => from, position: () => ({ from, shown: [] }) },
      observerAt(CLOCK),
    );
    assert.is(trips > 0, tried);
    assert.equal(probes.known && probes.value.files.map(({ file }) => file), tried ? ["/redo/9.log"] : []);
    assert.equal([probes.source, read.source], ["DBMS_LOGMNR.ADD_LOGFILE", "SCN_TO_TIMESTAMP"]);
  });

probed.run();

const times = suite("times of SCNs");

const AT = "2026-11-21T08:00:00Z";

/** A database that records the SCNs of each round trip. */
function database(failing: Partial<OraclePort> = {}) {
  const trips: (readonly bigint[])[] = [];
  const oracle = {
    timesOf: async (scns: readonly bigint[]) => {
      trips.push(scns);
      return scns.map((scn) => ({ scn, at: AT }));
    },
    ...failing,
  } as unknown as OraclePort;
  return { oracle, trips };
}

for (const [name, scns, trips] of [
  ["are asked for once each, without those that are missing", [7n, undefined, 8n, 7n], [[7n, 8n]]],
  ["take no round trip without SCNs", [undefined], []],
] as const)
  times(name, async () => {
    const { oracle, trips: made } = database();
    assert.equal(
      (await timesOf(oracle, scns)).map(({ scn }) => scn),
      trips.flat(),
    );
    assert.equal(made, trips);
  });

for (const [name, more, trips] of [
  ["that came up later are added in one round trip, and none is asked for twice", [7n, 9n, 10n], [[9n, 10n]]],
  ["that are all known take no round trip", [8n, 7n], []],
] as const)
  times(name, async () => {
    const { oracle, trips: made } = database();
    const first = await observerAt(CLOCK)("SCN_TO_TIMESTAMP", async () => [7n, 8n].map((scn) => ({ scn, at: AT })));
    const seen = await timesOfMore(first, oracle, more, observerAt(CLOCK));
    assert.equal(seen.known && seen.value.map(({ scn }) => scn), [7n, 8n, ...trips.flat()]);
    assert.equal(made, trips);
  });

times("stay those that are known if the later ones are unreadable, and unknown if the first ones were", async () => {
  const observer = observerAt(CLOCK);
  const failing = database({ timesOf: denied });
  const first = await observer("SCN_TO_TIMESTAMP", () => timesOf(database().oracle, [7n]));
  const kept = await timesOfMore(first, failing.oracle, [9n], observer);
  assert.equal(kept.known && kept.value.map(({ scn }) => scn), [7n]);
  const lost = await observer("SCN_TO_TIMESTAMP", () => timesOf(failing.oracle, [7n]));
  const { oracle, trips } = database();
  assert.is(await timesOfMore(lost, oracle, [9n], observer), lost);
  assert.equal(trips, []);
});

times.run();
