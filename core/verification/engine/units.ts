import type { SpoolFiles } from "../../ports/spool.ts";
import type { ByteWork } from "../byte-work.ts";
import type { TableInputs } from "./inputs.ts";
import { type Lane, type LaneFile, openLane, segmentsOf } from "./lane.ts";
import { NOTHING_DONE, type UnitDone } from "./manifest.ts";
import { readerOf, spoolRecords } from "./read-records.ts";
import { spoolRows } from "./read-rows.ts";
import type { UnitContext } from "./unit-context.ts";

export type Side = "table" | "new" | "legacy";

/**
 * A unit of reading of one table's verification: it can be carried out by itself, and says by plain values what came of
 * it.
 */
export interface Unit {
  /** Names its notes and files. */
  readonly name: string;
  readonly side: Side;
  run(begun: UnitDone, lane: Lane, context: UnitContext): Promise<UnitDone>;
}

/** The ranges of the table, then the partitions of the topics. */
export function unitsOf(inputs: TableInputs, work: ByteWork): readonly Unit[] {
  const { shape, ranges, newTopic, legacyTopic } = inputs;
  const rows = ranges.map(
    (range, at): Unit => ({
      name: `table-${at}`,
      side: "table",
      run: (_, lane, context) => spoolRows(range, shape, work, lane, context),
    }),
  );
  const records = (["new", "legacy"] as const).flatMap((side) => {
    const topic = side === "new" ? newTopic : legacyTopic;
    return (topic?.partitions ?? []).map(
      (partition): Unit => ({
        name: `${side}-${partition.partition}`,
        side,
        run: (begun, lane, context) => {
          const reader = readerOf(side, topic as typeof newTopic, shape, work, begun.last);
          return spoolRecords(partition, reader, topic as typeof newTopic, begun, lane, context);
        },
      }),
    );
  });
  return [...rows, ...records];
}

/** A unit's files as an earlier run left them, as far as they are what its last note says. */
export interface UnitLeft {
  readonly done: UnitDone;
  readonly files: readonly LaneFile[];
}

const NOTHING_LEFT: UnitLeft = { done: NOTHING_DONE, files: [] };

/** Whatever is not whole is read again. */
export async function unitLeft(
  spool: SpoolFiles,
  { name, side }: Unit,
  done: UnitDone | undefined,
  partitions: number,
): Promise<UnitLeft> {
  if (done === undefined || (side === "table" && !done.whole)) return NOTHING_LEFT;
  const files: LaneFile[] = [];
  for (const [at, written] of done.files.entries()) {
    const file = `${name}.${at}`;
    if (!(await spool.holds(file, written))) return NOTHING_LEFT;
    files.push({ name: file, written, segments: await segmentsOf(spool, file, written, partitions) });
  }
  return { done, files };
}

/** How far a unit came, and what it wrote. */
export interface UnitDoneAndFiles {
  readonly done: UnitDone;
  readonly files: readonly LaneFile[];
}

/** Carries out what is left of a unit. */
export async function runUnit(
  spool: SpoolFiles,
  unit: Unit,
  { done, files }: UnitLeft,
  partitions: number,
  context: UnitContext,
): Promise<UnitDoneAndFiles> {
  if (done.whole) return { done, files };
  const last = files.at(-1);
  const lane = await openLane(
    spool,
    unit.name,
    partitions,
    files,
    last === undefined ? undefined : await spool.goOn(last.name, last.written),
  );
  try {
    const result = await unit.run(done, lane, context);
    return { done: result, files: lane.files() };
  } finally {
    await lane.close();
  }
}
