import type { SideRead, Truncates } from "../../../schemas/generated/verification-result.ts";
import type { Spool } from "../../ports/spool.ts";
import { laterTruncates, NO_TRUNCATES } from "../truncates.ts";
import type { Side, Sides } from "../tuple.ts";
import { NOTHING_READ } from "../verdict.ts";
import type { TableInputs } from "./inputs.ts";
import type { LaneFile } from "./lane.ts";
import { rangesNote, unitNote } from "./manifest.ts";
import type { SideFiles } from "./slices.ts";
import { decideTombstones, mergedReads } from "./unit-result.ts";
import type { UnitRunner } from "./unit-runner.ts";
import { rangeUnits, topicUnits, type Unit, type UnitLeft } from "./units.ts";
import type { VerifyOptions } from "./verify-table.ts";
import type { Watch } from "./watch.ts";

/** What an earlier run left; nothing if there was none. */
export interface Begun {
  readonly partitions: number;
  /** Names of the table's ranges; undefined if it is not divided yet. */
  readonly ranges: readonly string[] | undefined;
  left(unit: Unit): Promise<UnitLeft>;
}

export interface ReadTable {
  readonly spooled: Sides<SideFiles>;
  readonly truncates: Truncates;
  readonly sides: { readonly table: SideRead; readonly newTopic: SideRead; readonly legacyTopic: SideRead | undefined };
}

/**
 * Reads the remaining units of a table and its topics: ranges and topic partitions concurrently, a given number of
 * each. The table is read from the start, because its undo expires; the topics do not wait until it is divided. If one
 * unit fails, the others stop at their next batch, and so does the division.
 */
export async function readUnits(
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
    for (const one of written) files[unit.side].push(one);
    reads[unit.side] = mergedReads(reads[unit.side], done.read);
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
