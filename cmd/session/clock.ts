import type { Clock } from "../../core/ports/clock.ts";
import { instantOf } from "../../core/values/instant.ts";

export const systemClock: Clock = {
  now: () => instantOf(Date.now()),
  elapsed: () => performance.now(),
  random: Math.random,
  sleep: (millis, stop) =>
    new Promise((resolve) => {
      if (stop?.aborted === true) return resolve();
      const wake = () => {
        clearTimeout(timer);
        stop?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, millis);
      stop?.addEventListener("abort", wake);
    }),
};
