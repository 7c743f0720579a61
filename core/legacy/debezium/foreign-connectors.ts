import { Refusal } from "../../errors.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { type Config, settingOf } from "../../values/config.ts";
import type { Advice } from "../../values/remedy.ts";
import { hasOwnSettings } from "../connector-class.ts";

/** A connector that is none of cdcctl's, and near enough to one to be taken for it. */
export interface ForeignConnector {
  /** What it is, to follow `NAME is`: `Debezium's connector for MySQL`. */
  readonly title: string;
  /** Why it can't be read or migrated, as the rest of that sentence. */
  readonly why: string;
  readonly remedies: readonly Advice[];
}

const DEBEZIUM = "io.debezium.connector.";
const DEBEZIUM_ORACLE = `${DEBEZIUM}oracle.OracleConnector`;
const CONFLUENT_XSTREAM = "io.confluent.connect.oracle.xstream.cdc.OracleXStreamSourceConnector";

/** Debezium's other connectors, by the part of the class name that tells them apart. */
const DATABASES: Readonly<Record<string, string>> = {
  binlog: "MySQL or MariaDB",
  cassandra: "Cassandra",
  db2: "Db2",
  db2as400: "Db2 for i",
  informix: "Informix",
  ingres: "Ingres",
  mariadb: "MariaDB",
  mongodb: "MongoDB",
  mysql: "MySQL",
  postgresql: "PostgreSQL",
  spanner: "Spanner",
  sqlserver: "SQL Server",
  vitess: "Vitess",
};

const OUTBOUND_SERVER: Advice = {
  text: "Where its outbound server stands, the database says",
  sql: "SELECT SERVER_NAME, OLDEST_SCN, PROCESSED_LOW_SCN FROM DBA_XSTREAM_OUTBOUND_PROGRESS;",
};
const BY_HAND =
  "Create the new connector by hand: with cdc.start.scn at or below the start of every transaction that the old " +
  "one has not delivered, or with a snapshot of its own.";

/**
 * The adapters of Debezium's Oracle connector whose stored offset gives no SCN to start at.
 *
 * Rule: reference: Debezium, "Takeover: is `scn` a safe start?"
 */
export const ADAPTERS: Readonly<Record<"xstream" | "olr", ForeignConnector>> = {
  xstream: {
    title: "Debezium's Oracle connector with the XStream adapter",
    why: "its position is an LCR position of an outbound server, not an SCN",
    remedies: [OUTBOUND_SERVER, BY_HAND],
  },
  olr: {
    title: "Debezium's Oracle connector with the OpenLogReplicator adapter",
    why: "its position is a checkpoint of OpenLogReplicator, above which older transactions may be open",
    remedies: [BY_HAND],
  },
};

/**
 * What a connector is by its configuration, if it is one that cdcctl neither reads nor migrates: an Oracle connector
 * whose position is no SCN, or Debezium's for another database.
 */
export function foreignConnector(config: Config): ForeignConnector | undefined {
  const className = settingOf(config, "connector.class") ?? "";
  if (className === CONFLUENT_XSTREAM)
    return {
      title: "Confluent's Oracle XStream CDC Source connector",
      why: "its position is an LCR position of an outbound server, not an SCN",
      remedies: [OUTBOUND_SERVER, BY_HAND],
    };
  if (className === DEBEZIUM_ORACLE) {
    const adapter = settingOf(config, "database.connection.adapter")?.toLowerCase();
    return adapter === "xstream" || adapter === "olr" ? ADAPTERS[adapter] : undefined;
  }
  if (!className.startsWith(DEBEZIUM)) return undefined;
  const [part = ""] = className.slice(DEBEZIUM.length).split(".");
  return {
    title: `Debezium's connector for ${Object.hasOwn(DATABASES, part) ? DATABASES[part] : "another database"}`,
    why: "cdcctl is for connectors of Oracle databases",
    remedies: ["Name a connector of an Oracle database."],
  };
}

/** Whether a stored offset is Debezium's, whose partition has the shape of the new connector's. */
export function isDebeziumOffset({ partition, offset }: OffsetEntry): boolean {
  const has = (...names: readonly string[]) => names.some((name) => offset !== null && name in offset);
  return "server" in partition && has("scn", "commit_scn", "lcr_position") && !has("v", "resume_scn");
}

/**
 * Refuses it where the CDC source connector is asked for, and so Debezium's Oracle connector.
 *
 * @param offsets tell a connector whose class says nothing, such as an alias
 * @throws Refusal `CON301`
 */
export function refuseOther(name: string, config: Config, offsets: readonly OffsetEntry[] = []): void {
  const isDebezium =
    settingOf(config, "connector.class") === DEBEZIUM_ORACLE ||
    (!hasOwnSettings(config) && offsets.some(isDebeziumOffset));
  const other = foreignConnector(config) ?? (isDebezium ? LOGMINER : undefined);
  if (other !== undefined)
    throw new Refusal(
      "CON301",
      `${name} is ${other.title}, not the CDC source connector: ${other.why}`,
      other.remedies,
    );
}

const LOGMINER: ForeignConnector = {
  title: "Debezium's Oracle connector",
  why: "its stored offset is its own, and nothing changes it but a migration",
  remedies: [
    { text: "To migrate it, write a plan file", command: "cdcctl init Migration --from debezium" },
    { text: "To see where the new connector would start", command: "cdcctl migrate takeover --help" },
  ],
};

/** Refuses it where a legacy connector is asked for. @throws Refusal `LEG030` */
export function refuseForeign(name: string, config: Config): void {
  const foreign = foreignConnector(config);
  if (foreign !== undefined)
    throw new Refusal("LEG030", `${name} is ${foreign.title}: ${foreign.why}`, foreign.remedies);
}

/** What `cdcctl explain` says of the codes that came with Debezium. */
export const DEBEZIUM_REFUSALS = [
  {
    code: "LEG016",
    title: "The given start would lose changes",
    problem:
      "It lies above the stored position, or above the begin of a transaction that is open or was before the stop: " +
      "what was changed or committed below it would not be delivered.",
    remedy: "Give a start at or below both: the lowest START_SCN of GV$TRANSACTION as of the stop.",
  },
  {
    code: "LEG017",
    title: "The stored position has no SCN to start at",
    problem:
      "XStream stores a position that only Oracle's own library decodes; OpenLogReplicator stores a checkpoint " +
      "without the begin of the oldest open transaction.",
    remedy:
      "XStream: take the SCN from DBA_XSTREAM_OUTBOUND_PROGRESS. OpenLogReplicator: start the new connector with a " +
      "snapshot.",
  },
  {
    code: "LEG018",
    title: "A snapshot of the legacy connector is not over",
    problem: "Its tables are partly snapshotted: nobody would deliver the rest after a takeover.",
    remedy: "Let the snapshot finish and one change be delivered, then stop the connector and try again.",
  },
  {
    code: "LEG019",
    title: "The stored SCN may lie above an open transaction",
    problem:
      "With log.mining.window.max.ms Debezium moves its position past transactions that stay open longer. What they " +
      "changed before it is in no topic, and a start there would not deliver it.",
    remedy:
      "Give a start at or below the lowest START_SCN of GV$TRANSACTION as of the stop (`--start-scn`, " +
      "`spec.from.startScn`), or stop the connector while its metric OldestScn is at or above the stored scn.",
  },
  {
    code: "LEG030",
    title: "The connector can't be migrated",
    problem:
      "Its stored position gives no SCN that the new connector could start at, or it captures another database than " +
      "Oracle.",
    remedy: "Name a connector of Confluent's Oracle CDC Source, or Debezium's Oracle connector with LogMiner.",
  },
];
