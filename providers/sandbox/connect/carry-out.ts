import type { Group } from "./group.ts";
import { type Answer, CONFLICTING_OPERATION, failed, forwardFailed, type RestRequest } from "./routes.ts";

export interface Arrival {
  readonly request: RestRequest;
  /** The worker that it arrives at. */
  readonly worker: number;
  /**
   * ms after which a follower times out on a leader that does not answer; undefined: it waits as long as the client
   * does.
   */
  readonly idleTimeout: number | undefined;
  readonly carryOut: () => Promise<Answer>;
}

/**
 * Carries out a call where a cluster does: a change at the leader, a pause, a resume and everything that only reads at
 * the worker that it arrives at (seen on 3.9.2 and 4.3.1). A frozen worker keeps the calls that it receives and carries
 * them out when it is thawed, even if another worker leads by then.
 */
export async function carriedOut(group: Group, { request, worker, idleTimeout, carryOut }: Arrival): Promise<Answer> {
  await group.awake(worker);
  const { leader, rebalancing } = group;
  if (rebalancing) {
    const refused = refusedInRebalance(request);
    if (refused !== undefined) return refused;
  }
  if (leader === worker || !isForwarded(request) || !group.isFrozen(leader)) return carryOut();
  if (group.isDown(leader)) return forwardFailed("java.net.ConnectException: Connection refused");
  const late = group.awake(leader).then(carryOut);
  return idleTimeout === undefined ? late : Promise.race([late, expiry(idleTimeout)]);
}

const OWN: readonly (string | undefined)[] = ["pause", "resume"];
const isForwarded = ({ method, segments: [first, , third] }: RestRequest): boolean =>
  method !== "GET" && first === "connectors" && !OWN.includes(third);

/**
 * A stop, a pause and a resume are accepted during a rebalance as well. Reads of the configuration are answered with
 * 500.
 */
function refusedInRebalance({ method, segments: [first, name, third] }: RestRequest): Answer | undefined {
  if (first !== "connectors" || third === "stop" || OWN.includes(third)) return undefined;
  if (method !== "GET") return failed(409, CONFLICTING_OPERATION);
  return name !== undefined && (third === undefined || third === "config" || third === "tasks")
    ? failed(500, "Request cannot be completed because a rebalance is expected")
    : undefined;
}

function expiry(millis: number): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = forwardFailed(`Idle timeout expired: ${millis}/${millis} ms`);
    setTimeout(() => resolve(failed), millis).unref();
  });
}
