import { type RunState, runState } from "../../core/run/state.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import type { Stage, Subject } from "./cell.ts";
import { type Arrival, CANARIES, type ChangedWorld, openChangedWorld } from "./changed-world.ts";
import { type Change, whereItStands } from "./changes.ts";
import { runHere } from "./run-command.ts";
import { contradictions, told, unannounced } from "./story.ts";

const HELD_BACK = "500, applied later";

/** A change of one connector in the matrix. */
export function changed(change: Change): Subject {
  const { name, steps } = change;
  return {
    name,
    steps,
    open: async (options, late) => stageOf(await openChangedWorld(options, change, { runsOn: late })),
  };
}

function stageOf(world: ChangedWorld): Stage {
  const { change } = world;
  const announced = unannounced();
  return {
    ...world,
    secrets: CANARIES,
    check(arrival, journal) {
      const problem = announced(arrival, journal);
      return [...(problem === undefined ? [] : [problem]), ...signalProblems(arrival, world)];
    },
    async tale() {
      const tale = await told(world);
      const stands = whereItStands(tale.stored, change);
      const stoppedLater = isDone(runState(tale.entries)) && targetOf(world) === "STOPPED";
      return {
        standing: `${stands}${tale.signals.length === 0 ? "" : ", signal"}${stoppedLater ? ", stopped again later" : ""}`,
        isUnchanged: isUnchanged(world, runState(tale.entries), stands === "as before" && tale.signals.length === 0),
        contradictions: contradictions(tale),
      };
    },
    // Every change here resumes the connector; one that was not made leaves it as it was.
    settled(state) {
      const expected = isDone(state) ? "RUNNING" : change.state;
      const now = targetOf(world);
      return now === expected ? [] : [`the connector is ${now}, not ${expected}, as it was planned`];
    },
    async later(state, { fault }) {
      const { signals } = await told(world);
      return [
        ...(isDone(state) ? await statusProblems(world) : []),
        // One whose answer is held back for good is written again after it was looked for; it has the same id.
        ...(signals.length > 1 && fault !== HELD_BACK ? [`${signals.length} signals stand`] : []),
      ];
    },
  };
}

const isDone = (state: RunState | undefined): boolean => state?.ended?.outcome === "succeeded";

/** The answer of a connector that was only asked may be missing. */
function isUnchanged(world: ChangedWorld, state: RunState | undefined, standsAsBefore: boolean): boolean {
  const onlyUnanswered = world.change.target === undefined && state?.steps.has("wait-for-ack") === true;
  return (
    onlyUnanswered || (standsAsBefore && targetOf(world) === world.change.state && state?.ended?.outcome !== undefined)
  );
}

function signalProblems(arrival: Arrival, world: ChangedWorld): readonly string[] {
  const moves = arrival.system === "connect" && arrival.method === "PATCH";
  return moves && world.change.steps.includes("write-signal") && !world.signalStands()
    ? ["the offset is moved before the signal stands"]
    : [];
}

/** Every change here leaves its connector running. @returns where `status` does not tell what has become of that */
async function statusProblems(world: ChangedWorld): Promise<readonly string[]> {
  const stopped = targetOf(world) === "STOPPED";
  const { exit, output } = await runHere(["status"], world);
  return exit === (stopped ? 3 : 0)
    ? []
    : [`the connector is ${targetOf(world)}, and status ends with ${exit}: ${output}`];
}

/** What Connect was asked last that the connector be. */
function targetOf({ sandbox }: ChangedWorld): string | undefined {
  return sandbox.connect.cluster.connectors.get(CONNECTOR)?.target;
}
