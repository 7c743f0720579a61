import type { Clock, Spool } from "../../ports.ts";
import type { ByteWork } from "../byte-work.ts";
import type { Verdict } from "../verdict.ts";
import type { TableInputs } from "./inputs.ts";
import type { VerifyNotice, VerifyProgress } from "./progress.ts";
import type { SideRead } from "./unit-result.ts";

export interface VerifyOptions {
  readonly work: ByteWork;
  readonly clock: Pick<Clock, "elapsed">;
  /** What the process may use in all, in bytes; at least `LEAST_MEMORY`. */
  readonly memory: number;
  /** Table ranges read at the same time, and topic partitions: both pools work at once. */
  readonly ranges: number;
  readonly partitions: number;
  /** How many keys are named, at most. */
  readonly first: number;
  /** Where the spool is and what is free there, for the notice. */
  readonly disk: { readonly place: string; readonly free: bigint | undefined };
  readonly progress?: (progress: VerifyProgress) => void;
  readonly notice?: (notice: VerifyNotice) => void;
  /** Ends the work between two batches, and leaves what was done for the next run. */
  readonly stop?: { readonly aborted: boolean };
}

/** What the verification of one table found. Plain values; the same whatever the memory, the division, and how often it was interrupted. */
export type TableVerified =
  | { readonly is: "interrupted" }
  | {
      readonly is: "verified";
      readonly verdict: Verdict;
      readonly table: SideRead;
      readonly newTopic: SideRead;
      readonly legacyTopic: SideRead | undefined;
    };

/** @throws CallFailed what a reader or the spool throws, after what was done has been noted for the next run */
export type VerifyTable = (inputs: TableInputs, spool: Spool, options: VerifyOptions) => Promise<TableVerified>;
