import type { WaitLimits } from "../../core/apply/context.ts";
import type { TakeoverShown } from "../../core/apply/take-over.ts";
import type { MoveStanding } from "../../core/kinds/offset-change/recorded-move.ts";
import { diffRows } from "../../core/plan/diff.ts";
import { painter } from "./colour.ts";
import { clip, layoutWidth, remedyLines, wrap } from "./layout.ts";
import { offsetTable } from "./offset-text.ts";
import { renderPlanText } from "./plan-text.ts";
import { showInstant } from "./quantities.ts";
import { joined, type Rendered, textOf } from "./rendered.ts";

/** What is done where the offset is not moved any more. */
const SETTLED: Readonly<Record<Exclude<MoveStanding, "not begun">, string>> = {
  stands:
    "The recorded offset is stored already. The identical PATCH is sent once more, so that one is answered, and " +
    "the change is recorded as applied.",
  "something else":
    "Neither the previous nor the recorded offset is stored. No offset is sent. If the connector can only have " +
    "come here from the recorded one, the change is recorded as applied; otherwise the run stays open, or is " +
    "recorded as failed.",
};

/**
 * A change in flight that is to be taken over: what the record says, what is stored, what is going to be done. Where
 * the offset is still to be moved, that is the plan of the move as it would be made now; nothing of it is text of the
 * record but its reason.
 */
export function renderTakeover(
  shown: TakeoverShown,
  options: { readonly colour: boolean; readonly width?: number; readonly limits?: WaitLimits },
): Rendered {
  const { subject, run, operator, move, plan, decision, insteadFailed } = shown;
  const width = layoutWidth(options.width);
  const paint = painter(options.colour);
  const who = operator === "" ? "another operator" : clip(operator, 100);
  const head = wrap(
    `run ${run} of ${who}, recorded at ${showInstant(move.recordedAt)}, is in flight: it is taken over`,
    width,
  );
  const foot = remedyLines(`to record it as failed instead, and change nothing:  ${insteadFailed}`, 0, width);
  if (plan !== undefined) return joined([textOf([...head, ""]), renderPlanText(plan, options), textOf(foot)]);
  const standing = shown.standing === "stands" ? "stands" : "something else";
  const reason = subject.reason === "" ? [] : wrap(clip(subject.reason, 600), width);
  return textOf([
    ...head,
    ...wrap(
      `${subject.connector}: offset ${subject.command === "resnapshot" ? "past a gap " : ""}to ${move.scn}`,
      width,
    ),
    ...reason,
    "",
    ...offsetTable(diffRows(move.previous, move.next, []), width, paint, { before: "before", after: "recorded" }),
    "",
    ...wrap(SETTLED[standing], width),
    "",
    `decision ${decision}`,
    ...foot,
  ]);
}
