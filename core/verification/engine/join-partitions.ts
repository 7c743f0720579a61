import type { Verdict } from "../../../schemas/generated/verification-result.ts";
import { CallFailed } from "../../errors.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import { showBytes } from "../../values/amounts.ts";
import { ByteSink } from "../../values/byte-sink.ts";
import { sameWords, viewOf } from "../../values/bytes.ts";
import type { ByteWork } from "../byte-work.ts";
import { type CountRules, joinCounts } from "../join-counts.ts";
import { type JoinRules, joinKeys } from "../join-keys.ts";
import type { Scratch } from "../scratch.ts";
import {
  compareOffset,
  compareScn,
  eachSide,
  eventOf,
  hashOf,
  keyEnd,
  keyStart,
  nextTuple,
  partitionOf,
  ROW_IN_PART,
  SIDES,
  type Side,
  type Sides,
  SNAPSHOT,
  scnBytes,
  tupleEnd,
  UNREADABLE,
} from "../tuple.ts";
import { merged, Tally } from "../verdict.ts";
import { bytesOf, fittingRanges, type PartitionRange, readSlices, type SideSlices } from "./slices.ts";

/** What every join of a table needs; truncates are merged from all units. */
export interface VerifyRules extends JoinRules, CountRules {
  /** Whether the table has no key, so that rows are counted. */
  readonly counted: boolean;
}

/** Memory in which tuples are joined, reused for every join. */
export interface JoinMemory {
  /** The buffer for tuples. The size bounds those joined at once. */
  readonly bytes: Uint8Array;
  readonly scratch: Scratch;
}

/**
 * Unit of work: compares the keys of adjacent hash partitions. Hash partitions that do not fit into memory are divided
 * further.
 */
export async function joinPartitions(
  spool: SpoolFiles,
  slices: Sides<SideSlices>,
  partitions: number,
  rules: VerifyRules,
  memory: JoinMemory,
  work: ByteWork,
): Promise<Verdict> {
  let end = 0;
  const tuples = eachSide(slices, (side) => {
    const start = end;
    end += bytesOf(side);
    return memory.bytes.subarray(start, end);
  });
  if (end > memory.bytes.length) return joinInParts(spool, slices, partitions, rules, memory, work);
  for (const side of SIDES) await readSlices(spool, slices[side], tuples[side]);
  return joined(tuples, rules, work, memory.scratch);
}

export function joined(tuples: Sides<Uint8Array>, rules: VerifyRules, work: ByteWork, scratch: Scratch): Verdict {
  return rules.counted ? joinCounts(tuples, rules, scratch) : joinKeys(tuples, rules, work, scratch);
}

/** Verdict of no keys, to which others are added. */
export function emptyVerdict({ columns, first }: Pick<VerifyRules, "columns" | "first">): Verdict {
  return new Tally(columns, first).verdict();
}

export const addVerdict = (a: Verdict, b: Verdict, { first }: VerifyRules): Verdict => merged(a, b, first);

/** Number of values of the upper half of a key's hash, which decides the hash partition and its parts. */
const HASHES = 0x10000;

/**
 * Joins hash partitions that do not fit into memory. Their files are read once for the sizes of the parts, and again
 * for each part, keeping only the tuples of its keys.
 */
export async function joinInParts(
  spool: SpoolFiles,
  slices: Sides<SideSlices>,
  partitions: number,
  rules: VerifyRules,
  memory: JoinMemory,
  work: ByteWork,
): Promise<Verdict> {
  let verdict = emptyVerdict(rules);
  for (const part of fittingRanges(await partSizes(spool, slices, partitions), memory.bytes.length)) {
    const tuples = await loaded(spool, slices, part, partitions, rules, memory);
    verdict = addVerdict(verdict, joined(tuples, rules, work, memory.scratch), rules);
  }
  return verdict;
}

async function partSizes(spool: SpoolFiles, slices: Sides<SideSlices>, partitions: number): Promise<Float64Array> {
  const sizes = new Float64Array(HASHES / partitions);
  for (const side of SIDES)
    await eachTuple(spool, slices[side], (_, hash, at, end) => {
      const part = partOf(hash, partitions);
      sizes[part] = (sizes[part] as number) + end - at;
    });
  return sizes;
}

function partOf(hash: number, partitions: number): number {
  return Math.floor((hash >>> 16) / partitions);
}

async function loaded(
  spool: SpoolFiles,
  slices: Sides<SideSlices>,
  part: PartitionRange,
  partitions: number,
  rules: VerifyRules,
  memory: JoinMemory,
) {
  let start = 0;
  const load = async (side: Side): Promise<Uint8Array> => {
    const supersede = side === "table" || rules.counted ? undefined : rules.checkScn;
    const into = survivors(memory.bytes.subarray(start), supersede);
    await eachTuple(spool, slices[side], (bytes, hash, at, end) => {
      const own = partOf(hash, partitions);
      if (own >= part.from && own < part.to && !into.add(bytes, at, end)) throw tooMuch(memory);
    });
    const bytes = into.bytes();
    start += bytes.length;
    return bytes;
  };
  return { table: await load("table"), new: await load("new"), legacy: await load("legacy") };
}

/** There cannot be more than 65536 parts. What does not fit then is a key, or a row, that occurs millions of times. */
function tooMuch({ bytes }: JoinMemory): CallFailed {
  return new CallFailed("state", "rejected", {
    message: `the tuples of keys with the same hash need more than the ${showBytes(bytes.length)} available for them`,
    remedy: "Set more with --memory. What was read is kept.",
  });
}

/** @param see called with each tuple: bytes, hash, start and end; they are valid during the call only */
async function eachTuple(
  spool: SpoolFiles,
  slices: SideSlices,
  see: (bytes: Uint8Array, hash: number, at: number, end: number) => void,
): Promise<void> {
  const slice = new ByteSink(0);
  for (const { file, starts, lengths } of slices)
    for (let nth = 0; nth < starts.length; nth++) {
      const bytes = lengths[nth] as number;
      slice.clear();
      slice.reserve(bytes);
      const read = slice.bytes.subarray(0, bytes);
      await spool.read(file, { starts: [starts[nth] as number], lengths: [bytes] }, read);
      const data = viewOf(read);
      for (let tuple = 0; tuple < bytes; ) {
        const end = nextTuple(data, tuple);
        see(read, hashOf(data, tuple), tuple, end);
        tuple = end;
      }
    }
}

/** Maximum share of the memory that may remain in use after superseded tuples were dropped. */
const MOST_LEFT = 0.75;

/** Tuples gathered in limited memory. */
interface Survivors {
  /** @returns false if there is no room left */
  add(bytes: Uint8Array, at: number, end: number): boolean;
  bytes(): Uint8Array;
}

/**
 * Gathers tuples of one side into `into`. If the memory is full, records that the join would ignore are dropped: a key
 * may have been updated millions of times, and only its last record in a partition counts.
 *
 * A record is superseded by a later one in the log with the same key and partition, at the same SCN or a higher one
 * that still counts, that contains the whole row or its deletion; one that cannot be read only by another such one, as
 * its SCN is unknown. Of records above the check SCN the join only needs to know whether there is one, and whether a
 * snapshot read it.
 *
 * @param checkScn undefined if every tuple counts
 */
function survivors(into: Uint8Array, checkScn: bigint | undefined): Survivors {
  const data = viewOf(into);
  let length = 0;
  const check = checkScn === undefined ? undefined : scnBytes(checkScn);

  return {
    add(bytes, at, end) {
      if (length + end - at > into.length) {
        if (check === undefined) return false;
        length = swept(into, data, length, check);
        // Stop sweeping when it frees too little, or it would never end.
        if (length + end - at > into.length || length > into.length * MOST_LEFT) return false;
      }
      into.set(bytes.subarray(at, end), length);
      length += end - at;
      return true;
    },
    bytes: () => into.subarray(0, length),
  };
}

/** Drops superseded tuples. @returns the bytes that remain */
function swept(into: Uint8Array, data: DataView, length: number, check: DataView): number {
  const dead = new Set<number>();
  const byHash = new Map<number, number[]>();
  for (let tuple = 0; tuple < length; tuple = tupleEnd(data, tuple)) {
    const hash = hashOf(data, tuple);
    const others = byHash.get(hash);
    if (others === undefined) {
      byHash.set(hash, [tuple]);
      continue;
    }
    let superseded = false;
    const left = others.filter((other) => {
      if (superseded || !sameLog(data, tuple, other)) return true;
      if (supersedes(data, tuple, other, check)) {
        dead.add(other);
        return false;
      }
      superseded = supersedes(data, other, tuple, check);
      return true;
    });
    if (superseded) dead.add(tuple);
    else left.push(tuple);
    byHash.set(hash, left);
  }
  let end = 0;
  for (let tuple = 0; tuple < length; ) {
    const next = tupleEnd(data, tuple);
    if (!dead.has(tuple)) {
      into.copyWithin(end, tuple, next);
      end += next - tuple;
    }
    tuple = next;
  }
  return end;
}

function sameLog(data: DataView, a: number, b: number): boolean {
  if (partitionOf(data, a) !== partitionOf(data, b)) return false;
  const start = keyStart(data, a);
  const end = keyEnd(data, a);
  const other = keyStart(data, b);
  return end - start === keyEnd(data, b) - other && sameWords(data, start, end, data, other);
}

function supersedes(data: DataView, later: number, earlier: number, check: DataView): boolean {
  const above = compareScn(data, later, check, 0) > 0;
  if (above !== compareScn(data, earlier, check, 0) > 0) return false;
  if (above) return (eventOf(data, later) === SNAPSHOT) === (eventOf(data, earlier) === SNAPSHOT);
  if (eventOf(data, earlier) === UNREADABLE && eventOf(data, later) !== UNREADABLE) return false;
  return (
    eventOf(data, later) !== ROW_IN_PART &&
    compareOffset(data, later, earlier) > 0 &&
    compareScn(data, later, data, earlier) >= 0
  );
}
