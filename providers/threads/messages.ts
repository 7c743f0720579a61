import { CallFailed, type Failure } from "../../core/errors.ts";
import type { UnitDone } from "../../core/verification/engine/manifest.ts";
import type { JoinUnit, UnitName } from "../../core/verification/engine/unit-runner.ts";
import type { UnitFiles } from "../../core/verification/engine/units.ts";
import type { Verdict } from "../../schemas/generated/verification-result.ts";

/** Messages to a thread; every unit of work has a number. */
export type ToThread =
  | {
      readonly is: "read";
      readonly id: number;
      readonly unit: UnitName;
      readonly left: UnitFiles;
      readonly partitions: number;
      readonly checkScn: bigint;
      readonly segment: number;
    }
  | { readonly is: "join"; readonly id: number; readonly join: JoinUnit }
  /** Stops the unit at its next batch. */
  | { readonly is: "stop"; readonly id: number }
  | { readonly is: "end" };

export type FromThread =
  | {
      readonly is: "seen";
      readonly id: number;
      readonly count: number;
      readonly foreign: number;
      readonly bytes: number;
    }
  | { readonly is: "note"; readonly id: number; readonly done: UnitDone }
  | { readonly is: "read"; readonly id: number; readonly result: UnitFiles }
  | { readonly is: "joined"; readonly id: number; readonly verdict: Verdict }
  | { readonly is: "failed"; readonly id: number; readonly failure: Failed }
  /** A call to a system, as one line (`--verbose`). */
  | { readonly is: "call"; readonly line: string };

/** An error as a plain value: classes are lost when an error is sent between threads. */
type Failed =
  | { readonly is: "call"; readonly failure: Omit<Failure, "cause"> }
  | { readonly is: "bug"; readonly error: unknown };

export function failedOf(error: unknown): Failed {
  if (!(error instanceof CallFailed)) return { is: "bug", error };
  const { system, kind, message, code, remedies } = error;
  return { is: "call", failure: { system, kind, message, code, remedy: remedies } };
}

export function errorOf(failed: Failed): unknown {
  return failed.is === "call"
    ? new CallFailed(failed.failure.system, failed.failure.kind, failed.failure)
    : failed.error;
}
