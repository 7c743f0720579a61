import type { StoredEntry } from "../../../../providers/real/connectors.ts";
import { commitInto, type HistoryTable } from "../../../../providers/sandbox/change-history.ts";
import type { TableRow } from "../../../../providers/sandbox/oracle/world.ts";
import { putRow, type TableRows, tableRows } from "../../../../providers/sandbox/table-rows.ts";
import { type Machine, newMachine } from "../machine.ts";
import { DATABASE_LOGIN, DBID, START_SCN, systemsOf, type World } from "../world.ts";
import { snapshotAt, tableOfCommits, transactionAt } from "./commits.ts";

/** The begin of a transaction that is open for as long as Debezium's connector runs. */
export const OPEN_SCN = START_SCN + 3n;
/** Where it resumes, exclusively. */
export const START = OPEN_SCN - 1n;

/** What is different between the scenes. */
export interface DebeziumPlot {
  readonly name: string;
  readonly version: "2.7.3.Final" | "3.6.1.Final";
  readonly topics: "keep" | "new";
  /** Further settings of Debezium's connector. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running connector of Debezium's for one table, and an operator's machine with the files of its migration. */
export interface DebeziumScene {
  readonly legacy: string;
  /** The new connector. */
  readonly next: string;
  /** The prefix of Debezium's topics, and of the new connector's. */
  readonly prefix: string;
  readonly nextPrefix: string;
  /** Debezium's topic of the table, and the new connector's. */
  readonly topic: string;
  readonly nextTopic: string;
  readonly table: string;
  readonly machine: Machine;
  /** Writes the plan file of a phase. @returns its name */
  plan(phase: string, ...spec: readonly string[]): Promise<string>;
  offsets(of: "legacy" | "next"): Promise<readonly StoredEntry[]>;
  state(of: "legacy" | "next"): Promise<string | undefined>;
  /** The last commit that Debezium has delivered. */
  lastCommit(): Promise<bigint>;
}

const tableOf = ({ name }: DebeziumPlot): HistoryTable =>
  tableOfCommits(`SALES.${name.replaceAll("-", "_").toUpperCase()}`);

/** The table of a scene, as the dictionary knows it; it has no rows. */
export function tableFor(plot: DebeziumPlot): TableRow {
  const { owner, name, pdb } = tableOf(plot);
  return {
    ...{ owner, name, pdb, rows: tableRows([0]), primaryKey: { name: `${name}_PK`, columns: ["ID"] } },
    columns: [
      { name: "ID", dataType: "NUMBER", nullable: false, precision: 18n, scale: 0n },
      { name: "STATUS", dataType: "VARCHAR2", nullable: true },
    ],
  };
}

/** What has been committed up to an SCN is in the table. */
export function fillTable(world: World, plot: DebeziumPlot, upTo: bigint): void {
  const table = tableOf(plot);
  const rows = world.oracle.tables.find(({ name }) => name === table.name)?.rows as TableRows;
  for (const row of snapshotAt(START_SCN)) putRow(rows, START_SCN, row);
  for (let scn = START_SCN + 1n; scn <= upTo; scn++) commitInto(rows, table, transactionAt(scn));
}

/** @param url of the worker, or of the gateway before it */
export async function debeziumScene(world: World, plot: DebeziumPlot, url = world.connectUrl): Promise<DebeziumScene> {
  const { name: scene, version, topics } = plot;
  const [legacy, next, prefix] = [`${scene}-debezium`, `${scene}-cdc`, `${scene}-shop`];
  const nextPrefix = topics === "keep" ? prefix : next;
  const table = `SALES.${tableOf(plot).name}`;
  await world.createLegacy(legacy, {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "topic.prefix": prefix,
    "database.hostname": "127.0.0.1",
    "database.port": String(world.oraclePort),
    "database.user": DATABASE_LOGIN.user,
    "database.password": DATABASE_LOGIN.password,
    "database.dbname": "ORCLCDB",
    "database.pdb.name": "ORCLPDB1",
    "table.include.list": table,
    "heartbeat.interval.ms": "1000",
    "heartbeat.action.query": "UPDATE C##CDC.BEAT SET T = SYSTIMESTAMP",
    "schema.history.internal.kafka.topic": `ddl.${prefix}`,
    "schema.history.internal.kafka.bootstrap.servers": world.bootstrap,
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "standin.version": version,
    "standin.tables": table,
    "standin.scn": String(START_SCN),
    "standin.open.scn": String(OPEN_SCN),
    // The new connector catches up with what it has delivered until it is stopped.
    "standin.interval.ms": "300",
    "standin.step.scn": "1",
    ...plot.settings,
  });
  const machine = await newMachine(
    world.folder,
    {
      ".config/cdcctl/contexts.yaml": `contexts:
  here:
    connect:
      url: ${url}
    connectors:
      ${next}: { config: own.json }
`,
      ".config/cdcctl/own.json": JSON.stringify({
        ...systemsOf(world),
        "standin.step.scn": "1",
        "standin.interval.ms": "50",
        "standin.dbid": String(DBID),
        "standin.tables": table,
      }),
    },
    { environment: { DB_PASSWORD: DATABASE_LOGIN.password } },
  );
  const named = { legacy, next };
  const offsets: DebeziumScene["offsets"] = (of) => world.storedEntries(named[of]);
  const lastCommit: DebeziumScene["lastCommit"] = async () =>
    BigInt(String((await offsets("legacy"))[0]?.offset["commit_scn"]).split(":")[0] ?? "");
  const topic = `${prefix}.${table}`;
  return {
    ...{ legacy, next, prefix, nextPrefix, table, topic, machine, offsets, lastCommit },
    nextTopic: `${nextPrefix}.${table}`,
    async plan(phase, ...spec) {
      await machine.write(
        `${phase}.yaml`,
        `apiVersion: cdcctl/v1
kind: Migration
metadata: { name: ${scene}, reason: leave Debezium }
target: { context: here }
spec:
  from: { connector: ${legacy}, kind: debezium, version: ${version} }
  to: { name: ${next}, topicPrefix: ${nextPrefix}, topics: ${topics} }
  verify:
    tables: [${table}]
    checkScn: ${(phase === "verify" ? await lastCommit() : START_SCN) + 5n}${
      topics === "keep" ? "" : `\n    legacyTopics: { ${table}: ${topic} }`
    }
  phase: ${[phase, ...spec].join("\n  ")}
`,
      );
      return `${phase}.yaml`;
    },
    state: async (of) => (await world.status(named[of]))?.state,
  };
}
