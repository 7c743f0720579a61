import type { TableEvidence } from "../../../schemas/generated/evidence.ts";
import type { ComparedCounts, RetiredKnown } from "../../../schemas/generated/facts.ts";
import type { VerifiedTable } from "../../../schemas/generated/plan.ts";
import { counted, showCount } from "../../values/amounts.ts";
import type { CapturedTable } from "./tables.ts";

export type { VerifiedTable } from "../../../schemas/generated/plan.ts";

export type RetiredTopic = RetiredKnown["topics"][number];

export function comparedCounts(tables: readonly Pick<TableEvidence, "rows" | "keys">[]): ComparedCounts {
  const sum = (count: (table: (typeof tables)[number]) => bigint) => tables.reduce((all, one) => all + count(one), 0n);
  return {
    rows: sum(({ rows }) => rows.count),
    compared: sum(({ keys }) => keys.compared),
    byLegacy: sum(({ keys }) => keys.byLegacy),
  };
}

/** `14 rows, 6 compared, 8 by the legacy topic, not compared`. */
export function showCompared({ rows, compared, byLegacy }: ComparedCounts): string {
  const legacy = byLegacy === 0n ? "" : `, ${showCount(byLegacy)} by the legacy topic, not compared`;
  return `${counted(rows, "row")}, ${showCount(compared)} compared${legacy}`;
}

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
