import { WAIT_LIMITS, type WaitLimits } from "../../core/apply/context.ts";
import { UsageError } from "../../core/errors.ts";
import { parseDuration } from "../../core/values/duration.ts";
import { parseScn, type Scn } from "../../core/values/scn.ts";
import { parseTableList, parseTableName } from "../../core/values/table-name.ts";
import { truncate } from "../../core/values/truncate.ts";
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

/** Parses an option that is a count. @returns `least` to `most`. @throws UsageError naming the option */
export function countOf(option: string, text: string, most: number, least = 1): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new UsageError(
    `--${option} ${text} is not a count in its range`,
    `Write a whole number from ${least} to ${most}.`,
  );
}

/** @throws UsageError naming the option, where it is no SCN to mine from */
export function scnOf(option: string, text: string): Scn {
  const scn = parseScn(text);
  if (scn !== undefined && scn !== 0n) return scn;
  throw new UsageError(
    `--${option} ${text} is not a valid SCN`,
    "Give a positive integer, digits only, up to 9223372036854775807.",
  );
}

/** @throws UsageError for an invalid name, and for an empty element: an unset shell variable would leave a table out */
export function tablesOf(list: string): readonly string[] {
  const tables = parseTableList(list);
  const wrong = tables.find((name) => parseTableName(name) === undefined);
  const gap = /(?:^|,)\s*(?:,|$)/.test(list.replaceAll(/"[^"]*"/g, "name"));
  if (wrong === undefined && !gap) return tables;
  throw new UsageError(
    wrong === undefined
      ? `--tables ${shortened(list)} has an empty element`
      : `--tables: ${shortened(wrong)} is not a valid table name`,
    "Give PDB.OWNER.TABLE (OWNER.TABLE without containers), comma-separated; quote a name that needs it: " +
      'SALES."Odd, name". Each part has at most 128 bytes.',
  );
}

function shortened(text: string): string {
  return JSON.stringify(truncate(text, 200));
}
