import type { Clock } from "../../core/ports/clock.ts";
import { type Instant, instantIfDate } from "../../core/values/instant.ts";
import type { Exchange } from "./exchange.ts";
import { connectError, isHtml } from "./failure.ts";

/** The workers' time, from their answers. */
interface WorkersClock {
  /**
   * Reads the time from an answer of Connect itself; answers of a proxy or a gateway carry their own time and are
   * ignored.
   */
  observe(seen: Exchange): void;
  /** See `ConnectPort.time`. */
  time(): Instant | undefined;
}

/**
 * The workers' time: the `Date` header of the latest answer plus the monotonic time since, independent of this
 * machine's clock. The header (RFC 9110, 6.6.1; every Jetty answer has it) is truncated to whole seconds, so the time
 * is up to 1 s plus the latency behind, and may go back by as much between answers. If the workers' clocks differ, it
 * is the clock of the latest one; behind a gateway that rewrites `Date`, the gateway's.
 */
export function workersClock(clock: Pick<Clock, "elapsed">): WorkersClock {
  let latest: { readonly epochMillis: number; readonly at: number } | undefined;
  return {
    observe(seen) {
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
