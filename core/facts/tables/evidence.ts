import { epochMillis, type Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { Observed } from "../observed.ts";
import type { RowScn, TableActivity, TableModifications, TableSeen } from "./tables.ts";

/**
 * What is known of a table's changes since a gap began. It is evidence and never proof: a delete leaves no row to look
 * at, and Oracle counts modifications only since statistics were gathered, and writes them down late.
 * - `changed`: something says that it was changed since. `nothing seen`: what could be looked at says nothing.
 *   `unknown`: nothing could be looked at, or what was counted is gone.
 */
export interface Evidence {
  readonly says: "changed" | "nothing seen" | "unknown";
  readonly lastDdl?: Instant;
  readonly modifications?: TableModifications;
  /** When statistics were gathered, where that was since the gap began. */
  readonly analyzed?: Instant;
  /** `MAX(ORA_ROWSCN)`, where it was asked for. */
  readonly rowScn?: Scn;
  /** Why something could not be looked at. */
  readonly unseen?: string;
}

/** Where the gap began: changes before are none of its. The time may be earlier than the SCN's own, never later. */
export interface GapBegin {
  readonly scn: Scn;
  readonly at: Instant | undefined;
}

/**
 * `SCN_TO_TIMESTAMP` is no more exact than that (reference: Oracle, "Time and SCN"): a change so shortly before counts
 * as one since.
 */
const MAPPING_MILLIS = 3000;

/** The time of it is the table's own; the reason is the same for all, so that it can be said once of many. */
export const COUNTS_GONE = "statistics were gathered since the gap began: what was counted before is gone";

/** Looks the evidence of many tables up. @returns what is known of one */
export function evidenceOf(
  activity: Observed<readonly TableActivity[]>,
  rowScns: Observed<readonly RowScn[]>,
  begin: GapBegin,
): (table: TableSeen) => Evidence {
  const active = new Map(activity.known ? activity.value.map((one) => [keyOf(one), one]) : []);
  const rows = new Map(rowScns.known ? rowScns.value.map((one) => [keyOf(one), one]) : []);
  const since = begin.at === undefined ? undefined : epochMillis(begin.at) - MAPPING_MILLIS;
  const isSince = (at: Instant | undefined) => at !== undefined && since !== undefined && epochMillis(at) >= since;
  const why = new Set([
    ...(activity.known ? [] : [activity.why]),
    ...(rowScns.known ? [] : [rowScns.why]),
    ...(activity.known && since === undefined ? ["when the gap began is not known"] : []),
  ]);
  return (table) => {
    const key = keyOf(table);
    const seen = active.get(key);
    const row = rows.get(key);
    const { lastDdl, modifications } = seen ?? {};
    const analyzed = isSince(seen?.analyzed) ? seen?.analyzed : undefined;
    const changed = isSince(lastDdl) || isSince(modifications?.at) || (row?.scn !== undefined && row.scn >= begin.scn);
    const looked = (since !== undefined && seen !== undefined && isDated(modifications)) || row?.scn !== undefined;
    const unseen = [
      ...why,
      ...(row?.problem === undefined ? [] : [row.problem]),
      ...(analyzed === undefined || changed ? [] : [COUNTS_GONE]),
    ];
    return {
      says: changed ? "changed" : looked && analyzed === undefined ? "nothing seen" : "unknown",
      ...(lastDdl === undefined ? {} : { lastDdl }),
      ...(modifications === undefined ? {} : { modifications }),
      ...(analyzed === undefined ? {} : { analyzed }),
      ...(row?.scn === undefined ? {} : { rowScn: row.scn }),
      ...(unseen.length === 0 ? {} : { unseen: unseen.join("; ") }),
    };
  };
}

/** Modifications without a time may be since the gap began, or from long before. */
function isDated(modifications: TableModifications | undefined): boolean {
  return modifications === undefined || modifications.at !== undefined;
}

function keyOf({ container, owner, name }: TableSeen): string {
  return JSON.stringify([container, owner, name]);
}
