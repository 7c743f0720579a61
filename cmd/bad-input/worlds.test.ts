// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
/** Worlds in which a change can't be made: one clear message each, the right exit code, and nothing changed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../providers/sandbox/scenario.ts";
import { attempt, inFolder } from "./table.ts";
import { answering, config, database, denied, login, OFFSET, offset, tryRows, type WorldRow } from "./world-rows.ts";

const AVRO = "io.confluent.connect.avro.AvroConverter";
const LEGACY = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";
const FORWARD = ["scn: 2044900", "allowSkip: true"];

const noCdcSettings = Object.fromEntries(
  [
    "cdc.topic.prefix",
    "cdc.tables.include",
    "cdc.database.host",
    "cdc.database.port",
    "cdc.database.service",
    "cdc.database.user",
    "cdc.database.password",
    "cdc.database.pdbs",
    "cdc.stream.bootstrap.servers",
  ].map((name) => [name, undefined]),
);

const read = (name: string) =>
  readFile(new URL(`../../providers/sandbox/oracle/testdata/${name}`, import.meta.url), "utf8");
const [key, cert] = await Promise.all([read("localhost-key.pem"), read("localhost-cert.pem")]);

const page = await answering(200, "text/html", "<html><body><h1>Please sign in</h1></body></html>");
const forbidding = await answering(403, "application/json", '{"error_code":403,"message":"no access"}');
const other = await answering(200, "application/json", '{"status":"UP"}');

const CONNECT: readonly WorldRow[] = [
  { wrong: "no worker", url: () => "http://127.0.0.1:1", exit: 1, says: /failed: .*127\.0\.0\.1:1.*refused/ },
  { wrong: "unknown host", url: () => "http://connect.invalid:8083", exit: 1, says: /connect\.invalid/ },
  {
    wrong: "the broker's port",
    url: ({ broker }) => `http://${broker.address}`,
    exit: 1,
    says: /failed: .*127\.0\.0\.1:\d+/,
  },
  {
    wrong: "the database's port",
    url: ({ config: { "cdc.database.port": port } }) => `http://127.0.0.1:${port}`,
    exit: 1,
    says: /failed: /,
  },
  {
    wrong: "TLS asked of a plain worker",
    url: ({ connect }) => connect.url.replace("http:", "https:"),
    exit: 1,
    says: /TLS|https/,
  },
  {
    wrong: "plain asked of a TLS worker",
    world: { connect: { tls: { key, cert } } },
    url: ({ connect }) => connect.url.replace("https:", "http:"),
    exit: 1,
    says: /TLS|https/,
  },
  { wrong: "certificate of nobody known", world: { connect: { tls: { key, cert } } }, exit: 1, says: /certificate/ },
  { wrong: "a page instead of Connect", url: () => page, exit: 1, says: /HTML|not Kafka Connect|no JSON|page/i },
  { wrong: "another service's JSON", url: () => other, exit: 1, says: /Kafka Connect|version/ },
  {
    wrong: "a gateway's page on every call",
    change: ({ connect }) => connect.fail(() => "html"),
    exit: 1,
    says: /502/,
  },
  {
    wrong: "a truncated reply",
    change: ({ connect }) => connect.fail(({ path }) => (path.endsWith("/offsets") ? "half" : undefined)),
    exit: 1,
    says: /ended prematurely/,
  },
  {
    wrong: "no reply",
    change: ({ connect }) => connect.fail(({ path }) => (path.endsWith("/status") ? "timeout" : undefined)),
    exit: 1,
    says: /no answer/,
  },
  {
    wrong: "rebalancing without end",
    change: ({ connect }) => connect.fail(({ path }) => (path === "/" ? undefined : "409")),
    exit: 1,
    says: /409/,
  },
  {
    wrong: "401: no credentials",
    world: { connect: { auth: { user: "ops", password: "canary-4711" } } },
    exit: 1,
    says: /401/,
  },
  { wrong: "403", url: () => forbidding, exit: 1, says: /403/ },
  { wrong: "worker before 3.5", world: { connect: { version: "3.4.0" } }, exit: 1, says: /3\.4\.0|too old/ },
  { wrong: "worker before 3.6", world: { connect: { version: "3.5.1" } }, exit: 1, says: /CON302/ },
  { wrong: "connector missing", connector: "ordres-cdc", exit: 1, says: /no connector ordres-cdc/ },
  {
    wrong: "other connector class",
    ...config({ "connector.class": "org.example.OtherSource", ...noCdcSettings }),
    exit: 1,
    says: /CON301/,
  },
  {
    wrong: "the legacy connector",
    ...config({ "connector.class": LEGACY, ...noCdcSettings }),
    exit: 1,
    says: /Confluent.s Oracle CDC Source.*CON301/,
  },
  { wrong: "no topic prefix", ...config({ "cdc.topic.prefix": undefined }), exit: 64, says: /cdc\.topic\.prefix/ },
];

const OFFSETS: readonly WorldRow[] = [
  {
    wrong: "several partitions",
    change: ({ connect }) =>
      connect.cluster.offsets.write(CONNECTOR, [{ partition: { server: "orders", thread: 2n }, offset: OFFSET }]),
    exit: 1,
    says: /OFF107/,
  },
  {
    wrong: "foreign partition",
    world: { offset: null, state: "STOPPED" },
    change: ({ connect }) =>
      connect.cluster.offsets.write(CONNECTOR, [{ partition: { server: "other" }, offset: OFFSET }]),
    exit: 1,
    says: /OFF107/,
  },
  { wrong: "later offset version", ...offset({ v: 2n }), exit: 1, says: /version 2.*OFF104/ },
  { wrong: "offset that can't be read", ...offset({ resume_scn: "soon" }), exit: 1, says: /OFF105/ },
  { wrong: "other dbid", ...offset({ dbid: 7n }), exit: 1, says: /dbid 7.*OFF106/ },
  { wrong: "other incarnation", ...offset({ resetlogs_scn: 1_500_000n }), exit: 1, says: /resetlogs.*OFF106/ },
  { wrong: "no stored offset: direction initial", world: { offset: null, state: "STOPPED" }, exit: 0, says: /initial/ },
  {
    wrong: "connector FAILED",
    world: { state: "STOPPED", connect: { statusLag: 0 } },
    change: ({ connect }) =>
      connect.show(CONNECTOR, {
        state: "FAILED",
        trace: "java.lang.RuntimeException: CDC-2002",
        tasks: [{ id: 0, state: "FAILED", trace: "x" }],
      }),
    exit: 0,
    says: /FAILED/,
  },
  {
    wrong: "connector UNASSIGNED",
    world: { state: "STOPPED", connect: { statusLag: 0 } },
    change: ({ connect }) => connect.show(CONNECTOR, { state: "UNASSIGNED", tasks: [{ id: 0, state: "UNASSIGNED" }] }),
    exit: 0,
    says: /UNASSIGNED/,
  },
];

const GRANTS: readonly WorldRow[] = [
  ...["V$DATABASE", "V$THREAD", "V$ARCHIVE_DEST_STATUS", "V$ARCHIVED_LOG", "V$LOG", "V$LOGFILE"].map(
    (view): WorldRow => ({
      wrong: `no grant on ${view}`,
      ...denied(view),
      exit: 1,
      says: new RegExp(`GRANT SELECT ON ${view.replace("V$", "V_[$]")} TO C##CDC CONTAINER=ALL;`),
    }),
  ),
  ...["GV$TRANSACTION", "GV$SESSION", "V$CONTAINERS"].map(
    (view): WorldRow => ({
      wrong: `no grant on ${view}, forward`,
      ...denied(view),
      spec: FORWARD,
      exit: 1,
      // The tables' containers are not known either.
      messages: view === "V$CONTAINERS" ? 2 : 1,
      says: new RegExp(`GRANT SELECT ON ${view.replace("V$", "V_[$]")} TO C##CDC CONTAINER=ALL;`),
    }),
  ),
  {
    wrong: "no grant on DBMS_LOGMNR",
    ...denied("DBMS_LOGMNR"),
    exit: 1,
    says: /GRANT EXECUTE ON DBMS_LOGMNR TO C##CDC/,
  },
  { wrong: "no LOGMINING", ...denied("LOGMINING"), exit: 1, says: /GRANT LOGMINING/ },
  {
    wrong: "no CREATE SESSION",
    ...database((world) => {
      world.users["C##CDC"] = { password: "cdc-secret", maySignIn: false };
    }),
    exit: 1,
    says: /ORA-01045/,
  },
];

const ORACLE: readonly WorldRow[] = [
  {
    wrong: "a login that sees the root only, forward",
    ...database((world) => {
      world.containerData = false;
    }),
    spec: FORWARD,
    exit: 1,
    says: /does not see the PDB ORCLPDB1.*CONTAINER_DATA=ALL CONTAINER=CURRENT;.*TAB112.*TRX501/,
    messages: 2,
  },
  {
    wrong: "a PDB that is closed, forward",
    ...database((world) => {
      world.openModes["ORCLPDB1"] = "MOUNTED";
    }),
    spec: FORWARD,
    exit: 1,
    says: /ORCLPDB1 is MOUNTED.*ALTER PLUGGABLE DATABASE ORCLPDB1 OPEN;.*TAB112.*TRX501/,
    messages: 2,
  },
  { wrong: "no database", ...config({ "cdc.database.port": "1" }), exit: 1, says: /127\.0\.0\.1:1/ },
  {
    wrong: "wrong database password",
    ...config({ "cdc.database.password": "canary-4711" }),
    exit: 1,
    says: /ORA-01017/,
  },
  {
    wrong: "locked account",
    ...database((world) => {
      world.users["C##CDC"] = { password: "cdc-secret", locked: true };
    }),
    exit: 1,
    says: /ORA-28000/,
  },
  {
    wrong: "listener without the service",
    ...config({ "cdc.database.service": "NOPE" }),
    exit: 1,
    says: /NOPE.*(ORA-12514|service)/,
  },
  {
    wrong: "the database's port is the broker's",
    world: {},
    change: ({ connect, broker }) => {
      const found = connect.cluster.connectors.get(CONNECTOR);
      if (found !== undefined) found.config["cdc.database.port"] = String(broker.port);
    },
    exit: 1,
    says: /failed: .*127\.0\.0\.1/,
  },
  {
    wrong: "log files inside a PDB",
    ...config({ "cdc.database.service": "ORCLPDB1", "cdc.mining.mode": "logs" }),
    exit: 1,
    says: /connected to ORCLPDB1 of ORCLCDB, with cdc\.mining\.mode=logs.*DBA403/,
  },
  {
    wrong: "nothing: auto mines by range inside a PDB",
    ...config({ "cdc.database.service": "ORCLPDB1" }),
    exit: 0,
    says: /RED201/,
  },
  {
    wrong: "a mounted standby in archive_only",
    world: {
      config: { "cdc.capture.mode": "archive_only" },
      oracle: ({ database: seen }) => {
        seen.role = "PHYSICAL STANDBY";
        seen.openMode = "MOUNTED";
      },
    },
    exit: 1,
    says: /PHYSICAL STANDBY, MOUNTED, with cdc\.capture\.mode=archive_only.*DBA402/,
  },
  {
    wrong: "standby",
    ...database((world) => {
      world.database.role = "PHYSICAL STANDBY";
      world.database.openMode = "READ ONLY WITH APPLY";
    }),
    exit: 1,
    says: /DBA402/,
  },
  {
    wrong: "NOARCHIVELOG",
    ...database((world) => {
      world.database.logMode = "NOARCHIVELOG";
    }),
    exit: 1,
    says: /DBA401/,
  },
  {
    wrong: "empty V$ARCHIVED_LOG",
    ...database((world) => {
      world.archivedLogs.length = 0;
    }),
    exit: 1,
    says: /CDC-2001.*OFF102/,
  },
  {
    wrong: "a log removed with rm",
    ...database((world) => {
      world.files.delete("/u03/archive/ORCLCDB/1_120_1.arc");
      world.onlineLogs.shift();
    }),
    exit: 1,
    says: /CDC-2002.*1_120_1|120.*OFF102/,
  },
  {
    wrong: "two threads, redo of both",
    ...database((world) => {
      secondThread(world, true);
    }),
    exit: 1,
    says: /RED203/,
  },
  {
    wrong: "two threads, one without its redo",
    spec: ["scn: 2010000", "accept: [RED203]"],
    ...database((world) => {
      secondThread(world, false);
    }),
    exit: 1,
    says: /thread 2.*OFF102/,
  },
  {
    wrong: "SCN above the current one",
    spec: ["scn: 9999999", "allowSkip: true"],
    exit: 1,
    says: /above the current SCN.*OFF101/,
  },
  { wrong: "timestamp before what is remembered", spec: ["timestamp: 2001-01-01T00:00:00Z"], exit: 1, says: /OFF108/ },
  { wrong: "timestamp in the future", spec: ["timestamp: 2999-01-01T00:00:00Z"], exit: 1, says: /OFF108/ },
  {
    wrong: "nothing left to mine",
    ...database((world) => {
      world.archivedLogs.length = 0;
      world.onlineLogs.length = 0;
    }),
    spec: ["earliestAvailable: true"],
    exit: 1,
    says: /OFF108|OFF102/,
  },
  {
    wrong: "unresolved reference in the password",
    ...config({ "cdc.database.password": "${file:/opt/secrets.properties:db}" }),
    exit: 64,
    says: /cdc\.database\.password.*--config/,
  },
  {
    wrong: "unresolved reference in the host",
    ...config({ "cdc.database.host": "${env:DB_HOST}" }),
    exit: 64,
    says: /cdc\.database\.host.*--config/,
  },
];

const KAFKA: readonly WorldRow[] = [
  {
    wrong: "brokers unreachable",
    ...config({ "cdc.stream.bootstrap.servers": "127.0.0.1:1" }),
    exit: 1,
    says: /127\.0\.0\.1:1/,
  },
  { wrong: "no brokers named", ...config({ "cdc.stream.bootstrap.servers": undefined }), exit: 64, says: /bootstrap/ },
  {
    wrong: "brokers' wrong password",
    world: { config: login("canary-4712"), broker: { auth: { mechanisms: ["PLAIN"], users: { cdc: "canary-4711" } } } },
    exit: 1,
    says: /SASL|login|authenticat/i,
  },
  {
    wrong: "brokers' unresolved password",
    ...config(login("${file:/opt/kafka.properties:password}")),
    exit: 64,
    says: /--command-config|--config/,
  },
  {
    wrong: "Kerberos",
    ...config({ "cdc.stream.security.protocol": "SASL_PLAINTEXT", "cdc.stream.sasl.mechanism": "GSSAPI" }),
    exit: 64,
    says: /GSSAPI|Kerberos/,
  },
  {
    wrong: "missing ops topic",
    // A running task creates its topics.
    world: { state: "STOPPED", broker: { topics: { "orders.cdc.signals": { partitions: 1 } } } },
    exit: 1,
    says: /orders\.cdc\.ops.*OPS601/,
  },
  {
    wrong: "too few replicas of the ops topic in sync",
    world: {
      broker: {
        topics: { "orders.cdc.ops": { replicas: 3, inSync: 1, configs: { "min.insync.replicas": "2" } } },
      },
    },
    exit: 1,
    says: /partition 0 of orders\.cdc\.ops has 1 of 3 replicas in sync.*OPS608/,
  },
  {
    wrong: "no right to write",
    world: { broker: { acls: (_user, operation) => operation !== "write" } },
    exit: 1,
    says: /OPS602/,
  },
  {
    wrong: "no right to read the ops topic",
    world: { broker: { acls: (_user, operation, topic) => operation !== "read" || topic !== "orders.cdc.ops" } },
    change: ({ broker }) => broker.append("orders.cdc.ops", { key: null, value: Buffer.from("{}") }),
    exit: 1,
    says: /orders\.cdc\.ops.*OPS603/,
  },
  {
    wrong: "brokers of another cluster",
    world: { broker: { clusterId: "another-cluster-0000000" } },
    exit: 0,
    says: /OPS606/,
  },
  {
    wrong: "converter that is not JSON, no opsFormat",
    ...config({ "value.converter": AVRO }),
    exit: 1,
    says: /opsFormat.*OPS605/,
  },
  {
    wrong: "converter that is not JSON, with opsFormat",
    ...config({ "value.converter": AVRO }),
    spec: ["scn: 2010000", "opsFormat: json"],
    exit: 0,
    says: /back 57 min 31 s, 34,511 SCNs/,
  },
];

/** A second redo thread, open from the beginning; its redo in one online log, or nowhere. */
function secondThread(world: Parameters<NonNullable<SandboxOptions["oracle"]>>[0], online: boolean): void {
  world.threads.push({ thread: 2n, enabled: "PUBLIC", status: "OPEN", sequence: 9n, enableScn: 1n, disableScn: 0n });
  const current = world.onlineLogs.at(-1);
  if (!online || current === undefined) return;
  const members = [{ name: "/u02/oradata/ORCLCDB/redo21.log", status: null }];
  world.onlineLogs.push({ ...current, group: 21n, thread: 2n, sequence: 9n, firstScn: 1_900_000n, members });
  world.files.add("/u02/oradata/ORCLCDB/redo21.log");
}

const worlds = suite("worlds in which a change cannot be made");

const rows = [...CONNECT, ...OFFSETS, ...GRANTS, ...ORACLE, ...KAFKA];
tryRows(
  worlds,
  rows,
  ([position = "", ...more] = ["scn: 2010000"]) => planFile("orders-replay", "replay", position, ...more),
  "worlds: what is wrong, exit code, message",
);

worlds("a wrong password is tried only once, since retries could lock the account", async () => {
  const logins: string[] = [];
  const users = new Proxy(
    { "C##CDC": { password: "another" } },
    {
      get(all, name, self) {
        logins.push(String(name));
        return Reflect.get(all, name, self);
      },
    },
  );
  const sandbox = await startSandbox({
    oracle: (world) => {
      world.users = users;
    },
  });
  try {
    const files = {
      "contexts.yaml": contexts(sandbox),
      "replay.yaml": planFile("orders-replay", "replay", "scn: 2010000"),
    };
    await inFolder(files, async (folder) => {
      const env = { HOME: folder, CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
      assert.match((await attempt(["plan", join(folder, "replay.yaml")], env)).output, /ORA-01017/);
    });
    // The server looks twice at the account in one login.
    assert.equal(logins, ["C##CDC", "C##CDC"]);
  } finally {
    await sandbox.close();
  }
});

worlds.run();
