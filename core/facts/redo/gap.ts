import type { Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { Evidence } from "../tables/evidence.ts";

/** Missing redo; the plan's `redo` shows what is wrong with which logs. */
export interface Gap {
  readonly code: "CDC-2001" | "CDC-2002";
  /** One sentence. */
  readonly message: string;
  /** The stored resume SCN: mining would continue here. */
  readonly from: Scn;
  /** The first SCN from which all redo up to now exists; undefined if there is none. */
  readonly to: Scn | undefined;
  readonly fromTime: Instant | undefined;
  readonly toTime: Instant | undefined;
  /** RMAN commands that would restore the logs. */
  readonly restore: readonly string[];
}

export interface UnlistedTable {
  readonly table: string;
  /** What is known about its changes since the gap began. Never proof. */
  readonly evidence: Evidence;
}

/**
 * What a resnapshot does.
 * - `signal`: the redo is complete from the stored position on; the offset does not change.
 * - `past the gap`: it moves.
 * - `unknown`: whether redo is missing is unknown, nothing is stored, or the stored offset does not belong to the
 *   database.
 */
export type Way = "signal" | "past the gap" | "unknown";
