import type { RunReport } from "../../core/apply/context.ts";
import type { Intent } from "../../core/document/intent.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import type { PlanOutcome } from "../../schemas/generated/plan.ts";
import { trunc } from "./layout.ts";
import { code, type Mark, RANK, type Report, section, tableOf } from "./report/model.ts";

/** The outcome of one of several documents to apply. */
export interface Fate {
  readonly is: keyof typeof MARKS;
  readonly run?: string;
}

const MARKS = {
  applied: "good",
  "nothing to do": "nothing",
  refused: "bad",
  failed: "bad",
  abandoned: "bad",
  "not snapshotted": "bad",
  "not finished": "caution",
  "not reached": "nothing",
} as const satisfies { readonly [fate: string]: Mark };

/** Fates before any document is begun: blocked ones are refused, and the others wait. */
export const FATES_BEFORE: { readonly [state in PlanOutcome["state"]]: Fate } = {
  blocked: { is: "refused" },
  "no-op": { is: "nothing to do" },
  ready: { is: "not reached" },
};

const FATES: { readonly [O in RunReport["outcome"]]: Fate["is"] } = {
  succeeded: "applied",
  failed: "failed",
  refused: "refused",
  abandoned: "abandoned",
  rejected: "not snapshotted",
  unfinished: "not finished",
};

export function fateOf({ outcome, run }: Pick<RunReport, "outcome" | "run">): Fate {
  return { is: FATES[outcome], run };
}

/** The result of applying several documents, one row each, in order. */
export function fatesReport(
  documents: readonly { readonly intent: Pick<Intent, "metadata" | "target">; readonly fate: Fate }[],
): Report {
  const table = tableOf("Outcome of each document", documents, { what: "document" }, [
    ["Plan", ({ intent }) => trunc(intent.metadata.name, 80)],
    ["Connector", ({ intent }) => code(trunc(intent.target.connector, 80))],
    ["Outcome", ({ fate: { is } }) => ({ text: is, tone: TONES[MARKS[is]] })],
    ["Run", ({ fate: { run = "" } }) => code(run)],
  ]);
  const numbers = (Object.keys(MARKS) as Fate["is"][])
    .map((is) => [is, documents.filter(({ fate }) => fate.is === is).length] as const)
    .filter(([, count]) => count > 0)
    .map(([is, count]) => `${showCount(count)} ${is}`);
  return {
    sections: section(RANK.outcome, [table], {
      title: `${counted(documents.length, "document")}: ${numbers.join(", ")}`,
    }),
  };
}

const TONES = { good: "good", bad: "bad", caution: "caution", nothing: undefined } as const;
