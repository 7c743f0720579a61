import type { Verdict } from "../../../schemas/generated/verification-result.ts";
import { CallFailed } from "../../errors.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import { showBytes } from "../../values/amounts.ts";
import { ByteSink } from "../byte-sink.ts";
import { type ByteWork, viewOf } from "../byte-work.ts";
import { hashOf, nextTuple, SIDES, type Side, type Sides } from "../tuple.ts";
import { addVerdict, emptyVerdict, type JoinMemory, joined, type VerifyRules } from "./join-partitions.ts";
import { fittingRanges, type PartitionRange, type SideSlices } from "./slices.ts";
import { survivors } from "./survivors.ts";

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
