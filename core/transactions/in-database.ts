import type { OpenTransaction } from "../../schemas/generated/facts.ts";
import type { HiddenPdb } from "../facts/database/database.ts";
import type { Scn } from "../values/scn.ts";
import { sameXid, type Xid } from "../values/xid.ts";

/** `GV$TRANSACTION`, and how far this login sees in it. */
export interface DatabaseInspection {
  readonly open: readonly OpenTransaction[];
  /** Whether transactions are those of every container that this login sees, which the root shows, or those of one. */
  readonly fromRoot: boolean;
  /** A captured PDB whose transactions the view silently omits. */
  readonly hidden: HiddenPdb | undefined;
}

/**
 * Whether the database still lists a transaction. `no`: it has ended, and its COMMIT or ROLLBACK is not mined yet, or
 * it is an orphan (specification, "transactions").
 */
export type InDatabase = { readonly still: "yes"; readonly open: OpenTransaction } | { readonly still: "no" } | Unknown;

/** `about`: the reason concerns this transaction, or everything that the same source was asked for. */
interface Unknown {
  readonly still: "unknown";
  readonly why: string;
  readonly about: "transaction" | "source";
}

/**
 * Looks a transaction up. Where its container is not known, it has to have begun by its first SCN: an id is unique
 * within its container only. That the view does not list it means nothing while a captured PDB is hidden from this
 * login.
 *
 * @param xid undefined where the id can't be read
 */
export function inDatabase(
  xid: Xid | undefined,
  firstScn: Scn,
  { open, fromRoot, hidden }: DatabaseInspection,
): InDatabase {
  if (xid === undefined) return ofOne("its id can't be read");
  // Inside another PDB than the captured one, what is listed under the id is another's.
  if (!fromRoot && hidden !== undefined) return { still: "unknown", why: hidden.why, about: "source" };
  // The number of a container tells nothing within one, and it is not the same in every view.
  const asked = fromRoot ? xid : { ...xid, container: undefined };
  const [found, another] = open.filter(
    (one) => sameXid(asked, one.xid) && (asked.container !== undefined || one.startScn <= firstScn),
  );
  if (another !== undefined) return ofOne("several containers have an open transaction with this id");
  if (found !== undefined) return { still: "yes", open: found };
  return hidden === undefined ? { still: "no" } : { still: "unknown", why: hidden.why, about: "source" };
}

function ofOne(why: string): Unknown {
  return { still: "unknown", why, about: "transaction" };
}
