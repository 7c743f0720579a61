import { CallFailed } from "../errors.ts";
import type { StoredOffset } from "../facts/offset/stored-offset.ts";
import type { Clock } from "../ports/clock.ts";
import type { KafkaPort, OffsetRange, RecordsInPlace } from "../ports/kafka.ts";
import type { Scn } from "../values/scn.ts";
import type { Xid } from "../values/xid.ts";
import { chunksAtStart, type JournaledChunks, type StartPoint, startPointOf } from "./at-start.ts";
import type { ChunkKey } from "./chunk-record.ts";
import {
  type Chunk,
  type FoldedJournal,
  foldHere,
  type OpenFolding,
  type RecordCounts,
  type UnreadableRecord,
} from "./fold-records.ts";
import type { JournalForm } from "./journal-form.ts";
import { type JsonMembers, jsonMembers, membersWithin, NotJson } from "./json-members.ts";
import type { Kept } from "./payload.ts";

export type RecordMembers = JsonMembers;

/** @returns a function that throws NotJson for data that the task cannot read */
export function recordMembers(form: JournalForm): (bytes: Uint8Array) => RecordMembers {
  return (bytes) => dataOf(bytes, form);
}

/** An envelope is an object of `schema` and `payload` and nothing else. */
function dataOf(bytes: Uint8Array, form: JournalForm): RecordMembers {
  const members = jsonMembers(bytes);
  const inner = members.size === 2 && members.has("schema") ? members.get("payload") : undefined;
  if (form === "plain" || (inner === undefined && form === "either")) return members;
  if (inner === undefined) throw new NotJson("it has no schema envelope, which schemas.enable demands");
  if (inner.kind !== "object") throw new NotJson(`the envelope holds a JSON ${inner.kind}, not an object`);
  return membersWithin(bytes, inner);
}

export interface JournalQuestion {
  readonly topic: string;
  /** The connector's `cdc.topic.prefix`. */
  readonly server: string;
  readonly form: JournalForm;
  /** Undefined if none is stored. */
  readonly stored: StoredOffset | undefined;
  /** `cdc.start.scn`: where the task begins without a stored offset. */
  readonly startScn?: Scn | undefined;
}

/** Payloads are not evaluated if no start point is given. */
type RecordsQuestion = Pick<JournalQuestion, "topic" | "server" | "form"> & { readonly start?: StartPoint };

/** `at` and `end`: number of offsets, of all partitions, passed so far, and in total. */
export interface JournalProgress {
  readonly records: number;
  readonly at: bigint;
  readonly end: bigint;
}

export interface ReadingOptions {
  readonly onProgress?: ((progress: JournalProgress) => void) | undefined;
  /** Where they are folded. Default: in this thread. */
  readonly openFolding?: OpenFolding | undefined;
}

/** A running connector ends transactions while they are read. */
const ATTEMPTS = 3;
/** Records of the range do not exist any more. */
const DELETED = "OFFSET_OUT_OF_RANGE";

/**
 * Reads the journal as the task does at its start. Memory is bounded by a few batches of records and the open
 * transactions.
 *
 * @throws CallFailed if the brokers do not answer, or the topic changes faster than it can be read
 */
export async function readJournal(
  kafka: KafkaPort,
  question: JournalQuestion,
  options: ReadingOptions = {},
): Promise<JournalReading> {
  const start = startPointOf(question.stored, question.startScn);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const journal = await wholeRecords(kafka, { ...question, start }, options);
    if (journal !== "changed meanwhile")
      return { ...judged(journal, chunksAtStart(journal.chunks, start)), stored: question.stored };
  }
  throw new CallFailed("kafka", "unsupported", {
    message: `${question.topic} was compacted, or lost records, while it was read, ${ATTEMPTS} times`,
    remedy: "Run it again, or stop the connector before.",
  });
}

/** Reads the whole topic. */
export async function readRecords(
  kafka: KafkaPort,
  question: RecordsQuestion,
  options: ReadingOptions = {},
): Promise<FoldedJournal> {
  const journal = await readRecordsWithin(kafka, question, undefined, options);
  if ("tooLong" in journal) throw new Error("a reading without bounds has none to meet");
  return journal;
}

/** @returns `changed meanwhile` if records were deleted before they were read */
async function wholeRecords(
  kafka: KafkaPort,
  question: RecordsQuestion,
  options: ReadingOptions,
): Promise<FoldedJournal | "changed meanwhile"> {
  try {
    return await readRecords(kafka, question, options);
  } catch (failure) {
    if (failure instanceof CallFailed && failure.kind === "missing" && failure.code === DELETED)
      return "changed meanwhile";
    throw failure;
  }
}

export interface JournalBounds {
  readonly bytes: number;
  readonly millis: number;
}

/** The reading stopped at its limits. */
interface TooLong {
  readonly tooLong: { readonly records: number; readonly bytes: number };
}

interface ReadingLimits {
  readonly bounds: JournalBounds;
  readonly clock: Pick<Clock, "elapsed">;
}

/**
 * Reads the topic, up to its limits.
 *
 * @param limits undefined: the topic is read completely, however long it is
 */
export async function readRecordsWithin(
  kafka: KafkaPort,
  { topic, server, form, start }: RecordsQuestion,
  limits?: ReadingLimits,
  { onProgress, openFolding = foldHere }: ReadingOptions = {},
): Promise<FoldedJournal | TooLong> {
  const ranges = await journalRanges(kafka, topic);
  const length = ({ from, to }: OffsetRange) => to - from;
  const end = ranges.reduce((sum, range) => sum + length(range), 0n);
  const folding = openFolding({ server, form, resume: start?.resume }, end);
  const began = limits?.clock.elapsed() ?? 0;
  let [before, count, bytes] = [0n, 0, 0];
  try {
    for (const range of ranges) {
      for await (const records of recordBatches(kafka, topic, range)) {
        await folding.take(records);
        count += records.count;
        const reached = before + records.baseOffset + BigInt(records.offsetDeltas.at(-1) ?? 0) + 1n - range.from;
        onProgress?.({ records: count, at: reached, end });
        if (limits === undefined) continue;
        const { bounds, clock } = limits;
        bytes += records.bytes.length;
        if (reached < end && (bytes > bounds.bytes || clock.elapsed() - began > bounds.millis))
          return { tooLong: { records: count, bytes } };
      }
      before += length(range);
    }
    return await folding.folded();
  } finally {
    await folding.close();
  }
}

/**
 * The topic's current extent, partition by partition: up to where the next record is written, even if a transaction is
 * open before that. The task would wait for its end as well.
 */
export async function journalRanges(kafka: KafkaPort, topic: string): Promise<readonly OffsetRange[]> {
  const [committed, ends] = await Promise.all([kafka.extents(topic), kafka.endOffsets(topic)]);
  return committed.map(({ partition, from, to }) => {
    const end = ends.find((one) => one.partition === partition)?.offset ?? to;
    return { partition, from, to: end > to ? end : to };
  });
}

/**
 * Every record of this range, batch by batch as they arrive, in order of offset; committed ones only.
 *
 * @throws CallFailed also if a transaction stays open before the end: the brokers answer, and hold back the rest
 */
async function* recordBatches(kafka: KafkaPort, topic: string, range: OffsetRange): AsyncGenerator<RecordsInPlace> {
  try {
    yield* kafka.recordsInPlace(topic, range, true);
  } catch (failure) {
    if (!(failure instanceof CallFailed) || failure.kind !== "timeout") throw failure;
    const now = (await kafka.extents(topic)).find(({ partition }) => partition === range.partition);
    throw now === undefined || now.to >= range.to ? failure : heldBack(topic, now, failure);
  }
}

function heldBack(topic: string, { partition, to }: OffsetRange, cause: CallFailed): CallFailed {
  return new CallFailed("kafka", "unsupported", {
    message:
      `a transaction is open on ${topic}, partition ${partition}: ` +
      `what follows offset ${to} is hidden until it ends`,
    remedy: "Wait for its end: the task would wait as well. A producer that is gone is timed out by the brokers.",
    cause,
  });
}

function judged(
  { counts, unreadable }: FoldedJournal,
  transactions: readonly JournaledChunks[],
): Omit<JournalReading, "stored"> {
  const problems: JournalProblem[] = [...unreadable];
  const judgedOnes = transactions.map(({ xid, chunks, hole }): JudgedTransaction => {
    const firstScn = firstScnOf(chunks.map(({ chunk }) => chunk));
    if (hole !== undefined) problems.push({ what: "missing chunk", xid, ...hole, firstScn });
    const fates = chunks.map(({ chunk, fate }): JudgedChunk => {
      if (fate !== "kept") return { chunk, fate };
      const payload = hole === undefined ? chunk.payload : undefined;
      if (payload?.fate === "restored") return { chunk, fate: payload.fate, kept: payload.kept };
      if (payload?.fate === "unreadable") {
        const { key, partition, offset } = chunk;
        problems.push({ what: "unreadable payload", key, partition, offset, why: payload.why, firstScn });
      }
      return { chunk, fate: payload?.fate ?? "unread" };
    });
    return { xid, verdict: verdictOf(fates), chunks: fates };
  });
  return { counts, transactions: judgedOnes, problems };
}

/** The verdict on a transaction without remaining chunks: if any of it is mined again, that is its verdict. */
function verdictOf(chunks: readonly ChunkFate[]): Verdict {
  const some = (...fates: readonly ChunkFate["fate"][]) => chunks.some(({ fate }) => fates.includes(fate));
  if (some("unreadable", "unread")) return "stops";
  if (some("restored")) return "restored";
  return some("mined again") ? "mined again" : "stale";
}

/** What the next start does with a transaction. `stops`: it cannot be restored, and the task stops with CDC-4002. */
export type Verdict = "restored" | "stale" | "mined again" | "stops";

/** What it does with one chunk. `unread`: the transaction stops the task before. */
export type ChunkFate =
  | { readonly fate: "restored"; readonly kept: Kept }
  | { readonly fate: "stale" | "mined again" | "unreadable" | "unread" };

export type JudgedChunk = ChunkFate & { readonly chunk: Chunk };

export interface JudgedTransaction {
  readonly xid: Xid;
  readonly verdict: Verdict;
  /** Chunks by number, then generation; never empty. */
  readonly chunks: readonly JudgedChunk[];
}

/** Reasons why the task stops at its start: each is CDC-4002. */
export type JournalProblem =
  | UnreadableRecord
  | {
      readonly what: "missing chunk";
      readonly xid: Xid;
      readonly missing: number;
      readonly next: number;
      /** An SCN at or before the transaction's first change. */
      readonly firstScn: Scn;
    }
  | {
      readonly what: "unreadable payload";
      readonly key: ChunkKey;
      readonly partition: number;
      readonly offset: bigint;
      readonly why: string;
      readonly firstScn: Scn;
    };

export interface JournalReading {
  readonly counts: RecordCounts;
  readonly stored: StoredOffset | undefined;
  /** Transactions in order of their ids. */
  readonly transactions: readonly JudgedTransaction[];
  /**
   * Unreadable records first, the first hundred of them; then by transaction. The task names the first that it meets.
   */
  readonly problems: readonly JournalProblem[];
}

/** The lowest SCN in a transaction's chunks: of its start, its first captured change, or the chunks themselves. */
export function firstScnOf(chunks: readonly Chunk[]): Scn {
  let lowest = 0n;
  const take = (scn: Scn): void => {
    if (scn > 0n && (lowest === 0n || scn < lowest)) lowest = scn;
  };
  for (const { first, firstCapturedScn, startScn } of chunks)
    for (const scn of [first.scn, firstCapturedScn, startScn]) take(scn);
  return lowest;
}

/** Changes, undo records and bytes of chunks, according to their headers; kept ones if they were evaluated. */
export function sumOf(chunks: readonly JudgedChunk[]): {
  readonly changes: bigint;
  readonly undos: bigint;
  readonly bytes: bigint;
} {
  // Each is an int32 or the length of a text: their sum is exact as a double for millions of chunks.
  const sum = (of: (chunk: Chunk) => number) => BigInt(chunks.reduce((total, { chunk }) => total + of(chunk), 0));
  return {
    changes: sum(({ changes }) => changes),
    undos: sum(({ undos }) => undos),
    bytes: sum(({ payloadSize }) => Math.floor((payloadSize * 3) / 4)),
  };
}

/** The restored part of a transaction; `chunks` is 0 for none. */
export function restoredOf(chunks: readonly JudgedChunk[]): Kept & { readonly chunks: number } {
  return chunks.reduce(
    (sum, one) =>
      one.fate === "restored"
        ? {
            chunks: sum.chunks + 1,
            changes: sum.changes + one.kept.changes,
            undos: sum.undos + one.kept.undos,
            unplaced: sum.unplaced + one.kept.unplaced,
          }
        : sum,
    { chunks: 0, changes: 0, undos: 0, unplaced: 0 },
  );
}
