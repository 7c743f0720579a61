import { CallFailed } from "../../errors.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import { showBytes } from "../../values/amounts.ts";
import { ByteSink } from "../byte-sink.ts";
import type { ByteWork } from "../byte-work.ts";
import { viewOf } from "../byte-work.ts";
import { hashOf, nextTuple } from "../tuple.ts";
import type { Verdict } from "../verdict.ts";
import { addVerdict, emptyVerdict, type JoinMemory, joined, type VerifyRules } from "./join-partitions.ts";
import { fittingRanges, type PartitionRange, type SideSlices, type Sides } from "./slices.ts";
import { type Survivors, survivors } from "./survivors.ts";

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
    const tuples = await load(spool, slices, part, partitions, rules, memory);
    verdict = addVerdict(verdict, joined(tuples, rules, work, memory.scratch), rules);
  }
  return verdict;
}

/** Bytes of each part of the hash partitions. */
async function partSizes(spool: SpoolFiles, slices: Sides<SideSlices>, partitions: number): Promise<Float64Array> {
  const sizes = new Float64Array(HASHES / partitions);
  for (const side of [slices.table, slices.newTopic, slices.legacyTopic])
    await eachTuple(spool, side, (_, hash, at, end) => {
      const part = partOf(hash, partitions);
      sizes[part] = (sizes[part] as number) + end - at;
    });
  return sizes;
}

function partOf(hash: number, partitions: number): number {
  return Math.floor((hash >>> 16) / partitions);
}

async function load(
  spool: SpoolFiles,
  slices: Sides<SideSlices>,
  part: PartitionRange,
  partitions: number,
  rules: VerifyRules,
  memory: JoinMemory,
) {
  let start = 0;
  const side = async (of: SideSlices, kept: (into: Uint8Array) => Survivors): Promise<Uint8Array> => {
    const into = kept(memory.bytes.subarray(start));
    await eachTuple(spool, of, (bytes, hash, at, end) => {
      const own = partOf(hash, partitions);
      if (own >= part.from && own < part.to && !into.add(bytes, at, end)) throw tooMuch(memory);
    });
    const bytes = into.bytes();
    start += bytes.length;
    return bytes;
  };
  const supersede = rules.counted ? undefined : rules.checkScn;
  const table = await side(slices.table, (into) => survivors(into, undefined));
  const newTopic = await side(slices.newTopic, (into) => survivors(into, supersede));
  const legacyTopic = await side(slices.legacyTopic, (into) => survivors(into, supersede));
  return { table, newTopic, legacyTopic };
}

/** There cannot be more than 65536 parts. What does not fit then is a key, or a row, that occurs millions of times. */
function tooMuch({ bytes }: JoinMemory): CallFailed {
  return new CallFailed({
    system: "state",
    kind: "rejected",
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
