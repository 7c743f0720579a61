// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
/**
 * Worlds in which tables can't be snapshotted again: one clear message each, the right exit code, and nothing written
 * anywhere.
 */
import { suite } from "uvu";
import type { OracleWorld, TableRow } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { resnapshotFile } from "../behaviour/changes.ts";
import { CUSTOMERS, fillDictionary, IN_THE_GAP, LINES, ORDERS, purge } from "../behaviour/real/resnapshot-scene.ts";
import { answering, config, database, denied, login, OFFSET, tryRows, type WorldRow } from "./world-rows.ts";

const TABLES = `tables: [${ORDERS}, ${LINES}]`;
const ASSERTED = [TABLES, "skipGapForUnlistedTables: true"];
const table = (owner: string, name: string, pdb = "ORCLPDB1"): TableRow => ({
  owner,
  name,
  pdb,
  columns: [{ name: "ID", dataType: "NUMBER", nullable: false }],
});
const withTables = (...tables: readonly TableRow[]): Pick<WorldRow, "world"> =>
  database((world) => {
    fillDictionary(world);
    world.tables.push(...tables);
  });

/** The connector stands where redo is gone; three tables are captured. */
function gap(
  change: (world: OracleWorld) => void = () => undefined,
  more: WorldRow["world"] = {},
): Pick<WorldRow, "world"> {
  return {
    world: {
      offset: { ...OFFSET, resume_scn: IN_THE_GAP, last_commit_scn: IN_THE_GAP - 13n },
      ...more,
      oracle(world) {
        fillDictionary(world);
        purge(world);
        change(world);
      },
    },
  };
}

const page = await answering(200, "text/html", "<html><body><h1>Please sign in</h1></body></html>");

const CONNECT: readonly WorldRow[] = [
  {
    wrong: "a proxy's page instead of Connect",
    url: () => page,
    exit: 1,
    says: /HTML|not Kafka Connect|no JSON|page/i,
  },
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
  { wrong: "connector missing", connector: "ordres-cdc", exit: 1, says: /no connector ordres-cdc/ },
  { wrong: "worker before 3.6", world: { connect: { version: "3.5.1" } }, exit: 0, says: /nothing is\s+skipped/ },
  {
    wrong: "worker before 3.6, past a gap",
    ...gap(undefined, { connect: { version: "3.5.1" } }),
    spec: ASSERTED,
    exit: 1,
    says: /CON302/,
  },
];

const POSITION: readonly WorldRow[] = [
  { wrong: "nothing stored", world: { offset: null, state: "STOPPED" }, exit: 1, says: /no stored offset.*SNP909/ },
  {
    wrong: "stored above the database",
    world: { offset: { ...OFFSET, resume_scn: 9_999_999n }, state: "STOPPED" },
    exit: 1,
    says: /9999999 is above.*OFF118/,
  },
  {
    wrong: "stored position of another database",
    world: { offset: { ...OFFSET, dbid: 7n }, state: "STOPPED" },
    exit: 1,
    says: /dbid 7.*OFF106/,
  },
  {
    wrong: "two partitions",
    change: ({ connect }) =>
      connect.cluster.offsets.write(CONNECTOR, [{ partition: { server: "orders", thread: 2n }, offset: OFFSET }]),
    exit: 1,
    says: /OFF107/,
  },
];

const TABLE_NAMES: readonly WorldRow[] = [
  {
    wrong: "a table that is not captured",
    spec: ["tables: [ORCLPDB1.SALES.ORDRES]"],
    exit: 1,
    says: /ORCLPDB1\.SALES\.ORDRES.*ORCLPDB1\.SALES\.ORDERS.*SNP901/,
  },
  {
    wrong: "a table without its PDB",
    spec: ["tables: [SALES.ORDERS]"],
    exit: 1,
    says: /ORCLPDB1\.SALES\.ORDERS.*SNP901/,
  },
  {
    wrong: "a table of another PDB",
    spec: ["tables: [ORCLPDB2.SALES.ORDERS]"],
    exit: 1,
    says: /ORCLPDB1\.SALES\.ORDERS.*SNP901/,
  },
  {
    wrong: "a table that is there, and not captured",
    spec: ["tables: [ORCLPDB1.HR.JOBS]"],
    exit: 1,
    says: /HR\.JOBS.*SNP901/,
  },
  {
    wrong: "lower case is another name when it is quoted",
    spec: [`tables: ['ORCLPDB1.SALES."orders"']`],
    exit: 1,
    says: /SNP901/,
  },
  {
    wrong: "lower case without quotes is the same",
    spec: ["tables: [orclpdb1.sales.orders]"],
    exit: 0,
    says: /ORCLPDB1\.SALES\.ORDERS/,
  },
  {
    wrong: "a name that several tables have",
    ...withTables(table("SALES", "orders")),
    spec: ["tables: [ORCLPDB1.SALES.orders]"],
    exit: 1,
    says: /several.*SNP901/,
  },
  {
    wrong: "a name in quotes that tells them apart",
    ...withTables(table("SALES", "orders")),
    spec: [`tables: ['ORCLPDB1.SALES."orders"']`],
    exit: 0,
    says: /nothing is\s+skipped[\s\S]*ORCLPDB1\.SALES\.orders/,
  },
  {
    wrong: "names with dots, spaces, signs, umlauts",
    ...withTables(
      table("SALES", "A.B C$#"),
      table("SALES", "Größe, netto"),
      table("SALES", "x'; DROP TABLE y --"),
      table("SALES", "表".repeat(42)),
    ),
    spec: [
      `tables: ['ORCLPDB1.SALES."A.B C$#"', 'ORCLPDB1.SALES."Größe, netto"', "ORCLPDB1.SALES.\\"x'; DROP TABLE y ` +
        `--\\"", 'ORCLPDB1.SALES."${"表".repeat(42)}"']`,
    ],
    exit: 0,
    says: /4 of 7 captured tables, by a signal/,
  },
  {
    wrong: "one table in two spellings",
    spec: [`tables: [ORCLPDB1.SALES.ORDERS, orclpdb1.sales.orders, 'ORCLPDB1.SALES."ORDERS"']`],
    exit: 0,
    says: /1 of \d+ captured tables/,
  },
  {
    wrong: "captured table with control characters in its name",
    ...gap((world) => world.tables.push(table("SALES", "RED\u001b[31m\u0007"))),
    exit: 1,
    says: /SNP903/,
  },
];

const CAPTURED: readonly WorldRow[] = [
  {
    wrong: "a pattern that nobody can follow exactly",
    ...config({ "cdc.tables.include": "ORCLPDB1[.]SALES[.].*,ORCLPDB1[.]HR[.](?<=\\w+)X" }),
    exit: 1,
    says: /cdc\.tables\.include.*SNP902/,
  },
  {
    wrong: "a pattern that is none",
    ...config({ "cdc.tables.include": "ORCLPDB1[.]SALES[.](" }),
    exit: 1,
    says: /SALES\[\.\]\(.*SNP902/,
  },
  {
    wrong: "an exclude that is none",
    ...config({ "cdc.tables.exclude": "*" }),
    exit: 1,
    says: /cdc\.tables\.exclude.*SNP902/,
  },
  {
    wrong: "no patterns",
    ...config({ "cdc.tables.include": undefined }),
    exit: 1,
    says: /cdc\.tables\.include.*SNP902/,
  },
  {
    wrong: "a reference instead of patterns",
    ...config({ "cdc.tables.include": "${file:/opt/tables.properties:include}" }),
    exit: 1,
    says: /cdc\.tables\.include.*--config.*SNP902/,
  },
  { wrong: "patterns that nothing matches", ...config({ "cdc.tables.include": "NOPE[.].*" }), exit: 1, says: /SNP901/ },
  {
    wrong: "a PDB that does not exist",
    ...config({ "cdc.database.pdbs": "ORCLPDB1,NOPE" }),
    exit: 1,
    says: /NOPE.*SNP902/,
  },
  ...(["MOUNTED", "RESTRICTED"] as const).map(
    (mode): WorldRow => ({
      wrong: `a PDB that is ${mode}`,
      ...database((world) => {
        world.openModes["ORCLPDB1"] = mode;
      }),
      exit: 1,
      says: /ORCLPDB1 is .*(OPEN|DISABLE RESTRICTED SESSION);.*SNP902/,
    }),
  ),
  {
    wrong: "a login that sees the root only",
    ...database((world) => {
      world.containerData = false;
    }),
    exit: 1,
    says: /CONTAINER_DATA=ALL CONTAINER=CURRENT;.*SNP902/,
  },
  {
    wrong: "unlisted tables, nothing asserted",
    ...gap(),
    exit: 1,
    says: new RegExp(`1 captured table is not named.*${CUSTOMERS.replaceAll(".", "[.]")}.*SNP903`),
  },
  {
    wrong: "an assertion that names too few",
    ...gap((world) => world.tables.push(table("SALES", "REFUNDS"))),
    spec: [TABLES, `skipGapForUnlistedTables: [${CUSTOMERS}]`],
    exit: 1,
    says: /ORCLPDB1\.SALES\.REFUNDS.*SNP903/,
  },
  {
    wrong: "an assertion that names a listed table",
    ...gap(),
    spec: [TABLES, `skipGapForUnlistedTables: [${CUSTOMERS}, ${ORDERS}]`],
    exit: 1,
    says: /ORDERS is in spec\.tables.*SNP911/,
  },
  {
    wrong: "an assertion about a table that is not captured",
    ...gap(),
    spec: [TABLES, `skipGapForUnlistedTables: [${CUSTOMERS}, ORCLPDB1.HR.JOBS]`],
    exit: 1,
    says: /HR\.JOBS.*SNP911/,
  },
  {
    wrong: "5,000 unlisted tables",
    ...gap((world) => world.tables.push(...Array.from({ length: 5000 }, (_, i) => table("SALES", `T${i}`)))),
    exit: 1,
    says: /5,001 captured tables are not named.*SNP903/,
  },
];

const GRANTS: readonly WorldRow[] = [
  ...["V$CONTAINERS", "CDB_TABLES", "CDB_USERS"].map(
    (view): WorldRow => ({
      wrong: `no grant on ${view}`,
      ...denied(view),
      exit: 1,
      says: /GRANT .*SNP902|SNP902.*GRANT /,
    }),
  ),
  {
    wrong: "no grant on CDB_TAB_MODIFICATIONS: less is known of unlisted tables",
    ...gap((world) => world.denied.add("CDB_TAB_MODIFICATIONS")),
    spec: ASSERTED,
    exit: 0,
    says: /may not read CDB_TAB_MODIFICATIONS/,
  },
  {
    wrong: "no grant on CDB_OBJECTS: whether the gap holds a DDL is unknown",
    ...gap((world) => world.denied.add("CDB_OBJECTS")),
    spec: ASSERTED,
    exit: 1,
    says: /refused: .*may not read CDB_OBJECTS .*GRANT .*TAB112/,
  },
  {
    wrong: "row SCNs asked for, and tables that can't be read",
    ...gap((world) => world.denied.add("SET CONTAINER")),
    spec: [...ASSERTED, "readRowScns: true"],
    exit: 0,
    says: /may not go into ORCLPDB1/,
  },
  {
    wrong: "no grant on GV$TRANSACTION, past a gap",
    ...gap((world) => world.denied.add("GV$TRANSACTION")),
    spec: ASSERTED,
    exit: 1,
    says: /GRANT SELECT ON GV_\$TRANSACTION.*TRX501|TRX501.*GRANT/,
  },
  {
    wrong: "no grant on V$ARCHIVED_LOG",
    ...denied("V$ARCHIVED_LOG"),
    exit: 1,
    says: /GRANT SELECT ON V_\$ARCHIVED_LOG/,
  },
  {
    wrong: "no grant on DBMS_LOGMNR",
    ...denied("DBMS_LOGMNR"),
    exit: 1,
    says: /GRANT EXECUTE ON DBMS_LOGMNR TO C##CDC/,
  },
  {
    wrong: "wrong database password",
    ...config({ "cdc.database.password": "canary-4711" }),
    exit: 1,
    says: /ORA-01017/,
  },
  { wrong: "no database", ...config({ "cdc.database.port": "1" }), exit: 1, says: /127\.0\.0\.1:1/ },
];

const REDO: readonly WorldRow[] = [
  {
    wrong: "no SCN after the gap",
    ...gap((world) => {
      for (const log of world.onlineLogs) for (const { name } of log.members) world.files.delete(name);
    }),
    spec: ASSERTED,
    exit: 1,
    says: /RESTORE ARCHIVELOG|SNP905/,
  },
  {
    wrong: "an open transaction that would be torn",
    ...gap((world) => {
      const row = { instance: 1n, container: 3n, usn: 9n, slot: 4n, sequence: 1207n, startScn: 2_006_000n };
      world.transactions.push({ ...row, startTime: world.now(), user: "BATCH\u001b[2J", clientId: null });
    }),
    spec: ASSERTED,
    exit: 1,
    says: /3:9\.4\.1207.*TRX501/,
  },
  {
    wrong: "a PDB that the dictionary leaves out",
    ...database((world) => {
      fillDictionary(world);
      world.omitted.add("ORCLPDB1");
    }),
    exit: 1,
    says: /no table and no user of the PDB ORCLPDB1.*SNP902/,
  },
];

const KAFKA: readonly WorldRow[] = [
  {
    wrong: "signals topic missing, and no right to create it",
    // A running task creates its topics.
    world: {
      state: "STOPPED",
      broker: {
        topics: { "orders.cdc.ops": { partitions: 1 }, "orders.cdc.txjournal": { partitions: 1 } },
        acls: (_user, operation) => operation !== "create",
      },
    },
    exit: 1,
    says: /may not create it.*--topic orders\.cdc\.signals --partitions 1.*SNP906/,
  },
  {
    wrong: "signals topic of another name missing",
    world: { state: "STOPPED", config: { "cdc.signals.topic": "${prefix}.signals" } },
    exit: 0,
    says: /orders\.signals: it is created, with one partition/,
  },
  {
    wrong: "no right to write the signals topic",
    world: { broker: { acls: (_user, operation, topic) => operation !== "write" || topic !== "orders.cdc.signals" } },
    exit: 1,
    says: /orders\.cdc\.signals.*SNP907/,
  },
  {
    wrong: "no right to see the signals topic",
    world: { broker: { acls: (_user, _operation, topic) => topic !== "orders.cdc.signals" } },
    exit: 1,
    says: /orders\.cdc\.signals.*SNP90[67]/,
  },
  {
    wrong: "no right to write the ops topic, past a gap",
    ...gap(undefined, {
      broker: { acls: (_user, operation, topic) => operation !== "write" || topic !== "orders.cdc.ops" },
    }),
    spec: ASSERTED,
    exit: 1,
    says: /orders\.cdc\.ops.*OPS602/,
  },
  {
    wrong: "ops topic missing, past a gap",
    ...gap(undefined, { broker: { topics: { "orders.cdc.signals": { partitions: 1 } } } }),
    spec: ASSERTED,
    exit: 1,
    says: /orders\.cdc\.ops.*OPS601/,
  },
  {
    wrong: "converter that is not JSON, past a gap",
    ...gap(undefined, { config: { "value.converter": "io.confluent.connect.avro.AvroConverter" } }),
    spec: ASSERTED,
    exit: 1,
    says: /opsFormat.*OPS605/,
  },
  {
    wrong: "converter that is not JSON, a signal alone",
    ...config({ "value.converter": "io.confluent.connect.avro.AvroConverter" }),
    exit: 0,
    says: /nothing is\s+skipped/,
  },
  {
    wrong: "brokers' wrong password",
    world: { config: login("canary-4712"), broker: { auth: { mechanisms: ["PLAIN"], users: { cdc: "canary-4711" } } } },
    exit: 1,
    says: /SASL|login|authenticat/i,
  },
  {
    wrong: "brokers unreachable",
    ...config({ "cdc.stream.bootstrap.servers": "127.0.0.1:1" }),
    exit: 1,
    says: /127\.0\.0\.1:1/,
  },
];

const worlds = suite("worlds in which tables cannot be snapshotted again");
tryRows(
  worlds,
  [...CONNECT, ...POSITION, ...TABLE_NAMES, ...CAPTURED, ...GRANTS, ...REDO, ...KAFKA].map(filled),
  (spec = [TABLES]) => resnapshotFile("orders-again", ...spec),
  "resnapshots: what is wrong, exit code, message",
);
worlds.run();

/** Every world has the same tables, unless it says otherwise. */
function filled(row: WorldRow): WorldRow {
  const { oracle = () => undefined, ...world } = row.world ?? {};
  return {
    ...row,
    world: {
      ...world,
      oracle(database) {
        fillDictionary(database);
        oracle(database);
      },
    },
  };
}
