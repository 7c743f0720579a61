import type { RunReport } from "../../core/apply/engine.ts";
import { painter, type Tone } from "./colour.ts";
import { clip, layoutWidth, nextLines, remedyLines, wrap } from "./layout.ts";
import type { RunTextOptions } from "./run-text.ts";

/** What became of a plan: how its run came out, or that there was nothing to do. */
export function renderReport(
  applied: { readonly plan: { readonly intent: { readonly metadata: { readonly name: string } } } } & (
    | { readonly nothing: string }
    | { readonly report: RunReport }
  ),
  options: RunTextOptions,
): string {
  if ("report" in applied) return renderRunReport(applied.report, options);
  const { name } = applied.plan.intent.metadata;
  return `${wrap(`${clip(name)}: nothing to do: ${applied.nothing}`, layoutWidth(options.width)).join("\n")}\n`;
}

/** How one sitting of a run (`apply`, `recover`, `rollback`) came out: what is true now, what to do next. */
export function renderRunReport(report: RunReport, options: RunTextOptions = { colour: false }): string {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const { outcome, message, remedies, code, changed } = report;
  const [head, tone] = HEADS[outcome];
  const lines = [
    ...wrap(`${head}${clip(message, 3000)}`, width).map((line) => paint(tone, line)),
    ...remedies.filter(isNotNext).flatMap((remedy) => remedyLines(clip(remedy, 3000), 2, width)),
    ...(outcome === "succeeded"
      ? []
      : [`  ${changed ? "not everything is as it was before" : "offset and connector are as they were before"}`]),
    ...(code === undefined ? [] : wrap(`${code}  cdcctl explain ${code}`, width - 2).map((line) => `  ${line}`)),
    ...wrap(`run ${report.run}`, width),
    ...nextLines(next(report)),
  ];
  return `${lines.join("\n")}\n`;
}

const HEADS: { readonly [O in RunReport["outcome"]]: readonly [string, Tone] } = {
  succeeded: ["", "good"],
  failed: ["failed: ", "bad"],
  refused: ["refused: ", "bad"],
  abandoned: ["abandoned: ", "bad"],
  rejected: ["not snapshotted: ", "bad"],
  unfinished: ["not finished: ", "caution"],
};

/** The command to go on stands below, with the run's name. */
function isNotNext(remedy: string): boolean {
  return !/^(?:To go on: +)?cdcctl recover$/.test(remedy);
}

function next({ outcome, run, changed }: RunReport): readonly string[] {
  if (outcome === "unfinished") return [`cdcctl recover ${run}`];
  return outcome === "succeeded" && changed ? [`cdcctl rollback ${run}     # to go back`] : [];
}
