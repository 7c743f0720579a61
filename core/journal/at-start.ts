import type { StoredOffset } from "../facts/offset/stored-offset.ts";
import { grouped } from "../values/lists.ts";
import type { Scn } from "../values/scn.ts";
import { printXid, type Xid } from "../values/xid.ts";
import { isBefore, type RedoPlace } from "./chunk-record.ts";
import type { Chunk } from "./fold-records.ts";

/** The place from which the task mines, and its own generation: one more than the stored one. */
export interface StartPoint {
  readonly resume: RedoPlace;
  readonly generation: bigint;
}

/** An SCN above every other: a first start without `cdc.start.scn` begins at the current one. */
const CURRENT = 2n ** 63n;

/**
 * Where the task starts from a stored offset, or without one: from `cdc.start.scn`, with generation 1.
 *
 * Rule: reference: connector rules, "Journal and generations"; the connector's OracleCdcSourceTask.
 */
export function startPointOf(
  stored: Pick<StoredOffset, "resumeScn" | "redoAddress" | "journalGeneration"> | undefined,
  startScn?: Scn,
): StartPoint {
  if (stored === undefined) return { resume: { scn: startScn ?? CURRENT, rsId: undefined, ssn: 0n }, generation: 1n };
  const { resumeScn, redoAddress, journalGeneration } = stored;
  return {
    resume: { scn: resumeScn, rsId: redoAddress?.rsId, ssn: redoAddress?.ssn ?? 0n },
    generation: (journalGeneration ?? 0n) + 1n,
  };
}

/** Why a chunk is dropped, according to its header; `kept` still depends on its payload. */
type HeaderFate = "kept" | "stale" | "mined again";

export interface JournaledChunks {
  readonly xid: Xid;
  /** Chunks by number, then generation. */
  readonly chunks: readonly { readonly chunk: Chunk; readonly fate: HeaderFate }[];
  /** The first number that is missing among the kept ones, and the next one that exists. */
  readonly hole: { readonly missing: number; readonly next: number } | undefined;
}

/**
 * What the task does with the chunks at its start, as far as their headers show: whole transactions, in order of their
 * ids.
 *
 * Rule: reference: wire formats, "Transaction journal", 2 to 5, in this order.
 */
export function chunksAtStart(chunks: Iterable<Chunk>, start: StartPoint): readonly JournaledChunks[] {
  return byTransaction(chunks).map(({ xid, chunks: own }) => {
    const newest = new Map<number, bigint>();
    const judged = own.map((chunk) => {
      const fate = byHeader(chunk, start);
      const { chunk: number, generation } = chunk.key;
      const other = newest.get(number);
      if (fate === "kept" && (other === undefined || other < generation)) newest.set(number, generation);
      return { chunk, fate };
    });
    const fates = judged.map(({ chunk, fate }) => {
      const outdated = fate === "kept" && newest.get(chunk.key.chunk) !== chunk.key.generation;
      return { chunk, fate: outdated ? ("stale" as const) : fate };
    });
    return { xid, chunks: fates, hole: holeIn([...newest.keys()].sort((a, b) => a - b)) };
  });
}

function byHeader({ key, first }: Chunk, { resume, generation }: StartPoint): HeaderFate {
  if (key.generation > generation) return "stale";
  return isBefore(first, resume) ? "kept" : "mined again";
}

function holeIn(numbers: readonly number[]): JournaledChunks["hole"] {
  const missing = numbers.findIndex((number, at) => number !== at);
  const next = numbers[missing];
  return next === undefined ? undefined : { missing, next };
}

/** Whole transactions with their chunks, each in order. */
export function byTransaction(
  chunks: Iterable<Chunk>,
): readonly { readonly xid: Xid; readonly chunks: readonly Chunk[] }[] {
  return [...grouped(chunks, ({ key }) => printXid(key.xid)).values()]
    .flatMap((own) => (own[0] === undefined ? [] : [{ xid: own[0].key.xid, chunks: own.sort(byNumber) }]))
    .sort((a, b) => byXid(a.xid, b.xid));
}

function byNumber({ key: a }: Chunk, { key: b }: Chunk): number {
  return a.chunk - b.chunk || compare(a.generation, b.generation);
}

function byXid(a: Xid, b: Xid): number {
  return (
    compare(a.container ?? -1n, b.container ?? -1n) ||
    compare(a.usn, b.usn) ||
    compare(a.slot, b.slot) ||
    compare(a.sqn, b.sqn)
  );
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
