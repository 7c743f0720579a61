import type { StoredEntry } from "../../../providers/real/connectors.ts";
import type { OracleWorld } from "../../../providers/sandbox/oracle/world.ts";
import { putRow, tableRows } from "../../../providers/sandbox/table-rows.ts";
import { type Machine, newMachine } from "./machine.ts";
import { eventsOf, type SeenEvent } from "./resnapshot-scene.ts";
import { DATABASE_LOGIN, DBID, START_SCN, systemsOf, type World } from "./world.ts";

/** A running legacy connector for one table, and an operator's machine with the files of its migration. */
export interface MigrationScene {
  readonly name: string;
  readonly legacy: string;
  /** The new connector; its topics' prefix is its name. */
  readonly next: string;
  readonly machine: Machine;
  /** The legacy connector's topics, those of its table first. */
  readonly legacyTopics: readonly [string, string];
  /** Writes the plan file of a phase. @returns its name */
  plan(phase: string, ...spec: readonly string[]): Promise<string>;
  /** Returns the entries in their stored order. */
  offsets(of: "legacy" | "next"): Promise<readonly StoredEntry[]>;
  /** The changes in the ops topic, oldest first. */
  recorded(): Promise<readonly SeenEvent[]>;
  state(of: "legacy" | "next"): Promise<string | undefined>;
}

/** A transaction that began here is open for as long as the legacy connector runs. */
export const OPEN_SCN = START_SCN + 5n;

export const tableOf = (scene: string) => scene.replaceAll("-", "_").toUpperCase();

/** The table of a scene, as the dictionary knows it; it has no rows. */
export const tableFor = (scene: string): OracleWorld["tables"][number] => ({
  owner: "SALES",
  name: tableOf(scene),
  pdb: "ORCLPDB1",
  columns: [{ name: "ID", dataType: "NUMBER", nullable: false }],
  primaryKey: { name: `${tableOf(scene)}_PK`, columns: ["ID"] },
  rows: tableRows([0]),
});

/** What the legacy connector has delivered is in the table: its n-th row since its n-th SCN. */
export async function fillTable(world: World, scene: string): Promise<void> {
  const rows = world.oracle.tables.find(({ name }) => name === tableOf(scene))?.rows;
  if (rows === undefined) throw new Error(`there is no table of ${scene}`);
  const delivered = await world.records(`ORCLCDB.ORCLPDB1.SALES.${tableOf(scene)}`);
  for (let id = 1; id <= delivered.length; id++) putRow(rows, START_SCN + BigInt(id - 1), [String(id)]);
}

/** @param url of the worker, or of the gateway before it */
export async function migrationScene(world: World, scene: string, url = world.connectUrl): Promise<MigrationScene> {
  const [legacy, next, table] = [`${scene}-legacy`, `${scene}-cdc`, tableOf(scene)];
  const behaviour = {
    "standin.tables": `SALES.${table}`,
    "standin.scn": String(START_SCN),
    "standin.step.scn": "1",
    "standin.open.scn": String(OPEN_SCN),
  };
  await world.createLegacy(legacy, {
    "oracle.server": "127.0.0.1",
    "oracle.port": String(world.oraclePort),
    "oracle.username": DATABASE_LOGIN.user,
    "oracle.password": DATABASE_LOGIN.password,
    "table.inclusion.regex": `ORCLPDB1[.]SALES[.]${table}`,
    "use.transaction.begin.for.mining.session": "true",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    ...behaviour,
  });
  const machine = await newMachine(world.folder, {
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
      "standin.dbid": String(DBID),
    }),
  });
  const named = { legacy, next };
  return {
    name: scene,
    legacy,
    next,
    machine,
    legacyTopics: [`ORCLCDB.ORCLPDB1.SALES.${table}`, `${legacy}-ORCLCDB-redo-log`],
    async plan(phase, ...spec) {
      // The stand-in's own settings are no property of the legacy connector's; and nothing changes in the table that
      // the new one could deliver.
      const accepted = phase === "cutover" ? Object.keys(behaviour) : phase === "verify" ? ["MIG204"] : [];
      // The first SCN at which the new connector alone has delivered.
      const delivered = (await world.storedEntries(legacy)).map(({ offset }) => BigInt(String(offset["cscn"] ?? 0)));
      const check = phase === "verify" ? delivered.reduce((a, b) => (a > b ? a : b)) + 1n : OPEN_SCN;
      await machine.write(
        `${phase}.yaml`,
        `apiVersion: cdcctl/v1
kind: Migration
metadata: { name: ${scene}, reason: leave the legacy connector }
target: { context: here }
spec:
  from: { connector: ${legacy} }
  to:
    name: ${next}
    topicPrefix: ${next}
  verify:
    tables: [SALES.${table}]
    checkScn: ${check}
    legacyTopics: { SALES.${table}: ORCLCDB.ORCLPDB1.SALES.${table} }
  accept: [${accepted.join(", ")}]
  phase: ${[phase, ...spec].join("\n  ")}
`,
      );
      return `${phase}.yaml`;
    },
    async offsets(of) {
      const entries = await world.storedEntries(named[of]);
      return entries.toSorted((a, b) => (JSON.stringify(a.partition) < JSON.stringify(b.partition) ? -1 : 1));
    },
    recorded: () => eventsOf(world, next, "offsets-set"),
    state: async (of) => (await world.status(named[of]))?.state,
  };
}
