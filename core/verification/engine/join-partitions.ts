import type { Verdict } from "../../../schemas/generated/verification-result.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import type { ByteWork } from "../byte-work.ts";
import { type CountRules, joinCounts } from "../join-counts.ts";
import { type JoinRules, joinKeys } from "../join-keys.ts";
import type { Scratch } from "../scratch.ts";
import { eachSide, SIDES, type Sides } from "../tuple.ts";
import { merged, Tally } from "../verdict.ts";
import { joinInParts } from "./join-in-parts.ts";
import { bytesOf, readSlices, type SideSlices } from "./slices.ts";

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
