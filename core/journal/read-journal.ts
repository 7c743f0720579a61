import { CallFailed } from "../errors.ts";
import type { StoredOffset } from "../facts/stored-offset.ts";
import type { Clock } from "../ports/clock.ts";
import type { KafkaPort, OffsetRange, RecordsInPlace } from "../ports/kafka.ts";
import { byTransaction, chunksAtStart, type JournaledChunks, type StartPoint, startPointOf } from "./at-start.ts";
import { UnreadablePayload } from "./binary-reader.ts";
import { readPayload } from "./chunk-record.ts";
import { type Chunk, foldJournal, type JournalFold } from "./fold-records.ts";
import type { JournalForm } from "./journal-form.ts";
import { NotJson } from "./json-members.ts";
import { journalRanges, recordBatches, recordsAt } from "./pages.ts";
import { framesOf } from "./payload.ts";
import { recordMembers } from "./record-members.ts";
import { isBefore } from "./redo-order.ts";
import type { ChunkFate, JournalProblem, JournalReading, JudgedTransaction, Verdict } from "./report.ts";
import { firstScnOf } from "./report.ts";
import { keptOf } from "./trim.ts";

export interface JournalQuestion {
  readonly topic: string;
  /** The connector's `cdc.topic.prefix`. */
  readonly server: string;
  readonly form: JournalForm;
  /** Undefined where none is stored. */
  readonly stored: StoredOffset | undefined;
}

export type JournalProgress =
  /** `at` and `end`: how many offsets, of all partitions, were passed, and are there. */
  | { readonly pass: "records"; readonly records: number; readonly at: bigint; readonly end: bigint }
  | { readonly pass: "payloads"; readonly chunks: number; readonly of: number };

/** A connector that runs ends transactions while they are read. */
const ATTEMPTS = 3;
/** Records of the range are gone. */
const DELETED = "OFFSET_OUT_OF_RANGE";

/**
 * Reads the journal as the task does at its start: all records for their headers, then the payloads of the chunks that may be restored, one
 * at a time. Memory is bounded by a batch of records and the open transactions.
 *
 * @throws CallFailed where the brokers do not answer, or the topic changes faster than it can be read
 */
export async function readJournal(
  kafka: KafkaPort,
  question: JournalQuestion,
  onProgress: (progress: JournalProgress) => void = () => undefined,
): Promise<JournalReading> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const fold = await wholeRecords(kafka, question, onProgress);
    if (fold === "changed meanwhile") continue;
    if (question.stored === undefined) return withoutOffset(fold);
    const start = startPointOf(question.stored);
    const transactions = chunksAtStart(fold.chunks(), start);
    const payloads = await readPayloads(kafka, question, fold, transactions, start, onProgress);
    if (payloads !== "changed meanwhile") return { ...judged(fold, transactions, payloads), stored: question.stored };
  }
  throw new CallFailed({
    system: "kafka",
    kind: "unsupported",
    message: `${question.topic} was compacted, or lost records, while it was read, ${ATTEMPTS} times`,
    remedy: "Run it again, or stop the connector before.",
  });
}

/** The first pass, over the whole topic. @param onProgress from time to time */
export async function readRecords(
  kafka: KafkaPort,
  question: Omit<JournalQuestion, "stored">,
  onProgress: (progress: JournalProgress) => void = () => undefined,
): Promise<JournalFold> {
  const fold = await readRecordsWithin(kafka, question, undefined, onProgress);
  if ("tooLong" in fold) throw new Error("a reading without bounds has none to meet");
  return fold;
}

/** @returns `changed meanwhile` where records were deleted before they were read */
async function wholeRecords(
  kafka: KafkaPort,
  question: JournalQuestion,
  onProgress: (progress: JournalProgress) => void,
): Promise<JournalFold | "changed meanwhile"> {
  try {
    return await readRecords(kafka, question, onProgress);
  } catch (failure) {
    if (failure instanceof CallFailed && failure.kind === "missing" && failure.code === DELETED)
      return "changed meanwhile";
    throw failure;
  }
}

/** How much of a journal is read at most. */
export interface JournalBounds {
  readonly bytes: number;
  readonly millis: number;
}

/** The first pass stopped at its bounds. */
export interface TooLong {
  readonly tooLong: { readonly records: number; readonly bytes: number };
}

export interface ReadingLimits {
  readonly bounds: JournalBounds;
  readonly clock: Pick<Clock, "elapsed">;
}

/**
 * The first pass, as far as it may go.
 *
 * @param limits undefined: the topic is read whole, however long it is
 * @param onProgress from time to time
 */
export async function readRecordsWithin(
  kafka: KafkaPort,
  { topic, server, form }: Omit<JournalQuestion, "stored">,
  limits?: ReadingLimits,
  onProgress: (progress: JournalProgress) => void = () => undefined,
): Promise<JournalFold | TooLong> {
  const fold = foldJournal(server, form);
  const ranges = await journalRanges(kafka, topic);
  const length = ({ from, to }: OffsetRange) => to - from;
  const end = ranges.reduce((sum, range) => sum + length(range), 0n);
  const began = limits?.clock.elapsed() ?? 0;
  let [before, bytes] = [0n, 0];
  for (const range of ranges) {
    for await (const records of recordBatches(kafka, topic, range)) {
      fold.take(records);
      bytes += sizeOf(records);
      const at = before + records.baseOffset + BigInt(records.offsetDeltas.at(-1) ?? 0) + 1n - range.from;
      onProgress({ pass: "records", records: fold.counts().records, at, end });
      if (limits === undefined || at >= end) continue;
      const { bounds, clock } = limits;
      if (bytes > bounds.bytes || clock.elapsed() - began > bounds.millis)
        return { tooLong: { records: fold.counts().records, bytes } };
    }
    before += length(range);
  }
  return fold;
}

/** Of keys and values. */
function sizeOf({ count, keyStarts, keyEnds, valueStarts, valueEnds }: RecordsInPlace): number {
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    if (keyStarts[at] !== -1) bytes += (keyEnds[at] as number) - (keyStarts[at] as number);
    if (valueStarts[at] !== -1) bytes += (valueEnds[at] as number) - (valueStarts[at] as number);
  }
  return bytes;
}

function withoutOffset(fold: JournalFold): JournalReading {
  return {
    counts: fold.counts(),
    stored: undefined,
    transactions: byTransaction(fold.chunks()).map(({ xid, chunks }) => ({
      xid,
      verdict: "not read",
      chunks: chunks.map((chunk) => ({ chunk, fate: "unread" })),
    })),
    problems: [],
  };
}

type PayloadRead = Exclude<ChunkFate, { readonly fate: "stale" | "unread" }> & { readonly why?: string };

/** The second pass: the kept chunks of transactions without a hole. */
async function readPayloads(
  kafka: KafkaPort,
  { topic, form }: JournalQuestion,
  fold: JournalFold,
  transactions: readonly JournaledChunks[],
  start: StartPoint,
  onProgress: (progress: JournalProgress) => void,
): Promise<ReadonlyMap<Chunk, PayloadRead> | "changed meanwhile"> {
  const wanted = transactions
    .filter(({ hole }) => hole === undefined)
    .flatMap(({ chunks }) => chunks.filter(({ fate }) => fate === "kept").map(({ chunk }) => chunk));
  const read = new Map<Chunk, PayloadRead>();
  const missing = wanted.filter((chunk) => {
    const value = fold.valueOf(chunk);
    if (value !== undefined) read.set(chunk, readChunk(chunk, value, form, start));
    return value === undefined;
  });
  for await (const [chunk, record] of recordsAt(kafka, topic, missing)) {
    if (record === undefined || record.value === null) return "changed meanwhile";
    read.set(chunk, readChunk(chunk, record.value, form, start));
    onProgress({ pass: "payloads", chunks: read.size, of: wanted.length });
  }
  return read;
}

/** Every frame is read, also where all are kept: a task that can't read one stops. */
function readChunk(chunk: Chunk, value: Uint8Array, form: JournalForm, { resume }: StartPoint): PayloadRead {
  try {
    const frames = framesOf(readPayload(value, recordMembers(form)));
    if (isBefore(chunk.last, resume)) {
      for (const _ of frames);
      return { fate: "restored", kept: { changes: chunk.changes, undos: chunk.undos, unplaced: 0 } };
    }
    const kept = keptOf(frames, resume, chunk);
    return kept.changes + kept.undos + kept.unplaced === 0 ? { fate: "mined again" } : { fate: "restored", kept };
  } catch (error) {
    if (error instanceof UnreadablePayload || error instanceof NotJson)
      return { fate: "unreadable", why: error.message };
    throw error;
  }
}

function judged(
  fold: JournalFold,
  transactions: readonly JournaledChunks[],
  payloads: ReadonlyMap<Chunk, PayloadRead>,
): Omit<JournalReading, "stored"> {
  const problems: JournalProblem[] = [...fold.unreadable()];
  const judgedOnes = transactions.map(({ xid, chunks, hole }): JudgedTransaction => {
    const firstScn = firstScnOf(chunks.map(({ chunk }) => chunk));
    if (hole !== undefined) problems.push({ what: "missing chunk", xid, ...hole, firstScn });
    const fates = chunks.map(({ chunk, fate }) => {
      if (fate !== "kept") return { chunk, fate };
      const { why, ...read } = payloads.get(chunk) ?? { fate: "unread" as const, why: undefined };
      if (why !== undefined) {
        const { key, partition, offset } = chunk;
        problems.push({ what: "unreadable payload", key, partition, offset, why, firstScn });
      }
      return { chunk, ...read };
    });
    return { xid, verdict: verdictOf(fates), chunks: fates };
  });
  return { counts: fold.counts(), transactions: judgedOnes, problems };
}

/** Of a transaction of which nothing is left: where any of it is mined again, that is what becomes of it. */
function verdictOf(chunks: readonly ChunkFate[]): Verdict {
  const some = (...fates: readonly ChunkFate["fate"][]) => chunks.some(({ fate }) => fates.includes(fate));
  if (some("unreadable", "unread")) return "stops";
  if (some("restored")) return "restored";
  return some("mined again") ? "mined again" : "stale";
}
