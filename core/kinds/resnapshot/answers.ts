import type { ResnapshotIntent } from "../../document/intent.ts";
import type { ConnectorStatus } from "../../facts/connector.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import { opsFormat } from "../../facts/ops-event.ts";
import type { ResnapshotReading } from "./reading.ts";

/**
 * Whether the connector will run when the signal is there: only then can it answer. One that is stopped or failed reads the signal once it is
 * started again.
 */
export function answersSignals(
  { resume }: Pick<ResnapshotIntent, "resume">,
  { way, facts }: Pick<ResnapshotReading, "way" | "facts">,
): boolean {
  return resume || (way === "signal" && runs(facts.connector.status));
}

/** Whether its answer can be read: it is written by the connector's value converter. */
export function answerReadable({ connector }: Pick<ConnectorFacts, "connector">): boolean {
  return opsFormat(undefined, connector) !== undefined;
}

/** Connector and tasks: a connector that is RUNNING over a task that has failed reads nothing. */
export function runs({ state, tasks }: ConnectorStatus): boolean {
  return state === "RUNNING" && tasks.length > 0 && tasks.every((task) => task.state === "RUNNING");
}

/** Whether the connector or a task of it has failed: a resume leaves it so, only one that was stopped before starts anew. */
export function hasFailed({ state, tasks }: ConnectorStatus): boolean {
  return state === "FAILED" || tasks.some((task) => task.state === "FAILED");
}
