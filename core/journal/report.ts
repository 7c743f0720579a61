import type { StoredOffset } from "../facts/offset/stored-offset.ts";
import type { Scn } from "../values/scn.ts";
import type { Xid } from "../values/xid.ts";
import type { ChunkKey } from "./chunk-record.ts";
import type { Chunk, RecordCounts, UnreadableRecord } from "./fold-records.ts";
import type { Kept } from "./payload.ts";

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
  /** By number, then generation; never empty. */
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
      /** At or before the transaction's first change. */
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
  /** In order of their ids. */
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
  for (const { first, firstCaptured, start } of chunks) {
    take(first.scn);
    take(firstCaptured.scn);
    if (start !== undefined) take(start.scn);
  }
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
