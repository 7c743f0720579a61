import type { JournaledTransaction } from "../facts/transactions.ts";
import { ascending } from "../values/ascending.ts";
import type { Scn } from "../values/scn.ts";
import { MOST_TRANSACTIONS } from "./timeline.ts";

/**
 * The first SCNs of the journaled transactions that a picture can name: their times have to be asked for, the
 * database's own open ones have theirs.
 */
export function drawnFrom(journaled: readonly JournaledTransaction[]): readonly Scn[] {
  return journaled
    .map(({ firstScn }) => firstScn)
    .sort(ascending((scn) => scn))
    .slice(0, MOST_TRANSACTIONS);
}
