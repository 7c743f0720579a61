import { WAIT_LIMITS, type WaitLimits } from "../../core/apply/context.ts";
import { carryOutControl } from "../../core/apply/engine.ts";
import { closing, lockAll } from "../../core/change/holding.ts";
import { NO_PORTS, runContext } from "../../core/change/run-context.ts";
import { refuseUnreadable, type StoredRun, storedRuns } from "../../core/change/stored-runs.ts";
import type { Check, Verdict } from "../../core/checks/check.ts";
import { changeInFlight, lastChangeUndone } from "../../core/checks/earlier-changes.ts";
import { laterOffsetVersion, unreadableOffset } from "../../core/checks/stored-offset.ts";
import { Refusal, UsageError } from "../../core/errors.ts";
import { type ConnectorDescription, hasFailed, isRunning, isStopped } from "../../core/facts/connector/connector.ts";
import { mapObserved, type Observed } from "../../core/facts/observed.ts";
import { lenientObserverAt } from "../../core/facts/observer.ts";
import { type StoredReading, sameOffset } from "../../core/facts/offset/stored-offset.ts";
import { recordedChanges } from "../../core/facts/ops/ops-event.ts";
import { inspectKafka } from "../../core/kinds/connector/inspect-kafka.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import { readStored } from "../../core/kinds/connector/reading.ts";
import { runsAfter } from "../../core/run/after.ts";
import { changeStands, offsetStands } from "../../core/run/change.ts";
import { nextOrdinal } from "../../core/run/order.ts";
import { waysToSettle } from "../../core/run/read-journal.ts";
import { connectorsOf } from "../../core/run/subject.ts";
import type { Advice } from "../../core/values/remedy.ts";
import { runId } from "../../core/values/run-id.ts";
import { connectorsLine, shellWord, type Workers } from "../../core/values/shell-word.ts";
import type { ConnectorStatus, OpsHistory } from "../../schemas/generated/facts.ts";
import type { OffsetSubject } from "../../schemas/generated/run-journal.ts";
import { EXIT } from "../command.ts";
import { VERSION } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { controlOptions, namePositional, restartOptions } from "../options/connectors.ts";
import { writeLine } from "../screen.ts";
import { type ChangeHost, reportRun } from "./machine-output.ts";
import { callerOf } from "./narration.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { resumeRun } from "./recovering.ts";
import { changeSeen } from "./standing-changes.ts";
import { durationOf } from "./typed-values.ts";

type ControlFlags = Flags<typeof controlOptions & typeof namePositional> &
  Partial<Pick<Flags<typeof restartOptions>, "all">>;
type Verb = "stop" | "resume" | "restart";

/** One control of one connector, under its lock: what is asked for, and what is seen. */
interface Controlling {
  readonly control: Verb;
  readonly name: string;
  readonly flags: ControlFlags;
  readonly world: OpenWorld;
  readonly host: ChangeHost;
  readonly clusterId: string;
  readonly status: ConnectorStatus;
  /** The runs of this machine that changed the connector, oldest first. */
  readonly runs: readonly StoredRun[];
  readonly limits: WaitLimits;
  readonly at: Workers;
}

/**
 * `connectors stop`, `resume` and `restart`: under the lock of the connector, in the order of every other change:
 * observe, journal, call. A change in progress elsewhere is left untouched, and a connector is never started over an
 * offset that a late commit has undone: that is repaired first, as `recover RUN --resume` does.
 *
 * Rule: architecture, "What apply promises", 3 to 6.
 *
 * @returns 0 in the requested state, 1 otherwise, 3 when it is in doubt whether the call took effect
 */
export function controlling(control: Verb): (flags: ControlFlags, host: ChangeHost) => Promise<number> {
  return (flags, host) => controlConnector(control, flags, host);
}

async function controlConnector(control: Verb, flags: ControlFlags, host: ChangeHost): Promise<number> {
  const { name } = flags;
  const wait = durationOf("wait", flags.wait);
  const limits: WaitLimits = {
    ...WAIT_LIMITS,
    ...(host.patience?.patch === undefined ? {} : { patch: host.patience.patch }),
    stop: wait,
    resume: wait,
  };
  await using world = await openWorld(typedTarget(name, flags), flags, host, "a worker that restarts");
  const { clusterId } = await world.connect.worker();
  await using _lock = await lockAll([name], clusterId, world.state, `connectors ${control}`);
  const [description, status] = await Promise.all([world.connect.connector(name), world.connect.status(name)]);
  if (description === undefined || status === undefined) throw await noConnector(name, world.connect);
  const runs = await runsOf(name, clusterId, world);
  const at = { context: flags.context, connectUrl: world.connect.url };
  const one: Controlling = { control, name, flags, world, host, clusterId, status, runs, limits, at };
  const already = alreadyThere(one);
  if (already !== undefined) {
    writeLine(host.stdout, already);
    host.machine?.nothing(already);
    return EXIT.done;
  }
  const { prefix, history } = await opsHistory(description, world);
  refuseInFlight(one, history);
  if (control !== "stop") {
    await refuseOtherRuns(one);
    const stored = prefix === undefined ? undefined : await readableOffset(one, prefix);
    const left = await changeToStartFrom(one, history, stored);
    if (left !== undefined) return await resumeRun(left, one);
  }
  return await carryOut(one);
}

/** @throws Refusal `APL819` for a restart of a connector that is not started */
function alreadyThere({ control, name, status, flags, at }: Controlling): string | undefined {
  if (control === "stop") return isStopped(status) ? `${name} is already STOPPED: nothing to do` : undefined;
  if (control === "resume") return isRunning(status) ? `${name} is already running: nothing to do` : undefined;
  if (status.state === "STOPPED" || status.state === "PAUSED")
    throw new Refusal("APL819", `${name} is ${status.state}; a restart would not start it`, [
      { text: "To start it", command: connectorsLine("resume", name, at) },
    ]);
  return flags.all || hasFailed(status) ? undefined : `nothing of ${name} has failed; pass --all to restart it anyway`;
}

/**
 * The runs of this machine that changed this connector, oldest first. A migration counts for both of its connectors.
 *
 * @throws Refusal `APL813` when one is not settled or cannot be read
 */
async function runsOf(
  connector: string,
  clusterId: string,
  { state }: Pick<OpenWorld, "state">,
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
  world: OpenWorld,
): Promise<{ readonly prefix?: string; readonly history: History }> {
  const observe = lenientObserverAt(world.clock);
  let prefix: string | undefined;
  try {
    const settings = await world.settingsOf(description);
    prefix = settings.prefix;
    const { opsHistory: history } = await inspectKafka(world.kafka(settings), settings, observe, world);
    return { prefix, history };
  } catch (failure) {
    if (failure instanceof Refusal && failure.code === "CON301") return { history: undefined };
    if (!(failure instanceof UsageError)) throw failure;
    const history = { known: false, why: failure.message, source: "ops topic" } as const;
    return { ...(prefix === undefined ? {} : { prefix }), history };
  }
}

/**
 * Refuses while another user's change is in progress, by the rule that plans are checked with. A stop is allowed when
 * that is unknown: it stores nothing and starts nothing.
 *
 * @throws Refusal `OPS603`
 */
function refuseInFlight({ control, name, flags, host }: Controlling, history: History): void {
  if (history === undefined) return;
  const verdict = changeInFlight.run(
    { target: typedTarget(name, flags) },
    {
      changes: mapObserved(history, ({ events }) => recordedChanges(events, name)),
      changesOffset: true,
      facts: { opsHistory: history },
    },
  );
  if (verdict.verdict === "pass") return;
  const isUnknown = verdict.verdict === "unknown";
  if (verdict.verdict === "fail" ? verdict.firm === true : control !== "stop" && !flags["without-ops-topic"])
    throw new Refusal("OPS603", verdict.seen, [
      ...(verdict.remedies ?? [changeInFlight.remedy]),
      ...(isUnknown ? [WITHOUT_TOPIC] : []),
    ]);
  writeLine(host.stderr, `warning: ${verdict.seen}`);
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
async function refuseOtherRuns({ name, runs, at, world }: Controlling): Promise<void> {
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
        : { text: "Stop it first", command: connectorsLine("stop", other, at) },
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
  one: Controlling,
  history: History,
  stored: StoredReading | undefined,
): Promise<StoredRun | undefined> {
  const { control, status, runs, flags, host } = one;
  const last = runs.findLast(({ state }) => offsetStands(state));
  const seen = last === undefined ? undefined : await changeSeen(last, flags, host);
  if (last !== undefined && seen?.is === "unknown" && !flags["without-ops-topic"])
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
    const changes = mapObserved(history, ({ events }) => recordedChanges(events, one.name));
    refuseFailed(lastChangeUndone, lastChangeUndone.run(undefined, { changes, stored }));
  }
  return undefined;
}

/** Carries out the control as a run: journal, call, journal. */
async function carryOut(one: Controlling): Promise<number> {
  const { control, name, flags, world, host, clusterId, status, runs, limits } = one;
  const run = runId(world.clock.now(), world.clock.random);
  const key = { clusterId, connector: name, run };
  const own = runs.filter(({ key: { connector } }) => connector === name);
  const subject: OffsetSubject = {
    by: "admin",
    command: "offsets set",
    control: control === "restart" && !flags.all ? "restart failed" : control,
    connectUrl: world.connect.url,
    context: flags.context,
    clusterId,
    connector: name,
    reason: flags.reason ?? "",
    decision: "",
    prefix: "",
    opsTopic: "",
    opsFormat: "json",
    ranBefore: status.state !== "STOPPED" && status.state !== "PAUSED",
    direction: undefined,
    scn: undefined,
    forget: [],
    resume: control !== "stop",
  };
  await using writer = closing(await world.state.create(key));
  const ctx = runContext(key, [], writer, NO_PORTS, world, callerOf(host, world), {
    limits,
    recovering: false,
    plan: null,
  });
  await ctx.record({
    type: "run-started",
    run,
    ordinal: nextOrdinal(own.map(({ state }) => state.started)),
    operator: host.operator,
    cdcctl: VERSION,
    subject,
    plan: null,
  });
  const report = await carryOutControl(ctx);
  reportRun(report, host);
  if (report.outcome === "unfinished") return EXIT.unfinished;
  return report.outcome === "succeeded" ? EXIT.done : EXIT.refused;
}
