import { positionOf } from "../../core/apply/steps/ops-topic.ts";
import { CallFailed, Refusal, UsageError } from "../../core/errors.ts";
import { isStopped } from "../../core/facts/connector/connector.ts";
import { changeNow, isSeenStored } from "../../core/facts/offset/stored-change.ts";
import { decodeRecordedEvent, inLogOrder, recordedChanges } from "../../core/facts/ops/ops-event.ts";
import { callName } from "../../core/plan/calls.ts";
import { changeStands, storedChangeOf } from "../../core/run/change.ts";
import { canonicalJson, type JsonObject } from "../../core/values/json.ts";
import type { Host } from "../host.ts";
import type { ChangeSeen } from "../views/run-after.ts";
import type { OpenWorld, WorldFlags } from "./open-world.ts";
import { placeOf, type StoredRun } from "./stored-runs.ts";

/**
 * Asks the workers what is stored now under the partition of a settled run's change. Reads only.
 *
 * Rule: architecture, "What apply promises", 5: no wait rules out a late commit, so every later look compares.
 *
 * @returns undefined for a run whose end is not a change of an offset that stands
 */
export async function changeSeen(run: StoredRun, flags: WorldFlags, host: Host): Promise<ChangeSeen | undefined> {
  const { state } = run;
  const change = storedChangeOf(state);
  if (change === undefined || !changeStands(state)) return undefined;
  const place = placeOf(run, flags);
  const { connector } = run.key;
  try {
    const { openWorld } = await import("./open-world.ts");
    const world = await openWorld(place.target, place.flags, host);
    try {
      const { connect } = world;
      const [entries, status] = [await connect.offsets(connector), await connect.status(connector)];
      const partition = canonicalJson(state.body?.entry.partition ?? null);
      const stored = entries.find((entry) => canonicalJson(entry.partition) === partition)?.offset ?? null;
      const now = changeNow(stored, change);
      // Another run's change can look like a late commit: the ops topic tells whether there is one that led to what is
      // stored.
      if (now === "undone" && (await changedLater(run, stored, world))) return { is: "changed", stoppedSince: false };
      const unanswered = state.unanswered.has(callName("stop", connector));
      const resumed = state.steps.get("resume-connector") === "done";
      return {
        is: now,
        stoppedSince: unanswered && resumed && status !== undefined && isStopped(status),
      };
    } finally {
      await world.close();
    }
  } catch (error) {
    if (error instanceof CallFailed || error instanceof Refusal || error instanceof UsageError)
      return { is: "unknown", why: error.message };
    throw error;
  }
}

/**
 * Whether what is stored comes of a change by another run that the ops topic holds after this one's. A record from
 * which it does not follow explains nothing.
 *
 * @throws CallFailed where the topic can't be read
 */
async function changedLater({ key, state }: StoredRun, stored: JsonObject | null, world: OpenWorld): Promise<boolean> {
  const description = await world.connect.connector(key.connector);
  if (description === undefined) return false;
  const { opsTopic } = state.started.subject;
  const kafka = world.kafka(await world.settingsOf(description));
  const from = state.opsTopicEnd.begun?.map(positionOf) ?? "tail";
  const { records, reachedEnd } = await kafka.read(opsTopic, { from, records: 10_000, millis: 10_000 });
  if (!reachedEnd)
    throw new CallFailed({
      system: "kafka",
      kind: "timeout",
      message: `${kafka.brokers}: ${opsTopic} could not be read back to its end in time`,
      remedy: "Check whether the brokers are overloaded.",
    });
  const events = inLogOrder(records).flatMap((record) => decodeRecordedEvent(record, world.redact) ?? []);
  const changes = recordedChanges(events, key.connector).filter(({ outcome }) => outcome !== "failed");
  const own = changes.findLastIndex(({ event }) => event.details.run === key.run);
  return changes.slice(own + 1).some(({ event }) => isSeenStored(event.details, stored));
}
