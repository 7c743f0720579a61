import type { OffsetsSetDetails } from "../../schemas/generated/facts.ts";
import type { RemovedRecords } from "../../schemas/generated/plan.ts";
import type { OffsetSubject, SnapshotSubject } from "../../schemas/generated/run-journal.ts";
import schema from "../../schemas/run-journal.schema.json" with { type: "json" };
import { fitsJson, type Schema } from "../document/schema.ts";
import { Refusal } from "../errors.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import {
  carriedOffset,
  changeUnderWay,
  namesOfDetail,
  type OffsetsSetEvent,
  operatorText,
  opsFormat,
  recordedChanges,
} from "../facts/ops/ops-event.ts";
import { parseDigest } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import { type JsonObject, jsonIn } from "../values/json.ts";
import { parseScn, type Scn } from "../values/scn.ts";
import { shellLine } from "../values/shell-word.ts";
import type { JournalEvent, RunStarted } from "./journal.ts";

/** The `applying` event of a change in flight, converted to the journal that its own machine would have. */
export interface TakenOver {
  readonly started: RunStarted;
  readonly events: readonly JournalEvent[];
  /** Undefined if the record does not contain it: such a run can only be abandoned. */
  readonly move: RecordedMove | undefined;
}

/**
 * A move of the offset as recorded in the ops topic. Anyone who can write to the topic may have written it; nothing is
 * checked here.
 */
export interface RecordedMove {
  /** Whose offset it is: `cdc.topic.prefix` of the connector. */
  readonly server: string;
  readonly recordedAt: Instant;
  readonly previous: JsonObject | null;
  readonly next: JsonObject;
  readonly scn: Scn;
  /** Ids that it removes from the orphan release ledger. */
  readonly forget: readonly string[];
  /** Whether what was delivered is delivered again. */
  readonly deliverAgain?: true;
}

/**
 * Reads the change of a connector whose outcome was never recorded. The event carries the offset before and after:
 * whether the PATCH was sent is unknown, so it counts as unanswered. Nothing may be sent for it before it was checked
 * (`core/apply/take-over.ts`).
 *
 * Rule: architecture, "What apply promises", 6.
 *
 * @returns undefined when no change is in flight
 * @throws Refusal `APL807` for an event of another tool, without a run, and one that removes the offset: nothing can be
 * concluded from it
 */
export function runFromOps(
  events: readonly OffsetsSetEvent[],
  connector: string,
  here: {
    readonly settings: ConnectorSettings;
    readonly connectUrl: string;
    readonly context: string | undefined;
    readonly clusterId: string;
    readonly operator: string;
    readonly cdcctl: string;
  },
): TakenOver | undefined {
  const open = changeUnderWay(recordedChanges(events, connector));
  if (open === undefined) return undefined;
  const { details, server } = open.event;
  const { run } = details;
  const by = `the change that ${operatorText(details.operator)} began at ${open.event.at}`;
  if (run === undefined)
    throw new Refusal(
      "APL807",
      `${by} has no run id, or one in a format that cdcctl does not use: it was not made by cdcctl`,
      [
        "Inspect the stored offset (`cdcctl admin offsets show`), decide, and make the change again with " +
          "spec.accept: [OPS603].",
      ],
    );
  const previous = carriedOffset(details.previous_offset);
  const next = carriedOffset(details.new_offset);
  if (next === null)
    throw new Refusal(
      "APL807",
      `${by} removes the stored offset: it is a rollback to a legacy connector, and no event records which one`,
      [
        { text: "Recover it on the machine that began it", command: shellLine("cdcctl", "recover", run) },
        "If that machine is gone, plan the rollback again (phase: rollback).",
      ],
    );
  const scn = parseScn(details.new_resume_scn);
  const again = details.deliver_again === "true" ? { deliverAgain: true as const } : {};
  const forget = details.forgotten_released?.split(",") ?? [];
  const move =
    previous === undefined || next === undefined || scn === undefined
      ? undefined
      : { server, recordedAt: open.event.at, previous, next, scn, forget, ...again };
  const started: RunStarted = {
    type: "run-started",
    run,
    cdcctl: here.cdcctl,
    operator: details.operator,
    plan: null,
    subject: {
      by: "ops topic",
      connectUrl: here.connectUrl,
      context: here.context,
      clusterId: here.clusterId,
      connector,
      command: details.command === "resnapshot" ? "resnapshot" : "offsets set",
      reason: details.reason,
      ...(details.ticket === undefined ? {} : { ticket: details.ticket }),
      direction: details.direction,
      scn,
      decision: details.decision ?? "",
      intent: parseDigest(details.intent ?? ""),
      prefix: here.settings.prefix,
      opsTopic: here.settings.opsTopic,
      opsFormat: opsFormat(undefined, here.settings) ?? "json",
      forget,
      ...again,
      ...removesOf(details),
      ...(details.command === "resnapshot" ? { snapshot: snapshotOf(details, here.settings) } : {}),
      resume: false,
      ranBefore: details.ran_before !== "false",
    },
  };
  return {
    started,
    move,
    events: [
      started,
      { type: "step-started", step: "stop-connector" },
      ...signalOf(details),
      ...(move === undefined ? [] : [bodyOf(move)]),
      { type: "step-started", step: "record-applying" },
      { type: "patch-sent", attempt: 1n, elsewhere: true },
    ],
  };
}

function bodyOf({ previous, server, next }: RecordedMove): JournalEvent {
  return { type: "body-pinned", previous, body: { partition: { server }, offset: next } };
}

/** What the run removes according to its record: a hint of what it was asked for, and never carried out as it is. */
function removesOf({ removed_records: text }: OffsetsSetDetails): Pick<OffsetSubject, "removes"> {
  const read = text === undefined ? undefined : jsonIn(text);
  const isList = read !== undefined && fitsJson(read, schema as Schema, "removedRecordsList");
  return isList ? { removes: read as unknown as readonly RemovedRecords[] } : {};
}

/** The part of the `applying` event that its outcome repeats. */
function snapshotOf(details: OffsetsSetDetails, { signalsTopic }: ConnectorSettings): SnapshotSubject {
  return {
    signalsTopic,
    tables: namesOfDetail(details.tables),
    gap: details.gap,
    unlisted: namesOfDetail(details.unlisted_tables),
    evidence: parseDigest(details.evidence ?? ""),
  };
}

/**
 * The signal is written before the move is announced, so it exists. The end of its topic at that time is not recorded,
 * and not needed.
 */
function signalOf({ signal_id: id }: OffsetsSetDetails): readonly JournalEvent[] {
  if (id === undefined) return [];
  return [
    { type: "signal-pinned", id, signalsFrom: [], answersFrom: [] },
    { type: "step-done", step: "write-signal", note: "recorded in the ops topic", millis: 0n },
  ];
}
