import type { Finding } from "../../checks/finding.ts";
import type { MigrationPlan } from "../migration-plan.ts";
import { buildMigrationPlan, migrationFindings } from "./build-migration-plan.ts";
import { lateCommit, redoWithGap } from "./build-plan.ts";
import { HOSTILE } from "./hostile.ts";
import { LEGACY_CONFIG, legacyStopped, newRuns, partition, TAKEOVER } from "./migration-parts.ts";

/** One plan of each phase of a migration that an operator meets. */

export const cutover: MigrationPlan = buildMigrationPlan();

export const cutoverStopped: MigrationPlan = buildMigrationPlan({
  legacy: legacyStopped,
  zone: "+01:00",
  cutover: {
    createdStopped: false,
    takeover: { ...TAKEOVER, lastDelivered: undefined, lastDeliveredAt: undefined, overlap: undefined },
  },
});

/** The finding of a check, whichever it is. */
function blocking(code: string, title: string, seen: string, remedies: readonly string[] = []): Finding {
  return { code, title, verdict: "fail", effect: "blocks", seen, remedies };
}

export const cutoverBlocked: MigrationPlan = buildMigrationPlan({
  intent: { accept: [] },
  cutover: {
    redo: redoWithGap,
    preflight: {
      installed: true,
      problems: [{ setting: "cdc.database.password", errors: ["must be set"] }],
      masked: ["cdc.database.password"],
    },
  },
  findings: migrationFindings(
    blocking("OFF102", "Redo from the target to now is not all there", redoWithGap.faults[0]?.message ?? "", [
      "Bring the logs back (RMAN):  RESTORE ARCHIVELOG FROM SEQUENCE 119 UNTIL SEQUENCE 120 THREAD 1;",
    ]),
    lateCommit,
  ),
});

/** Nothing is known of where the legacy connector stands, nor of the workers. */
export const cutoverUnseen: MigrationPlan = buildMigrationPlan({
  cutover: {
    takeover: undefined,
    redo: undefined,
    preflight: { installed: undefined, problems: undefined, masked: [] },
  },
  findings: migrationFindings(
    blocking(
      "CON302",
      "The worker is too old",
      "no offset is stored for the legacy connector: there is no position to take over",
    ),
  ),
});

export const verification: MigrationPlan = buildMigrationPlan({ verify: {} });

export const verificationShort: MigrationPlan = buildMigrationPlan({
  verify: { tables: [], checkScn: 2230000n },
  next: undefined,
  intent: {
    verify: {
      tables: ["SALES.GONE"],
      topics: {},
      legacyTopics: {},
      checkScn: 2230000n,
      safetyMargin: 30_000n,
      wait: 600_000n,
      ignoreColumns: { "SALES.GONE": ["UPDATED_AT", "UPDATED_BY"] },
      showValues: true,
    },
  },
  findings: migrationFindings(blocking("SNP901", "A table is not captured", "SALES.GONE is not captured")),
});

export const goingBack: MigrationPlan = buildMigrationPlan({ rollback: {} });

export const goingBackWhole: MigrationPlan = buildMigrationPlan({
  rollback: { topics: ["orders.ORCLPDB1.SALES.LINES", "orders.ORCLPDB1.SALES.ORDERS"], kept: ["orders.cdc.ops"] },
  next: {
    ...newRuns,
    state: "FAILED",
    tasks: [{ id: 0n, state: "FAILED", worker: "worker-2:8083" }],
    failedWith: "CDC-2002",
  },
});

export const goingBackNothing: MigrationPlan = buildMigrationPlan({
  rollback: { kept: undefined },
  next: undefined,
  outcome: { state: "no-op", why: "orders-cdc is not there, and orders-legacy runs" },
});

export const retirement: MigrationPlan = buildMigrationPlan({ retire: {} });

export const retirementBlocked: MigrationPlan = buildMigrationPlan({
  retire: { topics: undefined, evidence: undefined, licenceTopic: undefined },
  findings: migrationFindings(
    blocking("OPS602", "No right to write to the ops topic", "orders-to-cdc.evidence.json can't be read: no such file"),
  ),
});

export const hostileCutover: MigrationPlan = buildMigrationPlan({
  name: HOSTILE,
  legacyConfig: { ...LEGACY_CONFIG, [HOSTILE]: HOSTILE, "table.inclusion.regex": HOSTILE },
  connectUrl: `http://${HOSTILE}`,
  zone: HOSTILE,
  intent: {
    metadata: { name: HOSTILE, reason: HOSTILE, ticket: HOSTILE },
    from: { connector: HOSTILE, leaveOut: [HOSTILE] },
    to: { name: HOSTILE, topicPrefix: HOSTILE, config: { [HOSTILE]: HOSTILE } },
  },
  legacy: { ...legacyStopped, name: HOSTILE, state: HOSTILE, tasks: [{ id: 0n, state: HOSTILE, worker: HOSTILE }] },
  cutover: {
    takeover: {
      ...TAKEOVER,
      partitions: [partition(HOSTILE, 9223372036854775807n, { commitScn: 9223372036854775807n })],
    },
    preflight: { installed: false, problems: [{ setting: HOSTILE, errors: [HOSTILE] }], masked: [HOSTILE] },
  },
});

export const hostileRetirement: MigrationPlan = buildMigrationPlan({
  retire: {
    topics: [{ topic: HOSTILE, what: HOSTILE }],
    licenceTopic: HOSTILE,
    evidence: { file: HOSTILE, digest: HOSTILE },
  },
});

/** Very many captured tables, properties and topics. */
export function enormousCutover(count: number): MigrationPlan {
  const many = <T>(make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  return buildMigrationPlan({
    legacyConfig: { ...LEGACY_CONFIG, ...Object.fromEntries(many((i) => [`unknown.property.${i}`, `value ${i}`])) },
    cutover: {
      takeover: {
        ...TAKEOVER,
        partitions: [
          ...TAKEOVER.partitions,
          ...many((i) => partition(`ORCLPDB1.SALES.PARTITIONED_TABLE_${i}`, 2180000n + BigInt(i))),
        ],
      },
    },
  });
}

export function enormousRetirement(count: number): MigrationPlan {
  return buildMigrationPlan({
    retire: {
      topics: Array.from({ length: count }, (_, i) => ({
        topic: `ORCLCDB.ORCLPDB1.SALES.TABLE_${i}`,
        what: `changes of ORCLPDB1.SALES.TABLE_${i}`,
      })),
    },
  });
}

export const MIGRATION_EXAMPLES = {
  cutover,
  "cutover-stopped": cutoverStopped,
  "cutover-blocked": cutoverBlocked,
  "cutover-unseen": cutoverUnseen,
  verification,
  "verification-short": verificationShort,
  "going-back": goingBack,
  "going-back-whole": goingBackWhole,
  "going-back-nothing": goingBackNothing,
  retirement,
  "retirement-blocked": retirementBlocked,
  "hostile-cutover": hostileCutover,
  "hostile-retirement": hostileRetirement,
} as const;
