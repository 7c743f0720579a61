import { strayBody } from "../../core/apply/own-body.ts";
import { announcementIn } from "../../core/apply/steps/ops-topic.ts";
import {
  refuseUnreadable,
  runNamed,
  type StoredRun,
  type StoredRuns,
  storedRuns,
} from "../../core/change/stored-runs.ts";
import { Refusal, UsageError } from "../../core/errors.ts";
import { kindOfSubject, observe, planFor } from "../../core/kinds/catalogue.ts";
import { changeStands, ownEvents, rollbackOf } from "../../core/run/change.ts";
import { endOf } from "../../core/run/read-journal.ts";
import type { RunState } from "../../core/run/state.ts";
import { showCount } from "../../core/values/amounts.ts";
import { shellWord } from "../../core/values/shell-word.ts";
import { EXIT } from "../command.ts";
import type { rollbackOptions } from "../options/changes.ts";
import type { Flags, runPositional } from "../options/common.ts";
import { applyPlans } from "./apply-files.ts";
import { demandConsent } from "./consent.ts";
import { DOCUMENTS, refuseOther } from "./files.ts";
import type { ChangeHost } from "./machine-output.ts";
import { openWorld } from "./open-world.ts";
import { demandOwnState, openState, placeOf } from "./places.ts";
import { writeResolvedPlan } from "./plan-files.ts";
import { planReport } from "./plan-report.ts";
import { JUST_PLANNED_MILLIS, waitLimits } from "./typed-values.ts";

type RollbackFlags = Flags<typeof rollbackOptions & typeof runPositional>;

/** Plans the rollback of a run and, without `--out`, applies it. @returns the exit code of `plan` or `apply` */
export async function rollBack(flags: RollbackFlags, host: ChangeHost): Promise<number> {
  const limits = waitLimits(flags, host);
  const store = openState(flags, host);
  const all = await storedRuns(store);
  const stored =
    flags.run === undefined ? (latestOfOne(all) ?? unsettledIn(all)) : runNamed(all, flags.run, store.place);
  if (stored === undefined)
    throw new Refusal("APL808", `no run in ${store.place} has succeeded: there is nothing to roll back`);
  refuseUnreadable(all.unreadable, stored.key);
  await demandOwnState(store, stored.key, host);
  endOf(stored.state);
  if (flags.out === undefined) demandConsent(flags, host);
  else await refuseOther(flags.out, DOCUMENTS.plan);
  const { subject } = stored.state.started;
  const place = placeOf(stored, flags);
  await using world = await openWorld(place.target, place.flags, host, "a worker that restarts");
  const intent = await kindOfSubject(subject).rollback(stored.state, {
    connect: world.connect,
    runs: all.runs.filter(({ key }) => isSameConnector(key, stored.key)).map(({ state }) => state),
    resume: flags.resume,
    moveBack: flags["move-back"],
  });
  const { facts } = await observe(intent, world, world.sources);
  const recorded = facts.opsHistory.known ? facts.opsHistory.value.events : [];
  const stray = strayBody(stored.state, announcementIn(ownEvents(recorded, stored.state)), false);
  if (stray !== undefined) throw stray;
  const plan = planFor(intent, facts, { again: true });
  if (flags.out !== undefined) {
    await writeResolvedPlan(flags.out, [plan], host);
    host.stdout.write(planReport([plan], { format: flags.format, files: [], out: flags.out, flags }, host));
    return plan.outcome.state === "blocked" ? EXIT.refused : EXIT.done;
  }
  host.machine?.planned([intent], [plan], []);
  return await applyPlans([plan], place.flags, host, {
    limits,
    maxAge: JUST_PLANNED_MILLIS,
    again: true,
    command: "rollback",
    from: new Map([[plan, facts]]),
  });
}

/** A run that has to be finished or called off before there is anything to roll back. */
function unsettledIn({ runs }: StoredRuns): StoredRun | undefined {
  return runs.findLast(({ state }) => state.ended === undefined);
}

function isSameConnector(a: StoredRun["key"], b: StoredRun["key"]): boolean {
  return a.clusterId === b.clusterId && a.connector === b.connector;
}

/**
 * The run to roll back without a name: the latest that changed something, if it can belong to only one connector.
 *
 * @throws Refusal `APL808` when that run is itself a rollback: a repeated command must not undo itself
 */
function latestOfOne({ runs, unreadable }: StoredRuns): StoredRun | undefined {
  const succeeded = runs.filter(({ state }) => isCandidate(state));
  const connectors = new Map(succeeded.map((run) => [`${run.key.clusterId} ${run.key.connector}`, run]));
  if (connectors.size > 1) {
    const latest = [...connectors.values()].map(({ key }) => `${key.run} (${key.connector})`);
    throw new UsageError(
      `runs of ${showCount(connectors.size)} connectors have succeeded; the latest of each: ${latest.join(", ")}`,
      "Name one: cdcctl rollback RUN",
    );
  }
  const latest = succeeded.at(-1);
  // A run that cannot be read may be the latest.
  for (const { key } of latest === undefined ? unreadable.runs.slice(0, 1) : []) refuseUnreadable(unreadable, key);
  const of = latest === undefined ? undefined : rollbackOf(latest.state);
  if (latest !== undefined && of !== undefined) {
    throw new Refusal(
      "APL808",
      `the latest run of ${latest.key.connector}, ${latest.key.run}, is itself the rollback of ${of}; it is not ` +
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
  const completed = ended?.outcome === "succeeded" || ended?.outcome === "rejected";
  return changeStands(state) || (completed && kindOfSubject(started.subject).changed(state));
}
