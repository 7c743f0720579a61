import type { SpoolWritten } from "../../ports/spool.ts";
import type { Side } from "../tuple.ts";
import type { TableInputs } from "./inputs.ts";
import { recordsExpected } from "./memory-plan.ts";
import type { VerifyOptions } from "./verify-table.ts";

/** Progress of a table's verification. Reported after every batch; the receiver decides how often to use it. */
export interface VerifyProgress {
  readonly phase: "reading" | "joining";
  /** Rows of the table, records of each topic, including those read by an earlier, interrupted run. */
  readonly rows: number;
  readonly newRecords: number;
  readonly legacyRecords: number;
  /** Keys and values of records, in bytes. */
  readonly bytes: number;
  /** Maximum number of records, by the offsets of both topics. */
  readonly recordsExpected: number;
  /** Expected rows; undefined if unknown. */
  readonly rowsExpected: number | undefined;
  /** Bytes on disk. */
  readonly spooled: number;
  /** The number of hash partitions joined. */
  readonly joined: number;
  readonly partitions: number;
  /** Time since this run began. */
  readonly millis: number;
}

export type VerifyNotice =
  /** Reported before anything is written. `free` is undefined if the system does not report it. */
  | { readonly is: "disk"; readonly estimated: number; readonly free: bigint | undefined; readonly place: string }
  /** An interrupted run is resumed: number of units (ranges, partitions) that were finished, and that had begun. */
  | { readonly is: "resumed"; readonly finished: number; readonly begun: number }
  /** An interrupted run cannot be resumed, and why; everything is read again. */
  | { readonly is: "afresh"; readonly why: string };

/** Adds up the progress of the units, and reports it. */
export interface Watch {
  /** A unit has read this much in total. */
  read(
    unit: string,
    side: Side,
    seen: { readonly count: number; readonly foreign: number; readonly bytes: number },
  ): void;
  /** A unit has written this much to disk. */
  wrote(unit: string, files: readonly SpoolWritten[]): void;
  /** This many hash partitions are compared. */
  joined(partitions: number): void;
}

export function watchOf(inputs: TableInputs, partitions: number, { clock, progress }: VerifyOptions): Watch {
  const started = clock.elapsed();
  const bySide = {
    table: new Map<string, number>(),
    new: new Map<string, number>(),
    legacy: new Map<string, number>(),
  };
  const bytes = new Map<string, number>();
  const spooled = new Map<string, number>();
  const expected = {
    recordsExpected:
      recordsExpected(inputs.newTopic.partitions) + recordsExpected(inputs.legacyTopic?.partitions ?? []),
    rowsExpected: inputs.rows.expected,
  };
  const report = (phase: VerifyProgress["phase"], joined: number): void =>
    progress?.({
      phase,
      rows: sum(bySide.table),
      newRecords: sum(bySide.new),
      legacyRecords: sum(bySide.legacy),
      bytes: sum(bytes),
      ...expected,
      spooled: sum(spooled),
      joined,
      partitions,
      millis: clock.elapsed() - started,
    });
  return {
    read(unit, side, seen) {
      bySide[side].set(unit, seen.count + seen.foreign);
      bytes.set(unit, seen.bytes);
      report("reading", 0);
    },
    wrote(unit, files) {
      spooled.set(
        unit,
        files.reduce((total, file) => total + file.bytes, 0),
      );
    },
    joined: (count) => report("joining", count),
  };
}

function sum(values: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const value of values.values()) total += value;
  return total;
}
