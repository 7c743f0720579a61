import type { RunState } from "../../core/run/state.ts";
import type { Instant } from "../../core/values/instant.ts";

/** The run that has ended what a cutover had begun. */
export interface PhaseAfter {
  readonly phase: "rollback" | "retire";
  readonly run: string;
  readonly at: Instant;
}

/**
 * What became of each cutover: the first rollback or retirement of the same two connectors after it that succeeded. Its way back is gone then.
 *
 * @param runs oldest first
 * @returns by the run's id
 */
export function phasesAfter(runs: readonly RunState[]): ReadonlyMap<string, PhaseAfter> {
  const open = new Map<string, string[]>();
  const after = new Map<string, PhaseAfter>();
  for (const { started, ended } of runs) {
    const { subject, run } = started;
    if (subject.command !== "migrate" || ended === undefined) continue;
    const { phase, clusterId, connector, legacy } = subject;
    const pair = JSON.stringify([clusterId, connector, legacy]);
    if (phase === "cutover" && (ended.outcome === "succeeded" || ended.outcome === "abandoned"))
      open.set(pair, [...(open.get(pair) ?? []), run]);
    if ((phase !== "rollback" && phase !== "retire") || ended.outcome !== "succeeded") continue;
    for (const cutover of open.get(pair) ?? []) after.set(cutover, { phase, run, at: ended.at });
    open.delete(pair);
  }
  return after;
}

/** In a sentence. */
export function sentenceAfter({ phase, run }: PhaseAfter): string {
  return phase === "rollback"
    ? `it was rolled back by run ${run}`
    : `the legacy connector was retired by run ${run}: there is no way back`;
}
