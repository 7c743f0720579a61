/**
 * Measures the cost of a record, stage by stage, in processor time of one thread, over one pass of the generated files:
 * the best of some rounds, since the others were disturbed. Decoding, canonicalising, hashing and joining are measured
 * together with what precedes them, whose share is subtracted.
 *
 * stages.js FOLDER TEMPLATE
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import type { SpoolFiles } from "../../core/ports/spool.ts";
import { viewOf } from "../../core/values/bytes.ts";
import type { TableInputs } from "../../core/verification/engine/inputs.ts";
import { joinPartitions, type VerifyRules } from "../../core/verification/engine/join-partitions.ts";
import type { LaneFile } from "../../core/verification/engine/lane.ts";
import { AT_ONCE, DEFAULT_MEMORY, estimatedBytes, memoryPlan } from "../../core/verification/engine/memory-plan.ts";
import {
  fittingRanges,
  readSlices,
  type SideFiles,
  type SideSlices,
  sizesOf,
  slicesOf,
} from "../../core/verification/engine/slices.ts";
import { rangeUnits, runUnit, topicUnits, unitLeft } from "../../core/verification/engine/units.ts";
import { hash32 } from "../../core/verification/murmur3.ts";
import { Scratch } from "../../core/verification/scratch.ts";
import { eachSide, keyEnd, keyStart, nextTuple, type Side, type Sides } from "../../core/verification/tuple.ts";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { spoolDirectory } from "../../providers/spool/spool-directory.ts";
import { generatedInputs } from "./inputs.ts";

const [folder = "", templateText = ""] = process.argv.slice(2);
const template = Number(templateText);
const ROUNDS = 4;

const whole = generatedInputs({ folder, template, passes: 1 });
/** Reads only the key of a row: what remains is the cost of navigation. */
const keysAlone: TableInputs = { ...whole, shape: { ...whole.shape, columns: [] } };
/** Divided like 1,000,000 keys. */
const passes = Math.max(1, Math.round(1_000_000 / template));
const {
  partitions,
  segment,
  join: joinBytes,
} = memoryPlan(DEFAULT_MEMORY, 4, estimatedBytes(generatedInputs({ folder, template, passes })));
const memory = new Uint8Array(joinBytes);
const scratch = new Scratch();
const rules: VerifyRules = {
  counted: false,
  checkScn: whole.checkScn,
  startScn: whole.startScn,
  truncates: { newTopic: undefined, legacyTopic: undefined },
  newTopicCompacted: false,
  legacyTopicCompacted: false,
  newTopicForgetsDeletes: false,
  legacyCommitsKnown: true,
  columns: whole.shape.columns.length,
  first: 100,
};
const written = { bytes: 0, checksum: 0 };
/** What was written to a file, write by write: the lengths of the parts. */
type Lengths = (readonly number[])[];
/** Discards what is written to it, and keeps the lengths by the file's name. */
const nowhere = (files = new Map<string, Lengths>()): SpoolFiles => ({
  create: async (name) => {
    const lengths: Lengths = [];
    files.set(name, lengths);
    const write = async (parts: readonly Uint8Array[]) => void lengths.push(parts.map(({ length }) => length));
    return { write, written: () => written, close: async () => undefined };
  },
  goOn: async () => undefined,
  holds: async () => false,
  read: async () => undefined,
});

async function fetched(): Promise<void> {
  const { rows, newTopic, legacyTopic } = whole;
  for (const { from, read } of [...newTopic.partitions, ...(legacyTopic?.partitions ?? [])])
    for await (const _ of read(from));
  for (const range of await rows.ranges()) for await (const _ of rows.read(range));
}

async function spooled(inputs: TableInputs, files: SpoolFiles): Promise<Sides<SideFiles>> {
  const found: Record<Side, LaneFile[]> = { table: [], new: [], legacy: [] };
  const ranges = rangeUnits(inputs, await inputs.rows.ranges(), nodeBytes);
  for (const unit of [...ranges, ...topicUnits(inputs, nodeBytes)]) {
    const left = await unitLeft(files, unit, undefined, partitions);
    const result = await runUnit(files, unit, left, partitions, {
      checkScn: inputs.checkScn,
      segment,
      stopped: () => false,
      seen: () => undefined,
      note: async () => undefined,
    });
    found[unit.side].push(...result.files);
  }
  return found;
}

/** Writes as much once more. */
async function writtenAgain(files: SpoolFiles, all: ReadonlyMap<string, Lengths>): Promise<void> {
  for (const [name, lengths] of all) {
    const file = await files.create(name);
    for (const parts of lengths) await file.write(parts.map((length) => memory.subarray(0, length)));
    await file.close();
  }
}

async function readBack(
  files: SpoolFiles,
  tables: readonly Sides<SideSlices>[],
  see: (bytes: number) => void,
): Promise<void> {
  for (const sides of tables) {
    let at = 0;
    for (const side of Object.values(sides)) at += await readSlices(files, side, memory.subarray(at));
    see(at);
  }
}

function hashKeys(bytes: number): number {
  const view = viewOf(memory);
  let all = 0;
  for (let at = 0; at < bytes; at = nextTuple(view, at)) all ^= hash32(view, keyStart(view, at), keyEnd(view, at));
  return all;
}

async function taken(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds. */
async function round(): Promise<Readonly<Record<string, number>>> {
  const spool = await spoolDirectory(join(folder, "stages")).open("bench");
  const fetch = await taken(fetched);
  const found = await taken(() => spooled(keysAlone, nowhere()));
  const lengths = new Map<string, Lengths>();
  const rows = await taken(() => spooled(whole, nowhere(lengths)));
  const write = await taken(() => writtenAgain(spool, lengths));
  const files = await spooled(whole, spool);
  const ranges = fittingRanges(sizesOf(files, partitions), AT_ONCE);
  const slices = ranges.map((range) => eachSide(files, (side) => slicesOf(side, range)));
  const read = await taken(() => readBack(spool, slices, () => undefined));
  const hashed = await taken(() => readBack(spool, slices, hashKeys));
  const joined = await taken(async () => {
    for (const one of slices)
      await joinPartitions(spool, one, partitions, rules, { bytes: memory, scratch }, nodeBytes);
  });
  await spool.clear();
  await spool.close();
  return { fetch, found, rows, write, read, hashed, joined };
}

const best: Record<string, number> = {};
for (let nth = 0; nth < ROUNDS; nth++)
  for (const [what, millis] of Object.entries(await round()))
    best[what] = Math.min(best[what] ?? Number.POSITIVE_INFINITY, millis);
const { fetch = 0, found = 0, rows = 0, write = 0, read = 0, hashed = 0, joined = 0 } = best;
const hash = hashed - read;
const stages = {
  fetch,
  decode: found - fetch - hash,
  canonicalise: rows - found,
  hash,
  write,
  "read back": read,
  join: joined - read,
};
writeSync(1, JSON.stringify({ records: 4 * template, stages }));
