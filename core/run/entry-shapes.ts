import { isKind } from "../document/kinds.ts";
import { isStepName } from "../plan/steps.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import {
  areSettings,
  areTexts,
  fits,
  isFlag,
  isInstant,
  isInteger,
  isText,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  type Shape,
  type ShapeTest,
} from "../values/json-shape.ts";
import type { JournalEntry, JournalEvent, RunOutcome, RunStarted } from "./journal.ts";
import type { MigrationSubject, OffsetSubject } from "./subject.ts";

/**
 * A journal's entry as a checked value. Unknown members are allowed; an unknown entry type, outcome, step or kind is
 * not, because its meaning for the run is unknown.
 *
 * @returns undefined for an entry that this version of cdcctl can't read
 */
export function parseEntry(value: JsonObject): JournalEntry | undefined {
  const { type } = value;
  if (typeof type !== "string" || !Object.hasOwn(ENTRIES, type)) return undefined;
  const shape: Shape = ENTRIES[type as JournalEvent["type"]];
  return fits(value, ENTRY) && fits(value, shape) ? (value as unknown as JournalEntry) : undefined;
}

/** Every member but the type: one that is not listed does not compile. */
type ShapeOf<E> = { readonly [M in keyof E as M extends "type" ? never : M]-?: ShapeTest };
type Events = { readonly [T in JournalEvent["type"]]: Extract<JournalEvent, { type: T }> };

const ENTRY: Shape = { seq: isInteger, at: isInstant };

const isStep: ShapeTest = (value) => typeof value === "string" && isStepName(value);
const isOffsetEntry = object({ partition: isObject, offset: nullable(isObject) });
const isXid = object({ container: optional(isInteger), usn: isInteger, slot: isInteger, sqn: isInteger });
const isSeenTransaction = object({ xid: isXid, startScn: isInteger, user: optional(isText) });
const areTopicEnds = listOf(object({ partition: isInteger, offset: isInteger }));

const OUTCOMES: Readonly<Record<RunOutcome, true>> = {
  succeeded: true,
  failed: true,
  refused: true,
  abandoned: true,
  rejected: true,
};

/** The members that applying, recovering and the views use; the rest of a plan is only shown. */
const isPlan = object({
  decision: isText,
  plannedAt: isInstant,
  world: object({ connectUrl: isText, clusterId: isText, opsTopic: isText, prefix: isText, database: isObject }),
  intent: object({
    kind: isKind,
    metadata: object({ name: isText, reason: isText, ticket: optional(isText) }),
    target: object({ context: optional(isText), connectUrl: optional(isText), connector: isText }),
    origin: object({ by: oneOf("plan file", "admin", "rollback"), file: optional(isText), lines: isObject }),
    accept: areTexts,
  }),
  findings: listOf(object({ effect: isText, afterwards: optional(isText) })),
  steps: listOf(object({ step: isStep })),
});

const SUBJECT = {
  by: oneOf("plan file", "admin", "rollback", "ops topic"),
  connectUrl: isText,
  context: optional(isText),
  clusterId: isText,
  connector: isText,
  reason: isText,
  ticket: optional(isText),
  decision: isText,
  prefix: isText,
  opsTopic: isText,
  opsFormat: oneOf("json", "json_schemas"),
  ranBefore: isFlag,
} as const;

/** The records to remove, as a journal or an ops event has them. */
export const areRemovedRecords: ShapeTest = listOf(
  object({ topic: isText, of: oneOf("journal", "schema"), only: optional(areTexts) }),
);

const OFFSET_SUBJECT: ShapeOf<OffsetSubject> = {
  ...SUBJECT,
  command: oneOf("offsets set", "resnapshot"),
  direction: optional(isText),
  scn: optional(isInteger),
  forget: areTexts,
  intent: optional(isText),
  removes: optional(areRemovedRecords),
  deliverAgain: optional(isFlag),
  snapshot: optional(
    object({
      signalsTopic: isText,
      tables: areTexts,
      gap: optional(isText),
      unlisted: areTexts,
      evidence: optional(isText),
      intent: optional(isText),
    }),
  ),
  resume: isFlag,
  control: optional(oneOf("stop", "resume", "restart", "restart failed")),
  settlesOnly: optional(isFlag),
};

const MIGRATION_SUBJECT: ShapeOf<MigrationSubject> = {
  ...SUBJECT,
  command: oneOf("migrate"),
  phase: oneOf("cutover", "verify", "rollback", "retire"),
  legacy: isText,
};

const isSubject = (value: Json | undefined): boolean => fits(value, OFFSET_SUBJECT) || fits(value, MIGRATION_SUBJECT);

const RUN_STARTED: ShapeOf<RunStarted> = {
  run: isText,
  ordinal: optional(isInteger),
  cdcctl: isText,
  operator: isText,
  subject: isSubject,
  plan: nullable(isPlan),
};

const ENTRIES: { readonly [T in JournalEvent["type"]]: ShapeOf<Events[T]> } = {
  "run-started": RUN_STARTED,
  "step-started": { step: isStep },
  "signal-fixed": {
    id: isText,
    stopId: optional(isText),
    handled: optional(isInteger),
    signalsFrom: areTopicEnds,
    answersFrom: areTopicEnds,
  },
  "body-fixed": { previous: nullable(isObject), body: isOffsetEntry },
  "transactions-seen": { from: isInteger, to: isInteger, open: listOf(isSeenTransaction) },
  "takeover-fixed": {
    startScn: isInteger,
    lastDelivered: optional(isInteger),
    offsets: listOf(isOffsetEntry),
    configuration: areSettings,
  },
  "return-fixed": { offsets: listOf(isOffsetEntry), removed: listOf(isOffsetEntry) },
  "records-fixed": {
    topics: listOf(object({ topic: isText, keys: listOf(object({ partition: isInteger, key: isText })) })),
  },
  "verification-job": {
    is: oneOf("submitted", "started", "cancelled"),
    job: isText,
    application: optional(isText),
  },
  "verification-fixed": {
    configuration: areSettings,
    offsets: listOf(isOffsetEntry),
    legacyOffsets: optional(listOf(isOffsetEntry)),
    opsTopic: isText,
    opsTopicEnds: areTopicEnds,
  },
  "call-sent": { call: isText, seen: optional(isFlag) },
  "call-applied": { call: isText },
  "call-rejected": { call: isText },
  "call-unanswered": { call: isText, why: isText },
  "call-withheld": { call: isText },
  "ops-topic-end": { when: oneOf("begun", "judged"), ends: areTopicEnds },
  verified: { passed: isFlag, tables: areTexts, evidence: object({ file: isText, digest: isText }) },
  "patch-sent": { attempt: isInteger, seen: optional(isFlag), elsewhere: optional(isFlag) },
  "patch-applied": { attempt: isInteger },
  "patch-unanswered": { attempt: isInteger, why: isText },
  "step-done": { step: isStep, note: isText, millis: isInteger, unproven: optional(isText) },
  "step-failed": { step: isStep, error: isText, code: optional(isText) },
  "step-unclear": { step: isStep, why: isText },
  "backed-out": { resumed: isFlag },
  "recovery-started": { operator: isText },
  "run-ended": { outcome: oneOf(...Object.keys(OUTCOMES)), message: isText },
};
