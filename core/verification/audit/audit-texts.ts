import type { DoubtReason, FailureReason } from "../../../schemas/generated/shared.ts";

/** Texts of an audit, where a cutover's speak of two topics. */
export const AUDIT_TEXT: Readonly<Partial<Record<FailureReason | DoubtReason, string>>> = {
  "in-neither-topic": "missing: in the table, not in the topic",
  "stale-in-legacy-topic": "stale: with other values in the topic",
  "only-in-legacy-topic": "extra: in the topic, and no longer in the table",
  "count-differs": "not as often in the topic as in the table",
  "truncate-skipped":
    "extra: in the topic, and no longer in the table; the connector delivers no truncate that may have removed them",
  "commit-unknown": "that rest on a record of which nobody knows whether it was committed by the check SCN",
  "legacy-unreadable": "undecodable: that rest on a record that could not be read",
};
