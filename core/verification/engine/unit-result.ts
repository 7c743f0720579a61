import type { Place } from "../tuple.ts";

/** What was read of one side: of a unit, or of all units together (`mergedReads`). */
export interface SideRead {
  /** Rows, or records of the table; those that could not be read among them. */
  readonly count: number;
  /** Records of other tables in the same topic. */
  readonly foreign: number;
  /** Rows or records that could not be read or compared: each makes the table inconclusive. */
  readonly unreadable: number;
  /** Why, with how often: the first of those texts in their order. */
  readonly reasons: readonly UnreadableReason[];
  /** Why the side could not be read to its end (`ORA-01555 …`); undefined: it was. */
  readonly stopped: string | undefined;
}

export interface UnreadableReason {
  readonly why: string;
  readonly count: number;
  /** The first such record, by partition and offset; none of a row of the table. */
  readonly place: Omit<Place, "scn"> | undefined;
}
