import type { ConnectorSeen, OffsetsSetDetails, ReturnFacts, TopicSeen } from "../../schemas/generated/facts.ts";
import type { Intent, MigrationIntent, OpsFormat } from "../document/intent.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { settingsIn, type WithSettings } from "../facts/connector-facts.ts";
import type { Observed } from "../facts/observed.ts";
import { decodeOffset, offsetUnder } from "../facts/offset/stored-offset.ts";
import { encodeOpsEvent, listDetail, scnDetail } from "../facts/ops/ops-event.ts";
import { encodeSignal } from "../facts/ops/signal.ts";
import { showBytes, showCount } from "../values/amounts.ts";
import { digestOf } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import { canonicalJson } from "../values/json.ts";
import { shellOption } from "../values/shell-word.ts";
import { type Check, type CheckIn, fail, pass, unseen, type Verdict } from "./check.ts";
import type { OffsetChangeReading, ResnapshotReading, ReturnReading } from "./readings.ts";

/**
 * The event names every unlisted table and carries the stored offset twice; the event of a rollback to the legacy
 * connector carries the offset that is removed. A record that the broker would refuse is found before the connector is
 * stopped, and before a signal is written that can't be revoked.
 *
 * Rule: specification, "Every change to the stored offset is recorded in an ops topic before it is made".
 */
export const eventTooLarge: Check<
  EventIntent,
  EventReading & { readonly facts: WithSettings<Pick<ConnectorSeen, "opsTopic">> & Pick<ConnectorFacts, "opsTopic"> }
> = {
  code: "OPS607",
  title: "The ops event is too large for its topic",
  problem: "The broker would refuse the record after the connector was stopped. No change is made without a record.",
  remedy: "Raise max.message.bytes of the ops topic.",
  grade: "refusal",
  unknown: "advisory",

  run(intent, reading) {
    const bytes = "stored" in reading ? opsEventBytes(intent, reading) : returnEventBytes(intent, reading);
    if (bytes === undefined) return pass;
    const unlisted = "unlisted" in reading ? reading.unlisted.length : 0;
    return fits("the ops event", bytes, settingsIn(reading.facts).opsTopic, reading.facts.opsTopic, [
      ...(unlisted === 0
        ? []
        : [`Or capture fewer tables (cdc.tables.exclude): the event names all ${unlisted} unlisted ones.`]),
    ]);
  },
};

/**
 * A signal is one record that names all tables.
 *
 * Rule: specification, "Snapshot signal".
 */
export const signalTooLarge: CheckIn<ResnapshotReading, "tables" | "way", "signalsTopic" | "connector"> = {
  code: "SNP913",
  title: "The signal is too large for its topic",
  problem: "The broker would refuse the signal after the connector was stopped.",
  remedy: "Raise max.message.bytes of the signals topic, or name fewer tables.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, reading) {
    if (reading.tables.length === 0) return pass;
    const { signalsTopic, connector } = reading.facts;
    return fits("the signal", signalBytes(reading), connector.signalsTopic, signalsTopic, [
      ...(reading.way === "signal" ? ["Or name fewer tables, and the others in another plan file afterwards."] : []),
    ]);
  },
};

/**
 * Header of a record batch, and the framing of its one record, its key's and value's lengths at their longest (KIP-98).
 */
const BATCH_BYTES = 100;

/**
 * Operator, the error of a `failed` event, and growth: of the offset until the connector has stopped (1000), and by who
 * approves (`approvalDetails`). All unknown yet.
 */
const UNKNOWN_YET = { operator: "x".repeat(128), error: "x".repeat(4000), growth: 1000 + 1200 } as const;

const ANY_DIGEST = digestOf("");
const ANY_RUN = "2026-11-21T09-15-40Z-7f3a";
const ANY_SIGNAL = "srcdb-cdc-admin-00000000-0000-4000-8000-000000000000";

/** No topic takes less, and a usual event has 3 kB: when the limit is unknown, a smaller record is safe. */
const HARMLESS_BYTES = 64 * 1024;

type EventReading = OffsetEventReading | SnapshotEventReading | ReturnEventReading;

type EventIntent = Pick<Intent, "metadata">;

/** The content of an `offsets-set` event of a connector's change, */
type OffsetEventReading = { readonly facts: Pick<ConnectorFacts, "at" | "connector"> } & Pick<
  OffsetChangeReading,
  "stored" | "move" | "after" | "forget" | "changesOffset" | "opsFormat"
>;

/** of a resnapshot, which names the tables as well, */
type SnapshotEventReading = OffsetEventReading & Pick<ResnapshotReading, "gap" | "tables" | "unlisted">;

/** and of a rollback to the legacy connector. */
type ReturnEventReading = { readonly facts: Pick<ReturnFacts, "next" | "settings" | "at"> } & Pick<
  ReturnReading,
  "changesOffset" | "opsFormat"
>;

/**
 * The largest size of an `offsets-set` event of this change in bytes, computed with the encoder that writes it.
 * Undefined if no event is written, or its content is not known yet.
 */
export function opsEventBytes(
  intent: EventIntent,
  reading: OffsetEventReading | SnapshotEventReading,
): number | undefined {
  const { facts, stored, move, after, forget, opsFormat } = reading;
  if (!reading.changesOffset || move === undefined || after === undefined || opsFormat === undefined) return undefined;
  const offset = stored.state === "stored" ? stored.offset : undefined;
  return bytesOfEvent(
    facts.at,
    facts.connector.prefix,
    {
      connector: facts.connector.name,
      // The longer of the two.
      command: "resnapshot_",
      reason: intent.metadata.reason,
      direction: move.direction,
      previous_resume_scn: scnDetail(move.from),
      new_resume_scn: scnDetail(move.to),
      forgotten_released: forget.join(","),
      ...("unlisted" in reading ? snapshotDetails(reading) : {}),
      previous_offset: canonicalJson(offset?.raw ?? null),
      new_offset: canonicalJson(after),
    },
    opsFormat,
  );
}

/** The same for a rollback to the legacy connector, whose event carries the stored offset that is removed. */
export function returnEventBytes(
  { metadata }: Pick<MigrationIntent, "metadata">,
  { facts, changesOffset, opsFormat }: ReturnEventReading,
): number | undefined {
  const { next, settings, at: observedAt } = facts;
  if (!changesOffset || next === undefined || opsFormat === undefined) return undefined;
  const removed = offsetUnder(next.offsets, settings.prefix);
  const decoded = removed === null ? undefined : decodeOffset(removed);
  return bytesOfEvent(
    observedAt,
    settings.prefix,
    {
      connector: next.name,
      command: "offsets set",
      reason: metadata.reason,
      previous_resume_scn: scnDetail(decoded?.ok ? decoded.offset.resumeScn : undefined),
      new_resume_scn: scnDetail(undefined),
      previous_offset: canonicalJson(removed),
      new_offset: canonicalJson(null),
    },
    opsFormat,
  );
}

/** @param known the details that are known before the run */
function bytesOfEvent(
  at: Instant,
  server: string,
  known: Omit<OffsetsSetDetails, "operator" | "outcome" | "error" | "run" | "decision">,
  format: OpsFormat,
): number {
  const { operator, error, growth } = UNKNOWN_YET;
  const details = { ...known, operator, error, outcome: "applying", run: ANY_RUN, decision: ANY_DIGEST } as const;
  const { key, value } = encodeOpsEvent({ at, server, details }, format);
  return key.length + value.length + BATCH_BYTES + growth;
}

function snapshotDetails({ gap, tables, unlisted }: SnapshotEventReading): Partial<OffsetsSetDetails> {
  return {
    gap: gap === undefined ? "" : `${gap.code} ${gap.message}`,
    tables: listDetail(tables),
    signal_id: ANY_SIGNAL,
    unlisted_tables: listDetail(unlisted.map(({ fullName }) => fullName)),
    evidence: ANY_DIGEST,
    intent: ANY_DIGEST,
  };
}

export function signalBytes({
  tables,
  facts,
}: Pick<ResnapshotReading, "tables"> & { readonly facts: Pick<ConnectorFacts, "connector"> }): number {
  const { key, value } = encodeSignal({ id: ANY_SIGNAL, tables }, facts.connector.name);
  return key.length + value.length + BATCH_BYTES;
}

/**
 * Checks whether a topic takes a record of a given size. Other checks report a topic that is missing or can't be
 * inspected.
 *
 * @param what the record, to begin a sentence with
 * @param remedies further remedies besides a larger limit
 */
export function fits(
  what: string,
  bytes: number,
  name: string,
  topic: Observed<TopicSeen | "missing">,
  remedies: readonly string[],
): Verdict {
  if (!topic.known || topic.value === "missing") return pass;
  const { maxMessageBytes: limit } = topic.value;
  const raise = {
    text: "Raise the topic's limit",
    command:
      `kafka-configs --alter --entity-type topics ${shellOption("--entity-name", name)} --add-config ` +
      `max.message.bytes=${roundedUp(bytes)}`,
  };
  if (limit.known) {
    if (BigInt(bytes) <= limit.value) return pass;
    return fail(
      `${what} may have up to ${showCount(bytes)} bytes; ${name} takes ${showCount(limit.value)} ` +
        `(max.message.bytes)`,
      { remedies: [raise, ...remedies] },
    );
  }
  if (bytes <= HARMLESS_BYTES) return pass;
  return unseen(limit, `${what} may have up to ${showBytes(bytes)}, and whether ${name} takes it is unknown`);
}

/** Rounds up to full MiB, with a quarter added: the record may be written once more, and differ. */
function roundedUp(bytes: number): number {
  const mib = 1024 * 1024;
  return Math.ceil((bytes * 1.25) / mib) * mib;
}
