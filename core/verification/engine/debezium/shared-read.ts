import type { SideRead } from "../../../../schemas/generated/verification-result.ts";
import { offsetOf } from "../../../ports/kafka.ts";
import { ByteSink } from "../../../values/byte-sink.ts";
import { OTHER_TABLE, type Reading } from "../../change-reader.ts";
import { OTHERS, type PartitionSoFar, type RecordReader, type UnreadableReader } from "../../record-reader.ts";
import { oneSink, type TupleSink } from "../../tuple.ts";
import type { LaneFile } from "../lane.ts";
import { type ReadTally, readTally } from "../unit-result.ts";

/**
 * One read of a topic that both connectors write to: each record is the new connector's, the legacy one's, or
 * neither's. A unit that reads such a topic has twice the slices of another: the new side's, then the legacy one's.
 */
export interface SharedRead {
  readonly read: RecordReader;
  /** What was read of each, as of two topics. @param all with the legacy records among those of other tables */
  reads(all: SideRead): { readonly read: SideRead; readonly legacyRead: SideRead };
}

interface LegacySide {
  readonly read: RecordReader;
  readonly readUnreadable?: UnreadableReader;
  /** Whether compaction may have removed the delete that a tombstone follows. */
  readonly compacted: boolean;
  readonly soFar: PartitionSoFar;
  readonly begun: SideRead;
}

export function sharedRead(readNew: RecordReader, legacy: LegacySide): SharedRead {
  const tally = readTally(legacy.begun);
  const ofNew = oneSink(new ByteSink(0));
  const ofLegacy = oneSink(new ByteSink(0));
  let of: TupleSink["buffers"] = [];
  /** Records of one connector come after each other: the last one's reader is asked first. */
  let legacyFirst = false;

  /** The lane changes its buffers with every segment that it writes. */
  function halve({ buffers, truncates }: TupleSink): void {
    if (buffers === of) return;
    of = buffers;
    ofNew.buffers = buffers.slice(0, buffers.length / 2);
    ofLegacy.buffers = buffers.slice(buffers.length / 2);
    Object.assign(ofNew, { truncates });
    Object.assign(ofLegacy, { truncates });
  }

  return {
    read(records, nth, into, soFar) {
      halve(into);
      const askLegacy = (): Reading => legacy.read(records, nth, ofLegacy, legacy.soFar);
      const first = legacyFirst ? askLegacy() : OTHER_TABLE;
      if (first === undefined) return taken(tally, legacy, records.valueStarts[nth] as number, soFar);
      const ofThis = readNew(records, nth, ofNew, soFar);
      if (ofThis === undefined) {
        legacyFirst = false;
        legacy.soFar.last = OTHERS;
        return undefined;
      }
      // Whose a record is that neither can read is not known: it leaves every key of the new side in doubt.
      if (ofThis !== OTHER_TABLE) return ofThis;
      const problem = legacyFirst ? first : askLegacy();
      if (problem === OTHER_TABLE) return OTHER_TABLE;
      legacyFirst = true;
      if (problem === undefined) return taken(tally, legacy, records.valueStarts[nth] as number, soFar);
      tally.count += 1;
      const place = { partition: records.partition, offset: offsetOf(records, nth) };
      tally.unreadable(problem, place, legacy.readUnreadable?.(records, nth, ofLegacy));
      return OTHER_TABLE;
    },
    reads(all) {
      const legacyRead = tally.read();
      return { read: { ...all, foreign: all.foreign - (legacyRead.count - legacy.begun.count) }, legacyRead };
    },
  };
}

function taken(tally: ReadTally, { compacted }: LegacySide, value: number, soFar: PartitionSoFar): typeof OTHER_TABLE {
  tally.count += 1;
  if (value < 0 && compacted) tally.tableUnknown += 1;
  soFar.last = OTHERS;
  return OTHER_TABLE;
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
