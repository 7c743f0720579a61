import { GO_ON, type RunReport } from "../../core/apply/endings.ts";
import { shellWord } from "../../core/values/shell-word.ts";
import type { Tone } from "./colour.ts";
import { nextAfter, viewOf } from "./kinds/catalogue.ts";
import { clip } from "./layout.ts";
import type { Rendered } from "./rendered.ts";
import { notice, type Part, RANK, section } from "./report/model.ts";
import { renderParts, renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { goBack, nextAfterRejection, startAgain } from "./run-timeline.ts";

/** What became of a plan: how its run came out, or that there was nothing to do. */
export function renderReport(
  applied: { readonly plan: { readonly intent: { readonly metadata: { readonly name: string } } } } & (
    | { readonly nothing: string }
    | { readonly report: RunReport }
  ),
  options: TerminalOptions,
): Rendered {
  if ("report" in applied) return renderRunReport(applied.report, options);
  const { name } = applied.plan.intent.metadata;
  return renderParts([notice(`${clip(name)}: nothing to do: ${applied.nothing}`)], options);
}

/** How one attempt of a run (`apply`, `recover`, `rollback`) came out: what is true now, what to do next. */
export function renderRunReport(report: RunReport, options: TerminalOptions = { colour: false }): Rendered {
  const { outcome, message, remedies, code } = report;
  const [head, tone] = HEADS[outcome];
  const below: readonly Part[] = [
    { is: "remedies", items: remedies.filter((one) => one !== GO_ON) },
    ...(outcome === "succeeded" ? [] : left(report).map((one) => notice(one))),
    ...(code === undefined ? [] : [notice(`${code}  cdcctl explain ${code}`)]),
  ];
  return renderTerminal(
    {
      heading: { title: "", outcome: undefined },
      lead: [notice(`${head}${message}`, tone)],
      sections: [
        ...section(RANK.outcome, below, { close: true }),
        ...section(RANK.outcome, [notice(`run ${report.run}`)], { close: true, flush: true }),
      ],
      next: nextAfterAttempt(report),
    },
    options,
  );
}

const HEADS: { readonly [O in RunReport["outcome"]]: readonly [string, Tone] } = {
  succeeded: ["", "good"],
  failed: ["failed: ", "bad"],
  refused: ["refused: ", "bad"],
  abandoned: ["abandoned: ", "bad"],
  rejected: ["not snapshotted: ", "bad"],
  unfinished: ["not finished: ", "caution"],
};

/** What an end that is no good one leaves behind, as far as its message has not said it. */
function left({ outcome, message, changed, moved, patched, stands, signal, kind }: RunReport): readonly string[] {
  const { untouched } = viewOf(kind);
  // The message of one that was rejected says what became of the offset.
  if (untouched === undefined || outcome === "rejected") return [];
  const stays = signal === undefined || message.includes(signal) ? "" : `; the signal ${signal} can't be taken back`;
  if (outcome === "abandoned" && moved && stands === true) return [`the new offset stays stored${stays}`];
  if (outcome === "abandoned" && moved)
    return [
      `whether the new offset is stored is not known${stays}: admin offsets show tells; plan an OffsetChange ` +
        "where it is not as it should be",
    ];
  if (outcome === "unfinished" && patched) return [`the stored offset was changed before that${stays}`];
  if (changed) return [`not everything is as it was before${stays}`];
  return [
    signal === undefined
      ? `nothing of this run remains: ${untouched}`
      : `the stored offset is as it was before${stays}`,
  ];
}

/** Only a change that stands can be rolled back; a phase of a migration that succeeded has one that follows it. */
export function nextAfterAttempt(report: RunReport): readonly string[] {
  const { outcome, run, moved, wayBack = "none", kind, stopped, afterwards = [] } = report;
  if (outcome === "unfinished") return [`cdcctl recover ${shellWord(run)}`];
  const after = outcome === "succeeded" ? nextAfter(kind, run, report) : undefined;
  if (after !== undefined) return [...afterwards, ...after];
  if (outcome === "rejected") return [...(moved ? nextAfterRejection(run, report, wayBack) : []), ...afterwards];
  return [...startAgain(stopped), ...afterwards, ...goBack(run, wayBack, "to go back")];
}
