import fc from "fast-check";
import type { MigrationIntent } from "../../document/intent.ts";
import type { VerifiedTable } from "../../facts/tables/verified-table.ts";
import type { Overlap } from "../../legacy/takeover.ts";
import type { MigrationPlan, PartitionShown, Preflight, TakeoverShown } from "../migration-plan.ts";
import type { ConnectorShown } from "../plan.ts";
import { anyFinding, anyInstant, anyScn, anyText, optional, withoutUndefined } from "./any-parts.ts";
import { buildMigrationPlan, type MigrationPlanParts } from "./build-migration-plan.ts";
import { allThere, redoWithGap } from "./build-plan.ts";
import { LEGACY_CONFIG, legacyRuns } from "./migration-parts.ts";

/** Any phase of a migration whatever: every outcome, with texts as the worst world would send them. */

const anySettings = fc.dictionary(anyText, anyText, { maxKeys: 4, noNullPrototype: true });

const anyPartition: fc.Arbitrary<PartitionShown> = fc
  .tuple(
    fc.record({
      name: anyText,
      of: fc.constantFrom("database" as const, "table" as const),
      scn: anyScn,
      commitScn: optional(anyScn),
      leftOut: fc.boolean(),
      at: optional(anyInstant),
      committedAt: optional(anyInstant),
    }),
    optional(fc.record({ container: anyText, owner: anyText, name: anyText })),
  )
  .map(([one, table]) => (table === undefined ? one : { ...one, table }));

const anyOverlap: fc.Arbitrary<Overlap> = fc.record({
  from: anyScn,
  to: anyScn,
  scns: anyScn,
  millis: optional(fc.bigInt({ min: 0n, max: 10n ** 12n })),
});

const anyTakeover: fc.Arbitrary<TakeoverShown> = fc.record({
  partitions: fc.array(anyPartition, { maxLength: 30 }),
  startScn: anyScn,
  startedAt: optional(anyInstant),
  lastDelivered: optional(anyScn),
  lastDeliveredAt: optional(anyInstant),
  overlap: optional(anyOverlap),
});

const anyPreflight: fc.Arbitrary<Preflight> = fc.record({
  installed: optional(fc.boolean()),
  problems: optional(
    fc.array(fc.record({ setting: anyText, errors: fc.array(anyText, { maxLength: 2 }) }), { maxLength: 3 }),
  ),
  masked: fc.array(anyText, { maxLength: 3 }),
});

const anyConnector: fc.Arbitrary<ConnectorShown> = fc
  .record({
    state: fc.oneof(anyText, fc.constantFrom("RUNNING", "STOPPED", "PAUSED", "FAILED")),
    tasks: fc.array(fc.record({ id: fc.bigInt({ min: 0n, max: 9n }), state: anyText, worker: anyText }), {
      maxLength: 10,
    }),
  })
  .map((shown) => ({ ...legacyRuns, ...shown }));

const anyRedo = fc.constantFrom(allThere, redoWithGap, undefined);
const anyTopics = fc.array(anyText, { maxLength: 12 });

const anyVerified: fc.Arbitrary<VerifiedTable> = fc.record({
  table: anyText,
  topic: anyText,
  legacyTopic: optional(anyText),
});

/** What makes the phase. */
const anyPhase: fc.Arbitrary<MigrationPlanParts> = fc.oneof(
  fc
    .record({
      preflight: anyPreflight,
      takeover: optional(anyTakeover),
      redo: anyRedo,
      createdStopped: fc.boolean(),
    })
    .map((cutover) => ({ cutover })),
  fc
    .record({ tables: fc.array(anyVerified, { maxLength: 12 }), checkScn: optional(anyScn), evidence: anyText })
    .map((verify) => ({ verify })),
  fc
    .record({ takeover: optional(anyTakeover), redo: anyRedo, topics: anyTopics, kept: optional(anyTopics) })
    .map((rollback) => ({ rollback })),
  fc
    .record({
      topics: optional(fc.array(fc.record({ topic: anyText, what: anyText }), { maxLength: 40 })),
      licenceTopic: optional(anyText),
      evidence: optional(fc.record({ file: anyText, digest: anyText })),
    })
    .map((retire) => ({ retire })),
);

const anyIntent: fc.Arbitrary<Partial<MigrationIntent>> = fc.record({
  metadata: fc.record({ name: anyText, reason: anyText, ticket: optional(anyText) }),
  from: fc.record({ connector: anyText, leaveOut: fc.array(anyText, { maxLength: 3 }) }),
  to: fc.record({ name: anyText, topicPrefix: optional(anyText), config: anySettings }),
  verify: optional(
    fc.record({
      tables: fc.array(anyText, { maxLength: 3 }),
      topics: anySettings,
      legacyTopics: anySettings,
      checkScn: optional(anyScn),
      safetyMargin: fc.bigInt({ min: 0n, max: 10n ** 9n }),
      wait: fc.bigInt({ min: 0n, max: 10n ** 9n }),
      ignoreColumns: fc.dictionary(anyText, fc.array(anyText, { maxLength: 3 }), { maxKeys: 2, noNullPrototype: true }),
      showValues: fc.boolean(),
    }),
  ),
  deleteLicenceTopic: fc.boolean(),
  accept: fc.array(fc.oneof(anyText, fc.constant("key.template")), { maxLength: 3 }),
});

/** Properties that hold secrets stand in every one; none may be shown. */
const anyLegacyConfig = anySettings.map((more) => ({ ...LEGACY_CONFIG, ...more }));

export const anyMigrationPlan: fc.Arbitrary<MigrationPlan> = fc
  .tuple(
    anyPhase,
    fc
      .record({
        intent: anyIntent,
        legacyConfig: anyLegacyConfig,
        findings: fc.array(anyFinding, { maxLength: 5 }),
        outcome: optional(anyText.map((why) => ({ state: "no-op" as const, why }))),
        zone: fc.oneof(anyText, fc.constantFrom("+00:00", "+01:00")),
        connectUrl: anyText,
      })
      .map(withoutUndefined),
    optional(anyConnector),
    optional(anyConnector),
  )
  .map(([phase, parts, legacy, next]) => buildMigrationPlan({ ...parts, ...phase, legacy, next }));
