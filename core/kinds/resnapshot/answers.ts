import type { ResnapshotIntent } from "../../document/intent.ts";
import type { ResnapshotReading } from "./reading.ts";

/**
 * Whether the connector will run when the signal is there: only then can it answer. One that is stopped or failed reads the signal once it is
 * started again.
 */
export function answersSignals(
  { resume }: Pick<ResnapshotIntent, "resume">,
  { way, facts }: Pick<ResnapshotReading, "way" | "facts">,
): boolean {
  if (resume) return true;
  if (way !== "signal") return false;
  const { state, tasks } = facts.connector.status;
  return state === "RUNNING" && tasks.length > 0 && tasks.every((task) => task.state === "RUNNING");
}
