import type { RetiredKnown } from "../../../schemas/generated/facts.ts";
import type { VerifiedTable } from "../../../schemas/generated/plan.ts";
import type { CapturedTable } from "./tables.ts";

export type { VerifiedTable } from "../../../schemas/generated/plan.ts";

export type RetiredTopic = RetiredKnown["topics"][number];

/** The resolution of the name of a table to verify. */
export type TableToVerify =
  | {
      readonly ok: true;
      readonly written: string;
      readonly table: CapturedTable;
      readonly verified: VerifiedTable;
      /** Whether the plan file names its new topic. */
      readonly named: boolean;
      /**
       * The legacy topic that is skipped: a retirement has deleted it, and evidence shows that nothing depends on it.
       */
      readonly retired: RetiredTopic | undefined;
    }
  | {
      readonly ok: false;
      readonly written: string;
      readonly why: "not captured" | "ambiguous" | "named twice";
      /** The tables that it matches; for one named twice, the table. */
      readonly fits: readonly CapturedTable[];
    }
  | { readonly ok: false; readonly written: string; readonly why: "topic not told"; readonly problem: string };
