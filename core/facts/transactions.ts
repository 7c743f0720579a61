import type { OpenTransaction } from "../../schemas/generated/facts.ts";
import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";

/**
 * Where a task without a stored offset begins to mine: at its start SCN, or below it, at the start of the oldest open
 * transaction.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export function firstMined(start: Scn, open: readonly Pick<OpenTransaction, "startScn">[]): Scn {
  return open.reduce((lowest, { startScn }) => (startScn < lowest ? startScn : lowest), start);
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
