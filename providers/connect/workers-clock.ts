import type { Clock } from "../../core/ports/clock.ts";
import { type Instant, instantIfDate } from "../../core/values/instant.ts";
import type { Exchange } from "./exchange.ts";
import { connectError, isHtml } from "./failure.ts";

/** The time on the workers' side, from their answers. */
interface WorkersClock {
  /**
   * Takes the time from an answer of Connect's own; a proxy's or a gateway's own answer tells its own time and is
   * passed over.
   */
  heard(seen: Exchange): void;
  /** See `ConnectPort.time`. */
  time(): Instant | undefined;
}

/**
 * The `Date` header of the latest answer plus the monotonic time since: this machine's clock has no part in it. The
 * header (RFC 9110, 6.6.1; every Jetty answer has it) holds whole seconds, cut, so that the time given is up to 1 s and
 * the answer's way behind, and may go back by as much from one answer to the next. Of workers with different clocks it
 * is the latest one's; behind a gateway that sets `Date` anew, the gateway's.
 */
export function workersClock(clock: Pick<Clock, "elapsed">): WorkersClock {
  let latest: { readonly epochMillis: number; readonly at: number } | undefined;
  return {
    heard(seen) {
      if (!seen.answered || seen.byProxy || seen.date === undefined) return;
      const ok = seen.status >= 200 && seen.status < 300 && !isHtml(seen.text, seen.contentType);
      if (!ok && connectError(seen) === undefined) return;
      const epochMillis = Date.parse(seen.date);
      if (!Number.isNaN(epochMillis)) latest = { epochMillis, at: clock.elapsed() };
    },
    time: () =>
      latest === undefined ? undefined : instantIfDate(Math.round(latest.epochMillis + clock.elapsed() - latest.at)),
  };
}
