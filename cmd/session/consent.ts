import { Refusal, UsageError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { decisionOf } from "../../core/plan/resolved-plan.ts";
import { type Digest, parseDigest } from "../../core/values/digest.ts";
import { truncate } from "../../core/values/truncate.ts";
import type { consentOptions, Flags } from "../options/common.ts";
import type { ChangeHost } from "./machine-output.ts";

export type ConsentFlags = Flags<typeof consentOptions>;

/**
 * Without a terminal somebody has to have agreed beforehand.
 *
 * @param decision where it is known already: what there is to agree to
 * @throws UsageError where nobody has, or to what is no decision
 */
export function demandConsent({ yes, expect }: ConsentFlags, host: ChangeHost, decision?: Digest | "abandon"): void {
  demandExpectedForm({ expect });
  if (yes || expect !== undefined || host.interactive) return;
  throw new UsageError(
    host.machine === undefined
      ? "nobody can be asked here: this is no terminal"
      : "nobody is asked while standard output is for a machine",
    decision === "abandon"
      ? "Look at the connector and its stored offset (cdcctl admin offsets show), then give --yes."
      : decision === undefined
        ? "Give --expect sha256:… (the decision that was reviewed), or --yes."
        : `Give --expect ${decision} once it is reviewed, or --yes.`,
  );
}

/** @throws UsageError for an `--expect` that is no decision */
export function demandExpectedForm({ expect }: Pick<ConsentFlags, "expect">): void {
  if (expect !== undefined && parseDigest(expect) === undefined) {
    throw new UsageError(
      `--expect ${truncate(expect, 80)} is no decision`,
      "Give the decision that `cdcctl plan` prints: sha256: and 64 hexadecimal digits.",
    );
  }
}

/**
 * Where there is nothing to do any more, the decision that was applied last is as good as the one that would be applied
 * now.
 *
 * @throws Refusal `APL810` when another decision was expected, whether there is anything to do or not
 */
export function demandExpected(plans: readonly Plan[], { expect }: Pick<ConsentFlags, "expect">): void {
  const applied = decisionOf(plans.map((plan) => ({ ...plan, decision: appliedDecision(plan) })));
  if (expect !== applied) demandDecision(decisionOf(plans), { expect });
}

/** @throws Refusal `APL810` when another decision was expected */
export function demandDecision(decision: Digest, { expect }: Pick<ConsentFlags, "expect">): void {
  if (expect !== undefined && expect !== decision) {
    throw new Refusal("APL810", `the decision is ${decision}, expected was ${expect}`, [
      "Plan again, review the difference, and expect the new digest.",
    ]);
  }
}

/** @returns whether to go on: the expected decision was given, `--yes` was, or the operator says yes */
export async function consent(
  { yes, expect }: ConsentFlags,
  host: Pick<ChangeHost, "ask">,
  question = "Apply this? Only yes is taken for an answer: ",
): Promise<boolean> {
  if (yes || expect !== undefined) return true;
  const answer = await host.ask(question);
  return answer.trim() === "yes";
}

function appliedDecision({ outcome, decision }: Plan): Digest {
  return (
    (outcome.state === "no-op" && outcome.applied !== undefined ? parseDigest(outcome.applied) : undefined) ?? decision
  );
}
