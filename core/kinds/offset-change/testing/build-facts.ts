import type {
  ArchivedLog,
  ConnectorStatus,
  OffsetChangeFacts,
  OffsetsSetDetails,
  OnlineLog,
  OpsHistory,
  RecordedEvent,
  RecordInLog,
  RedoCatalogue,
  TopicSeen,
} from "../../../../schemas/generated/facts.ts";
import type { Check } from "../../../checks/check.ts";
import { findings } from "../../../checks/finding.ts";
import type { OffsetChangeReading } from "../../../checks/readings.ts";
import { worded } from "../../../checks/testing/wording.ts";
import type { OffsetChangeIntent } from "../../../document/intent.ts";
import type { Observed } from "../../../facts/observed.ts";
import { logsToProbe } from "../../../facts/redo/redo.ts";
import { healthyDatabase } from "../../../facts/testing/healthy-database.ts";
import { canonicalJson, type JsonObject } from "../../../values/json.ts";
import type { Scn } from "../../../values/scn.ts";
import { readOffsetChange } from "../reading.ts";

/**
 * Whole, valid facts, intents and readings for tests: those of `orders-cdc`, healthy, with nothing in the way of a move
 * back to 2169287.
 */

const AT = "2026-11-21T09:14:02Z";

/** The stored offset of `orders-cdc`. */
export const STORED: JsonObject = {
  v: 1n,
  resume_scn: 2204511n,
  resume_rs_id: "0x00002a.00000f1c.0010",
  resume_ssn: 3n,
  last_commit_scn: 2204498n,
  last_commit_xid: "1:7.22.1180",
  last_commit_thread: 1n,
  event_index: 14n,
  journal_generation: 17n,
  schema_epoch: 0n,
  dbid: 2914731n,
  resetlogs_scn: 1n,
  released_xids: "1:4.9.771,1:5.2.802",
  snapshot: '{"v":1,"complete":true,"tables":{}}',
};

export function known<T>(value: T, source = "a test"): Observed<T> {
  return { known: true, value, source, at: AT };
}

export function unseen(why = "the right is missing", remedy?: string): Observed<never> {
  return { known: false, why, ...(remedy === undefined ? {} : { remedies: [remedy] }), source: "a test" };
}

export const RUNNING: ConnectorStatus = {
  state: "RUNNING",
  worker: "worker-2:8083",
  tasks: [{ id: 0n, state: "RUNNING", worker: "worker-2:8083" }],
};
export const STOPPED: ConnectorStatus = { state: "STOPPED", worker: "worker-2:8083", tasks: [] };

/** A topic of one partition, with the brokers' own settings. */
export function topicNamed(name: string, parts: Partial<TopicSeen> = {}): TopicSeen {
  return {
    name,
    partitions: 1n,
    replicas: 3n,
    cleanupPolicy: known("delete"),
    minInsyncReplicas: known(2n),
    inSyncReplicas: [3n],
    timestamps: known({ type: "CreateTime", beforeMaxMillis: undefined, afterMaxMillis: undefined }),
    maxMessageBytes: known(1_048_588n),
    retentionMillis: known(604_800_000n),
    retentionBytes: known(-1n),
    mayWrite: known(true),
    ...parts,
  };
}

/** An archived log; each of 1,000,000 bytes. */
export function archived(sequence: bigint, firstScn: Scn, nextScn: Scn, parts: Partial<ArchivedLog> = {}): ArchivedLog {
  return {
    thread: 1n,
    sequence,
    firstScn,
    nextScn,
    name: `/arch/1_${sequence}_1.arc`,
    status: "A",
    deleted: false,
    destination: 1n,
    standby: false,
    resetlogsScn: 1n,
    bytes: 1_000_000n,
    ...parts,
  };
}

const current: OnlineLog = {
  thread: 1n,
  sequence: 122n,
  firstScn: 2220000n,
  status: "CURRENT",
  archived: false,
  member: "/redo/redo01.log",
  bytes: 2_000_000n,
};

/** Sequences 117 to 121 archived, from SCN 2100000 to 2220000; 122 on line. */
export const CATALOGUE: RedoCatalogue = {
  threads: [
    { thread: 1n, enabled: "PUBLIC", status: "OPEN", sequence: 122n, enableScn: 1n, disableScn: undefined },
    { thread: 2n, enabled: "DISABLED", status: "CLOSED", sequence: 0n, enableScn: 0n, disableScn: undefined },
  ],
  destinations: [{ id: 1n, name: "LOG_ARCHIVE_DEST_1", status: "VALID", type: "LOCAL" }],
  archived: [
    archived(117n, 2100000n, 2150000n),
    archived(118n, 2150000n, 2170000n),
    archived(119n, 2170000n, 2190000n),
    archived(120n, 2190000n, 2204000n),
    archived(121n, 2204000n, 2220000n),
  ],
  online: [current],
};

export interface FactsParts extends Partial<Omit<OffsetChangeFacts, "worker" | "connector" | "database">> {
  readonly worker?: Partial<OffsetChangeFacts["worker"]>;
  readonly connector?: Partial<OffsetChangeFacts["connector"]>;
  readonly database?: Partial<OffsetChangeFacts["database"]>;
  /** The offset under the connector's own partition; null: none is stored. */
  readonly stored?: JsonObject | null;
  readonly catalogue?: RedoCatalogue;
  /** Files that can't be opened. */
  readonly unopened?: readonly string[];
  readonly events?: readonly RecordedEvent[];
}

/** All that an ops topic tells; the workers' clocks agree with this machine's. */
export function history(events: readonly RecordedEvent[] = [], parts: Partial<OpsHistory> = {}): OpsHistory {
  return { events, answers: [], whole: true, readTo: [], clusterNow: AT, ...parts };
}

export function facts(parts: FactsParts = {}): OffsetChangeFacts {
  const { worker, connector, database, stored = STORED, catalogue = CATALOGUE, unopened = [], events, ...rest } = parts;
  const seen: OffsetChangeFacts["database"] = {
    ...healthyDatabase({ dbid: 2914731n, version: "19.24.0.0.0", currentScn: 2241020n, zone: "+00:00" }),
    address: "db.prod:1521/ORCLCDB",
    ...database,
  };
  const files = logsToProbe(catalogue, {
    from: 0n,
    currentScn: seen.currentScn,
    resetlogsScn: seen.resetlogsScn,
    captureMode: "online",
    destination: undefined,
  });
  return {
    kind: "OffsetChange",
    at: AT,
    worker: { url: "http://connect.prod:8083", version: "3.9.2", clusterId: "4L6g3nShT-eMCtK--X86sw", ...worker },
    connector: {
      name: "orders-cdc",
      connectorClass: "sh.oso.connect.oracle.OracleCdcSourceConnector",
      config: { "cdc.topic.prefix": "orders", "cdc.database.host": "db.prod" },
      configOrigin: "GET /connectors/orders-cdc",
      prefix: "orders",
      opsTopic: "orders.cdc.ops",
      signalsTopic: "orders.cdc.signals",
      captureMode: "online",
      miningMode: "auto",
      tables: { pdbs: ["ORCLPDB1"], include: "ORCLPDB1[.]SALES[.].*", exclude: undefined, caseSensitive: false },
      status: RUNNING,
      offsets: [{ partition: { server: "orders" }, offset: stored }],
      ...connector,
    },
    database: seen,
    target: { by: "scn" },
    redo: known(catalogue, "V$ARCHIVED_LOG"),
    probes: known({
      applies: true,
      files: files.map((file) =>
        unopened.includes(file)
          ? {
              file,
              opened: false as const,
              code: "ORA-00308",
              message: `ORA-00308: cannot open archived log '${file}'`,
            }
          : { file, opened: true as const },
      ),
    }),
    transactions: known([]),
    journaled: known([]),
    times: known([]),
    ddl: known({ schemaTopic: "orders.cdc.schema", tables: [] }),
    brokers: known({ address: "kafka.prod:9092", clusterId: "4L6g3nShT-eMCtK--X86sw" }),
    opsTopic: known(topicNamed("orders.cdc.ops")),
    opsHistory: known(history(events)),
    ...(stored === null ? { signals: known({ end: 0n, unread: [] }) } : {}),
    ...rest,
  };
}

export interface IntentParts extends Partial<Omit<OffsetChangeIntent, "origin">> {
  readonly by?: OffsetChangeIntent["origin"]["by"];
  readonly file?: string;
  readonly lines?: OffsetChangeIntent["origin"]["lines"];
}

/** Back to 2169287, by a plan file, unless the parts say otherwise. */
export function intent({
  by = "plan file",
  file = "orders-replay.yaml",
  lines = { "spec.scn": 11n, "spec.allowSkip": 12n, spec: 10n },
  ...parts
}: IntentParts = {}): OffsetChangeIntent {
  return {
    kind: "OffsetChange",
    metadata: { name: "orders-replay", reason: "replay after the bad deploy", ticket: undefined },
    target: { context: "prod", connectUrl: undefined, connector: "orders-cdc" },
    origin: {
      by,
      file: by === "plan file" ? file : undefined,
      lines: by === "plan file" ? lines : {},
    },
    position: { to: "scn", scn: 2169287n },
    allowSkip: false,
    forgetReleased: "none",
    resume: false,
    opsFormat: undefined,
    accept: [],
    ...parts,
  };
}

export function reading(parts: FactsParts = {}, wanted: OffsetChangeIntent = intent()): OffsetChangeReading {
  return readOffsetChange(wanted, facts(parts));
}

/** A move from one SCN to another, of a database that has reached both. */
export function move(
  { from, to }: { readonly from: Scn; readonly to: Scn },
  parts: Omit<FactsParts, "stored"> = {},
): OffsetChangeReading {
  return reading({ stored: { ...STORED, resume_scn: from }, ...parts }, toScn(to));
}

/** The first offset of a connector that has none. */
export function initial({ to }: { readonly to: Scn }, parts: Omit<FactsParts, "stored"> = {}): OffsetChangeReading {
  return reading({ stored: null, ...parts }, toScn(to));
}

export function toScn(scn: Scn, parts: IntentParts = {}): OffsetChangeIntent {
  return intent({ position: { to: "scn", scn }, ...parts });
}

/** An event of `orders-cdc` in its ops topic, its record dated as it is unless the parts say otherwise. */
export function opsEvent(
  details: Partial<OffsetsSetDetails> = {},
  at = "2026-11-21T09:10:02Z",
  record: Partial<RecordInLog> = {},
): RecordedEvent {
  return {
    at,
    record: { partition: 0n, offset: 0n, time: at, stampedBy: "producer", ...record },
    server: "orders",
    details: {
      connector: "orders-cdc",
      command: "offsets set",
      reason: "replay",
      operator: "ana",
      direction: "backward",
      previous_resume_scn: "2204511",
      new_resume_scn: "2169287",
      outcome: "applying",
      ...details,
    },
  };
}

/**
 * The offsets that a record of a move carries: one from before the connector's present task, which has committed since.
 */
export function ranOnFrom(
  scn: Scn,
): Required<Pick<OffsetsSetDetails, "previous_offset" | "new_offset" | "new_resume_scn">> {
  const previous = { ...STORED, journal_generation: 16n };
  return {
    new_resume_scn: String(scn),
    previous_offset: canonicalJson(previous),
    new_offset: canonicalJson({ ...previous, resume_scn: scn }),
  };
}

/** What follows from a check: `none` when it passes. */
export function effectOf(
  check: Check<OffsetChangeIntent, OffsetChangeReading>,
  on: OffsetChangeReading,
  wanted: OffsetChangeIntent = intent(),
): string {
  return findings([worded(check)], wanted, on)[0]?.effect ?? "no finding";
}
