import { strayBody } from "../apply/own-body.ts";
import { Refusal } from "../errors.ts";
import { kindOfSubject } from "../kinds/catalogue.ts";
import { changeStands, rollbackOf } from "../run/change.ts";
import type { RunState } from "../run/state.ts";
import { kindOfRun, readsOnly } from "../run/subject.ts";
import { shellWord } from "../values/shell-word.ts";
import { type PlannedNow, type PlanOptions, planNow } from "./plan.ts";
import type { ChangeWorld } from "./run-context.ts";
import { latestOfEach, onlyOne, refuseUnreadable, type StoredRun, type StoredRuns } from "./stored-runs.ts";

/** What a rollback is to do besides: as `RollbackFrom`. */
interface RollbackOptions extends Pick<PlanOptions, "policies"> {
  readonly resume: boolean | undefined;
  readonly moveBack: boolean;
}

/**
 * Plans the rollback of a run as a change like any other.
 *
 * @throws Refusal where there is nothing to roll back, or the run's journal names an offset that it did not decide
 */
export async function planRollback(
  { key, state }: StoredRun,
  all: StoredRuns,
  world: ChangeWorld,
  options: RollbackOptions,
): Promise<PlannedNow> {
  const intent = await kindOfSubject(state.started.subject).rollback(state, {
    connect: world.connect,
    runs: all.runs.filter((run) => isSameConnector(run.key, key)).map((run) => run.state),
    ...options,
  });
  const planned = await planNow(intent, world, { again: true, policies: options.policies });
  const { opsHistory: history } = planned.facts;
  const recorded = history.known ? history.value.events : [];
  const stray = strayBody(state, recorded);
  if (stray !== undefined) throw stray;
  return planned;
}

/**
 * The run to roll back without a name: the latest that changed something, if it can belong to only one connector. One
 * of this connector that has to be finished or called off before comes first.
 *
 * @throws Refusal `APL808` when that run is itself a rollback: a repeated command must not undo itself
 */
export function runToRollBack(all: StoredRuns): StoredRun | undefined {
  const latest = latestOfOne(all);
  const ofIt = ({ key, state }: StoredRun) =>
    state.ended === undefined && (latest === undefined || isSameConnector(key, latest.key));
  return all.runs.findLast(ofIt) ?? latest;
}

function isSameConnector(a: StoredRun["key"], b: StoredRun["key"]): boolean {
  return a.clusterId === b.clusterId && a.connector === b.connector;
}

function latestOfOne({ runs, unreadable }: StoredRuns): StoredRun | undefined {
  const succeeded = runs.filter(({ state }) => isCandidate(state));
  const latest = onlyOne(
    latestOfEach(succeeded),
    (count) => `runs of ${count} connectors have succeeded; the latest of each`,
    "cdcctl rollback RUN",
  );
  // A run that cannot be read may be the latest.
  for (const { key } of latest === undefined ? unreadable.runs.slice(0, 1) : []) refuseUnreadable(unreadable, key);
  const undone = latest === undefined ? undefined : rollbackOf(latest.state);
  if (latest !== undefined && undone !== undefined) {
    throw new Refusal(
      "APL808",
      `the latest run of ${latest.key.connector}, ${latest.key.run}, is itself the rollback of ${undone}; it is not ` +
        "undone unless you name it",
      [
        { text: "To undo it", command: `cdcctl rollback ${shellWord(latest.key.run)}` },
        "To roll back another run, name it; see `cdcctl history`.",
      ],
    );
  }
  return latest;
}

/**
 * Whether a run stands, or can only be refused: a signal, or a phase without a rollback. A verification, or a run that
 * only started the connector, has changed nothing.
 */
function isCandidate(state: RunState): boolean {
  const { started, ended } = state;
  const isPhase = started.subject.command === "migrate" && !readsOnly(kindOfRun(started.subject));
  const completed = ended?.outcome === "succeeded" || ended?.outcome === "rejected";
  return changeStands(state) || (completed && (state.signal !== undefined || isPhase));
}
