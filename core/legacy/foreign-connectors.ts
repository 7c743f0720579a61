import { type Config, settingOf } from "../values/config.ts";
import type { Advice } from "../values/remedy.ts";
import { DEBEZIUM_CLASS } from "./connector-class.ts";

/** A connector that is none of cdcctl's, and near enough to one to be taken for it. */
export interface ForeignConnector {
  /** What it is, to follow `NAME is`: `Debezium's connector for MySQL`. */
  readonly title: string;
  /** Why it can't be read or migrated, as the rest of that sentence. */
  readonly why: string;
  readonly remedies: readonly Advice[];
}

const DEBEZIUM = "io.debezium.connector.";
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
  if (className === DEBEZIUM_CLASS) {
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
