import type { JournaledTransaction } from "../../schemas/generated/facts.ts";
import { CallFailed, Refusal, UsageError } from "../errors.ts";
import type { Observed } from "../facts/observed.ts";
import { generationOf, resumeScnOf, type StoredChange } from "../facts/offset/stored-change.ts";
import type { JsonObject } from "../values/json.ts";
import { ascending } from "../values/lists.ts";
import type { Scn } from "../values/scn.ts";

/** A transaction that the task restores, and from then on holds the resume point back until it ends. */
export interface HeldTransaction {
  /** The id with its container, where it is known. */
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
      // The task keeps the part before the position of a chunk that reaches beyond it.
      const last = restored.reduce((scn, { lastScn }) => (lastScn > scn ? lastScn : scn), 0n);
      const id = container === undefined || xid.includes(":") ? xid : `${container}:${xid}`;
      return [{ xid: id, user, at: last < to ? last : to - 1n }];
    })
    .sort(ascending(({ at }) => at));
}

/**
 * The cause, as a clause, if a journaled transaction has pulled a forward move back: a task that started after the move
 * restored it, and stores its last journaled record as the resume point until it ends.
 *
 * Rule: reference: connector rules, "Journal and generations".
 *
 * @param journaled only called where the stored offset allows it
 * @returns undefined for any other cause, and where the journal can't be read: that hides nothing of what is known
 */
export async function pulledBackBy(
  stored: JsonObject | null,
  { planned, scn, direction }: StoredChange,
  journaled: () => Promise<Observed<readonly JournaledTransaction[]> | undefined>,
): Promise<string | undefined> {
  const at = resumeScnOf(stored);
  const before = generationOf(planned);
  if (at === undefined || scn === undefined || direction !== "forward") return undefined;
  if (at >= scn || generationOf(stored) <= before) return undefined;
  const seen = await journaled().catch(unread);
  const by = seen?.known === true ? heldAfter(seen.value, scn, before).find((held) => held.at === at) : undefined;
  return (
    by &&
    `the journaled transaction ${by.xid}${by.user === undefined ? "" : ` (${by.user})`} has pulled it back to ${at}, ` +
      "its last journaled record: the move needs spec.removeJournaledTransactions: true, or has to wait for its end"
  );
}

function unread(failure: unknown): undefined {
  if (failure instanceof CallFailed || failure instanceof Refusal || failure instanceof UsageError) return undefined;
  throw failure;
}
