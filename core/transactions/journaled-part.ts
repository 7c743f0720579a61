import { byTransaction } from "../journal/at-start.ts";
import type { Chunk } from "../journal/fold-records.ts";
import { firstScnOf } from "../journal/read-journal.ts";
import type { Scn } from "../values/scn.ts";
import type { Xid } from "../values/xid.ts";

/** What the transaction journal holds of a transaction that has not ended. */
export interface JournaledPart {
  /** The id with its container. */
  readonly xid: Xid;
  readonly chunks: number;
  readonly changes: bigint;
  /** The size of the payloads. */
  readonly bytes: bigint;
  readonly firstScn: Scn;
  /**
   * Every SCN that the chunks give for its beginning: of its start, its first captured change, its first redo record.
   */
  readonly begins: readonly Scn[];
  readonly user: string | undefined;
  readonly clientId: string | undefined;
}

/**
 * Whole transactions, in order of their ids. A chunk that was written again after a restart of the task counts once, as
 * it was written last; what the next start would make of them is another question (`admin journal inspect`).
 */
export function journaledParts(chunks: Iterable<Chunk>): readonly JournaledPart[] {
  return byTransaction(chunks).map(({ xid, chunks: all }) => {
    // They are in order of generation within a number: the last one stays.
    const newest = [...new Map(all.map((chunk) => [chunk.key.chunk, chunk])).values()];
    const sum = (of: (chunk: Chunk) => number) => newest.reduce((total, chunk) => total + BigInt(of(chunk)), 0n);
    const begins = newest.flatMap(({ first, firstCapturedScn, startScn }) => [first.scn, firstCapturedScn, startScn]);
    return {
      xid,
      chunks: newest.length,
      changes: sum(({ changes }) => changes),
      bytes: sum(({ payloadSize }) => Math.floor((payloadSize * 3) / 4)),
      firstScn: firstScnOf(newest),
      begins: [...new Set(begins)].filter((scn) => scn > 0n),
      user: newest.find(({ user }) => user !== undefined)?.user,
      clientId: newest.find(({ clientId }) => clientId !== undefined)?.clientId,
    };
  });
}
