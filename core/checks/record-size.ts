import type { ConnectorKind, IntentOf, MigrationIntent } from "../document/intent.ts";
import type { Observed } from "../facts/observed.ts";
import { decodeOffset, forgottenIds, sameOffset } from "../facts/offset/stored-offset.ts";
import { encodeOpsEvent, listDetail, type OffsetsSetDetails, scnDetail } from "../facts/ops/ops-event.ts";
import { encodeSignal } from "../facts/ops/signal.ts";
import type { TopicSeen } from "../facts/ops/topic.ts";
import type { ReturnReading } from "../kinds/migration/reading.ts";
import type { ResnapshotReading } from "../kinds/resnapshot/reading.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson } from "../values/json.ts";
import { fail, pass, type Readings, unknown, type Verdict } from "./check.ts";

/**
 * Header of a record batch, and what frames the one record in it, its key's and value's lengths at their longest
 * (KIP-98).
 */
const BATCH_BYTES = 100;

/**
 * Operator, the error of a `failed` event, and what the offset grows by until the connector has stopped: none is known
 * yet.
 */
const UNKNOWN_YET = { operator: "x".repeat(128), error: "x".repeat(4000), growth: 1000 } as const;

const ANY_DIGEST = digestOf("");
const ANY_RUN = "2026-11-21T09-15-40Z-7f3a";
const ANY_SIGNAL = "srcdb-cdc-admin-00000000-0000-4000-8000-000000000000";

/**
 * No topic takes less, and a usual event has 3 kB: where the limit can't be seen, a record below is none to worry
 * about.
 */
const HARMLESS_BYTES = 64 * 1024;

/**
 * At most so many bytes has an `offsets-set` event of this change, by the encoder that writes it. Undefined where none
 * is written, or what would be in it can't be told yet.
 */
export function opsEventBytes(intent: IntentOf<ConnectorKind>, reading: Readings[ConnectorKind]): number | undefined {
  const { facts, stored, move, after, opsFormat } = reading;
  if (!reading.changesOffset || move === undefined || after === undefined || opsFormat === undefined) return undefined;
  const offset = stored.state === "stored" ? stored.offset : undefined;
  const forgotten =
    intent.kind === "OffsetChange" ? forgottenIds(offset?.released ?? [], intent.forgetReleased).join(",") : "";
  const { key, value } = encodeOpsEvent(
    {
      at: facts.at,
      server: facts.connector.prefix,
      details: {
        connector: facts.connector.name,
        // As long as the longer of the two.
        command: "resnapshot_",
        reason: intent.metadata.reason,
        operator: UNKNOWN_YET.operator,
        direction: move.direction,
        previous_resume_scn: scnDetail(move.from),
        new_resume_scn: scnDetail(move.to),
        outcome: "applying",
        forgotten_released: forgotten,
        error: UNKNOWN_YET.error,
        ...("unlisted" in reading ? snapshotDetails(reading) : {}),
        run: ANY_RUN,
        decision: ANY_DIGEST,
        previous_offset: canonicalJson(offset?.raw ?? null),
        new_offset: canonicalJson(after),
      },
    },
    opsFormat,
  );
  return key.length + value.length + BATCH_BYTES + UNKNOWN_YET.growth;
}

/** The same of a return to the legacy connector, whose event carries the stored offset that is removed. */
export function returnEventBytes(
  { metadata }: Pick<MigrationIntent, "metadata">,
  { facts, changesOffset, opsFormat }: Pick<ReturnReading, "facts" | "changesOffset" | "opsFormat">,
): number | undefined {
  const { next, settings, at } = facts;
  if (!changesOffset || next === undefined || opsFormat === undefined) return undefined;
  const removed = next.offsets.find(({ partition }) => sameOffset(partition, { server: settings.prefix }))?.offset;
  const decoded = removed === null || removed === undefined ? undefined : decodeOffset(removed);
  const { key, value } = encodeOpsEvent(
    {
      at,
      server: settings.prefix,
      details: {
        connector: next.name,
        command: "offsets set",
        reason: metadata.reason,
        operator: UNKNOWN_YET.operator,
        previous_resume_scn: scnDetail(decoded?.ok ? decoded.offset.resumeScn : undefined),
        new_resume_scn: scnDetail(undefined),
        outcome: "applying",
        error: UNKNOWN_YET.error,
        run: ANY_RUN,
        decision: ANY_DIGEST,
        previous_offset: canonicalJson(removed ?? null),
        new_offset: canonicalJson(null),
      },
    },
    opsFormat,
  );
  return key.length + value.length + BATCH_BYTES + UNKNOWN_YET.growth;
}

function snapshotDetails({ gap, tables, unlisted }: ResnapshotReading): Partial<OffsetsSetDetails> {
  return {
    gap: gap === undefined ? "" : `${gap.code} ${gap.message}`,
    tables: listDetail(tables),
    signal_id: ANY_SIGNAL,
    unlisted_tables: listDetail(unlisted.map(({ fullName }) => fullName)),
    evidence: ANY_DIGEST,
    intent: ANY_DIGEST,
  };
}

/** So many bytes has the record that asks for the snapshot. */
export function signalBytes({ tables, facts }: ResnapshotReading): number {
  const { key, value } = encodeSignal({ id: ANY_SIGNAL, tables }, facts.connector.name);
  return key.length + value.length + BATCH_BYTES;
}

/**
 * Whether a topic takes a record of so many bytes. A topic that is missing or unseen is another check's matter.
 *
 * @param what the record, to begin a sentence with
 * @param remedies further ways out than a larger limit
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
  const raise =
    `Let the topic take it:  kafka-configs --alter --entity-type topics --entity-name ${name} --add-config ` +
    `max.message.bytes=${roundedUp(bytes)}`;
  if (limit.known) {
    if (BigInt(bytes) <= limit.value) return pass;
    return fail({
      seen: `${what} may have up to ${bytes} bytes; ${name} takes ${limit.value} (max.message.bytes)`,
      remedies: [raise, ...remedies],
    });
  }
  if (bytes <= HARMLESS_BYTES) return pass;
  return unknown(
    `${what} may have up to ${bytes} bytes, and whether ${name} takes it can't be told: ${limit.why}`,
    limit.remedy,
  );
}

/** To full MiB, with a quarter more: the record may be written once more, and differ. */
function roundedUp(bytes: number): number {
  const mib = 1024 * 1024;
  return Math.ceil((bytes * 1.25) / mib) * mib;
}
