import schema from "../../../schemas/verification-result.schema.json" with { type: "json" };
import type { Schema } from "../../document/schema.ts";
import type { Digest } from "../../values/digest.ts";
import type { SideRead } from "../engine/unit-result.ts";
import type { Truncates } from "../truncates.ts";
import type { Verdict } from "../verdict.ts";
import { printSealed, readSealed, type SealedRead } from "./wire.ts";

/** A worker's result of a unit of reading, or of a slot. */
export interface JobResult {
  readonly job: Digest;
  /** Attempts before this one. */
  readonly attempt: number;
  /** Peak memory of the worker so far, in bytes. */
  readonly memory: number;
  /** Exactly one of the following is present. */
  readonly unit?: UnitResult;
  readonly rules?: GatheredRules;
  readonly slot?: SlotResult;
}

/** Result of a unit of reading. */
export interface UnitResult {
  readonly name: string;
  readonly read: SideRead;
  readonly truncates: Truncates;
  /** The table cannot be read as of the check SCN. */
  readonly unreachable?: { readonly code: string; readonly message: string };
  /** Records that the job needs are gone. */
  readonly notRead?: string;
}

/** Merged results of all units of a table, for each of its joins. */
export interface GatheredRules {
  /** Number of the table. */
  readonly table: number;
  /** Whether the table was read completely; otherwise nothing is joined. */
  readonly isRead: boolean;
  readonly truncates: Truncates;
}

/** Result of joining a slot. */
export interface SlotResult {
  readonly number: number;
  readonly verdict: Verdict;
}

/** Prints a result as it is sent and stored: one line, without the line feed. */
export function printResult(result: JobResult): string {
  return printSealed({ apiVersion: "cdcctl/v1", kind: "VerificationResult", formatVersion: 1, ...result });
}

export function readResult(line: string): SealedRead<JobResult> {
  return readSealed<JobResult>(line, schema as Schema);
}
