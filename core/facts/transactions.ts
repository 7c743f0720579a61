import type { OpenTransaction } from "../../schemas/generated/facts.ts";
import type { Scn } from "../values/scn.ts";

export type { TornTransaction } from "../../schemas/generated/plan.ts";

/**
 * Where a task without a stored offset begins to mine: at its start SCN, or below it, at the start of the oldest open
 * transaction.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export function firstMined(start: Scn, open: readonly Pick<OpenTransaction, "startScn">[]): Scn {
  return open.reduce((lowest, { startScn }) => (startScn < lowest ? startScn : lowest), start);
}
