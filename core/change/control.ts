import type { ConnectorStatus, OpsHistory } from "../../schemas/generated/facts.ts";
import type { OffsetSubject } from "../../schemas/generated/run-journal.ts";
import type { RunReport } from "../apply/context.ts";
import { carryOutControl } from "../apply/engine.ts";
import type { Check, Verdict } from "../checks/check.ts";
import { changeInFlight, lastChangeUndone } from "../checks/earlier-changes.ts";
import { laterOffsetVersion, unreadableOffset } from "../checks/stored-offset.ts";
import type { Target } from "../document/intent.ts";
import { Refusal, UsageError } from "../errors.ts";
import { type ConnectorDescription, hasFailed, isRunning, isStopped } from "../facts/connector/connector.ts";
import { mapObserved, type Observed } from "../facts/observed.ts";
import { lenientObserverAt, unknownBecause } from "../facts/observer.ts";
import { type StoredReading, sameOffset } from "../facts/offset/stored-offset.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { inspectKafka } from "../kinds/connector/inspect-kafka.ts";
import { noConnector } from "../kinds/connector/observe.ts";
import { readStored } from "../kinds/connector/reading.ts";
import { runsAfter } from "../run/after.ts";
import { changeStands, offsetStands } from "../run/change.ts";
import { nextOrdinal } from "../run/order.ts";
import { connectorsOf } from "../run/subject.ts";
import { waysToSettle } from "../run/ways-to-settle.ts";
import type { Advice } from "../values/remedy.ts";
import { runId } from "../values/run-id.ts";
import { connectorsLine, shellWord, type Workers } from "../values/shell-word.ts";
import { changeSeen, type OpenWorldOf } from "./current-state.ts";
import { closing, lockAll } from "./holding.ts";
import { resumeRun, type Settled, type Settling } from "./recover.ts";
import { type ChangeWorld, NO_PORTS, runContext } from "./run-context.ts";
import { refuseUnreadable, type StoredRun, storedRuns } from "./stored-runs.ts";
import { recordStop } from "./watching/connector-stop.ts";

export type Verb = "stop" | "resume" | "restart";

export interface Control {
  readonly control: Verb;
  readonly target: Target;
  /** Restart everything, whether it has failed or not. */
  readonly all: boolean;
  readonly reason: string;
  readonly ticket?: string | undefined;
  /** Go on although the ops topic cannot be read. */
  readonly withoutOpsTopic: boolean;
}

/** One control of one connector, under its lock: what is asked for, and what is seen. */
interface Controlling extends Control, Settling {
  readonly open: OpenWorldOf;
  readonly name: string;
  readonly clusterId: string;
  readonly status: ConnectorStatus;
  /** The runs of this machine that changed the connector, oldest first. */
  readonly runs: readonly StoredRun[];
  readonly workers: Workers;
}

/**
 * `connectors stop`, `resume` and `restart`: under the lock of the connector, in the order of every other change:
 * observe, journal, call. A change in progress elsewhere is left untouched, and a connector is never started over an
 * offset that a late commit has undone: that is repaired first, as `recover RUN --resume` does.
 *
 * Rule: architecture, "What apply promises", 3 to 6.
 *
 * @returns why there is nothing to do, what became of a run that it settled, or the report of its own
 */
export async function controlConnector(
  asked: Control,
  settling: Settling,
  open: OpenWorldOf,
): Promise<{ readonly nothing: string } | { readonly settled: Settled } | { readonly report: RunReport }> {
  const { control, target } = asked;
  const { world } = settling;
  const name = target.connector;
  const { clusterId } = await world.connect.worker();
  await using _lock = await lockAll([name], clusterId, world.state, `connectors ${control}`);
  const [description, status] = await Promise.all([world.connect.connector(name), settledStatus(asked, world)]);
  if (description === undefined || status === undefined) throw await noConnector(name, world.connect);
  const runs = await runsOf(name, clusterId, world);
  const workers = { context: target.context, connectUrl: world.connect.url };
  const controlling: Controlling = { ...asked, ...settling, open, name, clusterId, status, runs, workers };
  const nothing = alreadyThere(controlling);
  if (nothing !== undefined) return { nothing };
  const { prefix, history } = await opsHistory(description, world);
  refuseInFlight(controlling, history);
  if (control !== "stop") {
    await refuseOtherRuns(controlling);
    const stored = prefix === undefined ? undefined : await readableOffset(controlling, prefix);
    const left = await changeToStartFrom(controlling, history, stored);
    if (left !== undefined) return { settled: await resumeRun(left, controlling) };
  }
  return { report: await carryOut(controlling) };
}

/**
 * The status of a connector that was resumed a moment ago is still STOPPED, until its worker has written another one: a
 * stop looks once more before it calls that done.
 */
async function settledStatus({ control, target }: Control, { connect, clock }: ChangeWorld) {
  const status = await connect.status(target.connector);
  if (control !== "stop" || status === undefined || !isStopped(status)) return status;
  await clock.sleep(STATUS_LAG_MILLIS);
  return connect.status(target.connector);
}

const STATUS_LAG_MILLIS = 1_500;

/** @throws Refusal `APL819` for a restart of a connector that is not started */
function alreadyThere({ control, name, status, all, workers }: Controlling): string | undefined {
  if (control === "stop") return isStopped(status) ? `${name} is already STOPPED: nothing to do` : undefined;
  if (control === "resume") return isRunning(status) ? `${name} is already running: nothing to do` : undefined;
  if (status.state === "STOPPED" || status.state === "PAUSED")
    throw new Refusal("APL819", `${name} is ${status.state}; a restart would not start it`, [
      { text: "To start it", command: connectorsLine("resume", name, workers) },
    ]);
  return all || hasFailed(status) ? undefined : `nothing of ${name} has failed; pass --all to restart it anyway`;
}

/**
 * The runs of this machine that changed this connector, oldest first. A migration counts for both of its connectors.
 *
 * @throws Refusal `APL813` when one is not settled or cannot be read
 */
async function runsOf(
  connector: string,
  clusterId: string,
  { state }: Pick<ChangeWorld, "state">,
): Promise<readonly StoredRun[]> {
  const { runs, unreadable } = await storedRuns(state, { clusterId });
  refuseUnreadable(unreadable, { clusterId, connector });
  const own = runs.filter((run) => connectorsOf(run.state.started.subject).includes(connector));
  const open = own.findLast((run) => run.state.ended === undefined);
  if (open === undefined) return own;
  const { run, connector: its } = open.key;
  throw new Refusal("APL813", `run ${run} of ${its} is not settled`, waysToSettle(run));
}

/** The changes recorded in the ops topic; undefined for a connector of another class, which has no ops topic. */
type History = Observed<OpsHistory> | undefined;

async function opsHistory(
  description: ConnectorDescription,
  world: ChangeWorld,
): Promise<{ readonly prefix?: string; readonly history: History }> {
  const observe = lenientObserverAt(world.clock);
  let prefix: string | undefined;
  try {
    const settings = await world.sources.settingsOf(description);
    prefix = settings.prefix;
    const { opsHistory: history } = await inspectKafka(world.kafka(settings), settings, observe, world);
    return { prefix, history };
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === "CON301") return { history: undefined };
    if (!(failure instanceof UsageError)) throw failure;
    return { ...(prefix === undefined ? {} : { prefix }), history: unknownBecause(failure, "ops topic") };
  }
}

/**
 * Refuses while another user's change is in progress, by the rule that plans are checked with. A stop is allowed when
 * that is unknown: it stores nothing and starts nothing.
 *
 * @throws Refusal `OPS603`
 */
function refuseInFlight({ control, name, target, withoutOpsTopic, caller }: Controlling, history: History): void {
  if (history === undefined) return;
  const verdict = changeInFlight.run(
    { target },
    {
      changes: mapObserved(history, ({ events }) => recordedChanges(events, name)),
      changesOffset: true,
      facts: { opsHistory: history },
    },
  );
  if (verdict.verdict === "pass") return;
  const isUnknown = verdict.verdict === "unknown";
  if (verdict.verdict === "fail" ? verdict.firm === true : control !== "stop" && !withoutOpsTopic)
    throw new Refusal("OPS603", verdict.seen, [
      ...(verdict.remedies ?? [changeInFlight.remedy]),
      ...(isUnknown ? [WITHOUT_TOPIC] : []),
    ]);
  caller.warn(verdict.seen);
}

const WITHOUT_TOPIC: Advice = {
  text: "If you are sure that no other user is changing this connector",
  setting: "--without-ops-topic",
};

/**
 * Makes sure that cdcctl never runs both connectors of a migration.
 *
 * @throws Refusal `APL818` when a cutover stands and its other connector is not stopped
 */
async function refuseOtherRuns({ name, runs, workers, world }: Controlling): Promise<void> {
  const after = runsAfter(runs.map(({ state }) => state));
  for (const { key, state } of runs) {
    const { subject } = state.started;
    if (subject.command !== "migrate" || !changeStands(state) || after.has(key.run)) continue;
    const other = subject.legacy === name ? subject.connector : subject.legacy;
    const status = await world.connect.status(other);
    if (status === undefined || isStopped(status)) continue;
    throw new Refusal("APL818", `${other} is ${status.state}; if ${name} is started as well, both will deliver`, [
      subject.legacy === name
        ? { text: "To roll back to the legacy connector", command: `cdcctl rollback ${shellWord(key.run)}` }
        : { text: "Stop it first", command: connectorsLine("stop", other, workers) },
    ]);
  }
}

/** No task starts from an offset that can't be read. @throws Refusal `OFF104`, `OFF105` */
async function readableOffset({ name, world }: Controlling, prefix: string): Promise<StoredReading> {
  const offsets = (await world.connect.offsets(name)).filter(({ partition }) =>
    sameOffset(partition, { server: prefix }),
  );
  const stored = readStored({ connector: { offsets, prefix } });
  for (const check of [laterOffsetVersion, unreadableOffset]) refuseFailed(check, check.run(undefined, { stored }));
  return stored;
}

function refuseFailed({ code, remedy }: Pick<Check<never, never>, "code" | "remedy">, verdict: Verdict): void {
  if (verdict.verdict === "fail") throw new Refusal(code, verdict.seen, verdict.remedies ?? [remedy]);
}

/**
 * Compares the stored offset with the latest change before the connector is started: a change undone by a late commit
 * would be lost.
 *
 * Rule: architecture, "What apply promises", 5.
 *
 * @returns the run of this machine that starts it, repairs the offset and waits for the first commit; undefined when
 * there is nothing to repair or to prove
 * @throws Refusal `OFF114`
 */
async function changeToStartFrom(
  controlling: Controlling,
  history: History,
  stored: StoredReading | undefined,
): Promise<StoredRun | undefined> {
  const { control, status, runs, withoutOpsTopic, open } = controlling;
  const last = runs.findLast(({ state }) => offsetStands(state));
  const seen = last === undefined ? undefined : await changeSeen(last, open);
  if (last !== undefined && seen?.is === "unknown" && !withoutOpsTopic)
    throw new Refusal(
      "OFF114",
      `cannot determine whether the change of run ${last.key.run} still stands: ${seen.why}`,
      [WITHOUT_TOPIC],
    );
  if (last !== undefined && seen?.is === "undone") {
    if (control === "resume") return last;
    throw new Refusal("OFF114", `a late commit has undone the change of run ${last.key.run}`, [
      { text: "Repair it and start the connector", command: `cdcctl recover ${shellWord(last.key.run)} --resume` },
    ]);
  }
  if (last !== undefined && seen?.is === "stands" && control === "resume" && isStopped(status)) return last;
  // Made on another machine: the ops topic alone says what stands.
  if (history !== undefined && stored !== undefined && (seen === undefined || seen.is === "changed")) {
    const changes = mapObserved(history, ({ events }) => recordedChanges(events, controlling.name));
    refuseFailed(lastChangeUndone, lastChangeUndone.run(undefined, { changes, stored }));
  }
  return undefined;
}

/** Carries out the control as a run: journal, call, journal. */
async function carryOut(controlling: Controlling): Promise<RunReport> {
  const { control, target, name, all, reason, ticket, world, caller, clusterId, status, runs, limits } = controlling;
  const run = runId(world.clock.now(), world.clock.random);
  const key = { clusterId, connector: name, run };
  const own = runs.filter(({ key: { connector } }) => connector === name);
  const subject: OffsetSubject = {
    by: "admin",
    command: `connectors ${control}`,
    control: control === "restart" && !all ? "restart failed" : control,
    connectUrl: world.connect.url,
    context: target.context,
    clusterId,
    connector: name,
    reason,
    ticket,
    decision: "",
    prefix: "",
    opsTopic: "",
    opsFormat: "json",
    ranBefore: status.state !== "STOPPED" && status.state !== "PAUSED",
    forget: [],
    resume: control !== "stop",
  };
  await using writer = closing(await world.state.create(key));
  const ctx = runContext(key, [], writer, NO_PORTS, world, caller, {
    limits,
    recovering: false,
    plan: null,
  });
  await ctx.record({
    type: "run-started",
    run,
    ordinal: nextOrdinal(own.map(({ state }) => state.started)),
    operator: caller.operator,
    cdcctl: caller.cdcctl,
    subject,
    plan: null,
  });
  const report = await carryOutControl(ctx);
  await recordStop(report, ctx.state().started, controlling);
  return report;
}
