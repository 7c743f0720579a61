// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors
import type { Finding } from "../../checks/finding.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import { type Translation, translate } from "../../legacy/translation.ts";
import type { Timeline } from "../../timeline/timeline.ts";
import { digestOf } from "../../values/digest.ts";
import type {
  CutoverShown,
  MigrationDecided,
  MigrationPlan,
  MigrationShown,
  RetirementShown,
  ReturnShown,
  VerificationShown,
} from "../migration-plan.ts";
import type { ConnectorShown, PlanOutcome } from "../plan.ts";
import type { PlannedStep } from "../steps.ts";
import { allThere, lateCommit } from "./build-plan.ts";
import { LEGACY_CONFIG, legacyRuns, legacyStopped, newRuns, TAKEOVER } from "./migration-parts.ts";
import { migrationTimelineFor } from "./migration-timeline.ts";

/**
 * Whole, valid plans of migrations for tests. Each names only what makes it what it is; all else is that of
 * `orders-legacy` and `orders-cdc`.
 */

const PASSING: readonly (readonly [string, string])[] = [
  ["CON301", "The connector is of another class"],
  ["CON302", "The worker is too old"],
  ["OPS601", "The ops topic is missing"],
  ["OPS602", "No right to write to the ops topic"],
  ["DBA401", "The database is not in ARCHIVELOG mode"],
];

/** A pass for each check that is not among those given. */
export function migrationFindings(...found: readonly Finding[]): readonly Finding[] {
  const codes = new Set(found.map(({ code }) => code));
  const passed = PASSING.filter(([code]) => !codes.has(code)).map(
    ([code, title]): Finding => ({ code, title, verdict: "pass", effect: "none", remedies: [] }),
  );
  return [...passed, ...found];
}

export interface MigrationPlanParts {
  readonly name?: string;
  readonly intent?: Partial<MigrationIntent>;
  readonly legacyConfig?: Readonly<Record<string, string>>;
  /** What the phase shows; decides the phase. */
  readonly cutover?: Partial<CutoverShown>;
  readonly verify?: Partial<VerificationShown>;
  readonly rollback?: Partial<ReturnShown>;
  readonly retire?: Partial<RetirementShown>;
  readonly legacy?: ConnectorShown | undefined;
  readonly next?: ConnectorShown | undefined;
  readonly findings?: readonly Finding[];
  readonly outcome?: PlanOutcome;
  readonly zone?: string;
  readonly connectUrl?: string;
  /** Left out: what fits the position that the phase shows. */
  readonly timeline?: Timeline;
}

/** A cutover that is ready, its one manual property accepted, unless the parts say otherwise. */
export function buildMigrationPlan(parts: MigrationPlanParts = {}): MigrationPlan {
  const intent = intentOf(parts);
  const migration = shownOf(parts, intent);
  const findings = parts.findings ?? migrationFindings(lateCommit);
  const configuration = configurationOf(parts, intent);
  const legacy = "legacy" in parts ? parts.legacy : migration.phase === "cutover" ? legacyRuns : legacyStopped;
  const next = "next" in parts ? parts.next : migration.phase === "cutover" ? undefined : newRuns;
  const decided: MigrationDecided = {
    kind: "Migration",
    phase: migration.phase,
    legacy: intent.from.connector,
    connector: intent.to.name,
    cluster: "4L6g3nShT-eMCtK--X86sw",
    database: { dbid: 2914731n, resetlogsScn: 1n },
    metadata: intent.metadata,
    ...decidedOf(migration, intent),
    opsFormat: intent.opsFormat,
    accept: [...intent.accept].sort(),
    legacyConfiguration: legacy === undefined ? undefined : { "connector.class": legacy.connectorClass ?? "" },
    configuration,
  };
  const blocked = findings.some(({ effect }) => effect === "blocks");
  return {
    intent,
    plannedAt: "2026-11-21T09:14:02Z",
    outcome: parts.outcome ?? (blocked ? { state: "blocked" } : { state: "ready" }),
    world: {
      connectUrl: parts.connectUrl ?? "http://connect.prod:8083",
      connectVersion: "3.9.2",
      clusterId: "4L6g3nShT-eMCtK--X86sw",
      database: {
        name: "ORCLCDB",
        version: "19.24.0.0.0",
        address: "db.prod:1521/ORCLCDB",
        dbid: 2914731n,
        resetlogsScn: 1n,
        currentScn: 2241020n,
        zone: parts.zone ?? "+00:00",
      },
      opsTopic: "orders.cdc.ops",
      opsFormat: "json",
      prefix: "orders",
    },
    legacy,
    next,
    migration,
    ...(parts.timeline === undefined ? migrationTimelineFor(migration) : { timeline: parts.timeline }),
    findings,
    steps: stepsOf(migration, intent, next),
    decided,
    decision: digestOf(decided),
  };
}

function intentOf({ name = "orders-to-cdc", intent, verify, rollback, retire }: MigrationPlanParts): MigrationIntent {
  const phase =
    verify !== undefined ? "verify" : rollback !== undefined ? "rollback" : retire !== undefined ? "retire" : "cutover";
  return {
    kind: "Migration",
    metadata: { name, reason: "leave the legacy connector", ticket: "CHG-4800" },
    target: { context: "prod", connectUrl: undefined, connector: intent?.to?.name ?? "orders-cdc" },
    origin: { by: "plan file", file: "orders-to-cdc.yaml", lines: { "spec.phase": 10n, "spec.accept": 22n } },
    phase,
    from: { connector: "orders-legacy", leaveOut: ["ORCLPDB1.SALES.OLD_ORDERS"] },
    to: { name: "orders-cdc", topicPrefix: "orders", config: { "cdc.lob.mode": "reselect" } },
    verify: {
      tables: ["SALES.ORDERS", "SALES.LINES"],
      topics: {},
      legacyTopics: { "SALES.ORDERS": "ORCLCDB.ORCLPDB1.SALES.ORDERS" },
      checkScn: undefined,
      safetyMargin: 30_000n,
      wait: 600_000n,
      ignoreColumns: {},
      showValues: false,
    },
    evidence: `${name}.evidence.json`,
    deleteTopics: (rollback?.topics?.length ?? 0) > 0,
    deleteLicenceTopic: false,
    opsFormat: undefined,
    accept: ["key.template"],
    ...intent,
  };
}

/** By names that nobody refuses, whatever the intent's are. */
function translationOf({ legacyConfig = LEGACY_CONFIG }: MigrationPlanParts, { to }: MigrationIntent): Translation {
  return { ...translate("orders-legacy", legacyConfig, { name: "orders-cdc", topicPrefix: "orders" }), name: to.name };
}

/** As the operator's file completes it: a login of its own, and the new connector's brokers. */
function configurationOf(parts: MigrationPlanParts, intent: MigrationIntent): Readonly<Record<string, string>> {
  const { name: _name, ...translated } = translationOf(parts, intent).config;
  return {
    ...translated,
    "cdc.database.user": "C##CDC",
    "cdc.database.password": "${file:/etc/connect/orders.properties:password}",
    "cdc.stream.bootstrap.servers": "kafka.prod:9092",
    ...intent.to.config,
  };
}

function shownOf(parts: MigrationPlanParts, intent: MigrationIntent): MigrationShown {
  const redo: RedoExamination = allThere;
  const { verify, rollback, retire } = parts;
  if (verify !== undefined)
    return {
      phase: "verify",
      tables: [
        {
          table: "ORCLPDB1.SALES.ORDERS",
          topic: "orders.ORCLPDB1.SALES.ORDERS",
          legacyTopic: "ORCLCDB.ORCLPDB1.SALES.ORDERS",
        },
        { table: "ORCLPDB1.SALES.LINES", topic: "orders.ORCLPDB1.SALES.LINES", legacyTopic: undefined },
      ],
      checkScn: intent.verify?.checkScn,
      evidence: "orders-to-cdc.evidence.json",
      ...verify,
    };
  if (rollback !== undefined)
    return {
      phase: "rollback",
      takeover: TAKEOVER,
      redo,
      topics: [],
      kept: ["orders.ORCLPDB1.SALES.LINES", "orders.ORCLPDB1.SALES.ORDERS", "orders.cdc.ops", "orders.cdc.txjournal"],
      ...rollback,
    };
  if (retire !== undefined)
    return {
      phase: "retire",
      topics: [
        { topic: "ORCLCDB.ORCLPDB1.SALES.ORDERS", what: "changes of ORCLPDB1.SALES.ORDERS" },
        { topic: "ORCLCDB.ORCLPDB1.SALES.LINES", what: "changes of ORCLPDB1.SALES.LINES" },
        { topic: "orders-redo", what: "redo log topic" },
      ],
      licenceTopic: "_confluent-command",
      evidence: {
        file: "orders-to-cdc.evidence.json",
        digest: "sha256:5d1c9a5b4d0e3b8e8f6f3e5f0e4d2b7c6a1f9e8d7c6b5a49382716051f2e3d4c",
      },
      ...retire,
    };
  return {
    phase: "cutover",
    translation: translationOf(parts, intent),
    configuration: configurationOf(parts, intent),
    preflight: { installed: true, problems: [], masked: [] },
    takeover: TAKEOVER,
    redo,
    createdStopped: true,
    ...parts.cutover,
  };
}

function decidedOf(shown: MigrationShown, { from, verify }: MigrationIntent): Partial<MigrationDecided> {
  switch (shown.phase) {
    case "cutover":
      return { leaveOut: [...from.leaveOut].sort() };
    case "verify":
      return { ...(verify === undefined ? {} : { verify: digestOf(verify) }), evidence: shown.evidence };
    case "rollback":
      return { leaveOut: [...from.leaveOut].sort(), ...(shown.topics.length === 0 ? {} : { topics: shown.topics }) };
    case "retire":
      return { evidence: shown.evidence?.digest, topics: (shown.topics ?? []).map(({ topic }) => topic) };
  }
}

/** As the kind plans them. */
function stepsOf(
  shown: MigrationShown,
  { from, to }: MigrationIntent,
  next: ConnectorShown | undefined,
): readonly PlannedStep[] {
  switch (shown.phase) {
    case "cutover":
      return [
        { step: "stop-connector", connector: from.connector },
        { step: "recheck", legacy: from.connector },
        { step: "create-connector", connector: to.name, stopped: shown.createdStopped },
        { step: "start-new", connector: to.name },
      ];
    case "verify":
      return shown.tables.length === 0
        ? []
        : [{ step: "verify-tables", tables: shown.tables, evidence: shown.evidence }];
    case "rollback":
      return [
        ...(next === undefined
          ? [{ step: "recheck", legacy: from.connector } as const]
          : ([
              { step: "stop-connector", connector: to.name },
              { step: "recheck", legacy: from.connector },
              { step: "record-applying", topic: "orders.cdc.ops" },
              { step: "delete-offsets", connector: to.name },
              { step: "record-outcome", topic: "orders.cdc.ops" },
              { step: "delete-connector", connector: to.name },
            ] as const)),
        { step: "resume-legacy", connector: from.connector },
        ...(shown.topics.length === 0 ? [] : [{ step: "delete-topics", topics: shown.topics } as const]),
      ];
    case "retire": {
      const topics = (shown.topics ?? []).map(({ topic }) => topic);
      return [
        { step: "delete-connector", connector: from.connector },
        ...(topics.length === 0 ? [] : [{ step: "delete-topics", topics } as const]),
      ];
    }
  }
}
