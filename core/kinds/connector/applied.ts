import type { OffsetsSetDetails, SignalAck } from "../../../schemas/generated/facts.ts";
import type { ConnectorReading } from "../../checks/readings.ts";
import { isSeenStored } from "../../facts/offset/stored-change.ts";
import { storedOffsetOf } from "../../facts/offset/stored-offset.ts";
import { type RecordedChange, runText } from "../../facts/ops/ops-event.ts";
import { isAccepted } from "../../facts/ops/signal.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";

/** How a decision is found among the recorded changes, and what the records are compared with. */
interface AppliedQuery {
  readonly decision: string;
  /** The pinned SCN of the decision; a record with another SCN belongs to another decision. */
  readonly scn?: Scn | undefined;
  /** Digest of the intent, when the decision is also identified by it: see `intentAppliedLast`. */
  readonly intent?: string | undefined;
  /** The connector's answers to signals: see `isDone`. */
  readonly answers?: readonly SignalAck[];
  /** The offset now stored under the connector's partition. */
  readonly stored: JsonObject | null;
}

/**
 * Whether the decision was already applied.
 * - `latest`: the ops topic says so, nothing came after it, and the stored offset confirms it. `superseded`: other
 *   changes came after it.
 * - `claimed`: the ops topic says so, but the stored offset does not confirm it. Anyone who can write to the topic may
 *   have written that record, or another user or process has changed the offset since.
 */
export type AppliedBefore =
  | { readonly is: "never" | "latest" | "superseded" }
  | { readonly is: "claimed"; readonly claim: string };

/**
 * Determines whether the decision was already applied, from the ops topic and from Connect.
 *
 * Rule: architecture, "What apply promises", 8.
 */
export function appliedBefore(
  changes: readonly RecordedChange[],
  { decision, scn, intent, answers = [], stored }: AppliedQuery,
): AppliedBefore | { readonly is: "latest"; readonly change: RecordedChange } {
  const applied = changes.filter(({ outcome: ended }) => ended === "applied");
  const last = applied.findLastIndex(
    ({ event: { details } }) =>
      (details.decision === decision || (intent !== undefined && details.intent === intent)) &&
      isDone(details, answers),
  );
  const found = applied[last];
  if (found === undefined) return { is: "never" };
  if (last < applied.length - 1) return { is: "superseded" };
  const { details } = found.event;
  const isItsScn = details.decision !== decision || scn === undefined || details.new_resume_scn === String(scn);
  return isItsScn && isSeenStored(details, stored)
    ? { is: "latest", change: found }
    : { is: "claimed", claim: claim(found, stored) };
}

function claim({ event, latest }: RecordedChange, stored: JsonObject | null): string {
  const what = stored === null ? "no offset is stored" : `the stored offset is ${canonicalJson(stored)}`;
  return (
    `the ops topic records that ${runText(event.details)} applied this at ${latest.at}, but ${what}, ` +
    "which does not match"
  );
}

/**
 * The decision of the connector's latest change in effect, as recorded in the ops topic and confirmed by the stored
 * offset.
 */
export function latestDecision({ changes, facts }: Pick<ConnectorReading, "changes" | "facts">): string | undefined {
  const latest = changes.known ? changes.value.findLast(({ outcome: ended }) => ended === "applied") : undefined;
  const details = latest?.event.details;
  return details && isSeenStored(details, storedOffsetOf(facts.connector)) ? details.decision : undefined;
}

/**
 * Whether the request was carried out: false if the connector refused the signal. The offset was still moved, so the
 * change keeps its place in the order.
 */
function isDone({ signal_id: id }: OffsetsSetDetails, answers: readonly SignalAck[]): boolean {
  return id === undefined || !answers.some((answer) => answer.id === id && !isAccepted(answer));
}

/**
 * The connector's latest change, if it carried out this very intent. A plan's decision depends on the current state, an
 * intent does not: after a resnapshot has moved past its gap, the same plan file would write its signal once more.
 *
 * @param intent its digest, as the ops event carries it
 * @param stored what is stored under the connector's partition: a record that it does not confirm is ignored
 */
export function intentAppliedLast(
  changes: readonly RecordedChange[],
  intent: string,
  answers: readonly SignalAck[],
  stored: JsonObject | null,
): RecordedChange | undefined {
  const last = changes.findLast(({ outcome }) => outcome === "applied");
  const details = last?.event.details;
  return details?.intent === intent && isDone(details, answers) && isSeenStored(details, stored) ? last : undefined;
}
