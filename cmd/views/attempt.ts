import { GO_ON, type RunReport } from "../../core/apply/context.ts";
import type { Intent } from "../../core/document/intent.ts";
import { commandsToSettle } from "../../core/run/ways-to-settle.ts";
import { counted, showCount } from "../../core/values/amounts.ts";
import type { PlanOutcome } from "../../schemas/generated/plan.ts";
import { trunc } from "./layout.ts";
import type { Rendered } from "./rendered.ts";
import { code, type Mark, notice, type Part, RANK, type Report, section, tableOf, whatToDo } from "./report/model.ts";
import { renderParts, renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { nextAfter, viewOf } from "./run-kinds.ts";
import { nextAfterRejection, rollbackCommand, startAgain } from "./run-timeline.ts";

/** Renders why there is nothing to do. @param name of the plan */
export function renderNothingToDo(name: string, why: string, options: TerminalOptions): Rendered {
  return renderParts([notice(`${trunc(name)}: nothing to do: ${why}`)], options);
}

/**
 * Renders the result of one attempt of a run (`apply`, `recover`, `rollback`): the current state, and what to do next.
 */
export function renderRunReport(report: RunReport, options: TerminalOptions = { colour: false }): Rendered {
  const { outcome, message, remedies, code } = report;
  const fate = FATES[outcome];
  const head = outcome === "succeeded" ? "" : `${fate}: `;
  const below: readonly Part[] = [
    ...whatToDo(remedies.filter((one) => one !== GO_ON)),
    ...(outcome === "succeeded" ? [] : left(report).map((one) => notice(one))),
    ...(code === undefined ? [] : [notice(`${code}  cdcctl explain ${code}`)]),
  ];
  return renderTerminal(
    {
      lead: [notice(`${head}${message}`, TONES[MARKS[fate]])],
      sections: [
        ...section(RANK.outcome, below, { close: true }),
        ...section(RANK.outcome, [notice(`run ${report.run}`)], { close: true, flush: true }),
      ],
      next: nextAfterAttempt(report),
    },
    options,
  );
}

/** What an unsuccessful attempt leaves behind, unless its message states it. */
function left({ outcome, message, changed, moved, patched, stands, signal, kind }: RunReport): readonly string[] {
  const { untouched } = viewOf(kind);
  // The message of a rejected run describes the offset; one that could not look at it claims nothing.
  if (untouched === undefined || outcome === "rejected" || (outcome === "unfinished" && !changed)) return [];
  const stays = signal === undefined || message.includes(signal) ? "" : `; the signal ${signal} cannot be withdrawn`;
  if (outcome === "abandoned" && moved && stands === true) return [`the new offset stays stored${stays}`];
  if (outcome === "abandoned" && moved)
    return [
      `whether the new offset is stored is unknown${stays}: check with admin offsets show, and plan an OffsetChange ` +
        "if it is wrong",
    ];
  if (outcome === "unfinished" && patched) return [`the stored offset was changed before that${stays}`];
  if (changed) return [`some changes of this run remain${stays}`];
  return [
    signal === undefined ? `nothing of this run remains: ${untouched}` : `the stored offset is unchanged${stays}`,
  ];
}

/** Only a change that still stands can be rolled back; a successful phase of a migration has a next phase. */
export function nextAfterAttempt(report: RunReport): readonly string[] {
  const { outcome, run, moved, rollbackMode = "none", kind, stopped, afterwards = [] } = report;
  if (outcome === "unfinished") return commandsToSettle(run);
  const after = outcome === "succeeded" ? nextAfter(kind, run, report) : undefined;
  if (after !== undefined) return [...afterwards, ...after];
  if (outcome === "rejected") return [...(moved ? nextAfterRejection(run, report, rollbackMode) : []), ...afterwards];
  return [...startAgain(stopped), ...afterwards, ...rollbackCommand(run, rollbackMode, "to roll back")];
}

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
  const title = `${counted(documents.length, "document")}: ${numbers.join(", ")}`;
  return { sections: section(RANK.outcome, [table], { title }) };
}

const TONES = { good: "good", bad: "bad", caution: "caution", nothing: undefined } as const;
