import { WAIT_LIMITS, type WaitLimits } from "../../core/apply/context.ts";
import { UsageError } from "../../core/errors.ts";
import { parseDuration } from "../../core/values/duration.ts";
import type { Host } from "../host.ts";

/** @returns milliseconds. @throws UsageError naming the option */
export function durationOf(option: string, text: string): number {
  const millis = parseDuration(text);
  if (millis === undefined)
    throw new UsageError(`--${option} ${text} is not a valid duration`, "Write it as 30s, 10m or 1h30m.");
  return millis;
}

export function waitLimits(
  flags: {
    readonly settle: string;
    readonly "stop-timeout": string;
    readonly "resume-timeout": string;
  },
  { patience }: Pick<Host, "patience">,
): WaitLimits {
  return {
    ...WAIT_LIMITS,
    ...(patience?.patch === undefined ? {} : { patch: patience.patch }),
    ...(patience?.signal === undefined ? {} : { signal: patience.signal }),
    settle: durationOf("settle", flags.settle),
    stop: durationOf("stop-timeout", flags["stop-timeout"]),
    resume: durationOf("resume-timeout", flags["resume-timeout"]),
  };
}

/** Maximum age for a plan made in the same command, which is never too old. */
export const JUST_PLANNED_MILLIS = 3_600_000;

/** Parses an option that is a count. @returns 1 to `most`. @throws UsageError naming the option */
export function countOf(option: string, text: string, most: number): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most)
    throw new UsageError(`--${option} ${text} is out of range`, `Write a whole number from 1 to ${most}.`);
  return count;
}
