import { runState } from "../../../core/run/state.ts";
import type { Stage, Subject } from "../cell.ts";
import { type Beginning, type MigrationWorld, openMigrationWorld, startAnywhere } from "./migration-world.ts";
import { outOfTurn, phaseContradictions, seen, standing, toldOf } from "./phase-story.ts";
import type { Phase } from "./phases.ts";

/** A phase of a migration in the matrix. @param beginning what has gone before it */
export function phaseOf(phase: Phase, beginning: Beginning | undefined): Subject {
  const { name, steps } = phase;
  return { name, steps, open: async (options) => stageOf(await openMigrationWorld(options, beginning), phase) };
}

async function stageOf(world: MigrationWorld, phase: Phase): Promise<Stage> {
  if (phase.startsAnywhere === true) startAnywhere(world);
  const plan = await world.plan(phase.phase, ...phase.spec);
  const before = seen(world);
  const check = outOfTurn(phase);
  return {
    ...world,
    plan,
    check(arrival, journal) {
      const problem = check(arrival, journal);
      return [...(problem === undefined ? [] : [problem]), ...(bothRun(world) ? ["both connectors run"] : [])];
    },
    async tale() {
      const tale = await toldOf(world, phase, before);
      const outcome = runState(tale.entries)?.ended?.outcome;
      return {
        standing: standing(tale),
        // A verification may have been cut off, and is gone on with.
        isUnchanged: standing(tale) === "as before" && (outcome !== undefined || phase.phase === "verify"),
        contradictions: phaseContradictions(tale),
      };
    },
    settled: () => [],
    later: async () => (bothRun(world) ? ["both connectors run"] : []),
  };
}

/** Both have a task: whatever their states say. */
export function bothRun(world: MigrationWorld): boolean {
  return world.connector("legacy")?.running !== undefined && world.connector("new")?.running !== undefined;
}
