import type { Properties } from "../../../providers/real/broker.ts";
import type { Connectors } from "../../../providers/real/connectors.ts";
import type { OracleWorld } from "../../../providers/sandbox/oracle/world.ts";

/**
 * Connect, Kafka and Oracle for one run of the suite: the loopback sandbox, or real workers and brokers with the
 * sandbox's Oracle. The tests act and observe without cdcctl, over the world's own interfaces. A connector's topic
 * prefix is its name.
 */
export interface World extends Connectors {
  readonly name: string;
  readonly connectUrl: string;
  /** Address of the brokers, without TLS and login. */
  readonly bootstrap: string;
  readonly oraclePort: number;
  /** What the database shows; to be changed while cdcctl looks at it. */
  readonly oracle: OracleWorld;
  /** Removed with the world. */
  readonly folder: string;
  createTopic(name: string, partitions?: number): Promise<void>;
  topics(): Promise<readonly string[]>;
  /** Every record of a topic, as another client than cdcctl's reads it. */
  records(topic: string): Promise<readonly TopicRecord[]>;
  append(topic: string, record: NewRecord): Promise<void>;
  /** Has a consumer group read a topic. @returns ends that */
  consume(group: string, topic: string): Promise<() => Promise<void>>;
  /** What Kafka Connect's JSON converter makes of the records, one line each; undefined where there is none. */
  converted?(topic: string, schemas: boolean): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface NewRecord {
  readonly key: string | null;
  readonly value: string;
  /** Default 0. */
  readonly partition?: number;
}

export interface TopicRecord {
  readonly key: string | null;
  readonly value: string | null;
  /** Milliseconds since the epoch. */
  readonly timestamp: bigint;
}

/** Where the connectors begin: the healthy database has redo from 2,000,000 on, and is at 2,045,000. */
export const START_SCN = 2_030_000n;
export const DATABASE_LOGIN = { user: "C##CDC", password: "cdc-secret" } as const;
export const DBID = 2_914_731_004n;

/** Whether the values are converted with their schemas, and what such records are called. */
export const OPS_FORMS = Object.entries({ false: "json", true: "json_schemas" });

/** Where a connector finds the world's database and brokers. */
export const systemsOf = ({ oraclePort, bootstrap }: Pick<World, "bootstrap" | "oraclePort">): Properties => ({
  "cdc.database.host": "127.0.0.1",
  "cdc.database.port": String(oraclePort),
  "cdc.database.service": "ORCLCDB",
  "cdc.database.user": DATABASE_LOGIN.user,
  "cdc.database.password": DATABASE_LOGIN.password,
  "cdc.stream.bootstrap.servers": bootstrap,
});

/**
 * A connector's settings, as cdcctl reads them; `standin.*` tell the stand-in how to behave. One SCN a commit keeps it
 * below the database's present for hours.
 */
export function connectorSettings(world: Pick<World, "bootstrap" | "oraclePort">, more: Properties = {}): Properties {
  return {
    ...systemsOf(world),
    "cdc.database.pdbs": "ORCLPDB1",
    "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
    "cdc.start.scn": String(START_SCN),
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "standin.dbid": String(DBID),
    "standin.step.scn": "1",
    "standin.released.xids": "3:4.9.771,3:5.2.802",
    ...more,
  };
}
