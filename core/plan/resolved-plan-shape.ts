import type { IntentOf, Kind } from "../document/intent.ts";
import { isKind } from "../document/kinds.ts";
import { MARKS, REDO_STATES } from "../timeline/timeline.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson, isObject, type Json, type JsonObject } from "../values/json.ts";
import {
  areSettings,
  areTexts,
  either,
  fits,
  isFlag,
  isInstant,
  isInteger,
  isList,
  isText,
  listOf,
  object,
  oneOf,
  optional,
  type Shape,
  type ShapeTest,
} from "../values/json-shape.ts";

/**
 * Whether a plan of a resolved plan's file has what applying goes by. A digest that fits is no proof of that: whoever
 * edits a file can reckon it again. Everything else is worked out anew from the world, and held against what was
 * decided.
 */
export function hasShape(plan: Json): boolean {
  if (!isObject(plan)) return false;
  const { intent, decided, decision, world } = plan;
  return (
    fits(plan, PLAN) &&
    optional(object(TIMELINE))(plan["timeline"]) &&
    isObject(decided) &&
    digestOf(decided) === decision &&
    fits(decided, DECIDED) &&
    isIntent(intent) &&
    decided["kind"] === intent["kind"] &&
    fits(world, { clusterId: isText }) &&
    (intent["kind"] === "Migration" ? isMigrationPlan(plan, intent) : isConnectorPlan(plan, intent, decided))
  );
}

function isConnectorPlan({ connector, snapshot }: JsonObject, intent: JsonObject, decided: JsonObject): boolean {
  return (
    fits(connector, { name: isText }) &&
    fits(intent, CONNECTOR_INTENT) &&
    (intent["kind"] === "Resnapshot" ? isSnapshot(snapshot, decided) : snapshot === undefined)
  );
}

/** Everything that is carried out is worked out anew, but for where the evidence is written. */
function isMigrationPlan({ migration }: JsonObject, { phase, to, target }: JsonObject): boolean {
  return (
    fits(migration, { phase: (shown) => shown === phase }) &&
    isObject(to) &&
    fits(target, { connector: (name) => name === to["name"] }) &&
    (phase !== "verify" || fits(migration, { tables: isList, evidence: isText }))
  );
}

const PLAN: Shape = {
  decision: isText,
  plannedAt: isInstant,
  outcome: object({ state: oneOf("ready", "blocked", "no-op") }),
  move: optional(object({ to: isInteger })),
  findings: isList,
  steps: isList,
};

/** Nothing is decided by it, but it is drawn. */
const TIMELINE: Shape = {
  marks: listOf(
    object({
      mark: oneOf(...MARKS),
      scn: isInteger,
      at: optional(isText),
      of: optional(isText),
      more: optional(isInteger),
      leftOut: optional(isFlag),
    }),
  ),
  threads: listOf(
    object({
      thread: isInteger,
      stretches: listOf(
        object({
          state: oneOf(...REDO_STATES),
          from: isInteger,
          to: isInteger,
          fromSequence: optional(isInteger),
          toSequence: optional(isInteger),
          fromTime: optional(isText),
          toTime: optional(isText),
        }),
      ),
    }),
  ),
  transactions: listOf(
    object({
      xid: isText,
      firstScn: isInteger,
      at: optional(isText),
      user: optional(isText),
      clientId: optional(isText),
      seenIn: areTexts,
    }),
  ),
  moreTransactions: isInteger,
  moreStored: optional(isInteger),
  unseen: listOf(object({ what: isText, why: isText })),
};

const DECIDED: Shape = { connector: isText, configuration: areSettings };

/**
 * What every kind's intent has. An intent of the command line is never in a file: under `admin` an acceptable finding
 * only warns.
 */
const INTENT: Shape = {
  metadata: object({ name: isText, reason: isText, ticket: optional(isText) }),
  target: object({ context: optional(isText), connectUrl: optional(isText), connector: isText }),
  origin: object({ by: oneOf("plan file", "rollback"), file: optional(isText), lines: isObject }),
  opsFormat: optional(oneOf("json", "json_schemas")),
  accept: areTexts,
};

const CONNECTOR_INTENT: Shape = { resume: isFlag };

const INTENTS: { readonly [K in Kind]: { readonly [member in Own<K>]-?: ShapeTest } } = {
  OffsetChange: {
    position: either(
      object({ to: oneOf("scn"), scn: isInteger }),
      object({ to: oneOf("timestamp"), timestamp: isText }),
      object({ to: oneOf("earliestAvailable") }),
      object({ to: oneOf("restore"), run: isText, offset: isObject, replacing: isObject }),
    ),
    allowSkip: isFlag,
    forgetReleased: either(oneOf("none", "all"), areTexts),
    signalSent: optional(object({ id: isText, tables: areTexts })),
  },
  Resnapshot: {
    tables: areTexts,
    skipGapForUnlistedTables: either(oneOf("none", "all"), areTexts),
    readRowScns: isFlag,
    waitForTransactions: optional(isInteger),
    waitForAck: optional(isInteger),
  },
  Migration: {
    phase: oneOf("cutover", "verify", "rollback", "retire"),
    from: object({ connector: isText, leaveOut: areTexts }),
    to: object({ name: isText, topicPrefix: optional(isText), config: areSettings }),
    verify: optional(
      object({
        tables: areTexts,
        topics: areSettings,
        legacyTopics: areSettings,
        checkScn: optional(isInteger),
        safetyMargin: isInteger,
        wait: isInteger,
        ignoreColumns: isObject,
        showValues: isFlag,
      }),
    ),
    evidence: isText,
    deleteTopics: isFlag,
    deleteLicenceTopic: isFlag,
  },
};

/** Members that only this kind has; a new one that is not looked at does not compile. */
type Own<K extends Kind> = Exclude<
  keyof IntentOf<K>,
  "kind" | "metadata" | "target" | "origin" | "resume" | "opsFormat" | "accept"
>;

function isIntent(intent: Json | undefined): intent is JsonObject {
  if (!fits(intent, INTENT)) return false;
  const { kind } = intent;
  return isKind(kind) && fits(intent, INTENTS[kind]);
}

/** What is recorded of a resnapshot is what was shown of it: so that has to be what was decided. */
function isSnapshot(snapshot: Json | undefined, decided: JsonObject): boolean {
  const shape = {
    signalsTopic: isText,
    tables: areTexts,
    captured: optional(isInteger),
    gap: optional(object({ code: oneOf("CDC-2001", "CDC-2002"), message: isText, from: isInteger, restore: areTexts })),
    unlisted: isList,
  };
  if (!fits(snapshot, shape) || !Array.isArray(snapshot["unlisted"])) return false;
  const { unlisted, gap } = snapshot;
  if (!unlisted.every((one) => fits(one, { table: isText, evidence: isObject }))) return false;
  const names = unlisted.map((one) => (isObject(one) ? (one["table"] ?? null) : null));
  return (
    (gap === undefined) === (decided["gap"] === undefined) &&
    canonicalJson(snapshot["tables"]) === canonicalJson(decided["tables"] ?? []) &&
    canonicalJson(names) === canonicalJson(decided["unlisted"] ?? [])
  );
}
