import type { CapturedSet } from "../facts/tables/tables.ts";
import type { Verdict } from "./check.ts";

/**
 * What the operator does about a fact that could not be seen, where the failure itself does not say: it is to be known,
 * before anything is said of how to put it right. A look is only left unknown where a right is missing, or the other
 * side does not know the call.
 */
export const TO_KNOW = {
  classes: "Let this login make GET /connector-plugins at the workers, then plan again.",
  validation: "Let this login make PUT /connector-plugins/CLASS/config/validate at the workers, then plan again.",
  connectors: "Let this login make GET /connectors, and of each its configuration, then plan again.",
  topics: "Grant the Kafka login Describe on the topics (kafka-acls), then plan again.",
} as const;

/** Which tables are captured can't be told. */
export function setUnknown({ why, remedies }: Extract<CapturedSet, { readonly known: false }>): Verdict {
  return {
    verdict: "unknown",
    seen: `which tables are captured can't be told: ${why}`,
    ...(remedies.length === 0 ? {} : { remedies }),
  };
}
