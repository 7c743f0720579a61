import type { RecordedChange } from "../../facts/ops-event.ts";
import type { SignalAck } from "../../facts/signal.ts";
import type { ConnectorReading } from "./reading.ts";

/**
 * Whether the decision was applied already, by what the ops topic tells: `latest` while nothing came after it.
 *
 * Rule: architecture, "What apply promises", 8.
 *
 * @param intent digest of the intent, where it is known by that as well: see `intentAppliedLast`
 */
export function appliedBefore(
  changes: readonly RecordedChange[],
  decision: string,
  intent?: string,
): "never" | "latest" | "superseded" {
  const applied = changes.filter(({ outcome: ended }) => ended === "applied");
  const last = applied.findLastIndex(
    ({ event: { details } }) => details.decision === decision || (intent !== undefined && details.intent === intent),
  );
  if (last < 0) return "never";
  return last === applied.length - 1 ? "latest" : "superseded";
}

/** Decision of the connector's latest change that stands, as far as the ops topic tells. */
export function latestDecision({ changes }: Pick<ConnectorReading, "changes">): { readonly applied?: string } {
  const latest = changes.known ? changes.value.findLast(({ outcome: ended }) => ended === "applied") : undefined;
  const applied = latest?.event.details.decision;
  return applied === undefined ? {} : { applied };
}

/** The changes but for resnapshots whose signal the connector has refused: what was asked for is still to be done. */
export function notRefused(
  changes: readonly RecordedChange[],
  answers: readonly SignalAck[],
): readonly RecordedChange[] {
  const refused = new Set(answers.filter(({ outcome }) => outcome !== "ok").map(({ id }) => id));
  return changes.filter(({ event: { details } }) => details.signal_id === undefined || !refused.has(details.signal_id));
}

/**
 * The connector's latest change, where it carried out this very intent. What a plan decides moves with the world where an intent does not: once a
 * resnapshot has moved past its gap the same plan file would write its signal once more.
 *
 * @param intent its digest, as the ops event carries it
 */
export function intentAppliedLast(changes: readonly RecordedChange[], intent: string): RecordedChange | undefined {
  const last = changes.findLast(({ outcome }) => outcome === "applied");
  return last?.event.details.intent === intent ? last : undefined;
}
