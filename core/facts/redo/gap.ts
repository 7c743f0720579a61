export type { Gap, UnlistedTable } from "../../../schemas/generated/plan.ts";

/**
 * What a resnapshot does.
 * - `signal`: the redo is complete from the stored position on; the offset does not change.
 * - `past the gap`: it moves.
 * - `unknown`: whether redo is missing is unknown, nothing is stored, or the stored offset does not belong to the
 *   database.
 */
export type Way = "signal" | "past the gap" | "unknown";
