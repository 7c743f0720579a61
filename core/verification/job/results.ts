import schema from "../../../schemas/verification-result.schema.json" with { type: "json" };
import type { Schema } from "../../document/schema.ts";
import type { Digest } from "../../values/digest.ts";
import type { SideRead } from "../engine/unit-result.ts";
import type { Truncates } from "../truncates.ts";
import type { Verdict } from "../verdict.ts";
import { printSealed, readSealed, type SealedRead } from "./wire.ts";

/** What a worker says of a unit of reading, or of a slot. */
export interface JobResult {
  readonly job: Digest;
  /** Attempts before this one. */
  readonly attempt: number;
  /** Most memory that the worker has taken so far, bytes. */
  readonly memory: number;
  /** One of these. */
  readonly unit?: UnitResult;
  readonly rules?: GatheredRules;
  readonly slot?: SlotResult;
}

/** What came of a unit of reading. */
export interface UnitResult {
  readonly name: string;
  readonly read: SideRead;
  readonly truncates: Truncates;
  /** The table can't be read as of the check SCN. */
  readonly unreachable?: { readonly code: string; readonly message: string };
  /** Records are gone that the job wants. */
  readonly notRead?: string;
}

/** What all units of a table together say to each join of it. */
export interface GatheredRules {
  /** Number of the table. */
  readonly table: number;
  /** Of one that was not read to its end nothing is joined. */
  readonly isRead: boolean;
  readonly truncates: Truncates;
}

/** What the join of a slot found. */
export interface SlotResult {
  readonly number: number;
  readonly verdict: Verdict;
}

/** As it is sent and stored: one line, without its line feed. */
export function printResult(result: JobResult): string {
  return printSealed({ apiVersion: "cdcctl/v1", kind: "VerificationResult", formatVersion: 1, ...result });
}

export function readResult(line: string): SealedRead<JobResult> {
  return readSealed<JobResult>(line, schema as Schema);
}
