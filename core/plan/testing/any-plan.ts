import fc from "fast-check";
import type { ConnectorStatus, TableActivity } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent, OffsetChangeIntent } from "../../document/intent.ts";
import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { created } from "../../kinds/migration/testing/story.ts";
import { known, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Plan } from "../plan.ts";
import { anyFinding, anyInstant, anyRaw, anyScn, anyText, optional, withoutUndefined } from "./any-parts.ts";
import {
  cutoverPlan,
  offsetPlan,
  REDO,
  REDO_GONE,
  REDO_WITH_GAP,
  retirementPlan,
  rollbackPlan,
  snapshotPlan,
  verificationPlan,
  withFindings,
} from "./build-plan.ts";
import { LEGACY_CONFIG } from "./example-migrations.ts";

/**
 * Any plan whatever: what the kinds make of any intent and of facts with texts as the worst world would send them.
 */

const anyMetadata = fc.record({ name: anyText, reason: anyText, ticket: optional(anyText) });
const anyCatalogue = fc.constantFrom(REDO, REDO_WITH_GAP, REDO_GONE);
const anyDatabase = fc.record({
  zone: fc.oneof(anyText, fc.constantFrom("+00:00", "+01:00")),
  name: anyText,
  address: anyText,
});
const anyWorker = fc.record({ url: anyText, version: fc.oneof(anyText, fc.constantFrom("3.5.0", "3.9.2")) });
const anyTimes = fc.array(fc.record({ scn: anyScn, at: anyInstant }), { maxLength: 3 }).map((times) => known(times));

const anyState = fc.oneof(anyText, fc.constantFrom("RUNNING", "STOPPED", "PAUSED", "FAILED"));
const anyStatus: fc.Arbitrary<ConnectorStatus> = fc.record({
  state: anyState,
  worker: anyText,
  tasks: fc.array(
    fc
      .record({
        id: fc.bigInt({ min: 0n, max: 9n }),
        state: anyState,
        worker: anyText,
        trace: optional(fc.oneof(anyText, fc.constantFrom("CDC-2001 gone", "CDC-2002 purged\n\tat Task.poll"))),
      })
      .map(({ trace, ...task }) => ({ ...task, ...(trace === undefined ? {} : { trace }) })),
    { maxLength: 10 },
  ),
});

const anyStored = fc.oneof(
  fc.constant(null),
  fc.tuple(anyRaw, anyScn).map(([raw, scn]): JsonObject => ({ ...raw, v: 1n, resume_scn: scn })),
);

const anyJournaled = fc
  .array(
    fc.record({
      xid: anyText,
      container: fc.constantFrom(undefined, 3n),
      firstScn: anyScn,
      user: optional(anyText),
      clientId: optional(anyText),
    }),
    { maxLength: 12 },
  )
  .map((journaled) => known(journaled));

const IS_TRUE = fc.constant(true as const);
/** Keys that are left out unless they are true. */
const anyRemovals = fc.record(
  { removeJournaledTransactions: IS_TRUE, removeTableSchemas: IS_TRUE },
  { requiredKeys: [] },
);
const anyRepeat = fc.record({ deliverAgain: IS_TRUE }, { requiredKeys: [] });

const anyPosition: fc.Arbitrary<OffsetChangeIntent["position"]> = fc.oneof(
  anyScn.map((scn) => ({ to: "scn" as const, scn })),
  anyInstant.map((timestamp) => ({ to: "timestamp" as const, timestamp })),
  fc.constantFrom({ to: "earliestAvailable" as const }, { to: "lastRecorded" as const }),
  fc.record({ to: fc.constant("restore" as const), run: anyText, offset: anyRaw, replacing: anyRaw }),
);

/** Every direction, outcome and position; some can't tell their target. */
const anyOffsetPlan: fc.Arbitrary<Plan<"OffsetChange">> = fc
  .tuple(
    fc.record({
      metadata: anyMetadata,
      position: anyPosition,
      allowSkip: fc.boolean(),
      forgetReleased: fc.oneof(fc.constantFrom("none" as const, "all" as const), fc.array(anyText, { maxLength: 3 })),
      resume: fc.boolean(),
      opsFormat: fc.constantFrom(undefined, "json" as const, "json_schemas" as const),
      accept: fc.array(fc.oneof(anyText, fc.constant("TRX501")), { maxLength: 3 }),
    }),
    anyRemovals,
    anyRepeat,
    fc.record({
      connector: fc.record({ name: anyText, prefix: anyText, opsTopic: anyText, status: anyStatus }),
      stored: anyStored,
      catalogue: anyCatalogue,
      journaled: anyJournaled,
      times: anyTimes,
      database: anyDatabase,
      worker: anyWorker,
      timestampScn: optional(anyScn),
    }),
  )
  .map(([intent, removals, repeat, { timestampScn, ...facts }]) => {
    const { to } = intent.position;
    return offsetPlan(
      { ...intent, ...removals, ...repeat },
      { ...facts, target: to === "timestamp" ? { by: to, scn: timestampScn } : { by: to } },
    );
  });

/** A table as the dictionary names it; a part may be of 128 bytes. */
const anyTable = fc
  .oneof(
    { weight: 3, arbitrary: anyText },
    { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 120, maxLength: 128 }) },
  )
  .map((name) => ({ container: "ORCLPDB1", owner: "SALES", name }));

const anyCount = fc.bigInt({ min: 0n, max: 10n ** 12n });
const anyActivity: fc.Arbitrary<TableActivity> = fc
  .record({
    table: anyTable,
    lastDdl: optional(anyInstant),
    modifications: optional(
      fc.record({
        inserts: anyCount,
        updates: anyCount,
        deletes: anyCount,
        truncated: fc.boolean(),
        at: optional(anyInstant),
      }),
    ),
    analyzed: optional(anyInstant),
  })
  .map(({ table, ...seen }) => ({ ...table, ...seen }));

const anySnapshotPlan: fc.Arbitrary<Plan<"Resnapshot">> = fc
  .tuple(
    fc.record({
      metadata: anyMetadata,
      tables: fc.array(anyText, { maxLength: 12 }),
      skipGapForUnlistedTables: fc.oneof(
        fc.constantFrom("none" as const, "all" as const),
        fc.array(anyText, { maxLength: 3 }),
      ),
      readRowScns: fc.boolean(),
      waitForTransactions: optional(fc.bigInt({ min: 0n, max: 10n ** 9n })),
      waitForAck: optional(fc.bigInt({ min: 0n, max: 10n ** 9n })),
      waitForSnapshot: optional(fc.bigInt({ min: 0n, max: 10n ** 9n })),
      stopRunningSnapshot: fc.boolean(),
      waitForCompletion: optional(fc.bigInt({ min: 0n, max: 10n ** 9n })),
      resume: fc.boolean(),
    }),
    anyRemovals,
    fc
      .record({
        connector: fc.record({ name: anyText, signalsTopic: anyText, status: anyStatus }),
        catalogue: anyCatalogue,
        redo: fc.constantFrom(undefined, undefined, undefined, unseen()),
        journaled: anyJournaled,
        times: anyTimes,
        database: anyDatabase,
        unlisted: fc.array(anyActivity, { maxLength: 40 }),
        rowScn: optional(anyScn),
        signalsTopic: fc.constantFrom({}, {}, { signalsTopic: known("missing" as const) }),
      })
      .map(({ unlisted, rowScn, redo, signalsTopic, ...facts }) => ({
        ...facts,
        ...signalsTopic,
        ...(redo === undefined ? {} : { redo }),
        tables: unlisted,
        activity: known(unlisted),
        rowScns: known(unlisted.map(({ container, owner, name }) => ({ container, owner, name, scn: rowScn }))),
      })),
  )
  .map(([intent, removals, facts]) => snapshotPlan({ ...intent, ...removals }, facts));

const anySettings = fc.dictionary(anyText, anyText, { maxKeys: 4, noNullPrototype: true });

/** Properties that hold secrets stand in every one; none may be shown. */
const anyLegacyConfig = anySettings.map((more) => ({ ...LEGACY_CONFIG, ...more }));

const anyLegacyOffset: fc.Arbitrary<OffsetEntry> = fc
  .record({ table: anyTable, scn: fc.oneof(anyScn, anyText), cscn: optional(anyScn) })
  .map(({ table: { container, owner, name }, scn, cscn }) => ({
    partition: { catalog: container, schema: owner, table: name },
    offset: { scn, ...withoutUndefined({ cscn }), rows: 5n },
  }));

const anyLegacy = fc.record({
  name: anyText,
  config: anyLegacyConfig,
  status: anyStatus,
  offsets: fc.array(anyLegacyOffset, { maxLength: 30 }),
});

const anyMigrationIntent: fc.Arbitrary<Omit<Partial<MigrationIntent>, "origin" | "verify">> = fc.record({
  metadata: anyMetadata,
  from: fc.record({ connector: anyText, leaveOut: fc.array(anyText, { maxLength: 3 }) }),
  to: fc.record({ name: anyText, topicPrefix: optional(anyText), config: anySettings }),
  evidence: anyText,
  deleteTopics: fc.boolean(),
  deleteLicenceTopic: fc.boolean(),
  accept: fc.array(fc.oneof(anyText, fc.constant("key.template")), { maxLength: 3 }),
});

const anyVerify = fc.record({
  tables: fc.array(fc.oneof(anyText, fc.constantFrom("SALES.ORDERS", "SALES.LINES")), { maxLength: 3 }),
  topics: anySettings,
  legacyTopics: anySettings,
  checkScn: optional(anyScn),
  safetyMargin: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  wait: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  ignoreColumns: fc.dictionary(anyText, fc.array(anyText, { maxLength: 3 }), { maxKeys: 2, noNullPrototype: true }),
  showValues: fc.boolean(),
  engine: fc.constantFrom(undefined, "spark" as const),
});

const anyNext = fc.oneof(
  fc.constant(null),
  fc.record({ name: anyText, status: anyStatus }).map((parts) => created(parts)),
);
const anyTopics = fc.oneof(
  fc.constant(unseen()),
  fc.array(anyText, { maxLength: 40 }).map((topics) => known(topics)),
);
const anyRedo = fc.record({ catalogue: anyCatalogue, times: anyTimes, database: anyDatabase, worker: anyWorker });

/** Every phase. */
export const anyMigrationPlan: fc.Arbitrary<Plan<"Migration">> = fc
  .tuple(anyMigrationIntent, anyRedo, anyLegacy, anyNext, anyTopics, anyText)
  .chain(([intent, redo, legacy, next, topics, text]) =>
    fc.oneof(
      fc
        .record({
          installed: fc.constantFrom(known(true), known(false), unseen()),
          problems: fc.constantFrom(known([]), known([{ setting: text, errors: [text] }]), unseen()),
        })
        .map((preflight) =>
          cutoverPlan(intent, {
            ...redo,
            ...preflight,
            legacy,
            settings: { config: { ...created().config, ...intent.to?.config } },
            ...(next === null ? {} : { next }),
          }),
        ),
      anyVerify.map((verify) => verificationPlan({ ...intent, verify }, { next, topics })),
      fc.constant(rollbackPlan(intent, { ...redo, legacy, next, topics })),
      fc.constant(retirementPlan(intent, { legacy, next, topics, evidence: unseen(text) })),
    ),
  );

export const anyPlan: fc.Arbitrary<Plan> = fc
  .tuple(fc.oneof(anyOffsetPlan, anySnapshotPlan, anyMigrationPlan), fc.array(anyFinding, { maxLength: 5 }))
  .map(([plan, more]) => withFindings(plan, more));
