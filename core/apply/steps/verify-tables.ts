import type { ComparedCounts } from "../../../schemas/generated/shared.ts";
import { Refusal, UsageError } from "../../errors.ts";
import { showCompared, type VerifiedTable } from "../../facts/tables/tables.ts";
import { connectorsFound } from "../../kinds/retirement/since-verification.ts";
import type { RunState } from "../../run/state.ts";
import { phasePlanOf, phaseSubject } from "../../run/subject.ts";
import { counted } from "../../values/amounts.ts";
import { shellFile } from "../../values/shell-word.ts";
import type { RunContext, Verified } from "../context.ts";
import { done, type Failed, failed, type Step } from "./step.ts";

/**
 * Compares tables and topics, and writes the evidence. A table that does not pass is a result, not an error: it is
 * recorded, and the run ends as failed, so that nothing can be retired with it.
 *
 * Rule: specification, "Start, verification and rollback"; reference: connector settings, "What a cutover verification
 * compares".
 */
export const verifyTables: Step<"verify-tables"> = {
  async run({ tables }, ctx) {
    const recorded = ctx.state().verified;
    const verified = recorded === undefined ? await verifyNow(tables, ctx) : summaryOf(recorded);
    if ("result" in verified) return verified;
    const { passed, evidence, counts } = verified;
    const sentence = counts === undefined ? verified.sentence : `${verified.sentence}; ${showCompared(counts)}`;
    return passed
      ? done(`${sentence}; evidence ${evidence.file}, ${evidence.digest}`)
      : failed(`${sentence}; evidence ${evidence.file}, ${evidence.digest}`, "APL816", [
          { text: "List the keys", command: `cdcctl migrate verify --check-evidence ${shellFile(evidence.file)}` },
        ]);
  },
};

/** A journal of an earlier version has no counts. */
interface Summary extends Pick<Verified, "passed" | "sentence"> {
  readonly counts: ComparedCounts | undefined;
  readonly evidence: { readonly file: string; readonly digest: string };
}

/** Verifies now. A verification that is impossible is a definite failure: nothing was changed by trying. */
async function verifyNow(wanted: readonly VerifiedTable[], ctx: RunContext): Promise<Summary | Failed> {
  try {
    if (ctx.state().verifying === undefined) {
      const found = await connectorsFound(phaseSubject(ctx.state()), ctx);
      if (found === undefined)
        return failed(`${phaseSubject(ctx.state()).connector} no longer exists: nothing was verified`);
      await ctx.record({ type: "verification-pinned", ...found });
    }
    const { passed, sentence, tables, counts, evidence } = await ctx.verify(phasePlanOf(ctx.state()).intent, wanted);
    await ctx.record({ type: "verified", passed, tables, counts, evidence });
    return { passed, sentence, counts, evidence };
  } catch (failure) {
    if (failure instanceof Refusal) return failed(failure.message, failure.code, failure.remedies);
    if (failure instanceof UsageError)
      return failed(
        failure.problems.map(({ file, message }) => (file === undefined ? message : `${file}: ${message}`)).join("; "),
        undefined,
        failure.problems.flatMap(({ remedy }) => remedy ?? []),
      );
    throw failure;
  }
}

/** The report of a result recorded before the process ended: it is not computed a second time. */
function summaryOf({ passed, tables, counts, evidence }: NonNullable<RunState["verified"]>): Summary {
  const among = counted(tables.length, "table");
  return { passed, sentence: passed ? `${among} passed` : `not all of ${among} passed`, counts, evidence };
}
