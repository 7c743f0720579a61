import type { Scn } from "../../values/scn.ts";
import type { UnitDone } from "./manifest.ts";
import type { ReadTally } from "./unit-result.ts";

/** What a unit of reading is told from outside. */
export interface UnitContext {
  readonly checkScn: Scn;
  /** Bytes of tuples that may wait in memory before they are written. */
  readonly segment: number;
  stopped(): boolean;
  /** After every batch. */
  seen(so: Pick<ReadTally, "count" | "foreign" | "bytes">): void;
  /** How far it is, in a form that another run can go on from. What it tells of is written by then. */
  note(done: UnitDone): Promise<void>;
}
