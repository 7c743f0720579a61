import { recorder } from "../../core/apply/context.ts";
import type { RunReport } from "../../core/apply/endings.ts";
import { abandonRun, recoverRun } from "../../core/apply/recovery.ts";
import { CallFailed, Refusal, UsageError } from "../../core/errors.ts";
import type { ConnectorDescription } from "../../core/facts/connector.ts";
import { decodeOffsetsSet } from "../../core/facts/ops-event.ts";
import type { ConnectorSettings } from "../../core/facts/settings.ts";
import { settingsOfNew } from "../../core/kinds/migration/new-connector.ts";
import { isMigration } from "../../core/plan/plan.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { RunKey } from "../../core/ports/state.ts";
import { runFromOps, type TakenOver } from "../../core/run/from-ops.ts";
import type { JournalEntry, RunStarted } from "../../core/run/journal.ts";
import { afterRejection } from "../../core/run/sentences.ts";
import { changedAnything, type RunState, runState, runStatus } from "../../core/run/state.ts";
import { EXIT } from "../command.ts";
import { type Host, textOptions, VERSION } from "../host.ts";
import { renderRunReport } from "../views/report-text.ts";
import { runContext } from "./applying.ts";
import { waitLimits } from "./durations.ts";
import { connectorsOf, lockAll } from "./locks.ts";
import { type OpenWorld, openWorld, type WorldFlags } from "./open-world.ts";
import { openState } from "./state-place.ts";
import { placeOf, runNamed, type StoredRun, storedRuns } from "./stored-runs.ts";

export type RecoverFlags = WorldFlags & {
  readonly run: string | undefined;
  readonly settle: string;
  readonly "stop-timeout": string;
  readonly "resume-timeout": string;
  readonly "from-ops": boolean;
  readonly context: string | undefined;
  readonly connector: string | undefined;
  readonly abandon: boolean;
};

/** Settles one interrupted run. @returns 0 when it is settled, 3 when it is not yet */
export async function recoverRuns(flags: RecoverFlags, host: Host): Promise<number> {
  const limits = waitLimits(flags, host);
  if (flags["from-ops"]) return recoverFromOps(flags, host, limits);
  const store = openState(flags, host);
  const runs = await storedRuns(store);
  const stored = flags.run === undefined ? onlyUnsettled(runs) : runNamed(runs, flags.run, store.place);
  if (stored === undefined) {
    host.stdout.write("nothing to recover: every run is settled\n");
    return EXIT.done;
  }
  if (stored.state.ended !== undefined) return settledAlready(stored.key, stored.state, host);
  const { plan } = stored.state.started;
  const place = placeOf(stored, flags);
  const world = await openWorld(place.target, place.flags, host);
  try {
    const lock = await lockAll(
      connectorsOf(stored.state.started.subject),
      stored.key.clusterId,
      world.state,
      "recover",
    );
    try {
      return await settle(stored.key, plan, world, host, limits, flags.abandon);
    } finally {
      await lock.release();
    }
  } finally {
    await world.close();
  }
}

function onlyUnsettled(runs: readonly StoredRun[]): StoredRun | undefined {
  const open = runs.filter(({ state }) => state.ended === undefined);
  if (open.length > 1) {
    throw new UsageError(
      `${open.length} runs are not settled: ${open.map(({ key }) => `${key.run} (${key.connector})`).join(", ")}`,
      "Name one: cdcctl recover RUN",
    );
  }
  return open[0];
}

/** Under the lock: another sitting may have settled it meanwhile. */
async function settle(
  key: RunKey,
  plan: RunStarted["plan"],
  world: OpenWorld,
  host: Host,
  limits: ReturnType<typeof waitLimits>,
  abandon: boolean,
): Promise<number> {
  const entries: JournalEntry[] = [...(await world.state.read(key))];
  const state = runState(entries);
  if (state === undefined) throw new Error(`run ${key.run} has not begun`);
  if (state.ended !== undefined) return settledAlready(key, state, host);
  const writer = await world.state.open(key);
  try {
    const settings = await settingsOfRun(key, state, world, abandon);
    let oracle: OraclePort | undefined;
    const ports = {
      kafka: world.kafka(settings),
      // Few runs need it, and its settings may be of no use any more.
      get oracle() {
        oracle ??= world.oracle(settings);
        return oracle;
      },
    };
    const ctx = runContext(key, entries, writer, ports, world, host, { limits, recovering: true, plan });
    const report = abandon ? await abandonRun(ctx) : await recoverRun(ctx);
    host.stdout.write(renderRunReport(report));
    return exitOf(report);
  } catch (error) {
    // The world can't be asked: the run stays as it is, and the next command is the same.
    if (!(error instanceof CallFailed || error instanceof Refusal) || !changedAnything(state)) throw error;
    const { renderError } = await import("../views/error-text.ts");
    host.stderr.write(renderError(error, textOptions(host.stderr)));
    return EXIT.unfinished;
  } finally {
    await writer.close();
  }
}

/** By which brokers and database are reached. A migration's connector need not be there yet, or any more. */
async function settingsOfRun(
  key: RunKey,
  state: RunState,
  world: OpenWorld,
  abandon: boolean,
): Promise<ConnectorSettings> {
  const { plan } = state.started;
  if (plan !== null && isMigration(plan)) {
    try {
      return (await settingsOfNew(plan.intent, world, world.sources)).settings;
    } catch (failure) {
      // Neither of the two is there. What is left of the run can be ended all the same.
      if (!abandon || !(failure instanceof CallFailed) || failure.kind !== "missing") throw failure;
      return world.settingsOf(gone(state));
    }
  }
  const description = (await world.connect.connector(key.connector)) ?? (abandon ? gone(state) : undefined);
  if (description === undefined) {
    throw new Refusal("APL804", `the workers at ${world.connect.url} no longer have a connector ${key.connector}`, [
      "If it was renamed or moved, point the context at the workers that have it.",
      `Its offset can't be changed any more:  cdcctl recover ${key.run} --abandon`,
    ]);
  }
  return world.settingsOf(description);
}

/** Nothing is left to recover; but what the connector refused is still to be done. */
function settledAlready({ run }: RunKey, state: RunState, host: Host): number {
  const left = state.ended?.outcome === "rejected" ? afterRejection(state) : [];
  host.stdout.write(`run ${run} is settled: ${runStatus(state)}\n${left.map((line) => `  ${line}\n`).join("")}`);
  return EXIT.done;
}

/** What is known of a connector that was deleted. Brokers have to be named then (--bootstrap-servers, --config). */
function gone({ started: { subject } }: RunState): ConnectorDescription {
  const config = { "cdc.topic.prefix": subject.prefix, "cdc.ops.topic": subject.opsTopic };
  return { name: subject.connector, config, taskIds: [], type: "source" };
}

/** Recovery has done its work when the run is settled, whichever way. */
function exitOf({ outcome }: RunReport): number {
  return outcome === "unfinished" ? EXIT.unfinished : EXIT.done;
}

/** From any machine, with no local state: the `applying` event carries what is needed. */
async function recoverFromOps(flags: RecoverFlags, host: Host, limits: ReturnType<typeof waitLimits>): Promise<number> {
  const { connector, context } = flags;
  if (connector === undefined)
    throw new UsageError(
      "--from-ops needs --connector",
      "cdcctl recover --from-ops --context prod --connector orders-cdc",
    );
  const world = await openWorld({ context, connectUrl: undefined, connector }, flags, host);
  try {
    const [{ clusterId }, description] = await Promise.all([
      world.connect.worker(),
      world.connect.connector(connector),
    ]);
    if (description === undefined)
      throw new UsageError(`the workers at ${world.connect.url} have no connector ${connector}`);
    const settings = await world.settingsOf(description);
    const kafka = world.kafka(settings);
    const { records, reachedEnd } = await kafka.read(settings.opsTopic, {
      from: "tail",
      records: 100_000,
      millis: 30_000,
    });
    const events = records.flatMap(({ value }) => decodeOffsetsSet(value, world.told) ?? []);
    const taken = runFromOps(events, connector, {
      settings,
      connectUrl: world.connect.url,
      context,
      clusterId,
      operator: host.operator,
      cdcctl: VERSION,
    });
    if (taken === undefined) {
      host.stdout.write(
        `nothing to recover: ${settings.opsTopic} tells of no change of ${connector} in flight${reachedEnd ? "" : " (in what could be read)"}\n`,
      );
      return EXIT.done;
    }
    const key = { clusterId, connector, run: taken.started.run };
    const lock = await world.state.lock(key, "recover --from-ops");
    try {
      const plan = await takeOver(key, taken, world);
      return await settle(key, plan, world, host, limits, flags.abandon);
    } finally {
      await lock.release();
    }
  } finally {
    await world.close();
  }
}

/**
 * Writes the journal that the change's own machine would have, unless this is that machine. One that was cut off while it was taken over is
 * completed. @returns the plan, where a journal of its own has one
 */
async function takeOver(key: RunKey, taken: TakenOver, { state, clock }: OpenWorld): Promise<RunStarted["plan"]> {
  const known = (await state.list(key)).some(({ run }) => run === key.run);
  const entries: JournalEntry[] = known ? [...(await state.read(key))] : [];
  const own = runState(entries)?.started;
  if (own !== undefined && own.subject.by !== "ops topic") return own.plan;
  const writer = await (known ? state.open(key) : state.create(key));
  try {
    const { record } = recorder(writer, clock, entries);
    for (const event of taken.events.slice(entries.length)) await record(event);
  } finally {
    await writer.close();
  }
  return null;
}
