import type { Instant } from "../../values/instant.ts";
import type { Scn } from "../../values/scn.ts";
import type { Evidence } from "../tables/evidence.ts";

/** Redo that is gone; what is wrong with which logs tells the plan's `redo`. */
export interface Gap {
  readonly code: "CDC-2001" | "CDC-2002";
  /** One sentence. */
  readonly message: string;
  /** The stored resume SCN: mining would go on here. */
  readonly from: Scn;
  /** The first SCN from which all redo up to now is there; undefined when there is none. */
  readonly to: Scn | undefined;
  readonly fromTime: Instant | undefined;
  readonly toTime: Instant | undefined;
  /** RMAN commands that would bring the logs back. */
  readonly restore: readonly string[];
}

export interface UnlistedTable {
  readonly table: string;
  /** What is known of its changes since the gap began. No proof, whatever it says. */
  readonly evidence: Evidence;
}

/**
 * What a resnapshot does.
 * - `signal`: redo is all there from the stored position on; the offset stays.
 * - `past the gap`: it moves.
 * - `unknown`: whether redo is gone can't be told, nothing is stored, or what is stored has no place in the database.
 */
export type Way = "signal" | "past the gap" | "unknown";
