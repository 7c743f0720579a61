import { CallFailed } from "../../errors.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import { showBytes } from "../../values/amounts.ts";
import { ByteSink } from "../byte-sink.ts";
import type { ByteWork } from "../byte-work.ts";
import { hashOf, nextTuple } from "../tuple.ts";
import type { Verdict } from "../verdict.ts";
import {
  addVerdict,
  emptyVerdict,
  type JoinMemory,
  joined,
  type SpooledTable,
  type VerifyRules,
} from "./join-partitions.ts";
import { fittingRanges, type PartitionRange, type SideFiles, slicesOf } from "./slices.ts";
import { type Survivors, survivors } from "./survivors.ts";

/** Values of the upper half of a key's hash: what hash partitions, and the parts of one, are told apart by. */
const HASHES = 0x10000;

/**
 * Joins hash partitions that do not fit into the memory: their files are read once for the sizes of the parts, and once
 * more for each part, of which only the tuples of its keys are kept.
 */
export async function joinInParts(
  spool: SpoolFiles,
  spooled: SpooledTable,
  range: PartitionRange,
  partitions: number,
  rules: VerifyRules,
  memory: JoinMemory,
  work: ByteWork,
): Promise<Verdict> {
  let verdict = emptyVerdict(rules);
  for (let one = range.from; one < range.to; one++) {
    const of: PartitionRange = { from: one, to: one + 1 };
    const sizes = await partSizes(spool, spooled, of, partitions);
    for (const part of fittingRanges(sizes, memory.bytes.length)) {
      const tuples = await load(spool, spooled, of, part, partitions, rules, memory);
      verdict = addVerdict(verdict, joined(tuples, rules, work), rules);
    }
  }
  return verdict;
}

/** Bytes of each part of a hash partition. */
async function partSizes(
  spool: SpoolFiles,
  spooled: SpooledTable,
  of: PartitionRange,
  partitions: number,
): Promise<Float64Array> {
  const sizes = new Float64Array(HASHES / partitions);
  for (const files of [spooled.table, spooled.newTopic, spooled.legacyTopic])
    await eachTuple(spool, files, of, (bytes, at, end) => {
      const part = partOf(hashOf(bytes, at), partitions);
      sizes[part] = (sizes[part] as number) + end - at;
    });
  return sizes;
}

function partOf(hash: number, partitions: number): number {
  return Math.floor((hash >>> 16) / partitions);
}

async function load(
  spool: SpoolFiles,
  spooled: SpooledTable,
  of: PartitionRange,
  part: PartitionRange,
  partitions: number,
  rules: VerifyRules,
  memory: JoinMemory,
) {
  let start = 0;
  const side = async (files: SideFiles, kept: (into: Uint8Array) => Survivors): Promise<Uint8Array> => {
    const into = kept(memory.bytes.subarray(start));
    await eachTuple(spool, files, of, (bytes, at, end) => {
      const own = partOf(hashOf(bytes, at), partitions);
      if (own >= part.from && own < part.to && !into.add(bytes, at, end)) throw tooMuch(memory);
    });
    const bytes = into.bytes();
    start += bytes.length;
    return bytes;
  };
  const supersede = rules.counted ? undefined : rules.checkScn;
  const table = await side(spooled.table, (into) => survivors(into, undefined));
  const newTopic = await side(spooled.newTopic, (into) => survivors(into, supersede));
  const legacyTopic = await side(spooled.legacyTopic, (into) => survivors(into, supersede));
  return { table, newTopic, legacyTopic };
}

/** More than 65536 parts can't be told apart: what is left is a key, or a row, that is there millions of times. */
function tooMuch({ bytes }: JoinMemory): CallFailed {
  return new CallFailed({
    system: "state",
    kind: "rejected",
    message:
      `the tuples of keys that can't be told apart any further take more than the ${showBytes(bytes.length)} ` +
      `that there ` +
      "are for them",
    remedy: "Give more by --memory. What was read is kept.",
  });
}

/**
 * @param see what is done with each tuple: the bytes, where it begins, and where it ends; they are good for the call
 * only
 */
async function eachTuple(
  spool: SpoolFiles,
  files: SideFiles,
  of: PartitionRange,
  see: (bytes: Uint8Array, at: number, end: number) => void,
): Promise<void> {
  const slice = new ByteSink(0);
  for (const { file, at, bytes } of slicesOf(files, of)) {
    slice.clear();
    slice.reserve(bytes);
    const read = slice.bytes.subarray(0, bytes);
    await spool.read(file, at, read);
    for (let tuple = 0; tuple < bytes; ) {
      const end = nextTuple(read, tuple);
      see(read, tuple, end);
      tuple = end;
    }
  }
}
