import { CallFailed, Refusal, UsageError } from "../../core/errors.ts";
import { isStopped } from "../../core/facts/connector.ts";
import { changeNow } from "../../core/facts/stored-change.ts";
import { callName } from "../../core/run/calls.ts";
import { offsetStands, storedChangeOf } from "../../core/run/way-back.ts";
import { canonicalJson } from "../../core/values/json.ts";
import type { Host } from "../host.ts";
import type { ChangeSeen } from "../views/change-since.ts";
import type { WorldFlags } from "./open-world.ts";
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
  if (change === undefined || !offsetStands(state)) return undefined;
  const place = placeOf(run, flags);
  const { connector } = run.key;
  try {
    const { openWorld } = await import("./open-world.ts");
    const { connect, close } = await openWorld(place.target, place.flags, host);
    try {
      const [entries, status] = [await connect.offsets(connector), await connect.status(connector)];
      const partition = canonicalJson(state.body?.entry.partition ?? null);
      const stored = entries.find((entry) => canonicalJson(entry.partition) === partition)?.offset ?? null;
      const unanswered = state.unanswered.has(callName("stop", connector));
      const resumed = state.steps.get("resume-connector") === "done";
      return {
        is: changeNow(stored, change),
        stoppedSince: unanswered && resumed && status !== undefined && isStopped(status),
      };
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof CallFailed || error instanceof Refusal || error instanceof UsageError)
      return { is: "unknown", why: error.message };
    throw error;
  }
}
