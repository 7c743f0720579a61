import type { RecordPosition } from "../../ports/kafka.ts";
import type { TopicEnd } from "../../run/journal.ts";

/** A partition's end for the journal, which keeps integers only. */
export function endOf({ partition, offset }: RecordPosition): TopicEnd {
  return { partition: BigInt(partition), offset };
}

/** A partition's end as the journal keeps it, for a port. */
export function positionOf({ partition, offset }: TopicEnd): RecordPosition {
  return { partition: Number(partition), offset };
}

/** Where to read on after these records: a bounded read may have stopped before the end. */
export function after(from: readonly RecordPosition[], records: readonly RecordPosition[]): readonly RecordPosition[] {
  const next = new Map(from.map(({ partition, offset }) => [partition, offset]));
  for (const { partition, offset } of records) {
    if (offset >= (next.get(partition) ?? 0n)) next.set(partition, offset + 1n);
  }
  return [...next].map(([partition, offset]) => ({ partition, offset }));
}
