import type {
  ArchivedLog,
  ConnectorStatus,
  Dictionary,
  OffsetChangeFacts,
  OpenTransaction,
  RedoCatalogue,
  ResnapshotFacts,
  TopicSeen,
} from "../../../schemas/generated/facts.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import type { Observed } from "../../facts/observed.ts";
import { healthyDatabase } from "../../facts/testing/healthy-database.ts";
import type { Instant } from "../../values/instant.ts";
import type { MemoryWorld } from "./memory-world.ts";
import { CONNECTOR, CURRENT_SCN, GAP_END, OPS_TOPIC, SIGNALS_TOPIC } from "./story.ts";

/** The second to last is a name that only quotes make one: it holds a comma. */
export const CAPTURED: readonly string[] = ["CUSTOMERS", "LINES", "LINES, OLD", "ORDERS"];

/** What was purged: the log in which the stored position lies. */
const PURGED_LOG: ArchivedLog = {
  thread: 1n,
  sequence: 8n,
  firstScn: 2_040_000n,
  nextScn: GAP_END,
  status: "D",
  deleted: true,
  destination: 1n,
  standby: false,
  resetlogsScn: 1n,
  bytes: 1n,
};

export const ADDRESS = "db:1521/ORCLCDB";

/** The dictionary of the captured set, and of nothing else. */
export const DICTIONARY: Dictionary = {
  containers: [{ name: "ORCLPDB1", openMode: "READ WRITE" }],
  tables: CAPTURED.map((name) => ({ container: "ORCLPDB1", owner: "SALES", name })),
  answering: ["ORCLPDB1"],
};

/** A healthy database, of the world's incarnation. */
export function databaseNow({ resetlogsScn }: Pick<MemoryWorld, "resetlogsScn">): DatabaseSeen {
  return healthyDatabase({ dbid: 2914731n, currentScn: CURRENT_SCN, resetlogsScn, zone: "+00:00" });
}

/** All redo is there unless the world says that it was purged. */
export function redoNow({ purged }: Pick<MemoryWorld, "purged">): RedoCatalogue {
  return {
    threads: [{ thread: 1n, enabled: "PUBLIC", status: "OPEN", sequence: 9n, enableScn: 1n, disableScn: undefined }],
    destinations: [{ id: 1n, name: "LOG_ARCHIVE_DEST_1", status: "VALID", type: "LOCAL" }],
    archived: purged ? [PURGED_LOG] : [],
    online: [
      {
        thread: 1n,
        sequence: 9n,
        firstScn: purged ? GAP_END : 1n,
        status: "CURRENT",
        archived: false,
        member: "/redo/9.log",
        bytes: 1n,
      },
    ],
  };
}

/** What the facts are made of besides the world's own values. */
interface Seen {
  readonly status: ConnectorStatus;
  readonly transactions: readonly OpenTransaction[];
  readonly at: Instant;
  /** Offset after the last record of the ops topic. */
  readonly opsTopicEnd: bigint;
}

export function offsetChangeFacts(world: MemoryWorld, seen: Seen): OffsetChangeFacts {
  return { kind: "OffsetChange", ...connectorFacts(world, seen), target: { by: "scn" } };
}

export function resnapshotFacts(world: MemoryWorld, seen: Seen): ResnapshotFacts {
  const known = knownAt(seen.at);
  return {
    kind: "Resnapshot",
    ...connectorFacts(world, seen),
    signalsTopic: known(topicSeen(SIGNALS_TOPIC, known)),
    signals: known({ end: 1000n, unread: [] }),
    dictionary: known(DICTIONARY),
    activity: known(DICTIONARY.tables),
    rowScns: known([]),
  };
}

type Known = <T>(value: T) => Observed<T>;

function knownAt(at: Instant): Known {
  return (value) => ({ known: true, value, source: "memory", at });
}

/** A healthy database beside what the world shows now. */
function connectorFacts(world: MemoryWorld, { status, transactions, at, opsTopicEnd }: Seen): ConnectorFacts {
  const known = knownAt(at);
  return {
    at,
    worker: { url: "http://w:8083", version: "3.9.2", clusterId: "k" },
    connector: {
      name: CONNECTOR,
      connectorClass: "sh.oso.connect.oracle.OracleCdcSourceConnector",
      config: { "cdc.database.host": "db", "cdc.topic.prefix": "orders" },
      configOrigin: "memory",
      prefix: "orders",
      opsTopic: OPS_TOPIC,
      signalsTopic: SIGNALS_TOPIC,
      captureMode: "online",
      miningMode: "auto",
      tables: { pdbs: ["ORCLPDB1"], include: "ORCLPDB1[.]SALES[.].*", exclude: undefined, caseSensitive: false },
      status,
      offsets: world.stored === null ? [] : [{ partition: { server: "orders" }, offset: world.stored }],
    },
    database: { ...databaseNow(world), address: ADDRESS },
    redo: known(redoNow(world)),
    probes: known({ applies: true, files: [{ file: "/redo/9.log", opened: true as const }] }),
    transactions: known(transactions),
    journaled: known([]),
    times: known([]),
    ddl: known({ schemaTopic: "orders.cdc.schema", tables: [] }),
    brokers: known({ address: "k:9092", clusterId: "k" }),
    opsTopic: known(topicSeen(OPS_TOPIC, known)),
    opsHistory: known({
      events: world.events,
      answers: [],
      whole: true,
      readTo: [{ partition: 0n, offset: opsTopicEnd }],
      clusterNow: at,
    }),
  };
}

export const topicSeenAt = (name: string, at: Instant): TopicSeen => topicSeen(name, knownAt(at));

function topicSeen(name: string, known: Known): TopicSeen {
  return {
    name,
    partitions: 1n,
    replicas: 1n,
    cleanupPolicy: known("delete"),
    minInsyncReplicas: known(1n),
    inSyncReplicas: [1n],
    timestamps: known({ type: "CreateTime", beforeMaxMillis: undefined, afterMaxMillis: undefined }),
    maxMessageBytes: known(1_048_588n),
    retentionMillis: known(604_800_000n),
    retentionBytes: known(-1n),
    mayWrite: known(true),
  };
}
