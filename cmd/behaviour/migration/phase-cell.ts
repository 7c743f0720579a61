import { closing } from "../../../core/change/holding.ts";
import { runState } from "../../../core/run/state.ts";
import { unreportedDoubts } from "../cell.ts";
import { failAll } from "../changed-world.ts";
import type { Place } from "../fault-places.ts";
import { gate } from "../gate.ts";
import {
  applyFaulty,
  type CellResult,
  exitProblems,
  faultAt,
  hanging,
  recovered,
  turn,
  type Watch,
  watching,
} from "../injected-faults.ts";
import type { Finished } from "../run-command.ts";
import { type Beginning, type MigrationWorld, openMigrationWorld, startAnywhere } from "./migration-world.ts";
import { collectedOf, outOfTurn, phaseContradictions, type Seen, seen, statusOf } from "./phase-story.ts";
import type { Phase } from "./phases.ts";

/** A phase of a migration with a fault at one place. */
export interface PhaseCell extends Place {
  readonly phase: Phase;
}

const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];

/** Carries out a phase with a fault, and recovers it. @param beginning the earlier phases */
export async function runPhaseCell(
  cell: PhaseCell,
  beginning: Beginning | undefined,
  open: typeof openMigrationWorld = openMigrationWorld,
): Promise<CellResult<PhaseCell>> {
  const { phase } = cell;
  const commit = gate();
  await using world = closing(await open(hanging(cell, commit), beginning));
  const wrong: string[] = [];
  const watch = watching();
  if (phase.startsAnywhere === true) startAnywhere(world);
  const plan = await world.plan(phase.phase, ...phase.spec);
  const before = seen(world);
  watchOver(world, cell, watch, wrong);
  const { applied, afterwards } = await applyFaulty(
    cell,
    { ...world, argv: ["apply", plan, "--yes", ...LIMITS] },
    watch,
    commit,
  );
  if (watch.injected === undefined) wrong.push("the fault was never injected");
  wrong.push(...(await problemsOfExit(world, phase, before, applied)));
  const settled = await recovered(world, LIMITS);
  const output = applied.output + settled.output;
  wrong.push(...settled.wrong);
  wrong.push(...phaseContradictions(await collectedOf(world, phase, before)));
  afterwards();
  await turn();
  const after = await collectedOf(world, phase, before);
  wrong.push(...phaseContradictions(after).map((one) => `later: ${one}`));
  if (bothRun(world)) wrong.push("later: both connectors run");
  if (world.lockExists()) wrong.push("a lock is still there");
  const shown = output + (await world.written());
  wrong.push(...world.secrets.filter((secret) => shown.includes(secret)).map((secret) => `${secret} can be read`));
  const ended = runState(world.journal())?.ended;
  const outcome = ended?.outcome ?? "no run";
  if (ended?.outcome === "succeeded") wrong.push(...unreportedDoubts(world.journal(), ended.message));
  return {
    cell,
    apply: applied.exit,
    injected: watch.injected,
    recover: settled.exit,
    story: `${outcome}, ${statusOf(after)}`,
    wrong: wrong.length === 0 ? [] : [...new Set(wrong), output.slice(-1500)],
  };
}

/** Injects the fault at the cell's place, and checks that every request is allowed. */
function watchOver(world: MigrationWorld, cell: PhaseCell, watch: Watch, wrong: string[]): void {
  const fault = faultAt(cell, watch);
  const check = outOfTurn(cell.phase);
  failAll(world.sandbox, (arrival) => {
    const journal = world.journal();
    const problem = check(arrival, journal);
    if (problem !== undefined) wrong.push(problem);
    if (bothRun(world)) wrong.push("both connectors run");
    return fault(arrival, journal);
  });
}

/** Both have a task, whatever their states. */
export function bothRun(world: MigrationWorld): boolean {
  return world.connector("legacy")?.running !== undefined && world.connector("new")?.running !== undefined;
}

/** Exit 1 is also true of an interrupted verification, which may be resumed. */
async function problemsOfExit(
  world: MigrationWorld,
  phase: Phase,
  before: Seen,
  applied: Finished,
): Promise<readonly string[]> {
  const tale = await collectedOf(world, phase, before);
  const outcome = runState(tale.entries)?.ended?.outcome;
  const asBefore = statusOf(tale) === "as before" && (outcome !== undefined || phase.phase === "verify");
  return exitProblems(applied, outcome, asBefore, `the world ${statusOf(tale)}`);
}
