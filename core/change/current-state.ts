import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import { positionOf } from "../apply/steps/ops-topic.ts";
import { explainedStop } from "../connector-errors.ts";
import { CallFailed, isShown } from "../errors.ts";
import { isStopped } from "../facts/connector/connector.ts";
import type { BoundSettings } from "../facts/connector/settings.ts";
import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { observerAt } from "../facts/observer.ts";
import { changeNow, isSeenStored } from "../facts/offset/stored-change.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { pulledBackBy } from "../journal/held-back.ts";
import { inspectJournal } from "../kinds/connector/inspect-kafka.ts";
import { callName } from "../plan/steps.ts";
import type { ChangeSeen, ConnectorNow } from "../run/after.ts";
import { changeStands, storedChangeOf } from "../run/change.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import { readOpsTopic } from "./ops-topics.ts";
import type { ChangeWorld } from "./run-context.ts";
import type { StoredRun } from "./stored-runs.ts";

/** The current state of a run's connector and change, as reported by the workers. */
export interface CurrentState {
  readonly connector: ConnectorNow;
  readonly change?: ChangeSeen;
}

type Run = Pick<StoredRun, "key" | "state">;

/** Gives the systems that a run was made in; the caller closes them. */
export type OpenWorldOf = (run: Run) => Promise<ChangeWorld>;

/** What `changeSeen` gives, with the connector's state. */
export async function currentState(run: Run, open: OpenWorldOf): Promise<CurrentState> {
  const { connector } = run.key;
  try {
    const world = await open(run);
    const change = await changeIn(world, run);
    const status = change?.status ?? (await world.connect.status(connector));
    return {
      connector: status === undefined ? { is: "missing" } : seen(status),
      ...(change === undefined ? {} : { change: change.seen }),
    };
  } catch (error) {
    if (!isShown(error)) throw error;
    const unknown = { is: "unknown", why: error.message } as const;
    return { connector: unknown, ...(hasChange(run) ? { change: unknown } : {}) };
  }
}

/** The status without traces, which may repeat secrets, but with the code in them. */
function seen(status: ConnectorStatus): ConnectorNow {
  const { state, worker, tasks } = status;
  const stop = explainedStop(status);
  return {
    is: "seen",
    status: { state, worker, tasks: tasks.map((task) => ({ id: task.id, state: task.state, worker: task.worker })) },
    ...(stop === undefined ? {} : { stoppedBy: stop.code }),
  };
}

function hasChange({ state }: Run): boolean {
  return storedChangeOf(state) !== undefined && changeStands(state);
}

/**
 * Reads the offset currently stored under the partition of a settled run's change.
 *
 * Rule: architecture, "What apply promises", 5: no wait rules out a late commit, so every later look compares.
 *
 * @returns undefined for a run that did not end with a standing change of an offset
 */
export async function changeSeen(run: Run, open: OpenWorldOf): Promise<ChangeSeen | undefined> {
  return hasChange(run) ? (await currentState(run, open)).change : undefined;
}

async function changeIn(
  world: ChangeWorld,
  run: Run,
): Promise<{ readonly seen: ChangeSeen; readonly status: ConnectorStatus | undefined } | undefined> {
  const { state, key } = run;
  const change = hasChange(run) ? storedChangeOf(state) : undefined;
  if (change === undefined) return undefined;
  const { connect } = world;
  const [entries, status] = [await connect.offsets(key.connector), await connect.status(key.connector)];
  const partition = canonicalJson(state.body?.entry.partition ?? null);
  const stored = entries.find((entry) => canonicalJson(entry.partition) === partition)?.offset ?? null;
  const now = changeNow(stored, change);
  // Another run's change can look like a late commit: the ops topic shows whether one led to the stored offset.
  if (now === "undone" && (await changedLater(run, stored, world)))
    return { seen: { is: "changed", stoppedSince: false }, status };
  const unanswered = state.unanswered.has(callName("stop", key.connector));
  const resumed = state.steps.get("resume-connector") === "done";
  const stoppedSince = unanswered && resumed && status !== undefined && isStopped(status);
  const by = now === "changed" ? await pulledBackBy(stored, change, () => journaledNow(run, world)) : undefined;
  return { seen: { is: now, stoppedSince, ...(by === undefined ? {} : { by }) }, status };
}

/**
 * Whether the stored offset results from another run's later change in the ops topic. Records that do not lead to it
 * are ignored.
 *
 * @throws CallFailed when the topic cannot be read
 */
async function changedLater({ key, state }: Run, stored: JsonObject | null, world: ChangeWorld): Promise<boolean> {
  const settings = await settingsNow(key.connector, world);
  if (settings === undefined) return false;
  const { opsTopic } = state.started.subject;
  const from = state.opsTopicEnd.begun?.map(positionOf) ?? "tail";
  const bounds = { from, records: 10_000, millis: 10_000 } as const;
  const { events, reachedEnd, cut } = await readOpsTopic({ ...settings, opsTopic }, world, bounds);
  if (!reachedEnd)
    throw new CallFailed("kafka", "timeout", {
      message: `${world.kafka(settings).brokers}: ${cut}`,
      remedy: "Check whether the brokers are overloaded.",
    });
  const changes = recordedChanges(events, key.connector).filter(({ outcome }) => outcome !== "failed");
  const own = changes.findLastIndex(({ event }) => event.details.run === key.run);
  return changes.slice(own + 1).some(({ event }) => isSeenStored(event.details, stored));
}

/** Undefined if the workers have no connector of this name. */
async function settingsNow(connector: string, world: ChangeWorld): Promise<BoundSettings | undefined> {
  const description = await world.connect.connector(connector);
  return description === undefined ? undefined : world.sources.settingsOf(description);
}

async function journaledNow({ key }: Run, world: ChangeWorld): Promise<ConnectorFacts["journaled"] | undefined> {
  const settings = await settingsNow(key.connector, world);
  return settings && inspectJournal(world.kafka(settings), settings, observerAt(world.clock), world.clock);
}
