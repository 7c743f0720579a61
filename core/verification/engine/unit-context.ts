import type { Scn } from "../../values/scn.ts";
import type { UnitDone } from "./manifest.ts";
import type { ReadTally } from "./unit-result.ts";

/** Context in which a unit of reading runs. */
export interface UnitContext {
  readonly checkScn: Scn;
  /** Bytes of tuples that may be buffered in memory before they are written. */
  readonly segment: number;
  stopped(): boolean;
  /** Called after every batch. */
  seen(so: Pick<ReadTally, "count" | "foreign" | "bytes">): void;
  /**
   * Called with the unit's progress, from which another run can resume. Everything it covers has been written by then.
   */
  note(done: UnitDone): Promise<void>;
}
