import fc from "fast-check";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { Evidence } from "../../facts/tables/evidence.ts";
import { anyTimeline } from "../../timeline/testing/any-timeline.ts";
import type { JsonObject } from "../../values/json.ts";
import type { ConnectorPlan, Plan } from "../plan.ts";
import { anyMigrationPlan } from "./any-migration-plan.ts";
import { anyFinding, anyInstant, anyRaw, anyScn, anyText, optional, withoutUndefined } from "./any-parts.ts";
import { allThere, buildPlan, type PlanParts, redoWithGap } from "./build-plan.ts";
import { buildSnapshotPlan, redoGone, redoThere, type SnapshotPlanParts } from "./build-snapshot-plan.ts";

/** Any plan whatever: every direction, outcome and position, with texts as the worst world would send them. */

const anyStored = fc.oneof(
  fc.constant(null),
  fc.tuple(anyRaw, anyScn).map(([raw, scn]): JsonObject => ({ ...raw, v: 1n, resume_scn: scn })),
);

const anyPosition: fc.Arbitrary<OffsetChangeIntent["position"]> = fc.oneof(
  anyScn.map((scn) => ({ to: "scn" as const, scn })),
  anyInstant.map((timestamp) => ({ to: "timestamp" as const, timestamp })),
  fc.constant({ to: "earliestAvailable" as const }),
  fc.record({ to: fc.constant("restore" as const), run: anyText, offset: anyRaw, replacing: anyRaw }),
);

const anyIntent: fc.Arbitrary<Partial<OffsetChangeIntent>> = fc.record({
  metadata: fc.record({ name: anyText, reason: anyText, ticket: optional(anyText) }),
  position: anyPosition,
  allowSkip: fc.boolean(),
  forgetReleased: fc.oneof(fc.constantFrom("none" as const, "all" as const), fc.array(anyText, { maxLength: 3 })),
  resume: fc.boolean(),
  opsFormat: fc.constantFrom(undefined, "json" as const, "json_schemas" as const),
  accept: fc.array(anyText, { maxLength: 3 }),
});

const anyTorn = fc.record({
  xid: anyText,
  startScn: anyScn,
  startedAt: optional(anyInstant),
  user: optional(anyText),
  clientId: optional(anyText),
  seenIn: fc.constantFrom("GV$TRANSACTION" as const, "journal" as const, "both" as const),
});

const anyParts: fc.Arbitrary<PlanParts> = fc
  .record({
    connector: anyText,
    intent: anyIntent,
    stored: anyStored,
    to: anyScn,
    redo: fc.constantFrom(allThere, redoWithGap),
    torn: fc.array(anyTorn, { maxLength: 12 }),
    timeline: optional(anyTimeline),
    findings: fc.array(anyFinding, { maxLength: 5 }),
    outcome: optional(anyText.map((why) => ({ state: "no-op" as const, why }))),
    times: fc.array(fc.record({ scn: anyScn, at: optional(anyInstant) }), { maxLength: 3 }),
    zone: fc.oneof(anyText, fc.constantFrom("+00:00", "+01:00")),
    state: fc.oneof(anyText, fc.constantFrom("RUNNING", "STOPPED", "PAUSED", "FAILED")),
    tasks: fc.array(fc.record({ id: fc.bigInt({ min: 0n, max: 9n }), state: anyText, worker: anyText }), {
      maxLength: 10,
    }),
    connectUrl: anyText,
  })
  .map((parts) => withoutUndefined(parts));

const anyEvidence: fc.Arbitrary<Evidence> = fc
  .record({
    says: fc.constantFrom("changed" as const, "nothing seen" as const, "unknown" as const),
    lastDdl: optional(anyInstant),
    modifications: optional(
      fc
        .record({
          inserts: fc.bigInt({ min: 0n, max: 10n ** 12n }),
          updates: fc.bigInt({ min: 0n, max: 2n }),
          deletes: fc.bigInt({ min: 0n, max: 2n }),
          truncated: fc.boolean(),
          at: optional(anyInstant),
        })
        .map(({ at, ...counts }) => ({ ...counts, ...withoutUndefined({ at }) })),
    ),
    analyzed: optional(anyInstant),
    rowScn: optional(anyScn),
    unseen: optional(anyText),
  })
  .map(({ says, ...rest }) => ({ says, ...withoutUndefined(rest) }) as Evidence);

/** As the connector names tables; a part may be of 128 bytes. */
const anyTable = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 120, maxLength: 128 }).map((name) => `P.O.${name}`) },
);

const anySnapshotParts: fc.Arbitrary<SnapshotPlanParts> = fc
  .record({
    connector: anyText,
    tables: fc.array(anyTable, { maxLength: 12 }),
    captured: optional(fc.bigInt({ min: 0n, max: 100_000n })),
    unlisted: fc.array(fc.record({ table: anyTable, evidence: anyEvidence }), { maxLength: 40 }),
    redo: fc.constantFrom(redoThere, redoGone, { ...redoGone, firstAvailable: undefined }, redoWithGap, undefined),
    torn: fc.array(anyTorn, { maxLength: 12 }),
    findings: fc.array(anyFinding, { maxLength: 5 }),
    times: fc.array(fc.record({ scn: anyScn, at: optional(anyInstant) }), { maxLength: 3 }),
    zone: fc.oneof(anyText, fc.constantFrom("+00:00", "+01:00")),
    signalsTopic: anyText,
    intent: fc
      .record({
        metadata: fc.record({ name: anyText, reason: anyText, ticket: optional(anyText) }),
        skipGapForUnlistedTables: fc.oneof(
          fc.constantFrom("none" as const, "all" as const),
          fc.array(anyTable, { maxLength: 3 }),
        ),
        readRowScns: fc.boolean(),
        waitForTransactions: optional(fc.bigInt({ min: 0n, max: 10n ** 9n })),
        waitForAck: optional(fc.bigInt({ min: 0n, max: 10n ** 9n })),
        resume: fc.boolean(),
      })
      .map(withoutUndefined),
    connectorShown: fc
      .record({
        state: fc.oneof(anyText, fc.constantFrom("RUNNING", "STOPPED", "FAILED")),
        failedWith: optional(fc.oneof(anyText, fc.constantFrom("CDC-2001", "CDC-2002"))),
      })
      .map(withoutUndefined),
  })
  .map((parts) => parts as SnapshotPlanParts);

export const anySnapshotPlan: fc.Arbitrary<ConnectorPlan> = anySnapshotParts.map(buildSnapshotPlan);

/** A quarter of them can't tell their target, as when the stored offset is unreadable. */
const anyOffsetPlan: fc.Arbitrary<ConnectorPlan> = fc
  .tuple(anyParts, fc.integer({ min: 0, max: 3 }))
  .map(([parts, known]) => {
    const plan = buildPlan(parts);
    return known > 0
      ? plan
      : { ...plan, move: undefined, offset: undefined, cost: undefined, redo: undefined, steps: [] };
  });

export const anyPlan: fc.Arbitrary<Plan> = fc.oneof(anyOffsetPlan, anySnapshotPlan, anyMigrationPlan);
