/**
 * Every statement against a real database: `CDCCTL_TEST_ORACLE=user/password@host[:port]/service`, the capture user's
 * login. Read-only, except for a LogMiner session that is never started.
 */

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { secret } from "../../core/values/secret.ts";
import { columnOf } from "../../core/verification/table-shape.ts";
import type { KeyRange } from "../../schemas/generated/verification-job.ts";
import { openOracle } from "./oracle-port.ts";

const target = process.env["CDCCTL_TEST_ORACLE"];
const real = suite("a real Oracle database");

if (target === undefined || target === "") {
  process.stdout.write("NOT RUN  not run on Oracle: CDCCTL_TEST_ORACLE=user/password@host/service is not set\n");
} else {
  const login = /^([^/]+)\/(.*)@([^@]+)$/.exec(target);
  if (login === null) throw new Error("CDCCTL_TEST_ORACLE is not user/password@host/service");
  const [, user = "", password = "", place = ""] = login;
  const oracle = openOracle({
    host: undefined,
    port: undefined,
    service: undefined,
    sid: undefined,
    url: `jdbc:oracle:thin:@//${place}`,
    user,
    password: secret(password),
    walletLocation: undefined,
    truststoreLocation: undefined,
    truststorePassword: undefined,
    truststoreType: undefined,
    connectionProperties: undefined,
  });

  real("identifies itself", async () => {
    const { dbid, currentScn, zone } = await oracle.database();
    assert.ok(dbid > 0n && currentScn > 0n);
    assert.match(zone, /^[+-]\d{2}:\d{2}$/);
  });

  real("has a thread, a destination and a current online log with a member", async () => {
    assert.ok((await oracle.threads()).length > 0);
    assert.ok((await oracle.destinations()).length > 0);
    const current = (await oracle.onlineLogs()).find(({ status }) => status === "CURRENT");
    assert.ok(current?.member);
    assert.is(current?.nextScn, undefined);
  });

  real("gives times of archived logs that agree with the times of their SCNs", async () => {
    const [log] = (await oracle.archivedLogs(0n)).slice(-1);
    if (log === undefined) return;
    assert.match(log.nextTime ?? "", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
    const [time] = await oracle.timesOf([log.nextScn]);
    if (time?.at === undefined || log.nextTime === undefined) return;
    assert.ok(Math.abs(Date.parse(time.at) - Date.parse(log.nextTime)) < 60_000, `${time.at} is not ${log.nextTime}`);
  });

  real("lists open transactions", async () => {
    assert.ok(Array.isArray(await oracle.openTransactions()));
  });

  real("maps SCNs to times and back, except for a forgotten one", async () => {
    const { currentScn } = await oracle.database();
    const [now, forgotten] = await oracle.timesOf([currentScn - 1n, 1n]);
    assert.is(forgotten?.at, undefined);
    assert.ok(Math.abs(Date.parse(now?.at ?? "") - Date.now()) < 15 * 60_000, now?.at);
    const back = await oracle.scnAt(now?.at ?? "");
    assert.ok(back !== undefined && back <= currentScn);
    assert.is(await oracle.scnAt("1990-01-01T00:00:00Z"), undefined);
  });

  real("shows its tables, the dictionary's data about their changes, and their latest rows", async () => {
    const { connectedTo } = await oracle.database();
    const { containers } = await oracle.dictionary([]);
    assert.ok(containers.some(({ name }) => name === connectedTo));
    const pdbs = containers.filter(({ name, openMode }) => !name.includes("$") && openMode === "READ WRITE");
    const names = pdbs.map(({ name }) => name).filter((name) => name !== connectedTo);
    const { tables } = await oracle.dictionary(names);
    const active = new Set(
      (await oracle.activity(names)).map((one) => JSON.stringify([one.container, one.owner, one.name])),
    );
    for (const { container, owner, name } of tables)
      assert.ok(active.has(JSON.stringify([container, owner, name])), name);
    const some = tables.slice(0, 5);
    const { currentScn } = await oracle.database();
    for (const { scn, problem } of await oracle.rowScns(some))
      assert.ok(problem === undefined && (scn === undefined || scn <= currentScn + 1000n), problem);
  });

  real("describes its tables, and reads them exactly, in order and range by range", async () => {
    const { connectedTo, currentScn } = await oracle.database();
    const { containers } = await oracle.dictionary([]);
    const pdbs = containers
      .filter(({ name, openMode }) => !name.includes("$") && openMode === "READ WRITE" && name !== connectedTo)
      .map(({ name }) => name);
    const { tables } = await oracle.dictionary(pdbs);
    for (const table of tables.slice(0, 20)) {
      const layout = await oracle.layout(table);
      assert.ok(layout !== undefined && layout.columns.length > 0, table.name);
      if (layout === undefined) continue;
      const columns = layout.columns.filter((column) => columnOf(column) !== undefined && !column.virtual);
      const key = (layout.key?.columns ?? []).flatMap((name) => columns.filter((column) => column.name === name));
      const read = { table, columns, key, scn: currentScn };
      const count = async (range: KeyRange | undefined): Promise<number> => {
        let rows = 0;
        for await (const batch of oracle.rowsAsOf(read, range, 100)) {
          for (const row of batch) assert.is(row.length, columns.length);
          rows += batch.length;
          if (rows >= 2_000) break;
        }
        return rows;
      };
      const all = await count(undefined);
      if (all >= 2_000) continue;
      let parts = 0;
      for (const range of await oracle.ranges(read, BigInt(all), 4)) parts += await count(range);
      assert.is(parts, all, table.name);
    }
    assert.is(await oracle.layout({ container: connectedTo, owner: "NOBODY", name: "NOTHING" }), undefined);
  });

  real("answers a preflight, in as few queries as there are views", async () => {
    const { connectedTo } = await oracle.database();
    const { containers } = await oracle.dictionary([]);
    const pdbs = containers
      .filter(({ name, openMode }) => !name.includes("$") && openMode === "READ WRITE" && name !== connectedTo)
      .map(({ name }) => name);
    assert.match((await oracle.supplementalLogging()).minimal, /^(YES|NO|IMPLICIT)$/);
    assert.is((await oracle.account()).user, user.toUpperCase());
    const [here] = await oracle.rights(pdbs);
    assert.ok(here !== undefined && "privileges" in here && here.privileges.includes("CREATE SESSION"));
    const tried = await oracle.tryObjects(["V_$DATABASE", "V_$NO_SUCH_VIEW", "DBMS_LOGMNR"]);
    assert.equal(
      tried.slice(0, 2).map(({ usable }) => usable),
      [true, false],
    );
    if (pdbs.length > 0) assert.ok((await oracle.pdbLogging(pdbs)).length > 0);
    for (const rows of [
      await oracle.logGroups(pdbs),
      await oracle.columnsOfNote(pdbs, ["ID"]),
      await oracle.nestedTables(pdbs),
      await oracle.keyedTables(pdbs),
      await oracle.movingTables(pdbs),
      await oracle.savedStates(),
      await oracle.dictionaryLogs(),
    ])
      assert.ok(Array.isArray(rows));
    assert.ok((await oracle.undoRetention()) > 0n);
    assert.ok((await oracle.fixedStatistics()) >= 0n);
    assert.type((await oracle.rdsArchive()).isRds, "boolean");
  });

  real("opens an online log in LogMiner, and not one that does not exist", async () => {
    const member = (await oracle.onlineLogs()).find(({ status }) => status === "CURRENT")?.member ?? "";
    const probes = await oracle.probeLogs([`${member}.not-there`, member]);
    assert.equal(
      probes.map(({ opened }) => opened),
      [false, true],
    );
  });

  real.after(() => oracle.close());
}

real.run();
