import type { JsonObject } from "../../values/json.ts";

/** The one connector of the memory world, and where it stands at first. */

export const CONNECTOR = "orders-cdc";
export const OPS_TOPIC = "orders.cdc.ops";
export const SIGNALS_TOPIC = "orders.cdc.signals";
export const PREVIOUS_SCN = 2_044_511n;
export const CURRENT_SCN = 2_100_000n;
/** Where redo is purged, the first SCN after it. */
export const GAP_END = 2_060_000n;

export const STORED: JsonObject = {
  v: 1n,
  resume_scn: PREVIOUS_SCN,
  resume_rs_id: "0x00002a.00000f1c.0010",
  resume_ssn: 3n,
  last_commit_scn: PREVIOUS_SCN - 13n,
  event_index: 14n,
  journal_generation: 7n,
  dbid: 2914731n,
  resetlogs_scn: 1n,
  released_xids: "1:4.9.771,1:5.2.802",
};
