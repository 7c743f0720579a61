import type { CutoverKnown, PhaseKnown, RetiredKnown, VerificationKnown } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent, MigrationPhase } from "../../document/intent.ts";
import { readCall } from "../../plan/steps.ts";
import type { StatePort } from "../../ports/state.ts";
import { inOrder } from "../../run/order.ts";
import { type RunState, runState } from "../../run/state.ts";
import { kindOfRun, phaseSubject } from "../../run/subject.ts";

/**
 * The latest cutover from the one connector to the other in the journals of this machine; undefined if there is none.
 */
export async function latestCutover(
  intent: MigrationIntent,
  clusterId: string,
  state: StatePort,
): Promise<CutoverKnown | undefined> {
  const runs = await migrationRuns(intent, clusterId, state, ["cutover"]);
  return runs
    .flatMap(({ started, takeover }) =>
      takeover === undefined ? [] : [{ run: started.run, at: started.at, offsets: takeover.offsets }],
    )
    .at(-1);
}

/**
 * The latest successful cutover, rollback or retirement of the two connectors, in the journals of this machine;
 * undefined if there is none.
 */
export async function latestPhase(
  intent: MigrationIntent,
  clusterId: string,
  state: StatePort,
): Promise<PhaseKnown | undefined> {
  const runs = await migrationRuns(intent, clusterId, state, ["cutover", "rollback", "retire"]);
  return runs
    .filter(({ ended }) => ended?.outcome === "succeeded")
    .map((past): PhaseKnown => {
      const { run, at } = past.started;
      const { phase, decision } = phaseSubject(past);
      return { run, at, phase, decision };
    })
    .at(-1);
}

/** The verifications of the two connectors in the journals of this machine, oldest first. */
export async function verifications(
  intent: MigrationIntent,
  clusterId: string,
  state: StatePort,
): Promise<readonly VerificationKnown[]> {
  const runs = await migrationRuns(intent, clusterId, state, ["verify"]);
  return runs.flatMap(({ started: { run, at }, verified, verifying }) => {
    if (verified === undefined) return [];
    const known = { run, at, passed: verified.passed, digest: verified.evidence.digest };
    if (verifying === undefined) return [known];
    const { configuration, offsets, legacyOffsets, opsTopic, opsTopicEnds } = verifying;
    const legacy = legacyOffsets === undefined ? {} : { legacyOffsets };
    return [{ ...known, found: { configuration, offsets, ...legacy, opsTopic, opsTopicEnds } }];
  });
}

/**
 * The legacy topics that retirements of the two connectors have certainly deleted, according to the journals of this
 * machine.
 */
export async function retiredTopics(
  intent: MigrationIntent,
  clusterId: string,
  state: StatePort,
): Promise<RetiredKnown["topics"]> {
  const runs = await migrationRuns(intent, clusterId, state, ["retire"]);
  return runs.flatMap(({ started: { run, at }, everApplied }) =>
    [...everApplied].flatMap((call) => {
      const { does, of } = readCall(call) ?? {};
      return does === "delete topic" && of !== undefined ? [{ topic: of, run, at }] : [];
    }),
  );
}

async function migrationRuns(
  { from, to }: MigrationIntent,
  clusterId: string,
  state: StatePort,
  kinds: readonly MigrationPhase[],
): Promise<readonly RunState[]> {
  const runs: RunState[] = [];
  for (const key of await state.list({ clusterId, connector: to.name })) {
    const run = runState(await state.read(key));
    if (run === undefined || !kinds.some((kind) => kind === kindOfRun(run.started.subject))) continue;
    if (phaseSubject(run).legacy === from.connector) runs.push(run);
  }
  return inOrder(runs, ({ started }) => started);
}
