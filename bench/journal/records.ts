import { changeAt, journalRecord } from "../../core/journal/testing/build-journal.ts";
import type { WrittenRecord } from "../verify/record-batch.ts";

/** Chunks of one transaction, each written once and, unless the transaction is open, removed by a tombstone. */
const CHUNKS = 4;
/** One in this many transactions belongs to another connector. */
const OF_OTHERS = 10;

export interface JournalSize {
  readonly records: number;
  /** Transactions of this connector that have not ended. */
  readonly open: number;
}

export const TOPIC = "orders.cdc.txjournal";
/** An SCN above every chunk's. */
export const RESUME_SCN = 10_000_000n;

/** Frames as a load writes them: a row of four columns, before or after. */
const FRAMES = [0n, 1n, 2n].map((at) => ({
  change: changeAt(
    { scn: 100n + at, rsId: "0x00002a.00000f1c.0010", ssn: at },
    [11, 1, 15, 1].map((type, column) => [type, column === 0 ? new Uint8Array(8) : counted(24)] as const),
  ),
}));

function counted(length: number): Uint8Array {
  const bytes = new Uint8Array(4 + length).fill(0x41);
  new DataView(bytes.buffer).setInt32(0, length);
  return bytes;
}

/**
 * The journal of a connector that has ended most of its transactions, before compaction. Several are open at any time,
 * so their chunks and tombstones are interleaved.
 */
export function* journalRecords({ records, open }: JournalSize): Generator<readonly WrittenRecord[]> {
  const value =
    journalRecord({ frames: FRAMES, value: { last_scn: 9_000_000, events: 3, undos: 0 } }).value ?? new Uint8Array();
  const [before, after] = aroundFirstScn(Buffer.from(value).toString());
  const ended = Math.floor((records - open * CHUNKS) / (2 * CHUNKS));
  const every = Math.floor(ended / open);
  const written = (transaction: number, chunk: number): WrittenRecord =>
    record(keyOf(transaction, chunk), Buffer.from(`${before}${1000 + transaction}${after}`));
  let count = 0;
  for (let transaction = 0; transaction < ended + open; transaction++) {
    const batch: WrittenRecord[] = [];
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      batch.push(written(transaction, chunk));
      const gone = transaction - LATER;
      if (gone >= 0 && !isOpen(gone, every, open)) batch.push(record(keyOf(gone, chunk), null));
    }
    count += batch.length;
    yield batch;
  }
  for (let gone = ended + open - LATER; gone < ended + open; gone++) {
    if (isOpen(gone, every, open)) continue;
    const batch = Array.from({ length: CHUNKS }, (_, chunk) => record(keyOf(gone, chunk), null));
    count += batch.length;
    yield batch;
  }
  const left = Array.from({ length: records - count }, (_, at) =>
    record(keyOf(at * OF_OTHERS + OF_OTHERS - 1, 9), null),
  );
  yield left;
}

/** Number of transactions that begin before one ends. */
const LATER = 50;

/** Interval of open transactions; never one of another connector. */
function isOpen(transaction: number, every: number, open: number): boolean {
  return transaction % every === 0 && transaction / every < open;
}

function keyOf(transaction: number, chunk: number): Uint8Array {
  const server = transaction % OF_OTHERS === OF_OTHERS - 1 ? "billing" : "orders";
  const xid = `${transaction % 97}.${transaction % 33}.${transaction}`;
  return Buffer.from(`{"server":"${server}","con_id":3,"xid":"${xid}","chunk":${chunk},"generation":7}`);
}

function record(key: Uint8Array, value: Uint8Array | null): WrittenRecord {
  return { key, value };
}

/** The text before and after the number of `first_scn`. */
function aroundFirstScn(value: string): readonly [string, string] {
  const name = '"first_scn":';
  const at = value.indexOf(name) + name.length;
  return [value.slice(0, at), value.slice(value.indexOf(",", at))];
}
