import type { WaitLimits } from "../../core/apply/context.ts";
import type { TakeoverShown } from "../../core/apply/take-over.ts";
import { runText } from "../../core/facts/ops/ops-event.ts";
import type { MoveStatus } from "../../core/kinds/offset-change/recorded-move.ts";
import { diffRows } from "../../core/plan/diff.ts";
import { showInstant, trunc } from "./layout.ts";
import { offsetTable } from "./offset.ts";
import { planReport } from "./plan.ts";
import { joined, type Rendered, textOf } from "./rendered.ts";
import { notice, type Part, RANK, section } from "./report/model.ts";
import { renderParts, renderTerminal, type TerminalOptions } from "./report/terminal.ts";

/** What happens if the offset is not moved any more. */
const SETTLED: Readonly<Record<Exclude<MoveStatus, "not begun">, string>> = {
  stands:
    "The recorded offset is already stored. The identical PATCH is sent once more to get an answer, and " +
    "the change is recorded as applied.",
  "something else":
    "Neither the previous nor the recorded offset is stored. No offset is sent. If the connector can only have " +
    "reached it from the recorded one, the change is recorded as applied; otherwise the run stays open, or is " +
    "recorded as failed.",
};

/**
 * A change in flight to be taken over: the record, the stored offset, and the next action. If the offset is still to be
 * moved, that is a new plan of the move; only its reason is text of the record.
 */
export function renderTakeover(
  shown: TakeoverShown,
  { limits, ...options }: TerminalOptions & { readonly limits?: WaitLimits },
): Rendered {
  const { subject, move, plan, decision, insteadFailed } = shown;
  const head = notice(
    `${runText(shown)}, recorded ${showInstant(move.recordedAt)}, is in flight and will be taken over`,
  );
  const instead = [{ text: "to record it as failed instead, and change nothing", command: insteadFailed }];
  const foot: Part = { is: "remedies", items: instead };
  if (plan !== undefined)
    return joined([
      renderParts([head], options),
      textOf([""]),
      renderTerminal(planReport(plan, { limits, full: true }), options),
      renderParts([foot], options),
    ]);
  const status = shown.moveStatus === "stands" ? "stands" : "something else";
  const gap = subject.command === "resnapshot" ? "past a gap " : "";
  const flush = { flush: true } as const;
  return renderTerminal(
    {
      lead: [
        head,
        notice(`${subject.connector}: offset ${gap}to ${move.scn}`),
        ...(subject.reason === "" ? [] : [notice(trunc(subject.reason, 600))]),
      ],
      sections: [
        ...section(RANK.subject, [offsetTable(diffRows(move.previous, move.next, []))]),
        ...section(RANK.outcome, [notice(SETTLED[status])], flush),
        ...section(RANK.outcome, [notice(["decision ", { code: decision }]), foot], flush),
      ],
    },
    options,
  );
}
