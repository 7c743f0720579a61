import type { RecordedEvent } from "../../schemas/generated/facts.ts";
import { isRunning } from "../facts/connector/connector.ts";
import { readCommit } from "../facts/offset/stored-change.ts";
import { beganAt, operatorText } from "../facts/ops/ops-event.ts";
import { PATCH } from "../plan/steps.ts";
import { callsPastStop, changedAnything, storedChangeOf } from "../run/change.ts";
import { doubtOf } from "../run/sentences.ts";
import { stepsOf } from "../run/state.ts";
import { offsetSubject } from "../run/subject.ts";
import { canonicalJson } from "../values/json.ts";
import { shellWord } from "../values/shell-word.ts";
import { abandonOnceNotHeld, end, GO_ON, type RunContext, type RunReport, toRecover, unfinished } from "./context.ts";
import { carryOut, giveUp } from "./engine.ts";
import { takeDone } from "./phase-recovery.ts";
import { lost, printRival } from "./steps/ops-topic.ts";
import type { Elsewhere } from "./steps/own-run.ts";
import { storedUnder } from "./steps/patch-offset.ts";
import { problemOf, writeEvent } from "./steps/record-event.ts";
import { howToStart } from "./steps/start.ts";
import type { Failed } from "./steps/step.ts";

/**
 * Ends an attempt whose run is not this process's to continue: nothing more is sent. What another machine has recorded
 * is adopted where the systems show it too, so that journal and ops topic agree; otherwise the run stays open for
 * `recover`, which looks at both.
 *
 * Rule: architecture, "What apply promises", 6 and 7.
 */
export async function endElsewhere({ is, event }: Elsewhere, ctx: RunContext): Promise<RunReport> {
  const { attempts, started, steps, lastProblem } = ctx.state();
  const { connector } = started.subject;
  const who = `${operatorText(event.details.taken_over ?? event.details.operator)} has`;
  const when = `at ${beganAt(event)}`;
  const wait = [toRecover("Once that operator is done")];
  if (offsetSubject(started.subject) === undefined) return endPhaseElsewhere({ is, event }, ctx);
  switch (is) {
    case "followed":
      if (steps.get("record-outcome") === "done") return endBefore(event, ctx);
      if ([...steps.values()].includes("failed"))
        return end(
          "failed",
          `${lastProblem}; ${printRival(event)} came after it: ${connector} is left to that run`,
          ctx,
        );
      return attempts === 0n
        ? giveUp("patch-offset", await failedStep(lost(event, ctx), ctx), ctx)
        : inDoubtBefore(event, ctx);
    case "taken over":
      return unfinished(ctx, `${who} taken this run over from another machine ${when}; nothing more was sent`, wait);
    case "failed": {
      const error = `${who} recorded this run as failed, from another machine ${when}`;
      if (attempts > 0n) return unfinished(ctx, `${error}, after it had sent its change; nothing more was sent`, wait);
      await ctx.record({ type: "step-failed", step: "patch-offset", error, code: undefined });
      const report = await end("failed", `${error}; it has sent no PATCH, and leaves ${connector} as it is`, ctx);
      return { ...report, remedies: await howToStart(connector, ctx) };
    }
    case "applied":
      return endApplied(`${who} recorded this run as applied, from another machine ${when}`, connector, ctx);
  }
}

/** The same for a phase of a migration: `recover` looks at both connectors. */
async function endPhaseElsewhere({ is, event }: Elsewhere, ctx: RunContext): Promise<RunReport> {
  const { connector } = ctx.state().started.subject;
  const { operator, error } = event.details;
  const did = is === "taken over" ? "begun the change of this run" : `recorded this run as ${is}`;
  const why =
    is === "followed"
      ? `${printRival(event)} came after this run began`
      : `${operatorText(operator)} has ${did}, from another machine at ${beganAt(event)}` +
        (error === undefined ? "" : ` (${error})`);
  if (!changedAnything(ctx.state())) return end("refused", `${why}; nothing was changed`, ctx);
  if (is === "failed" && callsPastStop(ctx.state()).length === 0) {
    await ctx.record({ type: "step-failed", step: "delete-offsets", error: why, code: undefined });
    const report = await end("failed", `${why}; it has deleted nothing, and leaves ${connector} as it is`, ctx);
    return { ...report, remedies: await howToStart(connector, ctx) };
  }
  // The journal agrees with the ops topic from now on.
  if (is === "applied") await takeDone("record-applying", ctx);
  return unfinished(ctx, `${why}; nothing more was sent`, [
    toRecover("Once that operator is done"),
    {
      text: "To leave the connectors as they are",
      command: `cdcctl recover ${shellWord(ctx.run)} --abandon`,
    },
  ]);
}

/** Adopts `applied` if the stored offset agrees; what is left to do is done only if it needs no further call. */
async function endApplied(seen: string, connector: string, ctx: RunContext): Promise<RunReport> {
  const { body } = ctx.state();
  const change = storedChangeOf(ctx.state());
  const stored = body === undefined ? null : await storedUnder(body.entry, connector, ctx);
  if (change === undefined || readCommit(stored, change).is === "overwritten")
    return unfinished(ctx, `${seen}, but the stored offset is ${canonicalJson(stored)}; nothing more was sent`, [
      GO_ON,
    ]);
  for (const step of ["record-applying", "patch-offset", "record-outcome"] as const) await takeDone(step, ctx);
  ctx.report(`  ${seen}`);
  const left = stepsOf(ctx.state()).filter(({ step }) => ctx.state().steps.get(step) !== "done");
  const status = await ctx.connect.status(connector);
  if (left.length === 0 || (status !== undefined && isRunning(status))) return carryOut(left, ctx);
  return unfinished(ctx, `${seen}; ${connector} is ${status?.state ?? "gone"}, and was not started from here`, [
    toRecover("To go on with the run"),
  ]);
}

/** Closes the PATCH by what the stored offset shows. */
export async function closePatch(ctx: RunContext): Promise<void> {
  if (ctx.state().steps.get("patch-offset") === "done") return;
  await ctx.record({ type: "step-done", step: "patch-offset", note: "seen in the stored offset", millis: 0n });
}

/**
 * The change is done, and another run has changed the connector since: the change is recorded, and the connector is
 * left to that run.
 */
export async function endBefore(later: RecordedEvent, ctx: RunContext): Promise<RunReport> {
  await closePatch(ctx);
  if (ctx.state().steps.get("record-outcome") !== "done") {
    const recorded = await writeEvent("applied", ctx);
    if (recorded.result !== "done") return unfinished(ctx, problemOf(recorded), [GO_ON]);
    await ctx.record({ type: "step-done", step: "record-outcome", note: recorded.note, millis: 0n });
  }
  const { started, signal } = ctx.state();
  const { connector } = started.subject;
  const asked = signal === undefined ? "" : `the signal ${signal.id} is written, and `;
  return end(
    "succeeded",
    `${asked}the stored offset of ${connector} was set to ${offsetSubject(started.subject)?.scn}, as planned` +
      `${doubtOf(ctx.state())}; ${printRival(later)} came after it, so ${connector} is left to that run`,
    ctx,
  );
}

/** A PATCH of this run may still take effect and overwrite what another run has stored since. Nothing is sent. */
export function inDoubtBefore(later: RecordedEvent, ctx: RunContext): RunReport {
  return unfinished(
    ctx,
    `${printRival(later)} came after this run, whose PATCH may have been sent and may still take effect. Nothing ` +
      "was sent",
    [
      {
        text: "Wait until that run has ended, and compare the stored offset with it",
        command: "cdcctl admin offsets show",
      },
      abandonOnceNotHeld(PATCH, ctx),
    ],
    "APL807",
  );
}

export async function failedStep(failed: Failed, ctx: RunContext): Promise<Failed> {
  await ctx.record({ type: "step-failed", step: "patch-offset", error: failed.error, code: failed.code });
  return failed;
}
