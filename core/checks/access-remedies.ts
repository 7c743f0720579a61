import type { Unknown } from "../../schemas/generated/facts.ts";
import type { CapturedSet } from "../facts/tables/tables.ts";
import { unseen, type Verdict } from "./check.ts";

/**
 * Remedies for facts that could not be observed and whose failure does not name one. They say how to make the fact
 * known; how to fix the problem comes later. A fact stays unknown only when a permission is missing or the other side
 * does not support the call.
 */
export const ACCESS_REMEDIES = {
  classes: "Allow this login to call GET /connector-plugins on the workers, then plan again.",
  validation: "Allow this login to call PUT /connector-plugins/CLASS/config/validate on the workers, then plan again.",
  connectors: "Allow this login to call GET /connectors and to read each configuration, then plan again.",
  topics: "Grant the Kafka login Describe on the topics (kafka-acls), then plan again.",
} as const;

/** The verdict when it is unknown which other connectors the workers have. */
export function othersUnknown(others: Unknown): Verdict {
  return unseen(others, "which other connectors exist is unknown", ACCESS_REMEDIES.connectors);
}

export function setUnknown({ why, remedies }: Extract<CapturedSet, { readonly known: false }>): Verdict {
  return {
    verdict: "unknown",
    seen: `which tables are captured is unknown: ${why}`,
    ...(remedies.length === 0 ? {} : { remedies }),
  };
}
