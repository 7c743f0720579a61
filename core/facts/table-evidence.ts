import type { Instant } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { Observed } from "./observed.ts";
import type { RowScn, TableActivity, TableModifications, TableSeen } from "./tables.ts";

/**
 * What is known of a table's changes since a gap began. It is evidence and never proof: a delete leaves no row to look at, and Oracle counts
 * modifications only since statistics were gathered.
 * - `changed`: something says that it was changed since. `nothing seen`: what could be looked at says nothing. `unknown`: nothing could be looked at.
 */
export interface Evidence {
  readonly says: "changed" | "nothing seen" | "unknown";
  readonly lastDdl?: Instant;
  readonly modifications?: TableModifications;
  /** `MAX(ORA_ROWSCN)`, where it was asked for. */
  readonly rowScn?: Scn;
  /** Why something could not be looked at. */
  readonly unseen?: string;
}

/** Where the gap began: changes before are none of its. */
export interface GapBegin {
  readonly scn: Scn;
  readonly at: Instant | undefined;
}

/** Looks the evidence of many tables up. @returns what is known of one */
export function evidenceOf(
  activity: Observed<readonly TableActivity[]>,
  rowScns: Observed<readonly RowScn[]>,
  begin: GapBegin,
): (table: TableSeen) => Evidence {
  const active = new Map(activity.known ? activity.value.map((one) => [keyOf(one), one]) : []);
  const rows = new Map(rowScns.known ? rowScns.value.map((one) => [keyOf(one), one]) : []);
  const comparable = activity.known && begin.at !== undefined;
  return (table) => {
    const seen = active.get(keyOf(table));
    const row = rows.get(keyOf(table));
    const after = (at: Instant | undefined) => at !== undefined && begin.at !== undefined && at >= begin.at;
    const changed =
      after(seen?.lastDdl) || after(seen?.modifications?.at) || (row?.scn !== undefined && row.scn >= begin.scn);
    const unseen = [
      ...(activity.known ? [] : [activity.why]),
      ...(rowScns.known ? [] : [rowScns.why]),
      ...(row?.problem === undefined ? [] : [row.problem]),
    ];
    return {
      says: changed ? "changed" : comparable || row?.scn !== undefined ? "nothing seen" : "unknown",
      ...(seen?.lastDdl === undefined ? {} : { lastDdl: seen.lastDdl }),
      ...(seen?.modifications === undefined ? {} : { modifications: seen.modifications }),
      ...(row?.scn === undefined ? {} : { rowScn: row.scn }),
      ...(unseen.length === 0 ? {} : { unseen: unseen.join("; ") }),
    };
  };
}

function keyOf({ container, owner, name }: TableSeen): string {
  return JSON.stringify([container, owner, name]);
}
