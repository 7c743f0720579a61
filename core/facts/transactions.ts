import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { Xid } from "../values/xid.ts";

/** A row of `GV$TRANSACTION`. */
export interface OpenTransaction {
  readonly xid: Xid;
  readonly startScn: Scn;
  readonly startedAt: Instant | undefined;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
}

/**
 * Where a task without a stored offset begins to mine: at its start SCN, or below it, at the start of the oldest open
 * transaction.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export function firstMined(start: Scn, open: readonly Pick<OpenTransaction, "startScn">[]): Scn {
  return open.reduce((lowest, { startScn }) => (startScn < lowest ? startScn : lowest), start);
}

/** One reading of the open transactions. */
export interface TransactionsSeen {
  /** The SCN before the reading: a transaction that began at or below it and has not ended is included. */
  readonly from: Scn;
  /** The SCN after the reading: a transaction that ended above it is included, unless it began above `from`. */
  readonly to: Scn;
  readonly open: readonly RecordedTransaction[];
}

export type RecordedTransaction = Pick<OpenTransaction, "xid" | "startScn" | "user">;

/** A transaction with chunks in the journal. */
export interface JournaledTransaction {
  readonly xid: string;
  readonly container: bigint | undefined;
  readonly firstScn: Scn;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  /** Undefined in facts of earlier versions. */
  readonly chunks?: readonly { readonly generation: bigint; readonly firstScn: Scn; readonly lastScn: Scn }[];
}

/** A transaction whose changes before the target would be lost while those after it are delivered. */
export interface TornTransaction {
  readonly xid: string;
  readonly startScn: Scn;
  readonly startedAt: Instant | undefined;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  readonly seenIn: "GV$TRANSACTION" | "journal" | "both";
}
