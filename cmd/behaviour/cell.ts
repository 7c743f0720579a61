import { closing } from "../../core/change/holding.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { runState } from "../../core/run/state.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, failAll, openChangedWorld } from "./changed-world.ts";
import { type Change, positionOf } from "./changes.ts";
import { LATE_COMMIT, type Place } from "./fault-places.ts";
import { gate } from "./gate.ts";
import {
  applyFaulty,
  type CellResult,
  exitProblems,
  faultAt,
  hanging,
  recovered,
  turn,
  watching,
} from "./injected-faults.ts";
import { type Finished, runHere } from "./run-command.ts";
import { collected, contradictions, leaks, mayComeLate, unannounced } from "./story.ts";

/** A change of one connector with a fault at one place. */
export interface Cell extends Place {
  readonly change: Change;
}

const LIMITS = ["--settle", "300ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];
const HELD_BACK = "500, applied later";

/**
 * A run without faults. Loads the modules that the others use, so that loading does not count against their short
 * limits.
 */
export async function quietRun(world: ChangedWorld): Promise<Finished> {
  return runHere(applying(world), world);
}

/**
 * Carries out a change with a fault, and recovers it. For a late commit the connector has not noticed yet where redo is
 * gone.
 */
export async function runCell(cell: Cell): Promise<CellResult<Cell>> {
  const { change } = cell;
  const commit = gate();
  await using world = closing(
    await openChangedWorld(hanging(cell, commit), change, { runsOn: cell.fault === LATE_COMMIT }),
  );
  const wrong: string[] = [];
  const watch = watching();
  const fault = faultAt(cell, watch);
  const announced = unannounced();
  failAll(world.sandbox, (arrival) => {
    const journal = world.journal();
    const unwritten = announced(arrival, journal);
    if (unwritten !== undefined) wrong.push(unwritten);
    if (
      change.steps.includes("write-signal") &&
      arrival.system === "connect" &&
      arrival.method === "PATCH" &&
      !world.signalStands()
    )
      wrong.push("the offset is moved before the signal stands");
    return fault(arrival, journal);
  });
  const { applied, afterwards } = await applyFaulty(cell, { ...world, argv: applying(world) }, watch, commit);
  if (watch.injected === undefined) wrong.push("the fault was never injected");
  wrong.push(...(await problemsOfExit(world, applied)));
  const settled = await recovered(world, LIMITS);
  const output = applied.output + settled.output;
  wrong.push(...settled.wrong);
  wrong.push(...contradictions(await collected(world)));
  const ended = runState(world.journal())?.ended;
  const outcome = ended?.outcome ?? "no run";
  if (ended?.outcome === "succeeded") wrong.push(...unreportedDoubts(world.journal(), ended.message));
  // Every change here resumes the connector; a change that was not made leaves it unchanged.
  const expected = outcome === "succeeded" ? "RUNNING" : change.state;
  if (targetOf(world) !== expected)
    wrong.push(`the connector is ${targetOf(world)}, not ${expected}, as it was planned`);
  // A stop that a frozen worker carries out only now stops the connector again: nothing prevents it, and `status` has
  // to tell.
  afterwards();
  await turn();
  if (outcome === "succeeded") wrong.push(...(await statusProblems(world)));
  const after = await collected(world);
  wrong.push(...contradictions(after).map((one) => `later: ${one}`));
  // One whose answer is held back for good is written again after it was looked for; it has the same id.
  if (after.signals.length > 1 && cell.fault !== HELD_BACK) wrong.push(`${after.signals.length} signals stand`);
  if (world.lockExists()) wrong.push("the lock is still there");
  wrong.push(...leaks(output + (await world.written())).map((canary) => `${canary} can be read`));
  return {
    cell,
    apply: applied.exit,
    injected: watch.injected,
    recover: settled.exit,
    story:
      `${outcome}, ${positionOf(after.stored, change)}` +
      (after.signals.length === 0 ? "" : ", signal") +
      (outcome === "succeeded" && targetOf(world) === "STOPPED" ? ", stopped again later" : ""),
    wrong: wrong.length === 0 ? [] : [...new Set(wrong), output.slice(-1500)],
  };
}

const applying = ({ plan }: ChangedWorld) => ["apply", plan, "--yes", ...LIMITS];

/** Exit 1 is also true where only a connector's answer is missing. */
async function problemsOfExit(world: ChangedWorld, applied: Finished): Promise<readonly string[]> {
  const { entries, stored, signals } = await collected(world);
  const state = runState(entries);
  const stands = positionOf(stored, world.change);
  const onlyUnanswered = world.change.target === undefined && state?.steps.has("wait-for-ack") === true;
  const same = targetOf(world) === world.change.state && stands === "as before" && signals.length === 0;
  const asBefore = onlyUnanswered || (same && state?.ended !== undefined);
  const seen = `the connector ${targetOf(world)} ${stands}, signals: ${signals.length}`;
  return exitProblems(applied, state?.ended?.outcome, asBefore, seen);
}

/** A successful run names exactly the calls of which an attempt may still take effect. */
export function unreportedDoubts(entries: readonly JournalEntry[], message: string): readonly string[] {
  const late = mayComeLate(entries);
  const calls = [
    ...message.matchAll(/still (?:carries out an|appends) unanswered (PATCH|(?:PUT|POST|DELETE|null records) .*?),/g),
  ].map(([, call]) => call);
  return [
    ...late
      .filter((call) => !calls.includes(call))
      .map((call) => `an attempt of ${call} may come late, which is not said`),
    ...calls.flatMap((call) => (call === undefined || late.includes(call) ? [] : [`${call} is said to be unanswered`])),
  ];
}

/** Every change here leaves its connector running. @returns where `status` does not tell what has become of that */
async function statusProblems(world: ChangedWorld): Promise<readonly string[]> {
  const stopped = targetOf(world) === "STOPPED";
  const { exit, output } = await runHere(["status"], world);
  if (exit === (stopped ? 3 : 0)) return [];
  return [`later: the connector is ${targetOf(world)}, and status ends with ${exit}: ${output}`];
}

/** The connector's target state in Connect. */
function targetOf({ sandbox }: ChangedWorld): string | undefined {
  return sandbox.connect.cluster.connectors.get(CONNECTOR)?.target;
}
