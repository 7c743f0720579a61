import { Refusal, UsageError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { decisionOf } from "../../core/plan/resolved-plan.ts";
import { parseDigest } from "../../core/values/digest.ts";
import type { Host } from "../host.ts";

export interface ConsentFlags {
  readonly yes: boolean;
  readonly expect: string | undefined;
}

/** Without a terminal somebody has to have agreed beforehand. @throws UsageError where nobody has, or to what is no decision */
export function demandConsent({ yes, expect }: ConsentFlags, host: Host): void {
  if (expect !== undefined && parseDigest(expect) === undefined) {
    throw new UsageError(
      `--expect ${expect.slice(0, 80)} is no decision`,
      "Give the decision that `cdcctl plan` prints: sha256: and 64 hexadecimal digits.",
    );
  }
  if (yes || expect !== undefined || host.interactive) return;
  throw new UsageError(
    "nobody can be asked here: this is no terminal",
    "Give --expect sha256:… (the decision that was reviewed), or --yes.",
  );
}

/**
 * @returns whether to go on: the decision is the expected one, `--yes` was given, or the operator says yes
 * @throws Refusal `APL810` when another decision was expected
 */
export async function consent(plans: readonly Plan[], { yes, expect }: ConsentFlags, host: Host): Promise<boolean> {
  const decision = decisionOf(plans);
  if (expect !== undefined && expect !== decision) {
    throw new Refusal("APL810", `the decision is ${decision}, expected was ${expect}`, [
      "Plan again, review the difference, and expect the new digest.",
    ]);
  }
  if (yes || expect !== undefined) return true;
  const answer = await host.ask("Apply this? Only yes is taken for an answer: ");
  return answer.trim() === "yes";
}
