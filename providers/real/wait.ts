import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until `condition` returns a value other than undefined or false, and returns it. Errors count as "not yet" and
 * are reported on a timeout.
 * @param what is waited for, for the message: "the first commit after the resume".
 * @param millis the deadline.
 * @throws Error naming `what` and the last value or error.
 */
export async function waitFor<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  millis = 60_000,
): Promise<T> {
  const end = performance.now() + millis;
  for (;;) {
    let last: unknown;
    try {
      const seen = await condition();
      if (seen !== undefined && seen !== false) return seen;
      last = seen;
    } catch (error) {
      if (error instanceof GaveUp) throw error;
      last = error;
    }
    if (performance.now() > end)
      throw new Error(`waited ${millis} ms for ${what}; last seen: ${last}`, { cause: last });
    await pause(25);
  }
}

/** Thrown by a condition that can no longer become true: ends the wait at once. */
export class GaveUp extends Error {
  override readonly name = "GaveUp";
}
