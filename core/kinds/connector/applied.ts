import type { OffsetsSetDetails, RecordedChange } from "../../facts/ops-event.ts";
import type { SignalAck } from "../../facts/signal.ts";
import type { ConnectorReading } from "./reading.ts";

/**
 * Whether the decision was applied already, by what the ops topic tells: `latest` while nothing came after it.
 *
 * Rule: architecture, "What apply promises", 8.
 *
 * @param intent digest of the intent, where it is known by that as well: see `intentAppliedLast`
 * @param answers the connector's, to signals: see `isDone`
 */
export function appliedBefore(
  changes: readonly RecordedChange[],
  decision: string,
  intent?: string,
  answers: readonly SignalAck[] = [],
): "never" | "latest" | "superseded" {
  const applied = changes.filter(({ outcome: ended }) => ended === "applied");
  const last = applied.findLastIndex(
    ({ event: { details } }) =>
      (details.decision === decision || (intent !== undefined && details.intent === intent)) &&
      isDone(details, answers),
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

/**
 * Whether what was asked for is done: not so where the connector has refused the signal. The offset was moved all the same, so that the change
 * still comes after those before it.
 */
function isDone({ signal_id: id }: OffsetsSetDetails, answers: readonly SignalAck[]): boolean {
  return id === undefined || !answers.some((answer) => answer.id === id && answer.outcome !== "ok");
}

/**
 * The connector's latest change, where it carried out this very intent. What a plan decides moves with the world where an intent does not: once a
 * resnapshot has moved past its gap the same plan file would write its signal once more.
 *
 * @param intent its digest, as the ops event carries it
 */
export function intentAppliedLast(
  changes: readonly RecordedChange[],
  intent: string,
  answers: readonly SignalAck[],
): RecordedChange | undefined {
  const last = changes.findLast(({ outcome }) => outcome === "applied");
  const details = last?.event.details;
  return details?.intent === intent && isDone(details, answers) ? last : undefined;
}
