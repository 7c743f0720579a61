import type { ByteWork } from "../byte-work.ts";
import type { OracleValue } from "../canonical-values.ts";
import { tableRowReader } from "../table-rows.ts";
import type { TableShape } from "../table-shape.ts";
import type { RangeInput } from "./inputs.ts";
import type { Lane } from "./lane.ts";
import { NOTHING_DONE, type UnitDone } from "./manifest.ts";
import type { UnitContext } from "./unit-context.ts";
import { NOTHING_READ, readTally } from "./unit-result.ts";

/**
 * Unit of work: the rows of one range of the table become tuples in the lane's files. A range is read whole or again:
 * it begins at its beginning.
 *
 * @returns whether it came to the end
 */
export async function spoolRows(
  range: RangeInput,
  shape: TableShape,
  work: ByteWork,
  lane: Lane,
  context: UnitContext,
): Promise<UnitDone> {
  const readRow = tableRowReader(shape, work);
  const keyAt = shape.key.map(({ name }) => shape.columns.findIndex((column) => column.name === name));
  const key: OracleValue[] = [];
  const tally = readTally(NOTHING_READ);
  for await (const batch of range.read()) {
    for (const row of batch) {
      for (let at = 0; at < keyAt.length; at++) key[at] = row[keyAt[at] as number] as OracleValue;
      tally.count += 1;
      const why = readRow(row, key, lane.sink);
      if (why !== undefined) tally.unreadable(why, undefined);
    }
    if (lane.waiting() >= context.segment) await lane.flush();
    context.seen(tally);
    if (context.stopped()) return NOTHING_DONE;
  }
  await lane.flush();
  const done: UnitDone = {
    ...NOTHING_DONE,
    whole: true,
    read: tally.read(),
    files: lane.files().map(({ written }) => written),
  };
  await context.note(done);
  return done;
}
