import type { TableShape } from "../../../schemas/generated/verification-job.ts";
import { offsetOf, type RecordsInPlace } from "../../ports/kafka.ts";
import type { OracleValue } from "../../ports/oracle.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import { ByteSink } from "../../values/byte-sink.ts";
import type { ByteWork } from "../byte-work.ts";
import { type TableRowReader, tableRowReader } from "../canonical-values.ts";
import { OTHER_TABLE, TABLE_NOT_NAMED } from "../change-reader.ts";
import {
  changeRecordReader,
  legacyRecordReader,
  OTHERS,
  type PartitionSoFar,
  unreadableReader,
} from "../record-reader.ts";
import { LEGACY_TOPIC, laterTruncates, type Side, type TupleSink, truncatesIn } from "../tuple.ts";
import { NOTHING_READ } from "../verdict.ts";
import { type SharedRead, type SideReaders, sharedRead } from "./debezium/shared-read.ts";
import type { LegacyTopicInput, PartitionInput, RowsInput, TableInputs, TopicInput } from "./inputs.ts";
import { fileName, type Lane, LaneBuffers, type LaneFile, openLane, segmentsOf } from "./lane.ts";
import { NOTHING_DONE, type UnitDone } from "./manifest.ts";
import { recordsExpected } from "./memory-plan.ts";
import { type ReadTally, readTally, type UnitContext } from "./unit-result.ts";

/**
 * A unit of reading of one table's verification. It can be carried out independently, and its result is a plain value.
 */
export interface Unit {
  readonly name: string;
  readonly side: Side;
  readonly range?: string;
  /** Whether it also writes the slices of the legacy side, behind its own: `SharedRead`. */
  readonly shared?: boolean;
  run(begun: UnitDone, lane: Lane, context: UnitContext): Promise<UnitDone>;
}

/** Makes the units that read ranges of the table. They share one reader. */
export function rangeUnit({ shape, rows }: TableInputs, work: ByteWork): (name: string, range: string) => Unit {
  const readRow = tableRowReader(shape, work);
  return (name, range) => ({
    name,
    side: "table",
    range,
    run: (_, lane, context) => spoolRows(rows.read(range), readRow, lane, context),
  });
}

export function rangeUnits(inputs: TableInputs, ranges: readonly string[], work: ByteWork): readonly Unit[] {
  const unit = rangeUnit(inputs, work);
  return ranges.map((range, at) => unit(`table-${at}`, range));
}

/**
 * The units that read the partitions of the topics. Those of a topic share one reader.
 *
 * @param recordsAUnit maximum number of offsets that form one unit
 */
export function topicUnits(inputs: TableInputs, work: ByteWork, recordsAUnit = shareOfUnit(inputs)): readonly Unit[] {
  const { shape, newTopic, legacyTopic } = inputs;
  const shared = newTopic.topic === legacyTopic?.topic;
  return (["new", "legacy"] as const).flatMap((side) => {
    const topic = side === "new" ? newTopic : legacyTopic;
    if (topic === undefined || (shared && side === "legacy")) return [];
    const readers = readersOf(side, topic, shape, work);
    const legacy = shared ? readersOf("legacy", legacyTopic, shape, work) : undefined;
    return topic.partitions.flatMap((whole) =>
      partsOf(whole, recordsAUnit).map(
        (part): Unit => ({
          name: `${side}-${whole.partition}${part === whole ? "" : `[${part.from},${part.to})`}`,
          side,
          shared,
          run: async (begun, lane, context) => {
            const reading = (so: UnitDone): Readers =>
              legacy ? { ...readers, ...sharedRead(readers.read, legacy, legacyTopic ?? topic, so) } : readers;
            const isKnown = !shared && begun.next !== undefined;
            const soFar = isKnown
              ? { last: begun.last }
              : await lastBefore(whole, begun.next ?? part.from, topic, reading(NOTHING_DONE));
            return spoolRecords(part, reading(begun), soFar, topic, begun, lane, context);
          },
        }),
      ),
    );
  });
}

/** Each unit has files of its own, so there must not be many units. */
const MOST_UNITS = 64;
/** A smaller partition is not worth dividing. */
const FEWEST_RECORDS = 100_000;

/** Large partitions are divided, so that several threads read even a topic that has only one. */
function shareOfUnit({ newTopic, legacyTopic }: TableInputs): number {
  const all = [...newTopic.partitions, ...(legacyTopic?.partitions ?? [])];
  return Math.max(FEWEST_RECORDS, Math.ceil(recordsExpected(all) / MOST_UNITS));
}

function partsOf(whole: PartitionInput, records: number): readonly PartitionInput[] {
  const { from, to } = whole;
  if (to - from <= BigInt(records)) return [whole];
  const parts: PartitionInput[] = [];
  for (let at = from; at < to; at += BigInt(records)) {
    const end = at + BigInt(records) < to ? at + BigInt(records) : to;
    parts.push({ ...whole, from: at, to: end, read: (start) => whole.read(start, end) });
  }
  return parts;
}

/**
 * Number of offsets before a part that are read first, and the factor by which it grows while they are not sufficient.
 */
const LOOK_BACK = 64n;
const FURTHER = 16n;

/**
 * Finds the record from which a tombstone at the beginning of a part takes its SCN. A record with a value is
 * sufficient, whatever came before it, and so is the beginning of the partition.
 */
async function lastBefore(
  whole: PartitionInput,
  from: bigint,
  { isOfTable, compacted }: Pick<TopicInput, "isOfTable" | "compacted">,
  { read }: Readers,
): Promise<PartitionSoFar> {
  if (from === whole.from) return { last: undefined };
  const discarded = new ByteSink();
  // Two buffers, as a read of a shared topic has one for each side.
  const passed: TupleSink = { buffers: [discarded, discarded], truncates: discarded };
  for (let back = LOOK_BACK; ; back *= FURTHER) {
    const start = from - back > whole.from ? from - back : whole.from;
    const soFar: PartitionSoFar = { last: undefined };
    let isKnown = start === whole.from;
    for await (const records of whole.read(start, from)) {
      const { bytes, valueStarts, valueEnds } = records;
      for (let nth = 0; nth < records.count; nth++) {
        const value = valueStarts[nth] as number;
        const isOwn = isOfTable === undefined || isOfTable(bytes, value, valueEnds[nth] as number);
        if (isOwn === false && value >= 0 && !compacted) {
          soFar.last = OTHERS;
          isKnown = true;
        }
        if (isOwn !== true) continue;
        read(records, nth, passed, soFar);
        discarded.clear();
        isKnown ||= value >= 0;
      }
    }
    if (isKnown) return soFar;
  }
}

/** What a unit has done, and its files. */
export interface UnitFiles {
  readonly done: UnitDone;
  readonly files: readonly LaneFile[];
}

/** Number of slices in a segment. */
const widthOf = (partitions: number, shared = false): number => (shared ? 2 * partitions : partitions);

const NOTHING_LEFT: UnitFiles = { done: NOTHING_DONE, files: [] };

/** Opens a unit's files of an earlier run. If they do not match its last note, the unit is read again. */
export async function unitLeft(
  spool: SpoolFiles,
  { name, side, shared }: Unit,
  done: UnitDone | undefined,
  partitions: number,
): Promise<UnitFiles> {
  if (done === undefined || (side === "table" && !done.whole)) return NOTHING_LEFT;
  const files: LaneFile[] = [];
  for (const [at, written] of done.files.entries()) {
    const file = fileName(name, at);
    if (!(await spool.holds(file, written))) return NOTHING_LEFT;
    files.push({ name: file, written, segments: await segmentsOf(spool, file, written, widthOf(partitions, shared)) });
  }
  return { done, files };
}

export async function runUnit(
  spool: SpoolFiles,
  unit: Unit,
  { done, files }: UnitFiles,
  partitions: number,
  context: UnitContext,
  buffers = new LaneBuffers(),
): Promise<UnitFiles> {
  if (done.whole) return { done, files };
  const last = files.at(-1);
  const lane = await openLane(
    spool,
    unit.name,
    widthOf(partitions, unit.shared),
    files,
    last === undefined ? undefined : await spool.goOn(last.name, last.written),
    context.segment,
    buffers,
  );
  try {
    const result = await unit.run(done, lane, context);
    return { done: result, files: lane.files() };
  } finally {
    await lane.close();
  }
}

/**
 * Unit of work: turns the rows of one range of the table into tuples in the lane's files. A range that was not
 * completed is read again from its beginning.
 *
 * @returns whether it reached the end
 */
async function spoolRows(
  rows: ReturnType<RowsInput["read"]>,
  readRow: TableRowReader,
  lane: Lane,
  context: UnitContext,
): Promise<UnitDone> {
  const tally = readTally(NOTHING_READ);
  let writing: Promise<unknown> = Promise.resolve();
  for await (const batch of rows) {
    takeRows(batch, readRow, lane.sink, tally);
    if (lane.waiting() >= context.segment) {
      await writing;
      writing = goingOn(lane.flush());
    }
    context.seen(tally);
    if (context.stopped()) return NOTHING_DONE;
  }
  await writing;
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

/** Number of records after which a unit checks whether its memory is full, whatever the size of a batch. */
const STRIDE = 512;

/**
 * Unit of work: turns the remaining records of one topic partition into tuples in the lane's files.
 *
 * @returns its progress: to the end, or to where it was stopped
 */
async function spoolRecords(
  partition: PartitionInput,
  readers: Readers,
  soFar: PartitionSoFar,
  { isOfTable, own, compacted }: Pick<TopicInput, "isOfTable" | "own" | "compacted">,
  begun: UnitDone,
  lane: Lane,
  context: UnitContext,
): Promise<UnitDone> {
  const tally = readTally(begun.read);
  const read = () => readers.reads?.(tally.read()) ?? { read: tally.read() };
  const tombstonesUnknown = compacted && (own !== undefined || isOfTable !== undefined);
  const taking: Taking = { ...readers, isOfTable, soFar, sink: lane.sink, tally, tombstonesUnknown };
  let { truncates } = begun;
  let next = begun.next ?? partition.from;

  let writing: Promise<unknown> = Promise.resolve();
  /** Writes what is buffered, then notes the progress as of now. */
  const write = async (whole: boolean): Promise<UnitDone> => {
    const { truncates: seen } = lane.sink;
    if (seen.length > 0) truncates = laterTruncates(truncates, truncatesIn(seen.view(), context.checkScn));
    seen.clear();
    const now = { whole, next, last: soFar.last, ...read(), truncates };
    await lane.flush();
    const done = { ...now, files: lane.files().map(({ written }) => written) };
    await context.note(done);
    return done;
  };

  if (next < partition.to)
    for await (const records of partition.read(next)) {
      mustFollow(records, next, partition);
      for (let from = 0; from < records.count; from += STRIDE) {
        const to = Math.min(records.count, from + STRIDE);
        takeRecords(records, from, to, taking);
        next = offsetOf(records, to - 1) + 1n;
        if (lane.waiting() < context.segment) continue;
        await writing;
        writing = goingOn(write(false));
      }
      context.seen(tally);
      if (context.stopped()) break;
    }
  await writing;
  return write(!context.stopped());
}

// Not within the functions that wait: with every change to one, a JavaScript engine would compile the readers again.

function takeRows(rows: readonly (readonly OracleValue[])[], read: TableRowReader, sink: TupleSink, tally: ReadTally) {
  for (const row of rows) {
    tally.count += 1;
    const why = read(row, sink);
    if (why !== undefined) tally.unreadable(why);
  }
}

interface Readers extends SideReaders, Partial<Pick<SharedRead, "reads">> {}

interface Taking extends Readers {
  readonly isOfTable: TopicInput["isOfTable"] | undefined;
  readonly soFar: PartitionSoFar;
  readonly sink: TupleSink;
  readonly tally: ReadTally;
  /** Compaction may have removed the delete that a tombstone follows. */
  readonly tombstonesUnknown: boolean;
}

function takeRecords(records: RecordsInPlace, from: number, to: number, taking: Taking): void {
  const { read, readUnreadable, isOfTable, soFar, sink, tally, tombstonesUnknown } = taking;
  const { bytes, keyStarts, keyEnds, valueStarts, valueEnds } = records;
  for (let nth = from; nth < to; nth++) {
    const key = keyStarts[nth] as number;
    const value = valueStarts[nth] as number;
    const end = valueEnds[nth] as number;
    if (key >= 0) tally.bytes += (keyEnds[nth] as number) - key;
    if (value >= 0) tally.bytes += end - value;
    const isOwn = isOfTable === undefined ? true : isOfTable(bytes, value, end);
    if (isOwn === false && value >= 0 && !tombstonesUnknown) soFar.last = OTHERS;
    const problem =
      isOwn === false ? OTHER_TABLE : isOwn === undefined ? TABLE_NOT_NAMED : read(records, nth, sink, soFar);
    if (problem === OTHER_TABLE) {
      tally.foreign += 1;
      continue;
    }
    tally.count += 1;
    if (problem !== undefined)
      tally.unreadable(
        problem,
        { partition: records.partition, offset: offsetOf(records, nth) },
        readUnreadable?.(records, nth, sink),
      );
    else if (value < 0 && tombstonesUnknown) tally.tableUnknown += 1;
  }
}

/** Writing that goes on while the unit reads: a failure is thrown by who waits for it. */
function goingOn<T>(writing: Promise<T>): Promise<T> {
  writing.catch(() => undefined);
  return writing;
}

/** The order of offsets decides what counts, so it is checked. */
function mustFollow(records: RecordsInPlace, next: bigint, { partition, to }: PartitionInput): void {
  const first = offsetOf(records, 0);
  const last = offsetOf(records, records.count - 1);
  if (first < next || last < first || last >= to)
    throw new RangeError(`partition ${partition}: got offsets ${first} to ${last}, expected ${next} to ${to}`);
}

function readersOf(
  side: "new" | "legacy",
  { format, own, compacted, fields, wholeRows }: LegacyTopicInput,
  shape: TableShape,
  work: ByteWork,
): Readers {
  return side === "new"
    ? { read: changeRecordReader(shape, format, work, own && { ...own, compacted }) }
    : {
        read:
          own === undefined
            ? legacyRecordReader(shape, format, work, fields, wholeRows)
            : changeRecordReader(shape, format, work, { ...own, compacted }, LEGACY_TOPIC),
        readUnreadable: unreadableReader(shape, format, work),
      };
}
