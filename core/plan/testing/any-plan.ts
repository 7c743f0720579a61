import fc from "fast-check";
import type { Finding } from "../../checks/finding.ts";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { Evidence } from "../../facts/table-evidence.ts";
import { instantOf } from "../../values/instant.ts";
import type { JsonObject } from "../../values/json.ts";
import { MAX_SCN } from "../../values/scn.ts";
import type { ConnectorPlan } from "../plan.ts";
import { allThere, buildPlan, type PlanParts, redoWithGap } from "./build-plan.ts";
import { buildSnapshotPlan, redoGone, redoThere, type SnapshotPlanParts } from "./build-snapshot-plan.ts";
import { HOSTILE } from "./hostile.ts";

/** Any plan whatever: every direction, outcome and position, with texts as the worst world would send them. */

export const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(HOSTILE, "", " ", "\n", "|", "```", "a".repeat(3000)) },
);

const anyScn = fc.oneof(fc.bigInt({ min: 1n, max: 3_000_000n }), fc.bigInt({ min: 2n ** 53n, max: MAX_SCN }));

const anyInstant = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instantOf);

const anyRaw: fc.Arbitrary<JsonObject> = fc.dictionary(
  anyText,
  fc.oneof(anyText, anyScn, fc.boolean(), fc.constant(null)),
  {
    maxKeys: 4,
    noNullPrototype: true,
  },
);

const anyStored = fc.oneof(
  fc.constant(null),
  fc.tuple(anyRaw, anyScn).map(([raw, scn]): JsonObject => ({ ...raw, v: 1n, resume_scn: scn })),
);

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

const anyPlace = fc
  .record({ path: anyText, file: optional(anyText), line: optional(fc.bigInt({ min: 1n, max: 99n })) })
  .map(({ path, ...rest }) => ({ path, ...withoutUndefined(rest) }));

const anyFinding: fc.Arbitrary<Finding> = fc
  .tuple(
    fc.record({
      code: fc.constantFrom("OFF102", "OFF103", "CON304", "TRX501"),
      title: anyText,
      verdict: fc.constantFrom("fail" as const, "unknown" as const),
      effect: fc.constantFrom("warns" as const, "accepted" as const, "blocks" as const),
      remedies: fc.array(anyText, { maxLength: 3 }),
    }),
    fc.record({ seen: optional(anyText), at: optional(anyPlace) }),
  )
  .map(([finding, rest]) => ({ ...finding, ...withoutUndefined(rest) }));

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

export const anyPlan: fc.Arbitrary<ConnectorPlan> = fc.oneof(anyOffsetPlan, anySnapshotPlan);

/** Optional members are left out, as the product leaves them out, not set to undefined. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
