// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect
import { printJson } from "../../core/values/json.ts";
import type { ColumnRow, LogGroupType, OracleWorld, TableRow } from "./oracle/world.ts";
import { CONNECTOR, type Sandbox } from "./sandbox.ts";
import { contexts, type Scenario } from "./scenario.ts";
import { captured } from "./tables.ts";

const ID: ColumnRow = { name: "ID", dataType: "NUMBER", nullable: false };
const NOTE: ColumnRow = { name: "NOTE", dataType: "VARCHAR2", nullable: true };

/** A table that is ready for a connector: with a key, and every column logged. */
export function readyTable(world: OracleWorld, name: string, changes: Partial<TableRow> = {}): TableRow {
  return {
    ...captured(world, name),
    columns: [ID, NOTE],
    primaryKey: { name: `PK_${name}`, columns: ["ID"] },
    logGroups: ["ALL COLUMN LOGGING"],
    ...changes,
  };
}

/** Makes everything ready: the tables of a sandbox, with logging and keys. */
export function makeReady(world: OracleWorld): void {
  world.tables = world.tables.map((table) => {
    const { columns, primaryKey, logGroups } = readyTable(world, table.name);
    return { ...table, columns, ...(primaryKey && { primaryKey }), ...(logGroups && { logGroups }) };
  });
}

function withLogging(world: OracleWorld, name: string, ...logGroups: readonly LogGroupType[]): TableRow {
  return readyTable(world, name, { logGroups: [...logGroups] });
}

function withColumn(world: OracleWorld, name: string, column: Partial<ColumnRow>): TableRow {
  return readyTable(world, name, { columns: [ID, { ...NOTE, ...column }] });
}

/** A table without a primary key; its unique index is on a column that may be null, or may not. */
function keyless(world: OracleWorld, name: string, indexed?: "ID" | "NOTE"): TableRow {
  const { primaryKey: _, ...table } = readyTable(world, name);
  return indexed === undefined ? table : { ...table, uniqueIndexes: [{ name: `${name}_U`, columns: [indexed] }] };
}

/** A table for every rule, some with names that try to be more than names. */
function oddTables(world: OracleWorld): TableRow[] {
  const hostile = "x'; DROP TABLE \u001b[31mUSERS --";
  return [
    readyTable(world, "ORDERS"),
    withLogging(world, "LINES", "PRIMARY KEY LOGGING"),
    withLogging(world, "CUSTOMERS", "UNIQUE KEY LOGGING", "FOREIGN KEY LOGGING"),
    withLogging(world, "Price List"),
    withLogging(world, hostile),
    withLogging(world, "PARTS", "USER LOG GROUP"),
    withColumn(world, "INVOICES", { name: "NUMBER_OF", dataType: "NUMBER", identity: true, nullable: false }),
    withColumn(world, "DOCUMENTS", { name: "SCAN", dataType: "BFILE" }),
    withColumn(world, "EVENTS", { name: "BODY", dataType: "JSON" }),
    withColumn(world, "SEARCH", { name: "EMBEDDING", dataType: "VECTOR" }),
    withColumn(world, "FLAGS", { name: "IS_SET", dataType: "BOOLEAN" }),
    withColumn(world, "BASKETS", { name: "ITEMS", dataType: "ITEM_LIST", nestedTable: true }),
    withColumn(world, "ADDRESSES", { name: "DELIVERY_INSTRUCTIONS_FOR_THE_DRIVER" }),
    readyTable(world, "CUSTOMER_LOYALTY_PROGRAMME_MEMBERSHIPS"),
    { ...keyless(world, "IMPORTS"), rowMovement: true },
    withColumn(world, "LETTERS", { name: "BODY", dataType: "CLOB" }),
    withColumn(world, "FORMS", { name: "FIELDS", dataType: "XMLTYPE" }),
    withColumn(world, "DELIVERIES", { name: "NO#" }),
    keyless(world, "COUPONS", "ID"),
    keyless(world, "VOUCHERS", "NOTE"),
  ];
}

/** A configuration in a file, its password in the environment. */
function configuration(
  { config }: Sandbox,
  changes: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    ...config,
    "cdc.database.password": "${env:DB_PASSWORD}",
    "cdc.database.connection.properties": "oracle.net.TCP_KEEPIDLE=120",
    ...changes,
  };
}

function file(sandbox: Sandbox, changes?: Readonly<Record<string, string>>): string {
  return `${printJson({ name: CONNECTOR, config: configuration(sandbox, changes) })}\n`;
}

/** Reverts the previous changes first. */
function onlyThis(change: (world: OracleWorld) => unknown): (sandbox: Sandbox) => void {
  return ({ oracle }) => {
    oracle.denied.clear();
    oracle.rootOnly.clear();
    oracle.openModes = {};
    oracle.containerData = true;
    Object.assign(oracle.database, { role: "PRIMARY", openMode: "READ WRITE" });
    change(oracle);
  };
}

function standby(openMode: string): (sandbox: Sandbox) => void {
  return onlyThis(({ database }) => {
    database.role = "PHYSICAL STANDBY";
    database.openMode = openMode;
  });
}

const FIVE_MINUTES = 300_000;

/** Logs were switched every five minutes for half an hour before the first, and the oldest of them are deleted. */
function switchOften({ archivedLogs }: OracleWorld): void {
  const [first] = archivedLogs;
  if (first === undefined) return;
  for (const back of [1, 2, 3, 4, 5, 6]) {
    const sequence = first.sequence - BigInt(back);
    const firstScn = first.firstScn - BigInt(back) * 1000n;
    const firstTime = first.firstTime - back * FIVE_MINUTES;
    const gone =
      back > 3 ? { deleted: true, status: "D", name: null } : { name: `/u03/archive/ORCLCDB/1_${sequence}_1.arc` };
    const times = { firstTime, nextTime: firstTime + FIVE_MINUTES };
    archivedLogs.unshift({ ...first, sequence, firstScn, nextScn: firstScn + 1000n, ...times, ...gone });
  }
}

/**
 * A nightly job reloads a table that is not captured, in the newest archived log; the captured tables change as usual.
 */
function loadAnew(world: OracleWorld): void {
  const newest = world.archivedLogs.at(-1);
  if (newest === undefined) return;
  const rows = (
    owner: string | null,
    table: string | null,
    operation: string,
    count: number,
    sql: string | null = null,
  ) => world.redoRows.push({ scn: newest.firstScn + 10n, container: "ORCLPDB1", owner, table, operation, sql, count });
  rows("STAGE", "PRICES", "DDL", 1, "TRUNCATE TABLE STAGE.PRICES");
  rows("STAGE", "PRICES", "INSERT", 9_000);
  rows("SALES", "ORDERS", "INSERT", 300);
  rows("SALES", "ORDERS", "UPDATE", 650);
  rows("SALES", "LINES", "INSERT", 1_100);
  rows("SALES", "LINES", "DELETE", 20);
  rows(null, null, "START", 410);
  rows(null, null, "COMMIT", 410);
  rows(null, null, "INTERNAL", 12);
}

const PROFILE = "DB_PASSWORD=cdc-secret cdcctl doctor redo-profile --config";
const CHECK = "DB_PASSWORD=cdc-secret cdcctl doctor check --config";

/** Databases that are ready for a connector, and databases that are not. */
export const CHECK_SCENARIOS: readonly Scenario[] = [
  {
    name: "check-ready",
    about: "A database that is ready for its connector, until something is taken away.",
    options: {
      oracle: (world) => {
        makeReady(world);
        world.tables.push({ ...readyTable(world, "RATES"), owner: "FINANCE" });
        world.users["CDC"] = { password: "cdc-secret" };
      },
      connect: { exactlyOnce: true },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-cdc.json": file(sandbox),
      "orders-cdc.properties": Object.entries(configuration(sandbox))
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
      "in-the-pdb.json": file(sandbox, { "cdc.database.service": "ORCLPDB1", "cdc.database.user": "CDC" }),
      "logs-in-the-pdb.json": file(sandbox, {
        "cdc.mining.mode": "logs",
        "cdc.database.service": "ORCLPDB1",
        "cdc.database.user": "CDC",
      }),
      "in-range.json": file(sandbox, {
        "cdc.mining.mode": "range",
        "cdc.database.service": "ORCLPDB1",
        "cdc.database.user": "CDC",
      }),
      "from-the-archive.json": file(sandbox, {
        "cdc.capture.mode": "archive_only",
        "cdc.archive.destination": "LOG_ARCHIVE_DEST_2",
      }),
      "archive-only.json": file(sandbox, {
        "cdc.capture.mode": "archive_only",
        "cdc.dictionary.build.interval.ms": "0",
      }),
      "exactly-once.json": file(sandbox, { "exactly.once.support": "required" }),
      "nothing.json": file(sandbox, { "cdc.tables.include": "ORCLPDB1[.]SALE[.].*" }),
      "grown.json": file(sandbox, { "cdc.tables.include": "ORCLPDB1[.](SALES|FINANCE)[.].*" }),
    }),
    tries: [
      `${CHECK} orders-cdc.json      # exit 0`,
      `${CHECK} in-the-pdb.json      # a local user, inside of the PDB: mined by range`,
      `${CHECK} logs-in-the-pdb.json # cdc.mining.mode=logs can't be mined there`,
      "touch standby-mounted              # and standby-open, standby-stale: then check archive-only.json",
      `${CHECK} exactly-once.json --context sandbox   # a worker tells whether it has exactly-once support`,
      `${CHECK} grown.json --context sandbox          # a table that what is deployed does not capture`,
      "touch revoked                      # then check again: what is not seen is not fine",
      "touch pdb-closed",
    ],
    events: {
      "root-only": onlyThis(({ rootOnly }) => rootOnly.add("SELECT ANY TABLE").add("FLASHBACK ANY TABLE")),
      revoked: onlyThis(({ denied }) => denied.add("V$THREAD").add("SELECT ANY DICTIONARY")),
      "standby-mounted": standby("MOUNTED"),
      "standby-open": standby("READ ONLY WITH APPLY"),
      "standby-stale": standby("READ ONLY"),
      "pdb-closed": onlyThis((world) => {
        world.openModes = { ORCLPDB1: "MOUNTED" };
      }),
      "pdb-restricted": onlyThis((world) => {
        world.openModes = { ORCLPDB1: "RESTRICTED" };
      }),
      "container-data-gone": onlyThis((world) => {
        world.containerData = false;
      }),
    },
  },
  {
    name: "check-old",
    about: "A database that is ready for its connector, but older than the connector supports.",
    options: {
      oracle: (world) => {
        makeReady(world);
        world.version = "12.2.0.1.0";
      },
    },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox), "orders-cdc.json": file(sandbox) }),
    tries: [`${CHECK} orders-cdc.json      # exit 1`],
  },
  {
    name: "check-faults",
    about: "A database that is not ready, in every way that a preflight looks for.",
    options: {
      // Started, it would try to create its topics.
      state: "STOPPED",
      broker: {
        topics: {
          "orders.cdc.ops": { partitions: 1, configs: { "cleanup.policy": "compact" } },
          "orders.cdc.txjournal": { partitions: 1, configs: { "cleanup.policy": "delete" } },
        },
        acls: (_user, operation) => operation !== "create",
        configs: { "transaction.max.timeout.ms": "30000" },
      },
      oracle: (world) => {
        world.version = "23.4.0.24.5";
        world.tables = oddTables(world);
        world.database.logMode = "NOARCHIVELOG";
        world.database.supplementalLogMin = "NO";
        world.database.role = "PHYSICAL STANDBY";
        world.database.openMode = "READ ONLY";
        world.destinations = world.destinations.map((one) => (one.id === 1n ? { ...one, status: "ERROR" } : one));
        const [first] = world.threads;
        if (first !== undefined) world.threads.push({ ...first, thread: 2n });
        for (const one of [
          "LOGMINING",
          "EXECUTE_CATALOG_ROLE",
          "DBMS_LOGMNR_D",
          "V$LOGMNR_LOGS",
          "SELECT ANY TRANSACTION",
        ])
          world.denied.add(one);
        world.rootOnly.add("FLASHBACK ANY TABLE");
      },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-cdc.json": file(sandbox, {
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "exactly.once.support": "required",
        "cdc.eos.batch.max.ms": "120000",
      }),
      "keyless.json": file(sandbox, {
        "cdc.key.missing": "rowid",
        "cdc.key.columns": "SALES.VOUCHERS:CODE",
      }),
    }),
    tries: [
      `${CHECK} orders-cdc.json               # exit 1: what is in the way, and the SQL that fixes it`,
      `${CHECK} orders-cdc.json --context sandbox   # the worker is asked for its exactly-once support, too`,
      `${CHECK} orders-cdc.json --format json`,
      `${CHECK} keyless.json                  # cdc.key.missing decides how tables without a key are handled`,
      "cdcctl explain TAB104",
    ],
  },
  {
    name: "check-history",
    about: "A database that keeps too little: archived logs, undo, statistics; on Amazon RDS.",
    options: {
      oracle: (world) => {
        makeReady(world);
        switchOften(world);
        world.parameters["undo_retention"] = "60";
        world.fixedStatistics = 0n;
        world.savedStates = [];
        world.rdsRetention = "0";
        world.denied.add("DBMS_LOGMNR_D");
      },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-cdc.json": file(sandbox, { "cdc.database.connection.properties": "" }),
    }),
    tries: [
      `${CHECK} orders-cdc.json --max-downtime 48h`,
      `${CHECK} orders-cdc.json --rules fast     # without history and statistics`,
      "touch encryption-required                 # native network encryption, which cdcctl can't agree on",
      "touch rds-12-hours                        # archivelog retention hours is 12 from now on",
    ],
    events: {
      "rds-12-hours": ({ oracle }) => {
        oracle.rdsRetention = "12";
      },
      "encryption-required": ({ oracle }) => {
        oracle.encryptionRequired = true;
      },
    },
  },
  {
    name: "redo-profile",
    about: "A job loads a table that no connector captures anew, and most of the redo is its own.",
    options: {
      oracle: (world) => {
        makeReady(world);
        loadAnew(world);
      },
    },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox), "orders-cdc.json": file(sandbox) }),
    tries: [
      `${PROFILE} orders-cdc.json                     # whose redo the newest archived log holds`,
      `${PROFILE} orders-cdc.json --sample-logs 0     # the rates by hour alone`,
      "touch large-logs                               # from now on the sample is not small: it is asked about",
      "touch file-gone                                # somebody has removed the newest archived log",
    ],
    events: {
      "large-logs": ({ oracle }) => {
        for (const log of oracle.archivedLogs) log.blocks = 4_194_304n;
      },
      "file-gone": ({ oracle }) => {
        oracle.files.delete(oracle.archivedLogs.at(-1)?.name ?? "");
      },
    },
  },
];
