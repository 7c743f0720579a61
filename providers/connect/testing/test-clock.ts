import type { Clock } from "../../../core/ports/clock.ts";
import { instantOf } from "../../../core/values/instant.ts";

/** A clock for tests: sleeping takes no time, but counts as if it did. */
export function quickClock(): Clock {
  let slept = 0;
  return {
    now: () => instantOf(Date.now() + slept),
    elapsed: () => performance.now() + slept,
    sleep: (millis) => {
      slept += millis;
      return new Promise((resolve) => setImmediate(resolve));
    },
    random: () => 0.5,
  };
}
