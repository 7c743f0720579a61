import { type RunContext, type RunReport, recorder, type WaitLimits } from "../../core/apply/context.ts";
import { strayBody } from "../../core/apply/own-body.ts";
import { abandonRun, recoverRun, resumeSettled } from "../../core/apply/recovery.ts";
import { recoveryAhead, resumeAhead } from "../../core/apply/recovery-ahead.ts";
import { isAnnounced } from "../../core/apply/steps/record-event.ts";
import { abandonTakeover, checkTakeover, type Takeover } from "../../core/apply/take-over.ts";
import { closing, lockAll } from "../../core/change/holding.ts";
import { NO_PORTS, type Ports, runContext } from "../../core/change/run-context.ts";
import {
  runNamed,
  type StoredRun,
  type StoredRuns,
  storedRuns,
  type UnreadableRun,
  type UnreadableState,
} from "../../core/change/stored-runs.ts";
import { CallFailed, Refusal, UsageError } from "../../core/errors.ts";
import type { ConnectorDescription } from "../../core/facts/connector/connector.ts";
import type { LentSettings } from "../../core/facts/connector/settings.ts";
import { sameOffset } from "../../core/facts/offset/stored-offset.ts";
import { kindOfSubject, observe } from "../../core/kinds/catalogue.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { RunKey } from "../../core/ports/state.ts";
import { changedAnything, offsetStands } from "../../core/run/change.ts";
import type { TakenOver } from "../../core/run/from-ops.ts";
import type { JournalEntry, JournalEvent, RunStarted } from "../../core/run/journal.ts";
import { nextOrdinal } from "../../core/run/order.ts";
import { afterRejection } from "../../core/run/sentences.ts";
import { type RunState, runState, runStatus } from "../../core/run/state.ts";
import { connectorsOf, controlOf } from "../../core/run/subject.ts";
import { showCount } from "../../core/values/amounts.ts";
import { shellWord } from "../../core/values/shell-word.ts";
import { EXIT } from "../command.ts";
import { textOptions, VERSION } from "../host.ts";
import type { recoverOptions } from "../options/changes.ts";
import type { Flags, runPositional } from "../options/common.ts";
import { writeLine } from "../screen.ts";
import type { LeftBehind } from "../views/left-behind.ts";
import { textOf } from "../views/rendered.ts";
import type { Report } from "../views/report/model.ts";
import { renderTerminal } from "../views/report/terminal.ts";
import { unreadableReport } from "../views/unreadable.ts";
import { consent, demandConsent, demandDecision, demandExpectedForm } from "./consent.ts";
import { type ChangeHost, reportFailed, reportRun } from "./machine-output.ts";
import { callerOf } from "./narration.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { type OpsTopicRead, readOpsTopic } from "./ops-topics.ts";
import { demandOwnState, openState, placeOf } from "./places.ts";
import { contradicted, reportKept, setAsideSettled, takenFrom } from "./setting-aside.ts";
import { waitLimits } from "./typed-values.ts";

type RecoverFlags = Flags<typeof recoverOptions & typeof runPositional>;

/** Where a run is settled, and how long to wait. */
interface Settling {
  readonly world: OpenWorld;
  readonly host: ChangeHost;
  readonly limits: WaitLimits;
}

/** A recovery that an operator asked for. */
interface Recovery extends Settling {
  readonly flags: RecoverFlags;
}

/** Settles one interrupted run. @returns 0 when it is settled, 3 otherwise */
export async function recoverRuns(flags: RecoverFlags, host: ChangeHost): Promise<number> {
  const limits = waitLimits(flags, host);
  const work = workOf(flags);
  if (work === "abandon") demandConsent({ yes: flags.yes, expect: undefined }, host, "abandon");
  if (flags["from-ops"]) return recoverFromOps(flags, work, host, limits);
  const store = openState(flags, host);
  const all = await storedRuns(store);
  const lost = flags.run === undefined ? all.unreadable : unreadableNamed(all, flags.run);
  // Printed in addition to other runs to recover: it blocks only its own run.
  host.stderr.write(renderTerminal(unreadableReport(lost), textOptions(host.stderr)));
  const inDoubt = lost.runs.length + lost.folders.length > 0;
  if (inDoubt && flags.run !== undefined) {
    host.machine?.nothing("its journal cannot be read", { unreadable: lost });
    return EXIT.unfinished;
  }
  const stored =
    flags.run === undefined
      ? (onlyUnsettled(all.runs) ?? (flags.resume ? onlyLeftStopped(all.runs) : undefined))
      : runNamed(all, flags.run, store.place);
  if (stored === undefined) {
    host.machine?.nothing("nothing to recover", { unreadable: lost });
    if (inDoubt) return EXIT.unfinished;
    writeLine(host.stdout, "nothing to recover: every run is settled");
    return EXIT.done;
  }
  if (stored.state.ended !== undefined && !flags.resume) return settledAlready(stored, host);
  await demandOwnState(store, stored.key, host);
  const { plan } = stored.state.started;
  const place = placeOf(stored, flags);
  await using world = await openWorld(place.target, place.flags, host, "a worker that restarts");
  await using _lock = await lockAll(
    connectorsOf(stored.state.started.subject),
    stored.key.clusterId,
    world.state,
    "recover",
  );
  const recovery = { flags, world, host, limits };
  return await settle(stored.key, plan, work, recovery, { agree: (state) => agreed(state, work, recovery) });
}

/** What to do with a run. */
type Work = "recover" | "abandon" | "resume";

function workOf({ abandon, resume }: RecoverFlags): Work {
  if (abandon && resume) throw new UsageError("--abandon and --resume are mutually exclusive", "Pass one of them.");
  return abandon ? "abandon" : resume ? "resume" : "recover";
}

/** The run that a command names, where its journal cannot be read. */
function unreadableNamed({ runs, unreadable }: StoredRuns, id: string): UnreadableState {
  const named = (run: { readonly key: RunKey }) => run.key.run === id;
  return { runs: runs.some(named) ? [] : unreadable.runs.filter(named), folders: [] };
}

function onlyUnsettled(runs: readonly StoredRun[]): StoredRun | undefined {
  const open = runs.filter(({ state }) => state.ended === undefined);
  if (open.length > 1) {
    throw new UsageError(
      `${showCount(open.length)} runs are not settled: ` +
        `${open.map(({ key }) => `${key.run} (${key.connector})`).join(", ")}`,
      "Name one: cdcctl recover RUN",
    );
  }
  return open[0];
}

/** The latest change of the only connector that a run of this machine left stopped. */
function onlyLeftStopped(runs: readonly StoredRun[]): StoredRun | undefined {
  const latest = new Map(
    runs.filter(({ state }) => offsetStands(state)).map((run) => [`${run.key.clusterId} ${run.key.connector}`, run]),
  );
  const left = [...latest.values()].filter(({ state }) => state.steps.get("resume-connector") !== "done");
  if (left.length > 1) {
    throw new UsageError(
      `runs have left ${showCount(left.length)} connectors stopped: ` +
        `${left.map(({ key }) => `${key.run} (${key.connector})`).join(", ")}`,
      "Name one: cdcctl recover RUN --resume",
    );
  }
  return left[0];
}

interface SettleOptions {
  readonly moveChecked?: boolean;
  /** Asked before a run is settled; omitted: it was asked for already. */
  readonly agree?: (state: RunState) => Promise<Agreement>;
}

/** `not asked`: the recovery only records. */
type Agreement = "agreed" | "not agreed" | "not asked";

/** Settles a run under the lock; another attempt may have settled it meanwhile. */
async function settle(
  key: RunKey,
  plan: RunStarted["plan"],
  work: Work,
  { world, host, limits }: Settling,
  { moveChecked = false, agree = async () => "agreed" }: SettleOptions = {},
): Promise<number> {
  await using writer = closing(await world.state.open(key));
  const entries: JournalEntry[] = [...(await world.state.read(key))];
  const state = runState(entries);
  if (state === undefined) throw new Error(`run ${key.run} has not begun`);
  const settled = state.ended !== undefined;
  if (settled && work !== "resume") return settledAlready({ key, entries, state }, host);
  if (settled) await refuseOvertaken(key, world);
  const agreement = await agree(state);
  if (agreement === "not agreed") return EXIT.refused;
  // The question may have waited for hours, and the run been settled by who removed the lock.
  await writer.demandOwn();
  try {
    const ports =
      controlOf(state.started.subject) === undefined
        ? portsOf(await settingsOfRun(state, world, work === "abandon"), world)
        : NO_PORTS;
    const ctx = runContext(key, entries, writer, ports, world, callerOf(host, world), {
      limits,
      recovering: true,
      moveChecked,
      unasked: agreement === "not asked",
      plan,
    });
    const report = await carryOutWork(work, ctx);
    reportRun(report, host);
    return exitOf(report);
  } catch (error) {
    // The systems cannot be reached: the run stays unchanged, and the same command can be repeated.
    const isOpen = changedAnything(state) || (error instanceof Refusal && error.code === "APL822");
    if (!(error instanceof CallFailed || error instanceof Refusal) || settled || !isOpen) throw error;
    host.machine?.opened(key, entries);
    reportFailed(error, host);
    return EXIT.unfinished;
  }
}

function portsOf(settings: LentSettings, world: OpenWorld): Ports {
  let oracle: OraclePort | undefined;
  return {
    kafka: world.kafka(settings),
    // Few runs need it, and its settings may be obsolete.
    get oracle() {
      oracle ??= world.oracle(settings);
      return oracle;
    },
  };
}

/**
 * Starts the connector that a settled run left stopped, as `recover RUN --resume` does. The caller holds the
 * connector's lock.
 */
export async function resumeRun({ key, state }: StoredRun, settling: Settling): Promise<number> {
  await demandOwnState(settling.world.state, key, settling.host);
  return settle(key, state.started.plan, "resume", settling);
}

/** Settles an unsettled run first; then starts its connector if requested and the run left a changed offset. */
async function carryOutWork(work: Work, ctx: RunContext): Promise<RunReport> {
  if (work === "abandon") return abandonRun(ctx);
  const report = ctx.state().ended === undefined ? await recoverRun(ctx) : undefined;
  if (report !== undefined && (work === "recover" || report.outcome !== "succeeded")) return report;
  return resumeSettled(ctx);
}

/** Refuses a run that is not the latest change of its connector. @throws Refusal `APL812` */
async function refuseOvertaken({ clusterId, connector, run }: RunKey, { state }: OpenWorld): Promise<void> {
  const { runs } = await storedRuns(state, { clusterId, connector });
  const after = runs.slice(runs.findIndex(({ key }) => key.run === run) + 1);
  const later = after.findLast((one) => offsetStands(one.state))?.key.run;
  if (later !== undefined)
    throw new Refusal("APL812", `run ${later} has changed the offset of ${connector} after run ${run}`, [
      { text: "To start the connector from there", command: `cdcctl recover ${shellWord(later)} --resume` },
    ]);
}

/** Settings to reach brokers and database. A run whose connector was deleted can still be ended. */
async function settingsOfRun(state: RunState, world: OpenWorld, abandon: boolean): Promise<LentSettings> {
  const { subject } = state.started;
  const seen = await kindOfSubject(subject).settingsOfRun(state, world, world.sources);
  if ("settings" in seen) return seen.settings;
  if (!abandon) throw seen.gone;
  return world.settingsOf(gone(state));
}

/** Reports a settled run. A change that the connector refused is still to be made. */
function settledAlready({ key, entries, state }: StoredRun, host: ChangeHost): number {
  const left = state.ended?.outcome === "rejected" ? afterRejection(state) : [];
  const settled = `run ${key.run} is settled: ${runStatus(state)}`;
  host.stdout.write(textOf([settled, ...left.map((line) => `  ${line}`)]));
  host.machine?.opened(key, entries);
  host.machine?.nothing(settled);
  return EXIT.done;
}

/** The description of a deleted connector. Brokers must then be named (--bootstrap-servers, --config). */
function gone({ started: { subject } }: RunState): ConnectorDescription {
  const config = { "cdc.topic.prefix": subject.prefix, "cdc.ops.topic": subject.opsTopic };
  return { name: subject.connector, config, taskIds: [], type: "source" };
}

/** Recovery succeeds when the run is settled, with either outcome. */
function exitOf({ outcome }: RunReport): number {
  return outcome === "unfinished" ? EXIT.unfinished : EXIT.done;
}

/**
 * Recovers from any machine, without local state: the `applying` event holds what is needed. The change is checked,
 * shown and confirmed before anything is written.
 */
async function recoverFromOps(flags: RecoverFlags, work: Work, host: ChangeHost, limits: WaitLimits): Promise<number> {
  const { connector } = flags;
  demandExpectedForm(flags);
  if (connector === undefined)
    throw new UsageError(
      "--from-ops requires --connector",
      "cdcctl recover --from-ops --context prod --connector orders-cdc",
    );
  await using world = await openWorld(typedTarget(connector, flags), flags, host, "a worker that restarts");
  const [{ clusterId }, description] = await Promise.all([world.connect.worker(), world.connect.connector(connector)]);
  if (description === undefined) throw await noConnector(connector, world.connect);
  await demandOwnState(world.state, { clusterId, connector }, host);
  const settings = await world.settingsOf(description);
  await using _lock = await lockAll([connector], clusterId, world.state, "recover --from-ops");
  const topic = await readOpsTopic(settings, world, { from: "tail", records: 100_000, millis: 30_000 });
  const { runs, unreadable } = await storedRuns(world.state, { clusterId, connector });
  const short = runs.flatMap((run) => contradicted(run, topic));
  const lost = [...unreadable.runs, ...short];
  const here = {
    settings,
    connectUrl: world.connect.url,
    context: flags.context,
    clusterId,
    operator: host.operator,
    cdcctl: VERSION,
  };
  const taken = takenFrom(topic, connector, here, lost, flags.abandon);
  await setAsideSettled(lost, taken, topic, { world, host, prefix: settings.prefix, abandon: flags.abandon });
  if (taken instanceof Refusal) {
    reportFailed(taken, host);
    return EXIT.unfinished;
  }
  if (taken === undefined) {
    host.machine?.nothing("nothing to recover");
    writeLine(
      host.stdout,
      `nothing to recover: ${topic.name} records no change of ${connector} in ` +
        `flight${topic.reachedEnd ? "" : " (in what could be read)"}`,
    );
    return EXIT.done;
  }
  const recovery = { flags, world, host, limits };
  const key = { clusterId, connector, run: taken.started.run };
  const own = runs.find((run) => run.key.run === key.run)?.state.started;
  if (own !== undefined && own.subject.by !== "ops topic" && !short.some(({ key: { run } }) => run === own.run)) {
    return await settle(key, own.plan, work, recovery, { agree: (state) => agreed(state, work, recovery) });
  }
  const takeover =
    work === "abandon"
      ? await agreedAbandoning(abandonTakeover(taken), recovery)
      : await agreedTakeover(taken, topic, recovery);
  if (takeover === undefined) return EXIT.refused;
  const ordinal = nextOrdinal(runs.map(({ state }) => state.started));
  const unread = lost.find((one) => one.key.run === key.run);
  await takeOver(key, takeover, ordinal, unread, recovery);
  return await settle(key, null, work, recovery, { moveChecked: takeover.moveChecked });
}

/**
 * The takeover, if the checks pass and the operator agrees; otherwise undefined, with the reason printed. @throws
 * Refusal, UsageError
 */
async function agreedTakeover(
  taken: TakenOver,
  { events }: OpsTopicRead,
  { flags, world, host, limits }: Recovery,
): Promise<Takeover | undefined> {
  const { shown, takeover } = await checkTakeover(taken, {
    connect: world.connect,
    events,
    allowSkip: flags["allow-skip"],
    resume: flags.resume,
    observe: async (intent) => (await observe(intent, world, world.sources)).facts,
  });
  const { renderTakeover } = await import("../views/recorded-move.ts");
  host.stdout.write(renderTakeover(shown, { ...textOptions(host.stdout), limits }));
  if (takeover === undefined) {
    const { plan } = shown;
    if (plan !== undefined) host.machine?.planned([plan.intent], [plan], []);
    return undefined;
  }
  demandDecision(shown.decision, flags);
  demandConsent(flags, host, shown.decision);
  if (await consent(flags, host)) return takeover;
  writeLine(host.stderr, "not recovered: nothing was changed");
  return undefined;
}

/** Like `agreedTakeover`, for a takeover to be recorded as failed. */
async function agreedAbandoning(takeover: Takeover, recovery: Recovery): Promise<Takeover | undefined> {
  const at = recovery.world.clock.now();
  const state = runState(takeover.events.map((event, seq) => ({ seq: BigInt(seq), at, ...event })));
  return state === undefined || (await agreed(state, "abandon", recovery)) === "agreed" ? takeover : undefined;
}

/**
 * Shows what the run leaves in its current state, or what is done to finish it, and asks. A recovery that only records
 * is not asked for.
 *
 * @throws UsageError where nobody can be asked
 */
async function agreed(state: RunState, work: Work, recovery: Recovery): Promise<Agreement> {
  const { host } = recovery;
  const { yes, expect } = recovery.flags;
  const flags = { yes, expect: work === "abandon" ? undefined : expect };
  const left = await leftBehind(state, recovery);
  const { aheadReport, leftBehindReport } = await import("../views/left-behind.ts");
  const show = (report: Report) => host.stdout.write(renderTerminal(report, textOptions(host.stdout)));
  if (work === "abandon") show(leftBehindReport(left));
  else {
    // What the plan does not confirm is not shown as planned: the recovery refuses it, with every account of it.
    if (strayBody(state, undefined, false) !== undefined) return "not asked";
    const stored = left.stored !== undefined && "is" in left.stored ? left.stored.is : undefined;
    const ahead = work === "resume" ? resumeAhead(state, stored) : recoveryAhead(state, stored);
    demandDecision(state.started.subject.decision, flags);
    if (ahead === undefined) return yes ? "agreed" : "not asked";
    show(aheadReport(ahead, state, left));
    demandConsent(flags, host, "recover");
  }
  const [question, done] = WORDS[work];
  if (await consent(flags, host, `${question}? Type "yes" to continue: `)) return "agreed";
  writeLine(host.stderr, `not ${done}: nothing was changed`);
  return "not agreed";
}

/** What is asked, and what was not done if the answer is not yes. */
const WORDS: { readonly [W in Work]: readonly [question: string, done: string] } = {
  recover: ["Recover this run", "recovered"],
  abandon: ["Abandon this run", "abandoned"],
  resume: ["Start its connector", "started"],
};

/** What the run leaves in its current state. */
async function leftBehind(state: RunState, { world }: Pick<Recovery, "world">): Promise<LeftBehind> {
  const { body, started } = state;
  const [connectors, stored] = await Promise.all([
    Promise.all(
      connectorsOf(started.subject).map(async (name) => ({
        name,
        status: await orUnknown(async () => (await world.connect.status(name)) ?? ("gone" as const)),
      })),
    ),
    body === undefined
      ? undefined
      : orUnknown(async () => {
          const entries = await world.connect.offsets(started.subject.connector);
          return { is: entries.find(({ partition }) => sameOffset(partition, body.entry.partition))?.offset ?? null };
        }),
  ]);
  const recorded = isAnnounced(state) && state.steps.get("record-outcome") !== "done";
  return { run: started.run, connectors, body, recorded, ...(stored === undefined ? {} : { stored }) };
}

async function orUnknown<T>(read: () => Promise<T>): Promise<T | { readonly unknown: string }> {
  try {
    return await read();
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure;
    return { unknown: failure.message };
  }
}

/**
 * Writes the journal that the change's own machine would have. A takeover that was interrupted is completed; a journal
 * that cannot be read is replaced and kept.
 */
async function takeOver(
  key: RunKey,
  { events }: Takeover,
  ordinal: bigint,
  unread: UnreadableRun | undefined,
  { world: { state, clock }, host }: Settling,
): Promise<void> {
  const all = events.map((event): JournalEvent => (event.type === "run-started" ? { ...event, ordinal } : event));
  if (unread !== undefined) {
    const entries = all.map((event, seq): JournalEntry => ({ seq: BigInt(seq), at: clock.now(), ...event }));
    const kept = await state.setAside(key, entries);
    reportKept(unread, kept, ["replaced by what the ops topic records of the run"], host);
    return;
  }
  const known = (await state.list(key)).some(({ run }) => run === key.run);
  const entries: JournalEntry[] = known ? [...(await state.read(key))] : [];
  await using writer = closing(await (known ? state.open(key) : state.create(key)));
  const { record } = recorder(writer, clock, entries);
  for (const event of all.slice(entries.length)) await record(event);
}
