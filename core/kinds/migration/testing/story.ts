// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector
import type {
  CutoverKnown,
  DeployedConnector,
  Dictionary,
  EvidenceKnown,
  NewSettingsSeen,
  OtherConnector,
  TopicSeen,
  VerificationKnown,
} from "../../../../schemas/generated/facts.ts";
import type { TableSeen } from "../../../../schemas/generated/shared.ts";
import { CONNECTOR_CLASS } from "../../../legacy/connector-class.ts";
import { DATABASE, table as stored } from "../../../legacy/testing/build-legacy.ts";
import { known, RUNNING, STOPPED, topicNamed } from "../../offset-change/testing/build-facts.ts";

/** What is there while `orders-legacy` is left for `orders-cdc`, which captures two tables. */

export const LEGACY_CLASS = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";

/** `orders-legacy`, secrets masked. */
export const LEGACY_CONFIG: Readonly<Record<string, string>> = {
  "connector.class": LEGACY_CLASS,
  "oracle.server": "db.prod",
  "oracle.username": "C##LEGACY",
  "oracle.password": "********",
  "oracle.sid": "ORCLCDB",
  "oracle.pdb.name": "ORCLPDB1",
  "table.inclusion.regex": "ORCLPDB1[.]SALES[.].*",
  "table.topic.name.template": "${fullyQualifiedTableName}",
  "use.transaction.begin.for.mining.session": "true",
};

export const LEGACY_OFFSETS = [DATABASE, stored("ORDERS", 2170000n, "2180000"), stored("LINES", "2172000", 2179000n)];

export function legacy(parts: Partial<DeployedConnector> = {}): DeployedConnector {
  return {
    name: "orders-legacy",
    connectorClass: LEGACY_CLASS,
    config: LEGACY_CONFIG,
    status: STOPPED,
    offsets: LEGACY_OFFSETS,
    ...parts,
  };
}

/** Settings by whose template nobody can say what the topics are called. */
export const UNTOLD_TOPICS: Partial<NewSettingsSeen> = { config: { "cdc.topic.template": "${region}.${table}" } };

/** The new connector, created and running. */
export function created(parts: Partial<DeployedConnector> = {}): DeployedConnector {
  return {
    name: "orders-cdc",
    connectorClass: CONNECTOR_CLASS,
    config: settings().config,
    status: RUNNING,
    offsets: [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: 2200000n } }],
    ...parts,
  };
}

export function settings(parts: Partial<NewSettingsSeen> = {}): NewSettingsSeen {
  return {
    config: {
      "connector.class": CONNECTOR_CLASS,
      "cdc.topic.prefix": "orders",
      "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
      "cdc.database.password": "********",
    },
    configOrigin: "the translation of orders-legacy",
    prefix: "orders",
    opsTopic: "orders.cdc.ops",
    captureMode: "online",
    miningMode: "auto",
    tables: { pdbs: ["ORCLPDB1"], include: "ORCLPDB1[.]SALES[.].*", exclude: undefined, caseSensitive: true },
    ...parts,
  };
}

export function table(name: string, owner = "SALES", container = "ORCLPDB1"): TableSeen {
  return { container, owner, name };
}

export const ORDERS = "ORCLPDB1.SALES.ORDERS";
export const LINES = "ORCLPDB1.SALES.LINES";
export const NEW_TOPICS = ["orders.ORCLPDB1.SALES.LINES", "orders.ORCLPDB1.SALES.ORDERS"] as const;
export const LEGACY_TOPICS = ["ORCLPDB1.SALES.LINES", "ORCLPDB1.SALES.ORDERS"] as const;
export const REDO_TOPIC = "orders-legacy-ORCLPDB1-redo-log";

export function dictionary(...tables: readonly TableSeen[]): Dictionary {
  return { containers: [{ name: "ORCLPDB1", openMode: "READ WRITE" }], answering: ["ORCLPDB1"], tables };
}

/** One that keeps its records for ever. */
export function topic(name: string, parts: Partial<TopicSeen> = {}): TopicSeen {
  return topicNamed(name, { retentionMillis: known(-1n), ...parts });
}

export function other(name: string, parts: Partial<OtherConnector> = {}): OtherConnector {
  return {
    name,
    connectorClass: "org.example.Sink",
    ...parts,
  };
}

export const CUTOVER: CutoverKnown = {
  run: "2026-11-20T08-00-00Z-1a2b",
  at: "2026-11-20T08:00:00Z",
  offsets: LEGACY_OFFSETS,
};
export const VERIFIED: VerificationKnown = {
  run: "2026-11-21T08-00-00Z-3c4d",
  at: "2026-11-21T08:00:00Z",
  passed: true,
  digest: "sha256:abc",
  found: {
    configuration: settings().config,
    offsets: created().offsets,
    legacyOffsets: LEGACY_OFFSETS,
    opsTopic: "orders.cdc.ops",
    opsTopicEnds: [{ partition: 0n, offset: 4n }],
  },
};
export const EVIDENCE: EvidenceKnown = {
  file: "orders-to-cdc.evidence.json",
  digest: "sha256:abc",
  connector: "orders-cdc",
  writtenAt: "2026-11-21T09:15:40Z",
  counts: { rows: 14n, compared: 6n, byLegacy: 8n },
  checkScn: 2_190_000n,
  tables: [
    { table: LINES, outcome: "pass", legacyTopic: "ORCLPDB1.SALES.LINES", byLegacy: 3n, leftOut: [] },
    { table: ORDERS, outcome: "pass", legacyTopic: "ORCLPDB1.SALES.ORDERS", byLegacy: 0n, leftOut: [] },
  ],
};
