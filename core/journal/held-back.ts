import type { JournaledTransaction } from "../facts/transactions.ts";
import { ascending } from "../values/lists.ts";
import type { Scn } from "../values/scn.ts";

/** A transaction that the task restores, and from then on holds the resume point back until it ends. */
export interface HeldTransaction {
  /** With its container, where it is known. */
  readonly xid: string;
  readonly user: string | undefined;
  /** Its last journaled record below the new position. */
  readonly at: Scn;
}

/**
 * The journaled transactions that a task restores when it starts at `to`, which a move stores without a redo address.
 *
 * Rule: reference: connector rules, "Journal and generations"; wire formats, "Transaction journal", 2 to 6.
 *
 * @param generation the stored one
 */
export function heldAfter(
  journaled: readonly JournaledTransaction[],
  to: Scn,
  generation: bigint,
): readonly HeldTransaction[] {
  return journaled
    .flatMap(({ xid, container, firstScn, user, chunks }) => {
      const all = chunks ?? [{ generation, firstScn, lastScn: firstScn }];
      const restored = all.filter((chunk) => chunk.generation <= generation + 1n && chunk.firstScn < to);
      if (restored.length === 0) return [];
      // Of a chunk that reaches beyond the position, the task keeps what is before it.
      const last = restored.reduce((scn, { lastScn }) => (lastScn > scn ? lastScn : scn), 0n);
      const id = container === undefined || xid.includes(":") ? xid : `${container}:${xid}`;
      return [{ xid: id, user, at: last < to ? last : to - 1n }];
    })
    .sort(ascending(({ at }) => at));
}
