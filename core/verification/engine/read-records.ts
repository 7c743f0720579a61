import type { ByteWork } from "../byte-work.ts";
import { NOT_SAID, OTHER_TABLE } from "../change-reader.ts";
import {
  changeRecordReader,
  type LastRead,
  legacyRecordReader,
  type RecordReader,
  type TopicRecord,
} from "../record-reader.ts";
import type { TableShape } from "../table-shape.ts";
import { laterTruncates, truncatesIn } from "../truncates.ts";
import type { LegacyTopicInput, PartitionInput, TopicInput } from "./inputs.ts";
import type { Lane } from "./lane.ts";
import type { UnitDone } from "./manifest.ts";
import type { UnitContext } from "./unit-context.ts";
import { readTally } from "./unit-result.ts";

/** Records after which a unit looks whether its memory is full, however large a batch is. */
const STRIDE = 512;

/**
 * Unit of work: what is left of one topic partition becomes tuples in the lane's files.
 *
 * @returns how far it came: to its end, or to where it was asked to stop
 */
export async function spoolRecords(
  partition: PartitionInput,
  reader: RecordReader,
  { isOfTable, own, compacted }: Pick<TopicInput, "isOfTable" | "own" | "compacted">,
  begun: UnitDone,
  lane: Lane,
  context: UnitContext,
): Promise<UnitDone> {
  const tally = readTally(begun.read);
  // Compaction may have taken away the delete that a tombstone followed.
  const tombstonesUnsaid = own !== undefined && compacted;
  let { truncates } = begun;
  let next = begun.next ?? partition.from;

  const done = (whole: boolean): UnitDone => ({
    whole,
    next,
    last: reader.last(),
    read: tally.read(),
    truncates,
    files: lane.files().map(({ written }) => written),
  });
  const flush = async (): Promise<void> => {
    const { truncates: seen } = lane.sink;
    if (seen.length > 0) truncates = laterTruncates(truncates, truncatesIn(seen.view(), context.checkScn));
    seen.clear();
    await lane.flush();
  };

  if (next < partition.to)
    for await (const batch of partition.read(next)) {
      mustFollow(batch, next, partition);
      for (let from = 0; from < batch.length; from += STRIDE) {
        const to = Math.min(batch.length, from + STRIDE);
        for (let at = from; at < to; at++) take(batch[at] as TopicRecord);
        next = (batch[to - 1] as TopicRecord).offset + 1n;
        if (lane.waiting() < context.segment) continue;
        await flush();
        await context.note(done(false));
      }
      context.seen(tally);
      if (context.stopped()) break;
    }
  await flush();
  const result = done(!context.stopped());
  await context.note(result);
  return result;

  function take(record: TopicRecord): void {
    tally.bytes += (record.key?.length ?? 0) + (record.value?.length ?? 0);
    const isOwn = isOfTable === undefined ? true : isOfTable(record);
    const read = isOwn === false ? OTHER_TABLE : isOwn === undefined ? NOT_SAID : reader.read(record, lane.sink);
    if (read === OTHER_TABLE) {
      tally.foreign += 1;
      return;
    }
    tally.count += 1;
    if (read !== undefined) tally.unreadable(read, { partition: record.partition, offset: record.offset });
    else if (record.value === null && tombstonesUnsaid) tally.unsaid += 1;
  }
}

/** The order of offsets decides what counts: a reader that does not keep it proves nothing. */
function mustFollow(batch: readonly TopicRecord[], next: bigint, { partition, to }: PartitionInput): void {
  const first = batch[0]?.offset ?? next;
  const last = batch.at(-1)?.offset ?? first;
  if (first < next || last < first || last >= to)
    throw new RangeError(`partition ${partition}: offsets ${first} to ${last} where ${next} to ${to} are read`);
}

/** @param before the record before the first that is read */
export function readerOf(
  side: "new" | "legacy",
  topic: LegacyTopicInput,
  shape: TableShape,
  work: ByteWork,
  before: LastRead,
): RecordReader {
  return side === "new"
    ? changeRecordReader(shape, topic.format, work, before, topic.own && { ...topic.own, compacted: topic.compacted })
    : legacyRecordReader(shape, topic.format, work, before, topic.fields);
}
