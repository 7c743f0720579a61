import type { VerificationResult } from "../../../schemas/generated/verification-result.ts";
import schema from "../../../schemas/verification-result.schema.json" with { type: "json" };
import type { Schema } from "../../document/schema.ts";
import { printSealed, readSealed, type SealedRead } from "./wire.ts";

/** A worker's result of a unit of reading, or of a slot. */
export type JobResult = Omit<VerificationResult, "apiVersion" | "kind" | "formatVersion" | "digest">;

/** Prints a result as it is sent and stored: one line, without the line feed. */
export function printResult(result: JobResult): string {
  return printSealed({ apiVersion: "cdcctl/v1", kind: "VerificationResult", formatVersion: 1, ...result });
}

export function readResult(line: string): SealedRead<JobResult> {
  return readSealed<JobResult>(line, schema as Schema);
}
