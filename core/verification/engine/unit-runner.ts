import type { SpoolFiles } from "../../ports/spool.ts";
import type { ByteWork } from "../byte-work.ts";
import type { Verdict } from "../verdict.ts";
import type { TableInputs } from "./inputs.ts";
import { joinPartitions, type SpooledTable, type VerifyRules } from "./join-partitions.ts";
import type { PartitionRange } from "./slices.ts";
import type { UnitContext } from "./unit-context.ts";
import { runUnit, type Unit, type UnitDoneAndFiles, type UnitLeft, unitsOf } from "./units.ts";

/**
 * Carries out units of work: in this process (`runHere`), on other machines. What goes in and comes out are plain
 * values.
 */
export interface UnitRunner {
  /** How many joins it can carry out at the same time: each has that part of the memory. */
  readonly joins: number;
  read(unit: string, left: UnitLeft, partitions: number, context: UnitContext): Promise<UnitDoneAndFiles>;
  join(join: JoinUnit): Promise<Verdict>;
}

export interface JoinUnit {
  /** What of the files concerns the range (`onlyRange`). */
  readonly spooled: SpooledTable;
  readonly range: PartitionRange;
  /** Hash partitions that there are in all. */
  readonly partitions: number;
  readonly rules: VerifyRules;
  /** Bytes of tuples that may be in memory at once. */
  readonly memory: number;
}

/** In this process, from inputs and files that are at hand. */
export function runHere(inputs: TableInputs, spool: SpoolFiles, work: ByteWork): UnitRunner {
  const units = new Map(unitsOf(inputs, work).map((unit) => [unit.name, unit]));
  let memory = new Uint8Array(0);
  return {
    joins: 1,
    read: (name, left, partitions, context) => runUnit(spool, units.get(name) as Unit, left, partitions, context),
    join({ spooled, range, partitions, rules, memory: most }) {
      // The same memory for every join: what is given back to the system and asked for again is there twice for a
      // while.
      if (memory.length < most) memory = new Uint8Array(most);
      return joinPartitions(spool, spooled, range, partitions, rules, { bytes: memory.subarray(0, most) }, work);
    },
  };
}
