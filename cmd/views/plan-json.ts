import type { Intent } from "../../core/document/intent.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { decisionOf } from "../../core/plan/resolved-plan.ts";
import type { Digest } from "../../core/values/digest.ts";
import { type ErrorDocument, errorDocument } from "./error-json.ts";
import type { ShownError } from "./error-text.ts";

/**
 * Plans for a pipeline (`schemas/plan.schema.json`): the same content as a resolved plan, without its protection
 * against edits, and never applied. SCNs are JSON integers: print it with `printJson`, and read it with a parser that
 * keeps integers beyond 2^53.
 */
export interface PlanDocument {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "PlanReport";
  readonly formatVersion: bigint;
  /** How many plans came out in which way. */
  readonly summary: { readonly ready: number; readonly blocked: number; readonly noOp: number };
  readonly plans: readonly Plan[];
  /** Over all plans; what `--expect` compares. */
  readonly decision: Digest;
  readonly next: readonly string[];
  /** Documents that could not be planned; left out where all were. */
  readonly unplanned?: readonly {
    readonly file?: string;
    readonly name: string;
    readonly connector: string;
    readonly error: ErrorDocument;
  }[];
}

/** A document that could not be planned, and why. */
export interface UnplannedShown {
  readonly intent: Pick<Intent, "metadata" | "target" | "origin">;
  readonly error: ShownError;
}

/** Rises when a member changes its meaning or goes. */
export const PLAN_REPORT_FORMAT = 1n;

export function planDocument(
  plans: readonly Plan[],
  next: readonly string[] = [],
  unplanned: readonly UnplannedShown[] = [],
): PlanDocument {
  const count = (state: Plan["outcome"]["state"]) => plans.filter(({ outcome }) => outcome.state === state).length;
  return {
    apiVersion: "cdcctl/v1",
    kind: "PlanReport",
    formatVersion: PLAN_REPORT_FORMAT,
    summary: { ready: count("ready"), blocked: count("blocked"), noOp: count("no-op") },
    plans,
    decision: decisionOf(plans),
    next,
    ...(unplanned.length === 0
      ? {}
      : {
          unplanned: unplanned.map(({ intent: { origin, metadata, target }, error }) => ({
            ...(origin.file === undefined ? {} : { file: origin.file }),
            name: metadata.name,
            connector: target.connector,
            error: errorDocument(error),
          })),
        }),
  };
}
