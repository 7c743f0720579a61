import { setTimeout as wait } from "node:timers/promises";
import type { Scn } from "../../core/values/scn.ts";
import type { OnlineLog } from "../../schemas/generated/facts.ts";
import { onlineLogOf } from "./read-rows.ts";
import type { Session } from "./session.ts";
import { ONLINE_LOGS } from "./statements.ts";

/** A log switch ends within this many reads; a closed thread is read as often, and no more. */
const ATTEMPTS = 10;
const PAUSE_MILLIS = 150;

/**
 * Reads the online logs, and reads them again during a log switch.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?", 4.
 *
 * @param current an SCN that was current before
 */
export async function readOnlineLogs(session: Session, current: Scn | undefined): Promise<readonly OnlineLog[]> {
  for (let attempt = 1; ; attempt++) {
    const logs = (await session.query(ONLINE_LOGS)).map(onlineLogOf);
    if (current === undefined || attempt === ATTEMPTS || !endsBefore(logs, current)) return logs;
    await wait(PAUSE_MILLIS);
  }
}

/** Whether the logs of some thread end at or below an SCN: the log that holds it is not listed yet. */
function endsBefore(logs: readonly OnlineLog[], current: Scn): boolean {
  const reach = new Map<bigint, boolean>();
  for (const { thread, nextScn, status } of logs) {
    if (status === "UNUSED") continue;
    reach.set(thread, (reach.get(thread) ?? false) || nextScn === undefined || nextScn > current);
  }
  return [...reach.values()].includes(false);
}
