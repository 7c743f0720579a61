import { isBefore, type RedoPlace } from "../../../../core/journal/chunk-record.ts";
import { type Frame, framesOf, UnreadablePayload } from "../../../../core/journal/payload.ts";
import type { KafkaRecord } from "../../../../core/ports/kafka.ts";
import { base64Bytes, isBase64 } from "../../../../core/values/base64.ts";
import { isObject, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import type { SandboxBroker } from "../../kafka/broker.ts";
import { internalTopic, readsBrokers } from "./internal-topics.ts";
import type { Position } from "./position.ts";
import type { RestoredTransaction } from "./redo-script.ts";
import { stopWith } from "./stopped-task.ts";

interface Chunk {
  /** `CON:USN.SLOT.SQN` */
  readonly xid: string;
  readonly number: number;
  readonly generation: bigint;
  readonly first: RedoPlace;
  readonly last: RedoPlace;
  readonly firstCaptured: RedoPlace;
  readonly changes: number;
  readonly undos: number;
  readonly payload: string;
}

/**
 * The transactions that the task restores from the journal topic at its start.
 *
 * Rule: reference: wire formats, "Transaction journal", 1 to 7; connector rules, "Journal and generations"; source:
 * `JournalTopicLoader`. Written from the rules alone, so that it proves what `core/journal` says of a journal.
 *
 * @param start the position with the generation of this start, which is one more than the stored one
 * @throws Error with CDC-4002
 */
export function restoredAtStart(
  config: Readonly<Record<string, string>>,
  broker: SandboxBroker,
  { resume, generation }: Pick<Position, "resume" | "generation">,
): readonly RestoredTransaction[] {
  if (!readsBrokers(config)) return [];
  const topic = internalTopic(config, "txjournal");
  const partitions = broker.state.topics.get(topic)?.partitions.length ?? 0;
  const records = Array.from({ length: partitions }, (_, partition) => broker.committed(topic, partition)).flat();
  const byTransaction = new Map<string, Map<number, Chunk>>();
  for (const chunk of lastValues(records, config["cdc.topic.prefix"] ?? "")) {
    if (chunk.generation > generation || !isBefore(chunk.first, resume)) continue;
    const own = byTransaction.get(chunk.xid) ?? new Map<number, Chunk>();
    byTransaction.set(chunk.xid, own);
    const other = own.get(chunk.number);
    if (other === undefined || other.generation < chunk.generation) own.set(chunk.number, chunk);
  }
  return [...byTransaction].flatMap(([xid, chunks]) => {
    const ordered = [...chunks.values()].sort((a, b) => a.number - b.number);
    const hole = ordered.findIndex(({ number }, at) => number !== at);
    if (hole >= 0) throw missing(xid, hole, ordered[hole]?.number ?? 0);
    return restored(xid, ordered, resume);
  });
}

function* lastValues(records: readonly KafkaRecord[], server: string): Iterable<Chunk> {
  const latest = new Map<string, Chunk>();
  for (const { key, value, offset } of records) {
    const read = objectIn(key) ?? unreadable(`Journal record at offset ${offset} has an unreadable key.`);
    if (read["server"] !== server) continue;
    const xid = `${String(read["con_id"])}:${String(read["xid"])}`;
    const generation = BigInt(String(read["generation"]));
    const name = `${xid} ${String(read["chunk"])} ${generation}`;
    const number = Number(read["chunk"]);
    if (value === null) latest.delete(name);
    else latest.set(name, chunkIn(value, { xid, number, generation }, offset));
  }
  yield* latest.values();
}

function chunkIn(bytes: Uint8Array, key: Pick<Chunk, "xid" | "number" | "generation">, offset: bigint): Chunk {
  const value = objectIn(bytes);
  if (value === undefined || typeof value["payload"] !== "string")
    return unreadable(`Journal chunk ${key.number} of ${key.xid} at offset ${offset} cannot be read.`);
  return {
    ...key,
    ...{ first: placeIn(value, "first"), last: placeIn(value, "last") },
    firstCaptured: placeIn(value, "first_captured"),
    ...{ changes: Number(value["events"]), undos: Number(value["undos"]), payload: value["payload"] },
  };
}

/** JSON with or without the schema envelope: the default of `cdc.journal.converter` reads both. */
function objectIn(bytes: Uint8Array | null): JsonObject | undefined {
  try {
    const json = parseJson(Buffer.from(bytes ?? []).toString("utf8"));
    if (!isObject(json)) return undefined;
    return "schema" in json && isObject(json["payload"]) ? json["payload"] : json;
  } catch {
    return undefined;
  }
}

function placeIn(value: JsonObject, name: string): RedoPlace {
  const rsId = value[`${name}_rs_id`];
  const number = (field: string) => BigInt(String(value[`${name}_${field}`] ?? 0));
  return { scn: number("scn"), rsId: typeof rsId === "string" ? rsId : undefined, ssn: number("ssn") };
}

/** What remains of a transaction before the resume point; nothing: it is mined again. */
function restored(xid: string, chunks: readonly Chunk[], resume: RedoPlace): readonly RestoredTransaction[] {
  const parts = chunks.flatMap((chunk) => {
    if (isBefore(chunk.last, resume)) return [{ last: chunk.last, changes: chunk.changes - chunk.undos }];
    const kept = framesIn(chunk).flatMap((frame) => {
      const place = frame.place();
      return place !== undefined && isBefore(place, resume) ? [{ place, adds: frame.kind === "change" ? 1 : -1 }] : [];
    });
    const last = kept.at(-1)?.place;
    return last === undefined ? [] : [{ last, changes: kept.reduce((sum, { adds }) => sum + adds, 0) }];
  });
  const last = parts.at(-1)?.last;
  if (last === undefined) return [];
  const changes = parts.reduce((sum, part) => sum + part.changes, 0);
  return [{ xid, last, changes: Math.max(0, changes), firstScn: chunks[0]?.firstCaptured.scn ?? 0n }];
}

function framesIn({ xid, number, payload }: Chunk): readonly Frame[] {
  const damaged = `Journal chunk ${number} of ${xid} is damaged.`;
  const text = Buffer.from(payload, "latin1");
  if (!isBase64(text)) return unreadable(damaged);
  try {
    return [...framesOf(base64Bytes(text))];
  } catch (error) {
    if (error instanceof UnreadablePayload) return unreadable(damaged);
    throw error;
  }
}

function unreadable(what: string): never {
  throw stopWith(
    "CDC-4002",
    what,
    "Set cdc.journal.converter to the converter the worker uses for this connector; if it already matches, the topic " +
      "holds a damaged record.",
  );
}

function missing(xid: string, number: number, next: number): Error {
  return stopWith(
    "CDC-4002",
    `Journal for transaction ${xid} is missing chunk ${number} (next found is ${next}).`,
    "The journal topic lost a chunk, probably to retention or compaction settings. Restore cleanup.policy=compact " +
      "with unlimited retention on the journal topic, then reset the offsets to a position before the transaction " +
      "started.",
  );
}
