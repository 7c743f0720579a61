import type { Instant } from "../values/instant.ts";

export interface Clock {
  now(): Instant;
  /** Milliseconds that only go forward, for measuring. */
  elapsed(): number;
  /** Waits; ends early, without an error, when `stop` is aborted. */
  sleep(
    millis: number,
    stop?: Pick<AbortSignal, "aborted" | "addEventListener" | "removeEventListener">,
  ): Promise<void>;
  /** A number between 0 and 1. */
  random(): number;
}
