import { isObject, type JsonObject, parseJson } from "../../../core/values/json.ts";
import type { Properties } from "../../../providers/real/broker.ts";
import { archiveName, type OracleWorld, type TableRow } from "../../../providers/sandbox/oracle/world.ts";
import type { Ended, Machine } from "./machine.ts";
import { connectorSettings, DBID, START_SCN, type TopicRecord, type World } from "./world.ts";

/** Thread 1, sequence 118: the lowest archived log of the healthy database. */
const PURGED = 118n;
/** An SCN in the log that is gone. */
export const IN_THE_GAP = 2_005_000n;
/** Its end: all redo from here onwards is present. */
export const AFTER_THE_GAP = 2_010_000n;
/** The error of a connector in the gap. */
export const STANDS = "CDC-2002 log purged: thread 1 sequence 118";

export const ORDERS = "ORCLPDB1.SALES.ORDERS";
export const LINES = "ORCLPDB1.SALES.LINES";
export const CUSTOMERS = "ORCLPDB1.SALES.CUSTOMERS";

const table = (owner: string, name: string): TableRow => ({
  owner,
  name,
  pdb: "ORCLPDB1",
  columns: [{ name: "ID", dataType: "NUMBER", nullable: false }],
});

/** The tables that `connectorSettings` captures, and one that it does not. */
export function fillDictionary(oracle: OracleWorld): void {
  oracle.tables = [table("SALES", "ORDERS"), table("SALES", "LINES"), table("SALES", "CUSTOMERS"), table("HR", "JOBS")];
}

/** RMAN has deleted a log, as the catalogue shows it. */
export function purge(oracle: OracleWorld): void {
  const name = archiveName(1n, PURGED);
  for (const log of oracle.archivedLogs)
    if (log.sequence === PURGED) Object.assign(log, { status: "D", deleted: true, name: null });
  oracle.files.delete(name);
}

export function restore(oracle: OracleWorld): void {
  const name = archiveName(1n, PURGED);
  for (const log of oracle.archivedLogs)
    if (log.sequence === PURGED) Object.assign(log, { status: "A", deleted: false, name });
  oracle.files.add(name);
}

/** A transaction that began in the gap and has not ended. */
export function leaveOpen(oracle: OracleWorld): void {
  oracle.transactions = [
    {
      instance: 1n,
      container: 3n,
      usn: 7n,
      slot: 22n,
      sequence: 1180n,
      startScn: AFTER_THE_GAP - 1n,
      startTime: oracle.scnTimes.timeOf(AFTER_THE_GAP - 1n),
      user: "BATCH",
      clientId: null,
    },
  ];
}

/** A connector, its topics, and an operator's machine with a context for it. */
export interface SnapshotScene {
  readonly connector: string;
  readonly machine: Machine;
  /** Writes its plan file, or another one. @returns its name */
  plan(...spec: readonly string[]): Promise<string>;
  /** The same, and applies it. */
  apply(...spec: readonly string[]): Promise<Ended>;
  /** @throws when nothing is stored */
  stored(): Promise<JsonObject>;
  signals(): Promise<readonly TopicRecord[]>;
  /** The payloads of the ops topic's records of a type, oldest first, with the time of their records. */
  events(type: "offsets-set" | "signal-ack"): Promise<readonly SeenEvent[]>;
  /** The outcomes of its changes in the ops topic. */
  changes(): Promise<readonly unknown[]>;
}

export interface SeenEvent {
  readonly timestamp: bigint;
  readonly event: JsonObject;
  readonly details: JsonObject;
}

/** @param planFile of a connector */
export function snapshotScene(
  world: World,
  connector: string,
  machine: Machine,
  planFile: (connector: string, ...spec: readonly string[]) => string,
): SnapshotScene {
  const plan = async (...spec: readonly string[]): Promise<string> => {
    await machine.write("plan.yaml", planFile(connector, ...spec));
    return "plan.yaml";
  };
  return {
    connector,
    machine,
    plan,
    apply: async (...spec) => machine.run("apply", await plan(...spec), "--yes"),
    async stored() {
      const offset = await world.storedOffset(connector);
      if (offset === undefined) throw new Error(`nothing is stored for ${connector}`);
      return offset;
    },
    signals: () => world.records(`${connector}.cdc.signals`),
    events: (type) => eventsOf(world, connector, type),
    changes: async () => outcomes(await eventsOf(world, connector, "offsets-set")),
  };
}

/** The payloads of a connector's records of a type in its ops topic, oldest first. */
export async function eventsOf(world: World, connector: string, type: string): Promise<readonly SeenEvent[]> {
  const records = await world.records(`${connector}.cdc.ops`);
  return records.flatMap(({ value, timestamp }) => {
    const json = parseJson(value ?? "") as JsonObject;
    const event = isObject(json["payload"]) ? json["payload"] : json;
    return event["type"] === type ? [{ timestamp, event, details: event["details"] as JsonObject }] : [];
  });
}

/** How the connector of a scene comes about. */
export type Start = (world: World, connector: string, settings: Properties) => Promise<void>;

/** A running connector with all redo present. */
export const running: Start = (world, connector, settings) =>
  world.createConnector(connector, connectorSettings(world, settings));

/** A connector whose task fails at the gap at every start; past the gap it runs. */
export const failedAtGap: Start = (world, connector, settings) =>
  failing(world, connector, IN_THE_GAP, {
    "standin.fail.message": STANDS,
    "standin.fail.below.scn": String(AFTER_THE_GAP),
    ...settings,
  });

/** A connector whose task has failed although all redo is present. */
export const broken: Start = (world, connector) =>
  failing(world, connector, START_SCN, { "standin.ack": "ok", "standin.fail.message": "CDC-5002 privilege missing" });

async function failing(world: World, connector: string, scn: bigint, settings: Properties): Promise<void> {
  await world.createStopped(connector, connectorSettings(world, settings), {
    v: 1n,
    resume_scn: scn,
    resume_rs_id: "0x000000.001e9808.0010",
    resume_ssn: 0n,
    last_commit_scn: scn - 10n,
    last_commit_xid: "3:4.9.771",
    last_commit_thread: 1n,
    event_index: 2n,
    journal_generation: 4n,
    schema_epoch: 0n,
    dbid: DBID,
    resetlogs_scn: 1n,
    released_xids: "3:5.2.802",
  });
  await world.resumeConnector(connector, "FAILED");
}

export const scnOf = (offset: JsonObject): bigint => offset["resume_scn"] as bigint;
export const outcomes = (events: readonly SeenEvent[]) => events.map(({ details }) => details["outcome"]);
