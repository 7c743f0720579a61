import type { CutoverKnown, PhaseKnown, RetiredKnown, VerificationKnown } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent, MigrationPhase } from "../../document/intent.ts";
import { readCall } from "../../plan/steps.ts";
import type { StatePort } from "../../ports/state.ts";
import { inOrder } from "../../run/order.ts";
import { type RunState, runState } from "../../run/state.ts";
import { kindOfRun, phaseSubject } from "../../run/subject.ts";

/** What the journals of this machine say of runs of a migration, from its one connector to its other. */
type InJournals<Found> = (intent: MigrationIntent, clusterId: string, state: StatePort) => Promise<Found>;

/** The latest cutover; undefined if there is none. */
export const latestCutover: InJournals<CutoverKnown | undefined> = async (...asked) => {
  const runs = await migrationRuns(["cutover"], ...asked);
  return runs
    .flatMap(({ started, takeover }) =>
      takeover === undefined ? [] : [{ run: started.run, at: started.at, offsets: takeover.offsets }],
    )
    .at(-1);
};

/** The latest successful cutover, rollback or retirement; undefined if there is none. */
export const latestPhase: InJournals<PhaseKnown | undefined> = async (...asked) => {
  const runs = await migrationRuns(["cutover", "rollback", "retire"], ...asked);
  return runs
    .filter(({ ended }) => ended?.outcome === "succeeded")
    .map((past): PhaseKnown => {
      const { run, at } = past.started;
      const { phase, decision } = phaseSubject(past);
      return { run, at, phase, decision };
    })
    .at(-1);
};

/** The verifications, oldest first. */
export const verifications: InJournals<readonly VerificationKnown[]> = async (...asked) => {
  const runs = await migrationRuns(["verify"], ...asked);
  return runs.flatMap(({ started: { run, at }, verified, verifying }) => {
    if (verified === undefined) return [];
    const known = { run, at, passed: verified.passed, digest: verified.evidence.digest };
    if (verifying === undefined) return [known];
    const { configuration, offsets, legacyOffsets, opsTopic, opsTopicEnds } = verifying;
    const legacy = legacyOffsets === undefined ? {} : { legacyOffsets };
    return [{ ...known, found: { configuration, offsets, ...legacy, opsTopic, opsTopicEnds } }];
  });
};

/** The legacy topics that retirements have certainly deleted. */
export const retiredTopics: InJournals<RetiredKnown["topics"]> = async (...asked) => {
  const runs = await migrationRuns(["retire"], ...asked);
  return runs.flatMap(({ started: { run, at }, everApplied }) =>
    [...everApplied].flatMap((call) => {
      const read = readCall(call);
      return read?.does === "delete topic" ? [{ topic: read.of, run, at }] : [];
    }),
  );
};

async function migrationRuns(
  phases: readonly MigrationPhase[],
  ...[{ from, to }, clusterId, state]: Parameters<InJournals<unknown>>
): Promise<readonly RunState[]> {
  const runs: RunState[] = [];
  for (const key of await state.list({ clusterId, connector: to.name })) {
    const run = runState(await state.read(key));
    if (run === undefined || !phases.some((phase) => phase === kindOfRun(run.started.subject))) continue;
    if (phaseSubject(run).legacy === from.connector) runs.push(run);
  }
  return inOrder(runs, ({ started }) => started);
}
