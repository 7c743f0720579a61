import type ConnectionPool from "kafkajs/src/network/connectionPool.js";

/**
 * All that is changed inside kafkajs 2.2.4. Everything else is handed to it by its own options; of what
 * `kafkajs-internals.d.ts` describes, the rest is only called. `kafkajs-repairs.test.ts` fails when one of the changed
 * methods is no longer the one that this was written for.
 */

/**
 * Replaces one method, so that the timer of an idle connection stops. kafkajs sets it repeatedly with a negative delay,
 * which costs a percent of a core and makes newer versions of Node.js print warnings. Without pending requests there is
 * nothing to check.
 */
export function calmIdleTimers({ pool }: ConnectionPool): void {
  for (const { requestQueue: queue } of pool) {
    const check = queue.scheduleCheckPendingRequests.bind(queue);
    queue.scheduleCheckPendingRequests = () => {
      if (queue.pending.length > 0) check();
    };
  }
}

/**
 * Drops what kafkajs keeps after an answer, which is nothing, before the next: it would copy a whole answer to join it
 * with that.
 */
export function forgetEmptyRests({ pool }: ConnectionPool): void {
  for (const connection of pool) if (connection.bytesBuffered === 0) connection.chunks = [];
}
