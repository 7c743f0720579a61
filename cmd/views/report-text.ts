import type { RunReport } from "../../core/apply/engine.ts";
import { escapeTerminal } from "../../core/values/escape.ts";

/** What became of a plan, in a few lines: the outcome, what to do next. */
export function renderReport(
  applied: { readonly plan: { readonly intent: { readonly metadata: { readonly name: string } } } } & (
    | { readonly nothing: string }
    | { readonly report: RunReport }
  ),
  _options: { readonly colour: boolean },
): string {
  const { name } = applied.plan.intent.metadata;
  if ("nothing" in applied) return `${escapeTerminal(name)}: nothing to do: ${escapeTerminal(applied.nothing)}\n`;
  return renderRunReport(applied.report);
}

export function renderRunReport({ run, outcome, message, remedies, code }: RunReport): string {
  const lines = [
    outcome === "succeeded" ? escapeTerminal(message) : `${WORDS[outcome]}: ${escapeTerminal(message)}`,
    ...remedies.map((remedy) => `  ${escapeTerminal(remedy)}`),
    ...(code === undefined ? [] : [`  ${code}  cdcctl explain ${code}`]),
    `run ${run}`,
    ...(outcome === "succeeded" ? [`to go back:  cdcctl rollback ${run}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const WORDS: { readonly [O in RunReport["outcome"]]: string } = {
  succeeded: "done",
  failed: "failed",
  refused: "refused",
  abandoned: "abandoned",
  unfinished: "not finished",
};
