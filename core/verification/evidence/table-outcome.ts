import type { TableEvidence } from "../../../schemas/generated/evidence.ts";
import type { DoubtReason, FailureReason, Outcome } from "../../../schemas/generated/shared.ts";
import { AUDIT_TEXT } from "../audit/audit-texts.ts";
import { DOUBTS, FAILURES } from "../verdict.ts";

interface OutcomeFacts
  extends Pick<TableEvidence, "rows" | "newRecords" | "legacyRecords" | "failures" | "doubts" | "newTopic"> {
  /** Why table or topics were not read, or not completely. */
  readonly notRead: string | undefined;
  /** Whether the connector had passed the check SCN. */
  readonly passed: boolean;
}

export const NOT_PASSED = "the connector had not passed the check SCN: records below it may have been missing";
const SIDES = ["rows of the table", "records of the new topic", "records of the legacy topic"] as const;

/** The new connector delivered the key last, so that no legacy record can change what is found. */
const PROVEN_WITHOUT_LEGACY: readonly FailureReason[] = ["deleted-in-topic", "values-differ", "still-in-topic"];

/**
 * Determines the outcome of a table. A proven failure takes precedence over every doubt. A failure is not proven if an
 * unreadable row or record may be the one that the key is missing. A table with a doubt never passes.
 *
 * Rule: reference: connector settings, "What a cutover verification compares".
 */
export function outcomeOfTable({ notRead, passed, failures, doubts, newTopic, ...sides }: OutcomeFacts): Outcome {
  if (notRead !== undefined || !passed) return "inconclusive";
  const [rows, newRecords, legacyRecords] = unreadableOfSides(sides);
  // Those whose key is known are a doubt of this key.
  const legacyOfAnyKey = sides.legacyRecords?.withoutKey ?? legacyRecords;
  const isProven = (reason: FailureReason) =>
    rows + newRecords === 0n && (legacyOfAnyKey === 0n || PROVEN_WITHOUT_LEGACY.includes(reason));
  if (FAILURES.some((reason) => (failures[reason] ?? 0n) > 0n && isProven(reason))) return "fail";
  const inDoubt = rows + newRecords + legacyRecords > 0n || DOUBTS.some((reason) => doubts[reason]);
  return inDoubt ? "inconclusive" : "pass";
}

/** Unreadable records of each side: table, new topic, legacy topic. */
export function unreadableOfSides({
  rows,
  newRecords,
  legacyRecords,
}: Pick<TableEvidence, "rows" | "newRecords" | "legacyRecords">) {
  return [rows.unreadable, newRecords.unreadable, legacyRecords?.unreadable ?? 0n] as const;
}

/** Reasons why the table did not pass, as short sentences; empty for a pass. */
export function reasonsOfTable(table: OutcomeFacts): readonly string[] {
  const { notRead, passed, failures, doubts, newTopic } = table;
  const counts = { ...failures, ...doubts };
  const reasons: string[] = [];
  if (notRead !== undefined) reasons.push(notRead);
  if (!passed) reasons.push(NOT_PASSED);
  for (const [at, count] of unreadableOfSides(table).entries())
    if (count > 0n) reasons.push(`${count} ${SIDES[at]} could not be read`);
  for (const reason of [...FAILURES, ...DOUBTS])
    if (counts[reason]) reasons.push(`${counts[reason]} ${reasonText(reason, newTopic)}`);
  return reasons;
}

/** Outcome of all tables. It is not a pass if nothing was verified. */
export function outcomeOfAll(tables: readonly { readonly outcome: Outcome }[]): Outcome {
  if (tables.some(({ outcome }) => outcome === "fail")) return "fail";
  return tables.length === 0 || tables.some(({ outcome }) => outcome === "inconclusive") ? "inconclusive" : "pass";
}

/**
 * A text that follows a number of keys (rows, for a table without a key).
 *
 * @param newTopic empty in an audit, which is before there is one
 */
export function reasonText(reason: FailureReason | DoubtReason, newTopic: string): string {
  const text = { ...FAILURE_TEXT, ...DOUBT_TEXT }[reason];
  return newTopic === "" ? (AUDIT_TEXT[reason] ?? text) : text;
}

const FAILURE_TEXT: Readonly<Record<FailureReason, string>> = {
  "in-neither-topic": "in neither topic",
  "deleted-in-topic": "in the table, deleted in the new topic",
  "values-differ": "with other values in the new topic",
  "still-in-topic": "in the new topic, and no longer in the table",
  "only-in-legacy-topic": "in the legacy topic only, and no longer in the table",
  "stale-in-legacy-topic": "in the legacy topic only, with other values",
  "count-differs": "not as often in the topics as in the table",
};

const DOUBT_TEXT: Readonly<Record<DoubtReason, string>> = {
  "only-above-check-scn": "of which a compacted topic holds only what came after the check SCN",
  "snapshot-after-check-scn": "that the snapshot read after the check SCN",
  "key-not-unique": "that the table has more than once",
  "partitions-disagree": "on which two partitions of a topic disagree",
  "delete-not-kept":
    "in the legacy topic only, and no longer in the table; the new topic may no longer hold their deletion",
  "truncate-skipped":
    "in the legacy topic only, and no longer in the table; the legacy connector delivers no truncate that may have " +
    "removed them",
  "commit-unknown": "that rest on a legacy record of which nobody knows whether it was committed by the check SCN",
  "legacy-unreadable": "that rest on a legacy record that could not be read",
  "column-added": "whose last record is older than a column that has a value now, which is not known to be its default",
  overlap: "that both connectors may have delivered",
};
