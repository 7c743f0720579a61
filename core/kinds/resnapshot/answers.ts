import type { ResnapshotIntent } from "../../document/intent.ts";
import { isRunning } from "../../facts/connector/connector.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import { opsFormat } from "../../facts/ops/ops-event.ts";
import type { Way } from "../../facts/redo/gap.ts";

/**
 * Whether the connector will run when the signal is there: only then can it answer. One that is stopped or failed reads
 * the signal once it is started again.
 */
export function answersSignals(
  { resume }: Pick<ResnapshotIntent, "resume">,
  { way, facts }: { readonly way: Way; readonly facts: Pick<ConnectorFacts, "connector"> },
): boolean {
  return resume || (way === "signal" && isRunning(facts.connector.status));
}

/** Whether its answer can be read: it is written by the connector's value converter. */
export function answerReadable({ connector }: Pick<ConnectorFacts, "connector">): boolean {
  return opsFormat(undefined, connector) !== undefined;
}
