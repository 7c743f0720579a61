import type { SideRead, Truncates, Verdict } from "../../../schemas/generated/verification-result.ts";
import { CallFailed } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Spool } from "../../ports/spool.ts";
import type { ByteWork } from "../byte-work.ts";
import { defaultFields } from "../canonical-values.ts";
import { eachSide, laterTruncates, NO_TRUNCATES, type Side, type Sides } from "../tuple.ts";
import { NOTHING_READ, type TableVerified } from "../verdict.ts";
import { halfOf } from "./debezium/shared-read.ts";
import type { TableInputs } from "./inputs.ts";
import { addVerdict, emptyVerdict, type VerifyRules } from "./join-partitions.ts";
import type { LaneFile } from "./lane.ts";
import { headNote, manifestOf, rangesNote, type UnitDone, unitNote } from "./manifest.ts";
import { AT_ONCE, estimatedBytes, type MemoryPlan, memoryPlan } from "./memory-plan.ts";
import { fittingRanges, type SideFiles, sizesOf, slicesOf } from "./slices.ts";
import { decideTombstones, mergedReads } from "./unit-result.ts";
import { runHere, type UnitRunner } from "./unit-runner.ts";
import { rangeUnits, topicUnits, type Unit, type UnitFiles, unitLeft } from "./units.ts";
import { type VerifyNotice, type VerifyProgress, type Watch, watchOf } from "./watch.ts";

export interface VerifyOptions {
  readonly work: ByteWork;
  readonly clock: Pick<Clock, "elapsed">;
  /** Memory that the process may use in total, in bytes; at least `LEAST_MEMORY`. */
  readonly memory: number;
  /** Carries out the units of work; this process if left out. */
  readonly runner?: UnitRunner;
  /** Number of table ranges, and of topic partitions, that are read concurrently. */
  readonly ranges: number;
  readonly partitions: number;
  /** Maximum number of named keys. */
  readonly first: number;
  /** Location of the spool and free space there, for the notice. */
  readonly disk: { readonly place: string; readonly free: bigint | undefined };
  readonly progress?: (progress: VerifyProgress) => void;
  /** If it throws, the verification ends. The notice about disk space comes before anything is written. */
  readonly notice?: (notice: VerifyNotice) => void;
  /** Stops the work between two batches, and keeps what was done for the next run. */
  readonly stop?: AbortSignal;
}

/**
 * Error codes by which flashback cannot reach the SCN for this table: undo is gone, the SCN is invalid, the table's
 * definition is newer, a LOB's undo is gone.
 */
export const OUT_OF_REACH: readonly string[] = ["ORA-01555", "ORA-08181", "ORA-01466", "ORA-22924"];

/**
 * Verifies one table: reads it and its topics into the spool, concurrently, and compares the keys, hash partition by
 * hash partition. Resumes an interrupted run with the same inputs from the spool, which is empty again when there is a
 * result.
 *
 * @throws CallFailed whatever a reader or the spool throws; completed work is kept for the next run
 */
export async function verifyTable(inputs: TableInputs, spool: Spool, options: VerifyOptions): Promise<TableVerified> {
  const estimated = estimatedBytes(inputs);
  options.notice?.({ is: "disk", estimated, ...options.disk });
  const plan = memoryPlan(options.memory, options.ranges + options.partitions, estimated);
  const begun = await begin(inputs, spool, plan, options);
  const { partitions } = begun;
  const watch = watchOf(inputs, partitions, options);
  try {
    const runner = options.runner ?? runHere(inputs, spool, options.work);
    const read = await readUnits(inputs, begun, spool, runner, plan.segment, options, watch);
    if (read === "interrupted") return { is: "interrupted" };
    const verdict = await joinAll(inputs, read, runner, { ...plan, partitions }, options, watch);
    if (verdict === "interrupted") return { is: "interrupted" };
    await spool.clear();
    return { is: "verified", verdict, ...read.sides };
  } catch (error) {
    if (!(error instanceof CallFailed) || error.code === undefined || !OUT_OF_REACH.includes(error.code)) throw error;
    // The SCN will never be within reach again.
    await spool.clear();
    return { is: "unreachable", code: error.code, message: error.message };
  }
}

/** Opens what an earlier run left; otherwise prepares the spool for this one. */
async function begin(
  inputs: TableInputs,
  spool: Spool,
  plan: MemoryPlan,
  { notice, work }: VerifyOptions,
): Promise<Begun> {
  const manifest = manifestOf(await spool.notes(), inputs);
  if (manifest !== "empty" && !("why" in manifest)) {
    const { partitions, ranges } = manifest;
    const left = (unit: Unit) => unitLeft(spool, unit, manifest.units.get(unit.name), partitions);
    const all: UnitDone[] = [];
    for (const unit of [...rangeUnits(inputs, ranges ?? [], work), ...topicUnits(inputs, work)])
      all.push((await left(unit)).done);
    notice?.({
      is: "resumed",
      finished: all.filter(({ whole }) => whole).length,
      begun: all.filter(({ whole, next }) => !whole && next !== undefined).length,
    });
    return { partitions, ranges, left };
  }
  if (manifest !== "empty") notice?.({ is: "afresh", why: manifest.why });
  await spool.clear();
  await spool.note(headNote(inputs, plan.partitions));
  return {
    partitions: plan.partitions,
    ranges: undefined,
    left: (unit) => unitLeft(spool, unit, undefined, plan.partitions),
  };
}

/** Rules that every join of a table needs. @param first maximum number of named keys */
export function rulesOf(inputs: TableInputs, truncates: Truncates, first: number, work: ByteWork): VerifyRules {
  return {
    counted: inputs.shape.key.length === 0,
    checkScn: inputs.checkScn,
    startScn: inputs.startScn,
    truncates,
    newTopicCompacted: inputs.newTopic.compacted,
    legacyTopicCompacted: inputs.legacyTopic?.compacted ?? false,
    newTopicForgetsDeletes: inputs.newTopic.compacted || inputs.newTopic.partitions.some(({ from }) => from > 0n),
    legacyCommitsKnown: inputs.legacyTopic?.commitsKnown ?? true,
    legacyRows: inputs.legacyTopic?.own !== undefined || inputs.legacyTopic?.wholeRows === true,
    legacySkipsTruncates: inputs.legacyTopic?.skipsTruncates ?? false,
    columns: inputs.shape.columns.length,
    defaults: defaultFields(inputs.shape, work),
    first,
  };
}

async function joinAll(
  inputs: TableInputs,
  { spooled, truncates }: ReadTable,
  runner: UnitRunner,
  { partitions, join }: MemoryPlan,
  { first, stop, work }: VerifyOptions,
  watch: Watch,
): Promise<Verdict | "interrupted"> {
  const rules = rulesOf(inputs, truncates, first, work);
  const sizes = sizesOf(spooled, partitions);
  const together = Math.min(Math.floor(join / runner.joins), AT_ONCE);
  const waiting = fittingRanges(sizes, together)[Symbol.iterator]();
  let verdict = emptyVerdict(rules);
  let joined = 0;
  const worker = async (): Promise<void> => {
    for (const range of waiting) {
      if (stop?.aborted === true) return;
      const one = await runner.join({
        slices: eachSide(spooled, (files) => slicesOf(files, range)),
        partitions,
        rules,
        // All of it, for a larger hash partition that fits: divided, it would be read three times.
        memory: join,
      });
      verdict = addVerdict(verdict, one, rules);
      joined += range.to - range.from;
      watch.joined(joined);
    }
  };
  await Promise.all(Array.from({ length: runner.joins }, worker));
  return joined < partitions ? "interrupted" : verdict;
}

/** What an earlier run left; nothing if there was none. */
interface Begun {
  readonly partitions: number;
  /** Names of the table's ranges; undefined if it is not divided yet. */
  readonly ranges: readonly string[] | undefined;
  left(unit: Unit): Promise<UnitFiles>;
}

interface ReadTable {
  readonly spooled: Sides<SideFiles>;
  readonly truncates: Truncates;
  readonly sides: { readonly table: SideRead; readonly newTopic: SideRead; readonly legacyTopic: SideRead | undefined };
}

/**
 * Reads the remaining units of a table and its topics: ranges and topic partitions concurrently, a given number of
 * each. The table is read from the start, because its undo expires; the topics do not wait until it is divided. If one
 * unit fails, the others stop at their next batch, and so does the division.
 */
async function readUnits(
  inputs: TableInputs,
  begun: Begun,
  spool: Spool,
  runner: UnitRunner,
  segment: number,
  options: VerifyOptions,
  watch: Watch,
): Promise<ReadTable | "interrupted"> {
  const files: Record<Side, LaneFile[]> = { table: [], new: [], legacy: [] };
  const reads: Record<Side, SideRead> = { table: NOTHING_READ, new: NOTHING_READ, legacy: NOTHING_READ };
  let truncates = NO_TRUNCATES;
  let failed: { readonly error: unknown } | undefined;
  let allWhole = true;
  const failing = new AbortController();
  const stop = AbortSignal.any([failing.signal, ...(options.stop === undefined ? [] : [options.stop])]);
  const stopped = (): boolean => stop.aborted;

  const fail = (error: unknown): [] => {
    if (error === stop.reason) allWhole = false;
    else failed ??= { error };
    failing.abort();
    return [];
  };
  const run = async (unit: Unit): Promise<void> => {
    const { done, files: written } = await runner.read(unit, await begun.left(unit), begun.partitions, {
      checkScn: inputs.checkScn,
      segment,
      stopped,
      seen: (tally) => watch.read(unit.name, unit.side, tally),
      note: async (so) => {
        watch.wrote(unit.name, so.files);
        await spool.note(unitNote(unit.name, so));
      },
    });
    watch.wrote(unit.name, done.files);
    watch.read(unit.name, unit.side, done.read);
    for (const one of written) files[unit.side].push(unit.shared ? halfOf(one, 0) : one);
    if (unit.shared) for (const one of written) files.legacy.push(halfOf(one, 1));
    reads[unit.side] = mergedReads(reads[unit.side], done.read);
    reads.legacy = mergedReads(reads.legacy, done.legacyRead ?? NOTHING_READ);
    truncates = laterTruncates(truncates, done.truncates);
    if (!done.whole) allWhole = false;
  };
  const rows = async (): Promise<readonly Unit[]> => {
    let { ranges } = begun;
    if (ranges === undefined) {
      ranges = await inputs.rows.ranges(stop);
      await spool.note(rangesNote(ranges));
    }
    return rangeUnits(inputs, ranges, options.work);
  };
  const pool = async (units: () => Promise<readonly Unit[]>, together: number): Promise<void> => {
    const waiting = (await units().catch(fail))[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const unit of waiting) {
        if (stopped()) {
          allWhole = false;
          return;
        }
        try {
          await run(unit);
        } catch (error) {
          fail(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, together) }, worker));
  };
  await Promise.all([
    pool(rows, options.ranges),
    pool(async () => topicUnits(inputs, options.work), options.partitions),
  ]);
  if (failed !== undefined) throw (failed as { readonly error: unknown }).error;
  if (!allWhole) return "interrupted";
  return {
    spooled: files,
    truncates,
    sides: {
      table: reads.table,
      newTopic: decideTombstones(reads.new),
      legacyTopic: inputs.legacyTopic === undefined ? undefined : decideTombstones(reads.legacy),
    },
  };
}
