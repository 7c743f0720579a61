import type { RowScn, TableActivity } from "../../../schemas/generated/facts.ts";
import type { TableModifications, TableSeen } from "../../../schemas/generated/shared.ts";
import { epochMillis, type Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { Observed } from "../observed.ts";
import { tableId } from "./tables.ts";

/** What is known about a table's changes since the gap began. Never proof. */
export interface Evidence {
  /**
   * `changed`: there is evidence that the table was changed since the gap began. `nothing seen`: the available sources
   * show no change. `unknown`: no source could be read, or the counts are gone.
   */
  readonly says: "changed" | "nothing seen" | "unknown";
  readonly lastDdl?: Instant;
  readonly modifications?: TableModifications;
  /** When statistics were gathered, if that was after the gap began. */
  readonly analyzed?: Instant;
  /** `MAX(ORA_ROWSCN)`, if it was requested. */
  readonly rowScn?: Scn;
  /** Why some evidence is not available. */
  readonly unseen?: string;
}

/**
 * Where the gap began: earlier changes do not belong to it. The time may be earlier than the SCN's own, never later.
 */
export interface GapBegin {
  readonly scn: Scn;
  readonly at: Instant | undefined;
}

/**
 * The precision of `SCN_TO_TIMESTAMP` (reference: Oracle, "Time and SCN"): a change so shortly before counts as one
 * since.
 */
const MAPPING_MILLIS = 3000;

/** Why evidence is unknown if it was not requested. */
export const NOT_INSPECTED = "not looked up";

/** The reason is the same for all tables, so a view can show it once; the time differs. */
export const COUNTS_GONE = "statistics were gathered since the gap began: earlier counts are gone";

/** Indexes the evidence of many tables. @returns a function for the evidence of one */
export function evidenceOf(
  activity: Observed<readonly TableActivity[]>,
  rowScns: Observed<readonly RowScn[]>,
  begin: GapBegin,
): (table: TableSeen) => Evidence {
  const active = new Map(activity.known ? activity.value.map((one) => [tableId(one), one]) : []);
  const rows = new Map(rowScns.known ? rowScns.value.map((one) => [tableId(one), one]) : []);
  const since = begin.at === undefined ? undefined : epochMillis(begin.at) - MAPPING_MILLIS;
  const isSince = (at: Instant | undefined) => at !== undefined && since !== undefined && epochMillis(at) >= since;
  const why = new Set([
    ...(activity.known ? [] : [activity.why]),
    ...(rowScns.known ? [] : [rowScns.why]),
    ...(activity.known && since === undefined ? ["the time when the gap began is unknown"] : []),
  ]);
  return (table) => {
    const key = tableId(table);
    const seen = active.get(key);
    const row = rows.get(key);
    const { lastDdl, modifications } = seen ?? {};
    const analyzed = isSince(seen?.analyzed) ? seen?.analyzed : undefined;
    const changed = isSince(lastDdl) || isSince(modifications?.at) || (row?.scn !== undefined && row.scn >= begin.scn);
    const observed = (since !== undefined && seen !== undefined && isDated(modifications)) || row?.scn !== undefined;
    const unseen = [
      ...why,
      ...(row?.problem === undefined ? [] : [row.problem]),
      ...(analyzed === undefined || changed ? [] : [COUNTS_GONE]),
    ];
    return {
      says: changed ? "changed" : observed && analyzed === undefined ? "nothing seen" : "unknown",
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
