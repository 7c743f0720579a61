import type { Scn } from "../values/scn.ts";

/** Place of a redo record: its SCN and, if known, its redo byte address. */
export interface RedoPlace {
  readonly scn: Scn;
  /** Such as `0x00002a.00000f1c.0010`; undefined for none. */
  readonly rsId: string | undefined;
  readonly ssn: bigint;
}

/**
 * Whether one redo record was written before another: by address if both have one, because SCNs can arrive out of order
 * within a log; otherwise by SCN, which also decides between equal addresses. A place is not before itself.
 *
 * Rule: reference: wire formats, "Transaction journal", "Before"; connector rules, "Journal and generations".
 */
export function isBefore(one: RedoPlace, other: RedoPlace): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  if (a === undefined || b === undefined) return one.scn < other.scn;
  if (a !== b) return a < b;
  return one.ssn === other.ssn ? one.scn < other.scn : one.ssn < other.ssn;
}

/** Undefined for none: nothing, blank, or all zeros (`0x000000.00000000.0000`). */
function addressOf({ rsId }: RedoPlace): string | undefined {
  return rsId !== undefined && /[1-9a-f]/i.test(rsId) ? rsId.trim() : undefined;
}
