import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import { type RunContext, type RunReport, recorder, type WaitLimits } from "../apply/context.ts";
import { strayBody, strayStep } from "../apply/own-body.ts";
import { toDoAgain } from "../apply/phase-recovery.ts";
import { abandonRun, recoverRun, resumeSettled } from "../apply/recovery.ts";
import { type Ahead, recoveryAhead, resumeAhead } from "../apply/recovery-ahead.ts";
import { isAnnounced } from "../apply/steps/record-event.ts";
import { type CheckedTakeover, checkTakeover, type Takeover, takeoverOf } from "../apply/take-over.ts";
import { CallFailed, Refusal } from "../errors.ts";
import type { ConnectorDescription } from "../facts/connector/connector.ts";
import type { BoundSettings } from "../facts/connector/settings.ts";
import { sameOffset } from "../facts/offset/stored-offset.ts";
import { kindOfSubject, observe } from "../kinds/catalogue.ts";
import { noConnector } from "../kinds/connector/observe.ts";
import type { StepName } from "../plan/steps.ts";
import type { OraclePort } from "../ports/oracle.ts";
import type { RunKey } from "../ports/state.ts";
import { changedAnything, offsetStands } from "../run/change.ts";
import type { JournalEntry, JournalEvent, RunStarted } from "../run/journal.ts";
import { nextOrdinal } from "../run/order.ts";
import { type RunState, runState } from "../run/state.ts";
import { connectorsOf, controlOf } from "../run/subject.ts";
import type { JsonObject } from "../values/json.ts";
import { shellWord } from "../values/shell-word.ts";
import { closing, lockAll } from "./holding.ts";
import { readOpsTopic } from "./ops-topics.ts";
import { type Caller, type ChangeWorld, NO_PORTS, type Ports, runContext } from "./run-context.ts";
import { contradicted, reportKept, setAsideSettled, takenFrom } from "./setting-aside.ts";
import { type StoredRun, storedRuns, type UnreadableRun } from "./stored-runs.ts";
import { recordStop } from "./watching/connector-stop.ts";

export type Work = "recover" | "abandon" | "resume";

/** Where a run is settled, for whom, and how long to wait. */
export interface Settling {
  readonly world: ChangeWorld;
  readonly caller: Caller;
  readonly limits: WaitLimits;
}

/** What became of a run that was to be settled. */
export type Settled =
  | { readonly report: RunReport }
  | { readonly already: StoredRun }
  | { readonly declined: true }
  /** The run stays as it is, and the same command can be repeated. */
  | { readonly failed: CallFailed | Refusal; readonly run?: Pick<StoredRun, "key" | "entries"> };

/** What an operator is asked to agree to. */
export interface Proposal {
  readonly state: RunState;
  readonly left: LeftBehind;
  /** What is done; undefined where it is only recorded. */
  readonly ahead: Ahead | undefined;
}

/**
 * Shows a proposal and asks. `agreed`: whatever is necessary, as by `--yes`; `as shown`: this and nothing else; `not
 * asked`: the recovery only records.
 */
export type Ask = (proposal: Proposal) => Promise<"agreed" | "as shown" | "not agreed" | "not asked">;

/** The observed state of a run to be settled; `unknown` is the reason why a fact is missing. */
export interface LeftBehind {
  readonly run: string;
  readonly connectors: readonly {
    readonly name: string;
    readonly status: ConnectorStatus | "gone" | { readonly unknown: string };
  }[];
  /** The offset stored under the partition of the run; omitted if the run has set no new offset. */
  readonly stored?: { readonly is: JsonObject | null } | { readonly unknown: string };
  readonly body: RunState["body"];
  /** Whether the end of the run is recorded in the ops topic, where another process of the run finds it. */
  readonly recorded: boolean;
}

/** Settles an interrupted run, or starts the connector of a settled one, under the lock of its connectors. */
export async function settleRun({ key, state }: StoredRun, work: Work, settling: Settling, ask: Ask): Promise<Settled> {
  const { subject, plan } = state.started;
  await using _lock = await lockAll(connectorsOf(subject), key.clusterId, settling.world.state, "recover");
  return await settle(key, plan, work, settling, { ask });
}

/**
 * Starts the connector that a settled run left stopped, as `recover RUN --resume` does. The caller holds the
 * connector's lock.
 */
export async function resumeRun({ key, state }: StoredRun, settling: Settling): Promise<Settled> {
  await settling.caller.demandOwnState(key);
  return settle(key, state.started.plan, "resume", settling);
}

interface SettleOptions {
  readonly moveChecked?: boolean;
  /** Omitted: it was asked already. */
  readonly ask?: Ask;
}

/** Settles a run under the lock; another attempt may have settled it meanwhile. */
async function settle(
  key: RunKey,
  plan: RunStarted["plan"],
  work: Work,
  { world, caller, limits }: Settling,
  { moveChecked = false, ask }: SettleOptions = {},
): Promise<Settled> {
  await using writer = closing(await world.state.open(key));
  const entries: JournalEntry[] = [...(await world.state.read(key))];
  const state = runState(entries);
  if (state === undefined) throw new Error(`run ${key.run} has not begun`);
  const settled = state.ended !== undefined;
  if (settled && work !== "resume") return { already: { key, entries, state } };
  if (settled) await refuseOvertaken(key, world);
  const agreement = ask === undefined ? "agreed" : await agreed(state, work, world, ask);
  if (agreement === "not agreed") return { declined: true };
  // The question may have waited for hours, and the run been settled by who removed the lock.
  await writer.demandOwn();
  try {
    const ports =
      controlOf(state.started.subject) === undefined
        ? portsOf(await settingsOfRun(state, world, work === "abandon"), world)
        : NO_PORTS;
    const ctx = runContext(key, entries, writer, ports, world, caller, {
      limits,
      recovering: true,
      moveChecked,
      agreed: agreement === "agreed" ? undefined : agreement,
      plan,
    });
    const report = await carryOutWork(work, ctx);
    if (work === "recover") await recordStop(report, state.started, { world, caller });
    return { report };
  } catch (error) {
    const isOpen = changedAnything(state) || (error instanceof Refusal && error.code === "APL822");
    if (!(error instanceof CallFailed || error instanceof Refusal) || settled || !isOpen) throw error;
    return { failed: error, run: { key, entries } };
  }
}

/** Whether the operator agrees to what the run leaves, or to what is done to finish it: to which of its steps. */
async function agreed(
  state: RunState,
  work: Work,
  world: ChangeWorld,
  ask: Ask,
): Promise<"agreed" | "not agreed" | ReadonlySet<StepName>> {
  const left = await leftBehind(state, world);
  if (work === "abandon")
    return (await ask({ state, left, ahead: undefined })) === "not agreed" ? "not agreed" : "agreed";
  // What the plan does not confirm is not shown as planned: the recovery refuses it, with every account of it.
  if (strayBody(state) !== undefined || strayStep(state) !== undefined) return new Set();
  const stored = left.stored !== undefined && "is" in left.stored ? left.stored.is : undefined;
  const again = await orUnknown(() => toDoAgain(state, world));
  const undone = "unknown" in again ? [] : again;
  const ahead = work === "resume" ? resumeAhead(state, stored) : recoveryAhead(state, stored, undone);
  const answer = await ask({ state, left, ahead });
  if (answer === "agreed" || answer === "not agreed") return answer;
  if (ahead?.is === "back out") return "agreed";
  return new Set(ahead?.steps.map(({ step }) => step));
}

function portsOf(settings: BoundSettings, world: ChangeWorld): Ports {
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

/** Settles an unsettled run first; then starts its connector if requested and the run left a changed offset. */
async function carryOutWork(work: Work, ctx: RunContext): Promise<RunReport> {
  if (work === "abandon") return abandonRun(ctx);
  const report = ctx.state().ended === undefined ? await recoverRun(ctx) : undefined;
  if (report !== undefined && (work === "recover" || report.outcome !== "succeeded")) return report;
  return resumeSettled(ctx);
}

/** Refuses a run that is not the latest change of its connector. @throws Refusal `APL812` */
async function refuseOvertaken({ clusterId, connector, run }: RunKey, { state }: ChangeWorld): Promise<void> {
  const { runs } = await storedRuns(state, { clusterId, connector });
  const after = runs.slice(runs.findIndex(({ key }) => key.run === run) + 1);
  const later = after.findLast((one) => offsetStands(one.state))?.key.run;
  if (later !== undefined)
    throw new Refusal("APL812", `run ${later} has changed the offset of ${connector} after run ${run}`, [
      { text: "To start the connector from there", command: `cdcctl recover ${shellWord(later)} --resume` },
    ]);
}

/** Settings to reach brokers and database. A run whose connector was deleted can still be ended. */
async function settingsOfRun(state: RunState, world: ChangeWorld, abandon: boolean): Promise<BoundSettings> {
  const { subject } = state.started;
  const seen = await kindOfSubject(subject).settingsOfRun(state, world, world.sources);
  if ("settings" in seen) return seen.settings;
  if (!abandon) throw seen.gone;
  return world.sources.settingsOf(gone(state));
}

/** The description of a deleted connector. Brokers must then be named (--bootstrap-servers, --config). */
function gone({ started: { subject } }: RunState): ConnectorDescription {
  const config = { "cdc.topic.prefix": subject.prefix, "cdc.ops.topic": subject.opsTopic };
  return { name: subject.connector, config, taskIds: [], type: "source" };
}

/** What the run leaves in its current state. */
async function leftBehind(state: RunState, world: ChangeWorld): Promise<LeftBehind> {
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

/** A recovery of the change in flight that the ops topic records, and who is asked about it. */
interface FromOps {
  readonly connector: string;
  readonly work: Work;
  readonly context: string | undefined;
  readonly abandon: boolean;
  readonly allowSkip: boolean;
  readonly resume: boolean;
  readonly ask: Ask;
  /** Shows what a change would do, and asks where its checks pass. */
  askTakeover(checked: CheckedTakeover): Promise<boolean>;
}

/**
 * Recovers from any machine, without local state: the `applying` event holds what is needed. The change is checked,
 * shown and confirmed before anything is written.
 *
 * @returns why there is nothing to recover, or what became of the run
 */
export async function settleFromOps(
  asked: FromOps,
  settling: Settling,
): Promise<{ readonly nothing: string } | Settled> {
  const { connector, work, context, abandon, ask } = asked;
  const { world, caller } = settling;
  const [{ clusterId }, description] = await Promise.all([world.connect.worker(), world.connect.connector(connector)]);
  if (description === undefined) throw await noConnector(connector, world.connect);
  await caller.demandOwnState({ clusterId, connector });
  const settings = await world.sources.settingsOf(description);
  await using _lock = await lockAll([connector], clusterId, world.state, "recover --from-ops");
  const topic = await readOpsTopic(settings, world, { from: "tail", records: 100_000, millis: 30_000 });
  const { runs, unreadable } = await storedRuns(world.state, { clusterId, connector });
  const short = runs.flatMap((run) => contradicted(run, topic));
  const lost = [...unreadable.runs, ...short];
  const { operator, cdcctl } = caller;
  const here = { settings, connectUrl: world.connect.url, context, clusterId, operator, cdcctl };
  const taken = takenFrom(topic, connector, here, lost, abandon);
  await setAsideSettled(lost, taken, topic, { world, caller, prefix: settings.prefix, abandon });
  if (taken instanceof Refusal) return { failed: taken };
  if (taken === undefined)
    return {
      nothing:
        `nothing to recover: ${topic.name} records no change of ${connector} in ` +
        `flight${topic.reachedEnd ? "" : " (in what could be read)"}`,
    };
  const key = { clusterId, connector, run: taken.started.run };
  const own = runs.find((run) => run.key.run === key.run)?.state.started;
  if (own !== undefined && own.subject.by !== "ops topic" && !short.some(({ key: { run } }) => run === own.run))
    return await settle(key, own.plan, work, settling, { ask });
  let takeover: Takeover;
  if (work === "abandon") {
    takeover = takeoverOf(taken);
    const now = world.clock.now();
    const state = runState(takeover.events.map((event, seq) => ({ seq: BigInt(seq), at: now, ...event })));
    if (state !== undefined && (await agreed(state, work, world, ask)) === "not agreed") return { declined: true };
  } else {
    const checked = await checkTakeover(taken, {
      connect: world.connect,
      events: topic.events,
      allowSkip: asked.allowSkip,
      resume: asked.resume,
      observe: async (intent) => (await observe(intent, world, world.sources)).facts,
    });
    if (!(await asked.askTakeover(checked)) || checked.takeover === undefined) return { declined: true };
    takeover = checked.takeover;
  }
  const ordinal = nextOrdinal(runs.map(({ state }) => state.started));
  const unread = lost.find((one) => one.key.run === key.run);
  await takeOver(key, takeover, ordinal, unread, settling);
  return await settle(key, null, work, settling, { moveChecked: takeover.moveChecked });
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
  { world: { state, clock }, caller }: Settling,
): Promise<void> {
  const all = events.map((event): JournalEvent => (event.type === "run-started" ? { ...event, ordinal } : event));
  if (unread !== undefined) {
    const entries = all.map((event, seq): JournalEntry => ({ seq: BigInt(seq), at: clock.now(), ...event }));
    const kept = await state.setAside(key, entries);
    reportKept(unread, kept, ["replaced by what the ops topic records of the run"], caller);
    return;
  }
  const known = (await state.list(key)).some(({ run }) => run === key.run);
  const entries: JournalEntry[] = known ? [...(await state.read(key))] : [];
  await using writer = closing(await (known ? state.open(key) : state.create(key)));
  const { record } = recorder(writer, clock, entries);
  for (const event of all.slice(entries.length)) await record(event);
}
