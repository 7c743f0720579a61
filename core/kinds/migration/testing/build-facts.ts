// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector
import type { Check, Verdict } from "../../../checks/check.ts";
import { type Finding, findings } from "../../../checks/finding.ts";
import type { MigrationIntent, VerifyIntent } from "../../../document/intent.ts";
import type { ConnectorStatus } from "../../../facts/connector.ts";
import type { ConnectorFacts, DeployedConnector } from "../../../facts/connector-facts.ts";
import type {
  CutoverFacts,
  CutoverKnown,
  EvidenceKnown,
  NewSettingsSeen,
  OtherConnector,
  RetirementFacts,
  ReturnFacts,
  VerificationFacts,
  VerificationKnown,
} from "../../../facts/migration-facts.ts";
import type { Dictionary, TableSeen } from "../../../facts/tables.ts";
import type { TopicSeen } from "../../../facts/topic.ts";
import { CONNECTOR_CLASS } from "../../../legacy/rules.ts";
import { DATABASE, type LegacyParts, legacyFacts, table as stored } from "../../../legacy/testing/build-legacy.ts";
import { translate } from "../../../legacy/translation.ts";
import { facts as connectorFacts, type FactsParts, known } from "../../offset-change/testing/build-facts.ts";
import {
  type CutoverReading,
  type MigrationReading,
  type RetirementReading,
  type ReturnReading,
  readCutover,
  readRetirement,
  readReturn,
  readVerification,
  type VerificationReading,
} from "../reading.ts";

/**
 * Whole, valid facts, intents and readings of the phases of a migration for tests: `orders-legacy` is left for `orders-cdc`, which captures two tables, with
 * nothing in the way.
 */

export { known, unseen } from "../../offset-change/testing/build-facts.ts";

const AT = "2026-11-21T09:14:02Z";

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
};

export const RUNNING: ConnectorStatus = {
  state: "RUNNING",
  worker: "worker-2:8083",
  tasks: [{ id: 0n, state: "RUNNING", worker: "worker-2:8083" }],
};
export const STOPPED: ConnectorStatus = { state: "STOPPED", worker: "worker-2:8083", tasks: [] };

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
    archiveDestination: undefined,
    tables: { pdbs: ["ORCLPDB1"], include: "ORCLPDB1[.]SALES[.].*", exclude: undefined, caseSensitive: true },
    valueConverter: undefined,
    valueConverterSchemas: undefined,
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

export function topic(name: string, parts: Partial<TopicSeen> = {}): TopicSeen {
  return {
    name,
    partitions: 1n,
    replicas: 3n,
    cleanupPolicy: known("delete"),
    minInsyncReplicas: known(2n),
    maxMessageBytes: known(1_048_588n),
    retentionMillis: known(-1n),
    mayWrite: known(true),
    ...parts,
  };
}

export function other(name: string, parts: Partial<OtherConnector> = {}): OtherConnector {
  return { name, connectorClass: "org.example.Sink", prefix: undefined, licenceTopic: undefined, ...parts };
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
};
export const EVIDENCE: EvidenceKnown = {
  file: "orders-to-cdc.evidence.json",
  digest: "sha256:abc",
  connector: "orders-cdc",
  checkScn: 2_190_000n,
  tables: [
    { table: LINES, outcome: "pass", legacyTopic: "ORCLPDB1.SALES.LINES", leftOut: [] },
    { table: ORDERS, outcome: "pass", legacyTopic: "ORCLPDB1.SALES.ORDERS", leftOut: [] },
  ],
};

/** What every phase looks at besides its own. */
type CommonParts = Pick<FactsParts, "worker" | "database" | "brokers" | "opsTopic" | "opsHistory" | "events">;

function common({ worker, database, brokers, opsTopic, opsHistory, events }: CommonParts) {
  const parts = { worker, database, brokers, opsTopic, opsHistory, events };
  const seen = connectorFacts(
    Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as FactsParts,
  );
  return {
    kind: "Migration" as const,
    at: AT,
    worker: seen.worker,
    database: seen.database,
    brokers: seen.brokers,
    opsTopic: seen.opsTopic,
    opsHistory: seen.opsHistory,
  };
}

function redoOf(parts: LegacyParts): Pick<ConnectorFacts, "redo" | "probes" | "transactions" | "times"> {
  const { redo, probes, transactions, times } = legacyFacts(parts);
  return { redo, probes, transactions, times };
}

type RedoParts = Pick<LegacyParts, "redo" | "probes" | "transactions" | "times" | "catalogue" | "unopened">;

export interface CutoverParts
  extends Omit<CommonParts, "opsTopic" | "opsHistory">,
    RedoParts,
    Partial<Pick<CutoverFacts, "next" | "lacking" | "installed" | "problems" | "topics" | "others" | "latest">> {
  readonly legacy?: Partial<DeployedConnector>;
  readonly settings?: Partial<NewSettingsSeen>;
  /** More properties of the legacy connector. */
  readonly properties?: Readonly<Record<string, string>>;
}

export function cutoverFacts(parts: CutoverParts = {}): CutoverFacts {
  const own = legacy(parts.legacy);
  const seen = legacy({ ...own, config: { ...own.config, ...parts.properties } });
  const redo: RedoParts = parts;
  return {
    ...common(parts),
    ...redoOf(partsOf(redo, parts)),
    phase: "cutover",
    legacy: seen,
    next: parts.next,
    settings: settings(parts.settings),
    translation: translate("orders-legacy", seen.config, { name: "orders-cdc", topicPrefix: "orders" }),
    lacking: parts.lacking ?? [],
    installed: parts.installed ?? known(true),
    problems: parts.problems ?? known([]),
    topics: parts.topics ?? known([...LEGACY_TOPICS, REDO_TOPIC]),
    others: parts.others ?? known([other("billing-sink")]),
    latest: parts.latest ?? known(undefined),
  };
}

/** Only what is given: a part that is there and undefined would hide the default. */
function partsOf(redo: RedoParts, { database }: Pick<CommonParts, "database">): LegacyParts {
  const { redo: catalogueSeen, probes, transactions, times, catalogue, unopened } = redo;
  const parts = { redo: catalogueSeen, probes, transactions, times, catalogue, unopened, database };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as LegacyParts;
}

export interface ReturnParts
  extends CommonParts,
    RedoParts,
    Partial<Pick<ReturnFacts, "topics" | "dictionary" | "others" | "cutover">> {
  readonly legacy?: Partial<DeployedConnector>;
  /** Null: the workers have none. */
  readonly next?: DeployedConnector | null;
  readonly settings?: Partial<NewSettingsSeen>;
}

export function returnFacts(parts: ReturnParts = {}): ReturnFacts {
  return {
    ...common(parts),
    ...redoOf(partsOf(parts, parts)),
    phase: "rollback",
    legacy: legacy(parts.legacy),
    next: parts.next === null ? undefined : (parts.next ?? created()),
    settings: settings(parts.settings),
    topics:
      parts.topics ?? known([...LEGACY_TOPICS, REDO_TOPIC, ...NEW_TOPICS, "orders.cdc.ops", "orders.cdc.txjournal"]),
    dictionary: parts.dictionary ?? known(dictionary(table("ORDERS"), table("LINES"))),
    others: parts.others ?? known([other("billing-sink")]),
    cutover: parts.cutover ?? known(CUTOVER),
  };
}

export interface VerificationParts extends CommonParts, Partial<Pick<VerificationFacts, "dictionary" | "topics">> {
  readonly next?: DeployedConnector | null;
  readonly settings?: Partial<NewSettingsSeen>;
  /** Besides the topics of the two tables, new and legacy. */
  readonly seen?: Readonly<Record<string, TopicSeen | "missing">>;
  readonly read?: VerificationFacts["read"];
}

export function verificationFacts(parts: VerificationParts = {}): VerificationFacts {
  const topics = [...LEGACY_TOPICS, ...NEW_TOPICS];
  return {
    ...common(parts),
    phase: "verify",
    next: parts.next === null ? undefined : (parts.next ?? created()),
    settings: settings(parts.settings),
    dictionary: parts.dictionary ?? known(dictionary(table("ORDERS"), table("LINES"))),
    topics: parts.topics ?? known([...topics, REDO_TOPIC, "orders.cdc.ops"]),
    read: parts.read ?? known({ ...Object.fromEntries(topics.map((name) => [name, topic(name)])), ...parts.seen }),
  };
}

export interface RetirementParts
  extends CommonParts,
    Partial<
      Pick<RetirementFacts, "dictionary" | "topics" | "others" | "groups" | "evidence" | "verifications" | "cutover">
    > {
  readonly legacy?: Partial<DeployedConnector> | null;
  readonly next?: DeployedConnector | null;
  readonly settings?: Partial<NewSettingsSeen>;
}

export function retirementFacts(parts: RetirementParts = {}): RetirementFacts {
  return {
    ...common(parts),
    phase: "retire",
    legacy: parts.legacy === null ? undefined : legacy(parts.legacy),
    next: parts.next === null ? undefined : (parts.next ?? created()),
    settings: settings(parts.settings),
    dictionary: parts.dictionary ?? known(dictionary(table("ORDERS"), table("LINES"))),
    topics:
      parts.topics ?? known([...LEGACY_TOPICS, REDO_TOPIC, ...NEW_TOPICS, "_confluent-command", "orders.cdc.ops"]),
    others: parts.others ?? known([other("billing-sink")]),
    groups: parts.groups ?? known([]),
    evidence: parts.evidence ?? known(EVIDENCE),
    verifications: parts.verifications ?? known([VERIFIED]),
    cutover: parts.cutover ?? known(CUTOVER),
  };
}

export interface IntentParts extends Partial<Omit<MigrationIntent, "origin" | "from" | "to" | "verify">> {
  readonly from?: Partial<MigrationIntent["from"]>;
  readonly to?: Partial<MigrationIntent["to"]>;
  /** Null: the plan file has none. */
  readonly verify?: Partial<VerifyIntent> | null;
}

/** The cutover of `orders-legacy` to `orders-cdc`, unless the parts say otherwise. */
export function intent({ from, to, verify, ...parts }: IntentParts = {}): MigrationIntent {
  return {
    kind: "Migration",
    metadata: { name: "orders-to-cdc", reason: "leave the legacy connector", ticket: undefined },
    target: { context: "prod", connectUrl: undefined, connector: to?.name ?? "orders-cdc" },
    origin: {
      by: "plan file",
      file: "orders-to-cdc.yaml",
      lines: { spec: 8n, "spec.to": 12n, "spec.verify": 16n, "spec.verify.tables": 17n, "spec.accept": 20n },
    },
    phase: "cutover",
    from: { connector: "orders-legacy", leaveOut: [], ...from },
    to: { name: "orders-cdc", topicPrefix: "orders", config: {}, ...to },
    verify:
      verify === null
        ? undefined
        : {
            tables: ["SALES.ORDERS", "SALES.LINES"],
            legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS", "SALES.LINES": "ORCLPDB1.SALES.LINES" },
            checkScn: undefined,
            safetyMargin: 30_000n,
            wait: 600_000n,
            ignoreColumns: {},
            showValues: false,
            ...verify,
          },
    evidence: "orders-to-cdc.evidence.json",
    deleteTopics: false,
    deleteLicenceTopic: false,
    opsFormat: undefined,
    accept: [],
    ...parts,
  };
}

export function cutover(parts: CutoverParts = {}, wanted: MigrationIntent = intent()): CutoverReading {
  return readCutover(wanted, cutoverFacts(parts));
}

export function goingBack(
  parts: ReturnParts = {},
  wanted: MigrationIntent = intent({ phase: "rollback" }),
): ReturnReading {
  return readReturn(wanted, returnFacts(parts));
}

export function verification(
  parts: VerificationParts = {},
  wanted: MigrationIntent = intent({ phase: "verify" }),
): VerificationReading {
  return readVerification(wanted, verificationFacts(parts));
}

export function retirement(
  parts: RetirementParts = {},
  wanted: MigrationIntent = intent({ phase: "retire" }),
): RetirementReading {
  return readRetirement(wanted, retirementFacts(parts));
}

/** A check of a phase, and maybe of others. */
type CheckOf<R> = Omit<Check<"Cutover">, "run"> & { readonly run: (intent: MigrationIntent, reading: R) => Verdict };

function found<R extends MigrationReading>(check: CheckOf<R>, on: R, wanted: MigrationIntent): Finding {
  const run = (by: MigrationIntent) => check.run(by, on);
  const [finding] = findings<"Cutover">([{ ...check, run }], wanted, on as CutoverReading);
  if (finding === undefined) throw new Error("no finding");
  return finding;
}

/** What follows from a check: `none` when it passes. */
export function effectOf<R extends MigrationReading>(
  check: CheckOf<NoInfer<R>>,
  on: R,
  wanted: MigrationIntent = intent(),
): Finding["effect"] {
  return found(check, on, wanted).effect;
}

/** Whether it failed, or could not tell. */
export function verdictOf<R extends MigrationReading>(
  check: CheckOf<NoInfer<R>>,
  on: R,
  wanted: MigrationIntent = intent(),
): Finding["verdict"] {
  return found(check, on, wanted).verdict;
}

/** What a check saw, and the ways out that it offers, one a line; empty when it passes. */
export function saidBy<R extends MigrationReading>(
  check: CheckOf<NoInfer<R>>,
  on: R,
  wanted: MigrationIntent = intent(),
): string {
  const { verdict, seen, remedies } = found(check, on, wanted);
  return verdict === "pass" ? "" : [seen ?? "", ...remedies].join("\n");
}
