import { CallFailed } from "../../core/errors.ts";
import { type KafkaRecord, LASTING_BUFFERS, type OffsetRange, type RecordsInPlace } from "../../core/ports/kafka.ts";
import { type BrokerCluster, readAt, retrying } from "./broker-cluster.ts";
import type { BrokerConnection } from "./broker-connection.ts";
import { OFFSET_OUT_OF_RANGE } from "./error-codes.ts";
import { type Fetched, type FetchWanted, fetchBatches } from "./fetch-request.ts";
import { BrokerRefused } from "./kafka-failure.ts";
import { committedBatches, placesOf, type RecordBatch, recordsOf, UnreadableBatch } from "./record-batch.ts";
import { placesWithin } from "./record-places.ts";
import { type Allowance, allowanceOf, TooLarge } from "./uncompressed-limits.ts";

const MAX_WAIT_MILLIS = 500;

interface Wanted<Records> {
  /**
   * Maximum bytes of a fetch. Two fetches are in memory for every partition that is read at the same time, and two
   * copies of each while it arrives; the memory of earlier fetches is released late. A larger record batch is fetched
   * whole.
   */
  readonly fetchBytes: number;
  /** Whether the memory of a fetch may be reused once records of `LASTING_BUFFERS` other fetches have been read. */
  readonly passing: boolean;
  /** @returns undefined if none of a batch's records is in the range */
  of(batch: RecordBatch, range: OffsetRange, allowance: Allowance): Promise<Records | undefined>;
}

/** Reads records as objects, from several partitions at the same time. */
export const AS_OBJECTS: Wanted<readonly KafkaRecord[]> = {
  fetchBytes: 512 * 1024,
  passing: false,
  async of(batch, { partition, from, to }, allowance) {
    const records = await recordsOf(batch, partition, allowance);
    const whole = batch.baseOffset >= from && batch.lastOffset < to;
    const within = whole ? records : records.filter(({ offset }) => offset >= from && offset < to);
    return within.length === 0 ? undefined : within;
  },
};

/** Positions in the bytes that were fetched, of several partitions at the same time. */
export const IN_PLACE: Wanted<RecordsInPlace> = {
  fetchBytes: AS_OBJECTS.fetchBytes,
  passing: true,
  async of(batch, { partition, from, to }, allowance) {
    const { baseOffset } = batch;
    const places = placesWithin(await placesOf(batch, allowance), from - baseOffset, to - baseOffset);
    return places.count === 0 ? undefined : { ...places, partition, baseOffset };
  },
};

/** Reads only one partition. A request costs both sides as much as hundreds of records that are read in place. */
export const ALONE: Wanted<RecordsInPlace> = { ...IN_PLACE, fetchBytes: 4 * 1024 * 1024 };

/**
 * Reads a range of one partition, batch by batch as the producer wrote them, committed records only. The next fetch is
 * sent before the records of the current one are processed.
 *
 * @param patienceMillis how long to wait for a range that is not committed to its end
 * @throws CallFailed
 */
export async function* readPartition<Records>(
  cluster: BrokerCluster,
  topic: string,
  range: OffsetRange,
  wanted: Wanted<Records>,
  patienceMillis: number,
): AsyncGenerator<Records> {
  const { partition, from, to } = range;
  if (from >= to) return;
  const what = `${topic}, partition ${partition}`;
  const leader: Leader = {};
  const fetch = (next: bigint): Promise<Answer> => {
    const fetched = fetchAt(cluster, topic, { partition, from: next }, wanted.fetchBytes, leader);
    // Its failure is reported when it is awaited, which may be later, or never.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = from;
  let moved = Date.now();
  let coming = fetch(next);
  /** Answers whose records have been read, the latest last. */
  const consumed: Answer[] = [];
  for (;;) {
    const answer = await coming;
    if (answer.error === OFFSET_OUT_OF_RANGE)
      throw new CallFailed("kafka", "missing", {
        message:
          `${what}: the record at offset ${next} has been deleted; the broker keeps records from ` +
          `${answer.logStart < 0n ? "a later offset" : answer.logStart}`,
        code: "OFFSET_OUT_OF_RANGE",
        remedy: "Run the command again: records were deleted (retention) while the topic was read.",
      });
    const after = endOfLastBatch(answer.batches) ?? next;
    const isLast = after >= to || (after === next && answer.lastStable >= to);
    if (!isLast) {
      if (after > next) moved = Date.now();
      else if (Date.now() - moved > patienceMillis)
        throw new CallFailed("kafka", "timeout", {
          message:
            `${what}: no record from offset ${next} onwards within ${patienceMillis / 1000} s; an open transaction ` +
            `hides what follows ${answer.lastStable}`,
        });
      coming = fetch(after);
    }
    for await (const records of decoded(what, answer, next, range, wanted)) {
      yield records;
      if (!wanted.passing || consumed.at(-1) === answer) continue;
      consumed.push(answer);
      if (consumed.length > LASTING_BUFFERS) consumed.shift()?.release();
    }
    if (isLast) return;
    next = after;
  }
}

/** Returns where the next fetch starts: after the last whole batch; undefined without one. */
function endOfLastBatch(bytes: Buffer): bigint | undefined {
  let end: bigint | undefined;
  for (let at = 0; at + 27 <= bytes.length; ) {
    const length = 12 + bytes.readInt32BE(at + 8);
    if (length <= 12 || at + length > bytes.length) break;
    end = bytes.readBigInt64BE(at) + BigInt(bytes.readInt32BE(at + 23)) + 1n;
    at += length;
  }
  return end;
}

async function* decoded<Records>(
  what: string,
  answer: Fetched,
  next: bigint,
  range: OffsetRange,
  wanted: Wanted<Records>,
): AsyncGenerator<Records> {
  const allowance = allowanceOf();
  try {
    for await (const { batch, next: end } of committedBatches(answer.batches, answer.aborted, next, allowance)) {
      const records = batch === undefined ? undefined : await wanted.of(batch, range, allowance);
      if (records !== undefined) yield records;
      if (end >= range.to) break;
    }
  } catch (error) {
    throw unreadable(error, what);
  }
}

/** The failure to read a partition that holds an unreadable batch; another error as it is. */
export function unreadable(error: unknown, what: string): unknown {
  if (!(error instanceof UnreadableBatch)) return error;
  return new CallFailed("kafka", "protocol", {
    message: `could not read ${what}: ${error.message}`,
    remedy: error.cause instanceof TooLarge ? TOO_LARGE : undefined,
    cause: error,
  });
}

const TOO_LARGE =
  "Find out who wrote it (kafka-dump-log.sh shows producer and size); the connector and cdcctl write far smaller " +
  "batches.";

/** The session with the partition's leader, until a request to it fails. */
interface Leader {
  session?: BrokerConnection | undefined;
}

interface Answer extends Fetched {
  /** Releases its memory for reuse. */
  release(): void;
}

function fetchAt(
  cluster: BrokerCluster,
  name: string,
  wanted: FetchWanted,
  maxBytes: number,
  leader: Leader,
): Promise<Answer> {
  const { partition } = wanted;
  const doing = `read ${name}`;
  const limits = { maxWaitMillis: MAX_WAIT_MILLIS, maxBytes, maxPartitionBytes: maxBytes };
  return retrying(doing, async () => {
    const session = leader.session?.isOpen() ? leader.session : await findLeader(cluster, name, partition);
    // Kept only if this fetch succeeds.
    leader.session = undefined;
    const answers = await readAt(cluster, session, doing, () => fetchBatches(session, name, [wanted], limits));
    const answer = answers.find((one) => one.partition === partition);
    if (answer === undefined)
      throw new CallFailed("kafka", "protocol", {
        message: `${name}, partition ${partition}: a fetch without an answer`,
      });
    if (answer.error !== 0 && answer.error !== OFFSET_OUT_OF_RANGE) throw new BrokerRefused(answer.error);
    leader.session = session;
    return { ...answer, release: () => session.release(answer.batches) };
  });
}

async function findLeader(cluster: BrokerCluster, name: string, partition: number): Promise<BrokerConnection> {
  const { metadata } = await cluster.topic(name);
  return cluster.leader(metadata, name, partition);
}
