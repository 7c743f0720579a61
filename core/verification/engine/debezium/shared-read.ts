import type { SideRead } from "../../../../schemas/generated/verification-result.ts";
import { offsetOf } from "../../../ports/kafka.ts";
import { ByteSink } from "../../../values/byte-sink.ts";
import { OTHER_TABLE, type Reading } from "../../change-reader.ts";
import { OTHERS, type PartitionSoFar, type RecordReader, type UnreadableReader } from "../../record-reader.ts";
import { oneSink, type TupleSink } from "../../tuple.ts";
import { NOTHING_READ } from "../../verdict.ts";
import type { LegacyTopicInput } from "../inputs.ts";
import type { LaneFile } from "../lane.ts";
import type { UnitDone } from "../manifest.ts";
import { readTally } from "../unit-result.ts";

/**
 * One read of a topic that both connectors write to: each record is the new connector's, the legacy one's, or
 * neither's. A unit that reads such a topic has twice the slices of another: the new side's, then the legacy one's.
 */
export interface SharedRead {
  readonly read: RecordReader;
  /** What was read of each, as of two topics. @param all with the legacy records among those of other tables */
  reads(all: SideRead): { readonly read: SideRead; readonly legacyRead: SideRead };
}

/** How the records of one side are read, and where their tuples go. */
interface Side {
  readonly read: RecordReader;
  readonly sink: TupleSink;
  soFar: PartitionSoFar;
}

export interface SideReaders {
  readonly read: RecordReader;
  /** Undefined for the new side: what cannot be read there leaves every key in doubt. */
  readonly readUnreadable?: UnreadableReader;
}

/**
 * @param topic whose compaction may have removed the delete that a tombstone follows; up to its last delivered commit,
 * the new connector repeats what is there
 * @param begun what the unit has read
 */
export function sharedRead(
  readNew: RecordReader,
  legacy: SideReaders,
  { compacted, lastDelivered }: Pick<LegacyTopicInput, "compacted" | "lastDelivered">,
  begun: Pick<UnitDone, "read" | "legacyRead">,
): SharedRead {
  const legacyBegun = begun.legacyRead ?? NOTHING_READ;
  const tally = readTally(legacyBegun);
  const ofNew: Side = { read: readNew, sink: oneSink(new ByteSink(0)), soFar: { last: undefined } };
  const ofLegacy: Side = { read: legacy.read, sink: oneSink(new ByteSink(0)), soFar: { last: undefined } };
  let halved: TupleSink["buffers"] = [];
  /** Records of one connector come after each other, so that the last one's reader is asked first. */
  let last = ofNew;
  let repeated = begun.read.repeated ?? 0;

  /** The lane changes its buffers with every segment that it writes. */
  function halve({ buffers, truncates }: TupleSink): void {
    halved = buffers;
    const half = buffers.length / 2;
    Object.assign(ofNew.sink, { buffers: buffers.slice(0, half), truncates });
    Object.assign(ofLegacy.sink, { buffers: buffers.slice(half), truncates });
  }

  function follow(soFar: PartitionSoFar): void {
    soFar.legacy ??= { last: undefined };
    ofNew.soFar = soFar;
    ofLegacy.soFar = soFar.legacy;
  }

  function taken(isTombstone: boolean): void {
    const other = last === ofNew ? ofLegacy : ofNew;
    other.soFar.last = OTHERS;
    if (last === ofNew) {
      const scn = ofNew.soFar.last;
      if (typeof scn === "bigint" && lastDelivered !== undefined && scn <= lastDelivered) repeated += 1;
      return;
    }
    tally.count += 1;
    if (isTombstone && compacted) tally.tableUnknown += 1;
  }

  return {
    read(records, nth, into, soFar) {
      if (into.buffers !== halved) halve(into);
      if (ofNew.soFar !== soFar) follow(soFar);
      let problem: Reading;
      let first: Reading;
      // One place that calls both, because a JavaScript engine would not make one function of more.
      for (let turn = 0; turn < 2; turn++) {
        if (turn === 1) last = last === ofNew ? ofLegacy : ofNew;
        first = problem;
        problem = last.read(records, nth, last.sink, last.soFar);
        if (problem !== undefined) continue;
        taken((records.valueStarts[nth] as number) < 0);
        return last === ofNew ? undefined : OTHER_TABLE;
      }
      const forNew = last === ofNew ? problem : first;
      const forLegacy = last === ofNew ? first : problem;
      // Whose a record is that neither can read is not known: it leaves every key of the new side in doubt.
      if (forNew !== OTHER_TABLE || forLegacy === OTHER_TABLE) return forNew;
      tally.count += 1;
      const place = { partition: records.partition, offset: offsetOf(records, nth) };
      tally.unreadable(forLegacy as string, place, legacy.readUnreadable?.(records, nth, ofLegacy.sink));
      return OTHER_TABLE;
    },
    reads(all) {
      const legacyRead = tally.read();
      const foreign = all.foreign - (legacyRead.count - legacyBegun.count);
      return { read: { ...all, foreign, ...(repeated > 0 ? { repeated } : {}) }, legacyRead };
    },
  };
}

/** What one side has of a file with the slices of both. @param nth 0 for the new side, 1 for the legacy side */
export function halfOf({ segments, ...file }: LaneFile, nth: 0 | 1): LaneFile {
  return {
    ...file,
    segments: segments.map(({ at, ends }) => {
      const half = ends.length / 2;
      const middle = ends[half - 1] as number;
      return nth === 0
        ? { at, ends: ends.subarray(0, half) }
        : { at: at + middle, ends: ends.subarray(half).map((end) => end - middle) };
    }),
  };
}
