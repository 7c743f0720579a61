import { waitFor } from "./wait.ts";
import type { Worker } from "./worker.ts";

/**
 * Logged whenever a worker joins: `[2026-11-21 04:00:00,123] … generation 3 … Assignment{…,
 * leaderUrl='http://127.0.0.1:20001/', …`.
 */
const JOINED = /^\[([\d-]+ [\d:]+,\d+)\].* generation (\d+) .*leaderUrl='([^']+?)\/?'/gm;

/** A new or lost member or a new connector is followed by one or two more rebalances, but none after this time. */
const QUIET_MILLIS = 1500;

/**
 * Finds the leader in the workers' logs, because REST does not report it. Waits until all running workers agree on a
 * running leader and have not rebalanced recently, so that the test continues with a stable group. No worker may be
 * frozen.
 * @returns its index.
 */
export function settledLeader(workers: readonly Worker[]): Promise<number> {
  return waitFor("the workers to agree on a leader", () => {
    const alive = workers.filter((worker) => worker.process.alive());
    const joined = alive.map((worker) => [...worker.process.log().matchAll(JOINED)].at(-1));
    const agreed = new Set(joined.map((match) => `${match?.[2]} ${match?.[3]}`));
    const latest = Math.max(...joined.map((match) => Date.parse(match?.[1]?.replace(",", ".") ?? "")));
    const leader = alive.find((worker) => worker.url === joined[0]?.[3]);
    const atRest = agreed.size === 1 && Date.now() - latest > QUIET_MILLIS;
    return atRest && leader !== undefined && workers.indexOf(leader);
  });
}
