import type { Verdict } from "../../../schemas/generated/verification-result.ts";
import type { SpoolFiles } from "../../ports/spool.ts";
import type { ByteWork } from "../byte-work.ts";
import { Scratch } from "../scratch.ts";
import type { Sides } from "../tuple.ts";
import type { TableInputs } from "./inputs.ts";
import { joinPartitions, type VerifyRules } from "./join-partitions.ts";
import { LaneBuffers } from "./lane.ts";
import type { SideSlices } from "./slices.ts";
import type { UnitContext } from "./unit-result.ts";
import { rangeUnit, runUnit, topicUnits, type Unit, type UnitFiles } from "./units.ts";

/**
 * Carries out units of work in this process (`runHere`), in threads or on other machines. Inputs and results are plain
 * values.
 */
export interface UnitRunner {
  readonly joins: number;
  read(unit: UnitName, left: UnitFiles, partitions: number, context: UnitContext): Promise<UnitFiles>;
  join(join: JoinUnit): Promise<Verdict>;
}

/** Identifies a unit of reading to whoever carries it out. */
export type UnitName = Pick<Unit, "name" | "range">;

export interface JoinUnit {
  /** The slices of adjacent hash partitions. */
  readonly slices: Sides<SideSlices>;
  readonly partitions: number;
  readonly rules: VerifyRules;
  /** Bytes of tuples that may be in memory at once. */
  readonly memory: number;
}

/** Carries out units in this process, from its inputs and files. */
export function runHere(inputs: TableInputs, spool: SpoolFiles, work: ByteWork): UnitRunner {
  const ofRange = rangeUnit(inputs, work);
  const topics = new Map(topicUnits(inputs, work).map((unit) => [unit.name, unit]));
  let bytes = new Uint8Array(0);
  const scratch = new Scratch();
  const buffers = new LaneBuffers();
  return {
    joins: 1,
    read({ name, range }, left, partitions, context) {
      const unit = range === undefined ? (topics.get(name) as Unit) : ofRange(name, range);
      return runUnit(spool, unit, left, partitions, context, buffers);
    },
    join({ slices, partitions, rules, memory: most }) {
      // The memory is reused for every join: if it were freed and allocated again, it would exist twice for a while.
      if (bytes.length < most) bytes = new Uint8Array(most);
      return joinPartitions(spool, slices, partitions, rules, { bytes: bytes.subarray(0, most), scratch }, work);
    },
  };
}
